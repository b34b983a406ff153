/// The type of an expression's value: what a column may hold. Every value may also be none.
///
/// IDs, Text and choices are texts, compared as UTF-8 bytes (NUM-05). An Instant orders facts; it may be tested with
/// `is none` and nothing else.
package typealias ValueType = ColumnType

extension ValueType {
  package var isNumber: Bool { self == .int || self == .decimal }

  /// The type as the language writes it.
  package var name: String {
    switch self {
    case .int: "Int"
    case .decimal: "Decimal"
    case .bool: "Bool"
    case .dayKey: "DayKey"
    case .text: "Text"
    case .instant: "Instant"
    }
  }
}

/// `offset 7 days`, `offset 1 month`; a week is 7 days, a month is clamped to its last day.
package enum Offset: Hashable, Sendable {
  case days(Int)
  case months(Int)

  /// The day that lies this far before `day`.
  package func applied(to day: Int32) -> Int32 {
    switch self {
    case .days(let days): day - Int32(days)
    case .months(let months): DayKey(number: day).advanced(byMonths: -months).number
    }
  }
}

/// `consent standard for "crashes" default essential`: what a team metric needs to read a fact (PRIV-01).
package struct AskedConsent: Hashable, Sendable {
  package var level: ConsentLevel
  /// The switch that `Consent` records set; empty for the one without a name.
  package var purpose = ""
  /// The level of users without a record.
  package var standing = ConsentLevel.none

  /// As it is written after `consent`.
  package var text: String {
    level.rawValue + (purpose.isEmpty ? "" : " for \"\(purpose)\"")
      + (standing == .none ? "" : " default \(standing.rawValue)")
  }
}

/// The levels of consent, in rising order.
package enum ConsentLevel: String, CaseIterable, Comparable, Sendable {
  case none, essential, standard, detailed

  private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package static func < (left: ConsentLevel, right: ConsentLevel) -> Bool { left.rank < right.rank }
}
