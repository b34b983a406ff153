import MetricData
import MetricTestSupport
import Testing

@testable import MetricImport

/// Days at the edges of what zones do. The offsets, dates and instants are those of Python's `zoneinfo`.
@Suite struct HardDayTests {
  /// A zone, an instant, the seconds that the zone is ahead then, and the date there.
  private static let days: [(zone: String, instant: String, offset: Int64, day: String)] = [
    // Clocks are put forward at midnight, and put back to the evening before.
    ("America/Sao_Paulo", "2018-11-04T02:59:59Z", -10800, "2018-11-03"),
    ("America/Sao_Paulo", "2018-11-04T03:00:00Z", -7200, "2018-11-04"),
    ("America/Sao_Paulo", "2018-02-18T01:59:59Z", -7200, "2018-02-17"),
    ("America/Sao_Paulo", "2018-02-18T02:00:00Z", -10800, "2018-02-17"),
    ("America/Sao_Paulo", "2018-02-18T02:59:59Z", -10800, "2018-02-17"),
    ("America/Sao_Paulo", "2018-02-18T03:00:00Z", -10800, "2018-02-18"),
    // Summer time came back after years, on a Friday at midnight.
    ("Africa/Cairo", "2023-04-27T21:59:59Z", 7200, "2023-04-27"),
    ("Africa/Cairo", "2023-04-27T22:00:00Z", 10800, "2023-04-28"),
    ("Africa/Cairo", "2023-10-26T20:59:59Z", 10800, "2023-10-26"),
    ("Africa/Cairo", "2023-10-26T21:00:00Z", 7200, "2023-10-26"),
    ("Africa/Cairo", "2023-10-26T22:00:00Z", 7200, "2023-10-27"),
    // Summer time was put off and put off again; what came of it is one change on March 26.
    ("Asia/Beirut", "2023-03-29T21:59:59Z", 10800, "2023-03-30"),
    ("Asia/Beirut", "2023-03-29T22:00:00Z", 10800, "2023-03-30"),
    ("Asia/Beirut", "2023-03-25T22:30:00Z", 10800, "2023-03-26"),
    ("Asia/Beirut", "2022-10-29T20:59:59Z", 10800, "2022-10-29"),
    ("Asia/Beirut", "2022-10-29T21:00:00Z", 7200, "2022-10-29"),
    // Dates that never were, to the west and to the east of the date line.
    ("Pacific/Apia", "2011-12-30T09:59:59Z", -36000, "2011-12-29"),
    ("Pacific/Apia", "2011-12-30T10:00:00Z", 50400, "2011-12-31"),
    ("Pacific/Fakaofo", "2011-12-30T10:59:59Z", -39600, "2011-12-29"),
    ("Pacific/Fakaofo", "2011-12-30T11:00:00Z", 46800, "2011-12-31"),
    ("Pacific/Kwajalein", "1993-08-21T11:59:59Z", -43200, "1993-08-20"),
    ("Pacific/Kwajalein", "1993-08-21T12:00:00Z", 43200, "1993-08-22"),
    // Two hours of summer time, and half an hour of it.
    ("Antarctica/Troll", "2024-03-31T00:59:59Z", 0, "2024-03-31"),
    ("Antarctica/Troll", "2024-03-31T01:00:00Z", 7200, "2024-03-31"),
    ("Antarctica/Troll", "2024-06-30T22:00:00Z", 7200, "2024-07-01"),
    ("Antarctica/Troll", "2024-10-27T00:59:59Z", 7200, "2024-10-27"),
    ("Antarctica/Troll", "2024-10-27T01:00:00Z", 0, "2024-10-27"),
    ("Australia/Lord_Howe", "2024-04-06T14:59:59Z", 39600, "2024-04-07"),
    ("Australia/Lord_Howe", "2024-04-06T15:00:00Z", 37800, "2024-04-07"),
    ("Australia/Lord_Howe", "2024-10-05T15:29:59Z", 37800, "2024-10-06"),
    ("Australia/Lord_Howe", "2024-10-05T15:30:00Z", 39600, "2024-10-06"),
    // Local mean time, with seconds, until 1972.
    ("Africa/Monrovia", "1972-01-07T00:44:29Z", -2670, "1972-01-06"),
    ("Africa/Monrovia", "1972-01-07T00:44:30Z", 0, "1972-01-07"),
    ("Africa/Monrovia", "1972-01-06T00:44:29Z", -2670, "1972-01-05"),
    ("Africa/Monrovia", "1972-01-06T00:44:30Z", -2670, "1972-01-06"),
    // The first and the last days, and summer time in a far year.
    ("Africa/Monrovia", "1900-01-01T00:43:08Z", -2588, "1900-01-01"),
    ("America/New_York", "1900-01-02T04:59:59Z", -18000, "1900-01-01"),
    ("America/New_York", "2200-01-01T04:59:59Z", -18000, "2199-12-31"),
    ("Asia/Tokyo", "2199-12-31T14:59:59Z", 32400, "2199-12-31"),
    ("Europe/Berlin", "2190-07-01T22:30:00Z", 7200, "2190-07-02"),
  ]

  @Test func daysOfInstants() throws {
    for (name, text, offset, day) in Self.days {
      let zone = try #require(Zone(name), "\(name)")
      let instant = try #require(Instant(text))
      #expect(
        zone.offset(atSecond: floorDivide(instant.microseconds, 1_000_000)) == offset, "\(name) \(text)")
      #expect(zone.day(of: instant)?.description == day, "\(name) \(text)")
    }
  }

  /// A local date before the first DayKey or after the last is none.
  @Test func daysOutsideOfTheCalendar() throws {
    let first = try #require(Instant("1900-01-01T00:00:00Z"))
    let last = try #require(Instant("2199-12-31T23:59:59Z"))
    #expect(try #require(Zone("America/New_York")).day(of: first) == nil)
    #expect(try #require(Zone("Asia/Tokyo")).day(of: last) == nil)
    let mapping = """
      {"records": [{"record": "HabitEntry", "fields": {"id": {"column": "nr"}, "dayKey": {"dayOf": "at"}}}]}
      """
    for (zone, text) in [
      ("America/New_York", "1900-01-01T00:00:00Z"), ("Asia/Tokyo", "2199-12-31T23:59:59Z"),
      ("UTC", "0001-01-01T00:00:00Z"), ("UTC", "9999-12-31T23:59:59Z"), ("UTC", "1899-12-31 12:00"),
    ] {
      #expect(
        failure(.csv, "nr,at\n1,\(text)\n", mapping: mapping, zone: zone)?
          .contains("outside 1900-01-01 to 2199-12-31") == true)
    }
  }

  /// A zone, a local time, and its instant: the first of two, or the one that the old offset gives.
  private static let clocks: [(zone: String, local: String, instant: String)] = [
    ("America/Sao_Paulo", "2018-11-04T00:00:00", "2018-11-04T03:00:00Z"),
    ("America/Sao_Paulo", "2018-11-04T00:30:00", "2018-11-04T03:30:00Z"),
    ("America/Sao_Paulo", "2018-11-03T23:59:59", "2018-11-04T02:59:59Z"),
    ("America/Sao_Paulo", "2018-02-17T23:30:00", "2018-02-18T01:30:00Z"),
    ("America/Sao_Paulo", "2018-02-18T00:00:00", "2018-02-18T03:00:00Z"),
    ("Africa/Cairo", "2023-04-28T00:15:00", "2023-04-27T22:15:00Z"),
    ("Africa/Cairo", "2023-10-26T23:30:00", "2023-10-26T20:30:00Z"),
    ("Africa/Cairo", "2023-10-27T00:00:00", "2023-10-26T22:00:00Z"),
    ("Asia/Beirut", "2023-03-30T00:30:00", "2023-03-29T21:30:00Z"),
    ("Asia/Beirut", "2023-03-26T00:30:00", "2023-03-25T22:30:00Z"),
    ("Asia/Beirut", "2022-10-29T23:30:00", "2022-10-29T20:30:00Z"),
    ("Pacific/Apia", "2011-12-29T23:59:59", "2011-12-30T09:59:59Z"),
    ("Pacific/Apia", "2011-12-30T00:00:00", "2011-12-30T10:00:00Z"),
    ("Pacific/Apia", "2011-12-30T23:59:59", "2011-12-31T09:59:59Z"),
    ("Pacific/Apia", "2011-12-31T00:00:00", "2011-12-30T10:00:00Z"),
    ("Pacific/Kwajalein", "1993-08-20T23:59:59", "1993-08-21T11:59:59Z"),
    ("Pacific/Kwajalein", "1993-08-21T12:00:00", "1993-08-22T00:00:00Z"),
    ("Pacific/Kwajalein", "1993-08-22T00:00:00", "1993-08-21T12:00:00Z"),
    ("Antarctica/Troll", "2024-03-31T02:30:00", "2024-03-31T02:30:00Z"),
    ("Antarctica/Troll", "2024-10-27T01:30:00", "2024-10-26T23:30:00Z"),
    ("Antarctica/Troll", "2024-10-27T02:59:59", "2024-10-27T00:59:59Z"),
    ("Australia/Lord_Howe", "2024-10-06T02:15:00", "2024-10-05T15:45:00Z"),
    ("Australia/Lord_Howe", "2024-04-07T01:45:00", "2024-04-06T14:45:00Z"),
    ("Europe/Berlin", "1890-07-01T00:00:00", "1890-06-30T23:06:32Z"),
    ("Africa/Monrovia", "1972-01-07T00:10:00", "1972-01-07T00:54:30Z"),
    ("Europe/Berlin", "0001-01-02T00:00:00", "0001-01-01T23:06:32Z"),
    ("Europe/Berlin", "9999-12-31T23:59:59", "9999-12-31T22:59:59Z"),
  ]

  @Test func instantsOfLocalTimes() throws {
    for (name, text, instant) in Self.clocks {
      let zone = try #require(Zone(name), "\(name)")
      let time = try #require(LocalTime(text))
      #expect(zone.instant(ofLocal: time.microseconds).description == instant, "\(name) \(text)")
    }
  }

  /// The offset of local mean time has seconds, and some programs write hours alone.
  @Test func offsetsWithSecondsAndWithHoursAlone() {
    let times = [
      ("1890-07-01T00:00:00+00:53:28", "1890-06-30T23:06:32Z"),
      ("1890-07-01T00:00:00+005328", "1890-06-30T23:06:32Z"),
      ("1925-02-01 00:00:00 -04:56:02", "1925-02-01T04:56:02Z"),
      ("2026-03-01 23:30:00+00", "2026-03-01T23:30:00Z"), ("2026-03-01 23:30:00-05", "2026-03-02T04:30:00Z"),
      ("2026-03-01T23:30+14", "2026-03-01T09:30:00Z"),
    ]
    for (text, instant) in times { #expect(LocalTime(text)?.instant?.description == instant, "\(text)") }
    for text in [
      "+1", "+01:", "+01:0", "+01:60", "+24", "+01:00:60", "+01:00:0", "+0100:00", "+01:0000", "++01",
    ] {
      #expect(LocalTime("2026-03-01 23:30" + text) == nil, "\(text)")
    }
  }

  /// A leap second belongs to the minute and the day that it ends, also where that is not midnight.
  @Test func leapSeconds() throws {
    let times = [
      ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59.999999Z"),
      ("2016-12-31T23:59:60.75Z", "2016-12-31T23:59:59.999999Z"),
      ("2017-01-01 08:59:60 +0900", "2016-12-31T23:59:59.999999Z"),
      ("2017-01-01T05:29:60+05:30", "2016-12-31T23:59:59.999999Z"),
    ]
    for (text, instant) in times { #expect(LocalTime(text)?.instant?.description == instant, "\(text)") }
    #expect(LocalTime("2016-12-31 23:59:60")?.day?.description == "2016-12-31")
    #expect(LocalTime("2199-12-31 23:59:60")?.day?.description == "2199-12-31")
    #expect(LocalTime("2016-12-31T23:59:61Z") == nil)
  }
}
