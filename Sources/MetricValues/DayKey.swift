/// A calendar date from 1900-01-01 to 2199-12-31 (TEXT-08), counted in days since 1970-01-01.
///
/// A DayKey is kept as it was written: nothing here knows a clock, an instant or a time zone.
/// The civil-calendar arithmetic follows Howard Hinnant, "chrono-Compatible Low-Level Date
/// Algorithms" (`days_from_civil`, `civil_from_days`).
public struct DayKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Days since 1970-01-01; negative before it.
  public let number: Int32

  public static let first = DayKey(number: -25_567)  // 1900-01-01
  public static let last = DayKey(number: 84_005)  // 2199-12-31

  package static let all = first...last
  /// `1900-01-01 to 2199-12-31`, as messages name the range.
  package static let range = "\(first) to \(last)"

  @inlinable
  public init(number: Int32) {
    self.number = number
  }

  /// The day of a number that may lie anywhere; nil before the first DayKey and after the last.
  @inlinable
  public init?(checking number: Int64) {
    guard number >= Int64(DayKey.first.number), number <= Int64(DayKey.last.number) else { return nil }
    self.init(number: Int32(number))
  }

  /// A real date of the range, or nil.
  public init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month),
      day >= 1, day <= DayKey.daysInMonth(year: year, month: month)
    else { return nil }
    self.init(checking: Int64(DayKey.dayNumber(year: year, month: month, day: day)))
  }

  /// Exactly `YYYY-MM-DD`, a real date of the range; nil for anything else.
  public init?(_ text: String) {
    guard let day = Array(text.utf8).withUnsafeBufferPointer({ DayKey(utf8: $0) }) else { return nil }
    self = day
  }

  /// Exactly `YYYY-MM-DD` as UTF-8 bytes, a real date of the range; nil for anything else.
  @inlinable
  public init?(utf8 bytes: UnsafeBufferPointer<UInt8>) {
    guard let number = DayKey.number(ofDate: bytes) else { return nil }
    self.init(checking: Int64(number))
  }

  /// The days since 1970-01-01 of `YYYY-MM-DD`, a real date of the years 0001–9999; nil for anything else.
  @inlinable
  package static func number(ofDate bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    guard bytes.count == 10, bytes[4] == 0x2D, bytes[7] == 0x2D else { return nil }
    @inline(__always) func digit(_ index: Int) -> Int32 { Int32(bytes[index]) - 48 }
    var valid = true
    for index in 0..<10 where index != 4 && index != 7 {
      valid = valid && bytes[index] &- 48 <= 9
    }
    guard valid else { return nil }
    let year = digit(0) * 1000 + digit(1) * 100 + digit(2) * 10 + digit(3)
    let month = digit(5) * 10 + digit(6)
    let day = digit(8) * 10 + digit(9)
    guard year >= 1, month >= 1, month <= 12, day >= 1,
      day <= DayKey.daysInMonth(year: Int(year), month: Int(month))
    else { return nil }
    return DayKey.dayNumber(year: Int(year), month: Int(month), day: Int(day))
  }

  /// As `number(ofDate:)`, of a string.
  package static func number(ofDate text: String) -> Int32? {
    Array(text.utf8).withUnsafeBufferPointer { number(ofDate: $0) }
  }

  @inlinable
  public static func < (left: DayKey, right: DayKey) -> Bool { left.number < right.number }

  @inlinable
  static func dayNumber(year: Int, month: Int, day: Int) -> Int32 {
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return Int32(era * 146_097 + dayOfEra - 719_468)
  }

  /// 28 to 31, by the Gregorian calendar.
  @inlinable
  public static func daysInMonth(year: Int, month: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  public var civil: (year: Int, month: Int, day: Int) {
    let shifted = Int(number) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, day)
  }

  public var weekday: Weekday {
    let index = (Int(number) + 3) % 7  // 1970-01-01 was a Thursday
    return Weekday.allCases[index < 0 ? index + 7 : index]
  }

  /// The day that lies `days` later (earlier where negative).
  @inlinable
  public func advanced(by days: Int) -> DayKey {
    DayKey(number: Int32(clamping: Int(number) + days))
  }

  /// The same day of another month, clamped to that month's last day.
  public func advanced(byMonths months: Int) -> DayKey {
    let (year, month, day) = civil
    let total = year * 12 + (month - 1) + months
    let newYear = total >= 0 ? total / 12 : (total - 11) / 12
    let newMonth = total - newYear * 12 + 1
    let clamped = min(day, DayKey.daysInMonth(year: newYear, month: newMonth))
    return DayKey(number: DayKey.dayNumber(year: newYear, month: newMonth, day: clamped))
  }

  /// The first day of the week that holds this day, where weeks start on `start`.
  public func startOfWeek(from start: Weekday) -> DayKey {
    let back = (weekday.rawValue - start.rawValue + 7) % 7
    return advanced(by: -back)
  }

  /// As the language names the months.
  package static let monthNames = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
  ]

  /// The first day of this day's month.
  public var startOfMonth: DayKey {
    advanced(by: 1 - civil.day)
  }

  /// The last day of this day's month.
  public var endOfMonth: DayKey {
    let (year, month, day) = civil
    return advanced(by: DayKey.daysInMonth(year: year, month: month) - day)
  }

  /// `YYYY-MM-DD`.
  public var description: String { ValueText.text { ValueText.write(self, to: &$0) } }
}

/// Monday is 0, as in ISO 8601 weeks.
public enum Weekday: Int, CaseIterable, Sendable, Hashable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The name as it is written in the language: `monday`.
  public var name: String { String(describing: self) }

  public init?(name: String) {
    guard let found = Weekday.allCases.first(where: { $0.name == name }) else { return nil }
    self = found
  }
}

extension ClosedRange<DayKey> {
  /// Each of the days, in order.
  package var days: [DayKey] { (lowerBound.number...upperBound.number).map { DayKey(number: $0) } }
}
