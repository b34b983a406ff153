/// Numbers and nouns as people read them.
package enum Wording {
  /// `reading plan` for `readingPlan`.
  static func noun(ofSubject subject: String) -> String {
    subject.map { ($0.isUppercase ? " " : "") + $0.lowercased() }.joined()
  }

  /// A name in the code as words: `First opened` for `first_opened`, `Reading plan` for `readingPlan`.
  static func title(ofName name: String) -> String {
    let words = zip(" " + name, name).map { before, character in
      if character == "_" || character == "." { return " " }
      return before.isLowercase && character.isUppercase ? " \(character.lowercased())" : "\(character)"
    }
    return words.joined().capitalizedFirst
  }

  static func group(_ key: GroupKey) -> String { key.fields.map { group($0) }.joined(separator: ", ") }

  static func group(_ text: String) -> String { text.isEmpty ? "(none)" : text }

  /// Commas in the whole part, and a minus sign: `−1,234.5`.
  static func grouped(_ text: String) -> String {
    Counting.grouped(digits: text).replacing("-", with: "−")
  }

  /// Four digits after the point at most.
  static func number(_ value: FixedDecimal) -> String { grouped(value.shown.description) }

  static func value(_ value: Value) -> String {
    switch value {
    case .none: "no value"
    case .bool(let value): value ? "yes" : "no"
    case .int(let value): grouped(String(value))
    case .decimal(let value): number(value)
    case .day(let day): day.description
    case .text(let text): text
    }
  }

  /// `53.2%`; nil if there is no whole.
  static func percent(_ part: Double, of whole: Double) -> String? {
    guard whole > 0, part.isFinite else { return nil }
    let perMille = Int((part / whole * 1000).rounded())
    return perMille % 10 == 0 ? "\(perMille / 10)%" : "\(perMille / 10).\((perMille % 10).magnitude)%"
  }

  /// How a number has changed: `+12 (+5.1%)`, `−3`, `unchanged`.
  static func change(from before: Double, to now: Double) -> String {
    let difference = now - before
    guard abs(difference) >= 0.00005, abs(difference) < 9e12 else { return "unchanged" }
    let amount = number(FixedDecimal(millionths: Int64((difference * 1e6).rounded())))
    let sign = difference > 0 ? "+" : ""
    let share = before > 0 ? percent(difference, of: before) : nil
    return sign + amount + (share.map { " (\(sign)\(grouped(String($0.dropLast())))%)" } ?? "")
  }

  package static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// `Jun 2026`.
  package static func month(of day: DayKey) -> String { "\(months[day.civil.month - 1]) \(day.civil.year)" }

  /// `Jun 2026`, `Q2 2026`, `2026`; weeks and days by the first day.
  static func name(of unit: CalendarUnit, _ first: DayKey) -> String {
    let (year, month, _) = first.civil
    return switch unit {
    case .month: Wording.month(of: first)
    case .quarter: "Q\((month + 2) / 3) \(year)"
    case .year: "\(year)"
    case .day, .week, .months: Wording.day(first)
    }
  }

  /// `30 Jun`.
  static func shortDay(_ day: DayKey) -> String { "\(day.civil.day) \(months[day.civil.month - 1])" }

  /// `30 Jun 2026`.
  static func day(_ day: DayKey) -> String { "\(day.civil.day) \(month(of: day))" }
}

/// How the numbers of a part are read.
enum NumberForm: Sendable {
  case whole, decimal
  /// In percent.
  case share

  init(_ part: PlannedMetric.Part?) {
    self = part?.isShare == true ? .share : part?.type == "Int" ? .whole : .decimal
  }

  func text(_ value: FixedDecimal) -> String {
    self == .share ? Wording.percent(value.approximate, of: 1) ?? "" : Wording.number(value)
  }

  func text(_ value: Value) -> String { value.amount.map(text) ?? Wording.value(value) }

  func text(_ value: Double) -> String {
    let millionths = (value * 1e6).rounded()
    return abs(millionths) < 9e18 ? text(FixedDecimal(millionths: Int64(millionths))) : ""
  }

  /// `+12 (+5.1%)`, of a share `+3.8 points`.
  func change(from before: Double, to now: Double) -> String {
    guard self == .share else { return Wording.change(from: before, to: now) }
    let points = Wording.change(from: 0, to: ((now - before) * 1000).rounded() / 10)
    return points == "unchanged" ? points : "\(points) points"
  }
}

extension Value {
  var amount: FixedDecimal? { millionths.map { FixedDecimal(millionths: $0) } }
}

extension FixedDecimal {
  var approximate: Double { Double(millionths) / Double(FixedDecimal.scale) }

  /// For people: rounded half away from zero to four digits after the point; what would be 0 then stays as it is.
  package var shown: FixedDecimal {
    let tenThousandths = FixedDecimal.divideRounding(Int128(millionths), by: 100)
    return tenThousandths == 0 ? self : FixedDecimal(millionths: Int64(clamping: tenThousandths * 100))
  }
}
