import MetricDiagnostics
import MetricValues

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

/// A literal, or any value as the language writes it.
package enum Literal: Hashable, Sendable {
  /// `none`, with the type that its place gives it.
  case none(ValueType)
  case bool(Bool)
  case int(Int64)
  case decimal(FixedDecimal)
  case text(String)
  case day(DayKey)

  package var type: ValueType {
    switch self {
    case .none(let type): type
    case .bool: .bool
    case .int: .int
    case .decimal: .decimal
    case .text: .text
    case .day: .dayKey
    }
  }

  /// A number in millionths; nil for everything else.
  package var inMillionths: Int64? {
    switch self {
    case .int(let value): value * FixedDecimal.scale
    case .decimal(let value): value.millionths
    case .none, .bool, .day, .text: nil
    }
  }

  /// A whole number; nil for everything else.
  package var whole: Int64? {
    inMillionths.flatMap { $0 % FixedDecimal.scale == 0 ? $0 / FixedDecimal.scale : nil }
  }
}

extension Literal {
  /// Texts are equal where their bytes are (NUM-05). Swift's strings are equal
  /// also where they only look the same, and two conditions would be taken for one.
  package static func == (left: Literal, right: Literal) -> Bool {
    switch (left, right) {
    case (.none(let one), .none(let other)): one == other
    case (.bool(let one), .bool(let other)): one == other
    case (.int(let one), .int(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.day(let one), .day(let other)): one == other
    case (.none, _), (.bool, _), (.int, _), (.decimal, _), (.text, _), (.day, _): false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .none(let type): hasher.combine(type)
    case .bool(let value): hasher.combine(value)
    case .int(let value): hasher.combine(value)
    case .decimal(let value): hasher.combine(value)
    case .text(let text): for byte in text.utf8 { hasher.combine(byte) }
    case .day(let day): hasher.combine(day)
    }
  }
}

/// `offset 7 days`, `offset 1 month`; a week is 7 days, a month is clamped to its last day.
package enum Offset: Hashable, Sendable {
  case days(Int)
  case months(Int)
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

extension Offset {
  /// The day that lies this far before `day`.
  package func applied(to day: Int32) -> Int32 {
    switch self {
    case .days(let days): day - Int32(days)
    case .months(let months): DayKey(number: day).advanced(byMonths: -months).number
    }
  }
}
