import Testing

@testable import MetricValues

@Suite struct DayKeyTests {
  /// Walks the whole calendar with a counter that knows only the lengths of the months.
  @Test func everyDayRoundTrips() {
    var expected = (year: 1900, month: 1, day: 1)
    var weekday = 0  // 1900-01-01 was a Monday
    for number in DayKey.first.number...DayKey.last.number {
      let key = DayKey(number: number)
      let civil = key.civil
      guard civil == expected, key.weekday.rawValue == weekday,
        DayKey(year: civil.year, month: civil.month, day: civil.day) == key
      else {
        Issue.record("day \(number) is \(civil), expected \(expected)")
        return
      }
      weekday = (weekday + 1) % 7
      expected.day += 1
      let isLeap =
        expected.year.isMultiple(of: 4)
        && (!expected.year.isMultiple(of: 100) || expected.year.isMultiple(of: 400))
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      if expected.day > lengths[expected.month - 1] { expected = (expected.year, expected.month + 1, 1) }
      if expected.month > 12 { expected = (expected.year + 1, 1, 1) }
    }
    #expect(expected == (2200, 1, 1))
  }

  @Test func everyDayIsWrittenAndReadBack() {
    var bytes = ByteBuffer()
    for number in DayKey.first.number...DayKey.last.number {
      bytes.removeAll()
      ValueText.write(DayKey(number: number), to: &bytes)
      guard DayKey(utf8: bytes.bytes)?.number == number else {
        Issue.record("day \(number) was written as \(String(decoding: bytes.bytes, as: UTF8.self))")
        return
      }
    }
  }

  @Test func theEpochIsDayZero() {
    #expect(DayKey("1970-01-01") == DayKey(number: 0))
    #expect(DayKey("1970-01-01")?.weekday == .thursday)
    #expect(DayKey("1900-01-01") == .first)
    #expect(DayKey("2199-12-31") == .last)
  }

  @Test(arguments: [
    "2026-02-29", "2026-02-31", "1900-02-29", "2026-04-31", "2026-00-10", "2026-13-01", "2026-01-00",
    "0000-01-01", "2026-1-01", "26-01-01", "2026/01/01", "2026-01-01 ", " 2026-01-01", "+026-01-01",
    "2026-01-0a", "", "2026-01-01T00:00:00Z", "10000-01-01", "1899-12-31", "2200-01-01", "0001-01-01",
    "9999-12-31",
  ])
  func refuses(_ text: String) {
    #expect(DayKey(text) == nil)
  }

  @Test func monthsAreClampedToTheirLastDay() throws {
    let day = try #require(DayKey("2024-01-31"))
    #expect(day.advanced(byMonths: 1).description == "2024-02-29")
    #expect(day.advanced(byMonths: 13).description == "2025-02-28")
    #expect(day.advanced(byMonths: 3).description == "2024-04-30")
    #expect(day.advanced(byMonths: -1).description == "2023-12-31")
    #expect(day.advanced(byMonths: -11).description == "2023-02-28")
    #expect(day.advanced(byMonths: 0) == day)
    #expect(day.advanced(byMonths: 12 * 175).description == "2199-01-31")
  }

  @Test func weeksAndMonthsHaveTheirEnds() throws {
    let day = try #require(DayKey("2026-02-18"))  // a Wednesday
    #expect(day.weekday == .wednesday)
    #expect(day.startOfWeek(from: .monday).description == "2026-02-16")
    #expect(day.startOfWeek(from: .wednesday) == day)
    #expect(day.startOfWeek(from: .thursday).description == "2026-02-12")
    #expect(day.startOfMonth.description == "2026-02-01")
    #expect(day.endOfMonth.description == "2026-02-28")
    #expect(DayKey(number: 0).advanced(by: -1).description == "1969-12-31")
    #expect(Weekday(name: "sunday") == .sunday)
    #expect(Weekday(name: "Sunday") == nil)
  }

  /// TEXT-08: a number outside the range is no day, though an Instant may lie there.
  @Test func daysOutsideTheRange() {
    #expect(DayKey(checking: -25_567) == .first)
    #expect(DayKey(checking: -25_568) == nil)
    #expect(DayKey(checking: 84_005) == .last)
    #expect(DayKey(checking: 84_006) == nil)
    #expect(DayKey(checking: .min) == nil)
    #expect(DayKey(year: 1899, month: 12, day: 31) == nil)
    #expect(DayKey(year: 2200, month: 1, day: 1) == nil)
    #expect(DayKey.number(ofDate: "0001-01-01") == -719_162)
    #expect(DayKey.number(ofDate: "9999-12-31") == 2_932_896)
    #expect(DayKey.number(ofDate: "0000-12-31") == nil)
  }
}
