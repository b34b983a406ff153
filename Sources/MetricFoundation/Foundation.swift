import Foundation
@_exported import MetricLanguage

extension DayKey {
  /// The day of a moment where the user is.
  ///
  ///     let today = DayKey(.now, .current)
  ///     let today = DayKey(.now, .current, startingAt: 3)  // at 02:59 it is still yesterday
  ///
  /// - Parameters:
  ///   - date: the moment.
  ///   - calendar: only its time zone counts: a DayKey is a day of the Gregorian calendar whatever the user's is.
  ///   - hour: when the user's day starts, from 0 to 23, on the clock of that day.
  /// - Returns: nil outside the DayKeys, 1900 to 2199.
  public init?(_ date: Date, _ calendar: Calendar, startingAt hour: Int = 0) {
    let parts = Calendar.gregorian(in: calendar.timeZone)
      .dateComponents([.era, .year, .month, .day, .hour], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day, let clock = parts.hour,
      parts.era == 1, let key = DayKey(year: year, month: month, day: day)
    else { return nil }
    self.init(checking: Int64(key.number) - (clock < hour ? 1 : 0))
  }

  /// The moment at which the day starts where the user is.
  ///
  /// Where the clock skips that hour, it is the first moment after the gap.
  public func date(_ calendar: Calendar, startingAt hour: Int = 0) -> Date {
    let gregorian = Calendar.gregorian(in: calendar.timeZone)
    let (year, month, day) = civil
    let parts = DateComponents(year: year, month: month, day: day, hour: hour)
    // Every DayKey is a date of the Gregorian calendar.
    return gregorian.date(from: parts) ?? Date(timeIntervalSince1970: Double(number) * 86_400)
  }
}

extension Calendar {
  fileprivate static func gregorian(in zone: TimeZone) -> Calendar {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = zone
    return calendar
  }
}

extension Instant {
  /// To the microsecond; nil outside the years 0001 to 9999.
  public init?(_ date: Date) {
    let microseconds = (date.timeIntervalSince1970 * 1_000_000).rounded()
    guard microseconds.magnitude < 1e18 else { return nil }
    self.init(microseconds: Int64(microseconds))
    guard Instant(description) == self else { return nil }
  }
}

/// A `Date` is an Instant, never a day: `DayKey(date, calendar)` says whose day it is.
extension Date: MetricConvertible {
  public init(_ instant: Instant) {
    self.init(timeIntervalSince1970: Double(instant.microseconds) / 1_000_000)
  }

  public static var columnTypes: Set<ColumnType> { [.instant] }
  public init?(_ value: Value) {
    guard case .text(let text) = value, let instant = Instant(text) else { return nil }
    self.init(instant)
  }
  public var metricValue: Value { .text(Instant(self)?.description ?? description) }
}

extension Decimal: MetricConvertible {
  public static var columnTypes: Set<ColumnType> { [.int, .decimal] }
  public init?(_ value: Value) {
    guard let number = FixedDecimal(value) else { return nil }
    self = Decimal(number.millionths) / Decimal(FixedDecimal.scale)
  }
  /// What has more than six digits after the point, or is out of range, is a text that names it.
  public var metricValue: Value {
    (try? FixedDecimal.parse("\(self)")).map { .decimal($0) } ?? .text("\(self)")
  }
}

extension SessionError: LocalizedError {
  public var errorDescription: String? { message }
}
