import Foundation
import MetricFoundation
import Testing

@Suite struct DayTests {
  private func calendar(_ zone: String, _ identifier: Calendar.Identifier = .gregorian) throws -> Calendar {
    var calendar = Calendar(identifier: identifier)
    calendar.timeZone = try #require(TimeZone(identifier: zone))
    return calendar
  }

  private func date(_ text: String) throws -> Date { Date(try #require(Instant(text))) }

  @Test func theDayIsThatOfTheUser() throws {
    let date = try date("2026-01-31T23:30:00Z")
    #expect(DayKey(date, try calendar("Europe/London"))?.description == "2026-01-31")
    #expect(DayKey(date, try calendar("Europe/Berlin"))?.description == "2026-02-01")
    #expect(DayKey(date, try calendar("Pacific/Honolulu"))?.description == "2026-01-31")
    // A DayKey is Gregorian whatever calendar the user sees.
    #expect(DayKey(date, try calendar("Europe/Berlin", .buddhist))?.description == "2026-02-01")
    #expect(DayKey(date, try calendar("Europe/Berlin", .hebrew))?.description == "2026-02-01")
  }

  @Test func aDayThatEndsAtThree() throws {
    let berlin = try calendar("Europe/Berlin")
    func day(_ text: String) throws -> String? {
      DayKey(try date(text), berlin, startingAt: 3)?.description
    }
    #expect(try day("2026-01-01T01:59:59Z") == "2025-12-31")
    #expect(try day("2026-01-01T02:00:00Z") == "2026-01-01")
    // The night in which the clock skips the hour from 2 to 3, and the one in which it repeats it.
    #expect(try day("2026-03-29T00:59:59Z") == "2026-03-28")
    #expect(try day("2026-03-29T01:00:00Z") == "2026-03-29")
    #expect(try day("2026-10-25T01:59:59Z") == "2026-10-24")
    #expect(try day("2026-10-25T02:00:00Z") == "2026-10-25")
  }

  @Test func thereAndBack() throws {
    for zone in ["Europe/Berlin", "America/Sao_Paulo", "Asia/Kathmandu", "Pacific/Apia", "UTC"] {
      let calendar = try calendar(zone)
      for number in stride(from: DayKey.first.number, through: DayKey.last.number, by: 97) {
        let day = DayKey(number: number)
        for hour in [0, 3, 23] {
          let date = day.date(calendar, startingAt: hour)
          // Where a clock skipped a whole day, that day has no moment of its own.
          let back = DayKey(date, calendar, startingAt: hour)
          #expect(back == day || back == day.advanced(by: 1), "\(zone) \(day) \(hour)")
        }
      }
    }
    #expect(DayKey(Date.distantPast, try calendar("UTC")) == nil)
    #expect(DayKey(Date.distantFuture, try calendar("UTC")) == nil)
  }

  @Test func datesAndDecimalsAreFields() throws {
    struct Sample: Encodable {
      var id = "1"
      var userId = "u"
      var dayKey = DayKey.first
      var amount: Decimal
      var at: Date
    }
    let source = """
      fact Sample { id : ID userId : User dayKey : DayKey amount : Decimal at : Instant }
      measure latest { for user value last(Sample.amount) audience team }
      """
    let library = MetricLibrary(sources: [SourceFile(path: "s.metric", text: source)])
    let session = try MetricSession(library: library)
    let amount = try #require(Decimal(string: "0.100001"))
    try session.insert(Sample(amount: amount, at: date("2026-01-31T23:30:00Z")))
    #expect(try session.value(of: "latest", for: "u", on: .first, as: Decimal.self) == amount)
    let tooExact = try #require(Decimal(string: "0.1000001"))
    #expect(throws: SessionError.self) {
      try session.insert(Sample(id: "2", amount: tooExact, at: date("2026-01-31T23:30:00Z")))
    }
  }

  @Test func valuesSurviveJSON() throws {
    struct Record: Codable, Equatable {
      var day: DayKey
      var instant: Instant
      var amounts: [FixedDecimal]
    }
    let amounts = ["0", "-3", "0.1", "4503599627.370496", "-8999999999999.999999", "0.000001"]
    let record = Record(
      day: .last, instant: try #require(Instant("2026-01-31T06:15:00.25Z")),
      amounts: try amounts.map { try FixedDecimal.parse($0) })
    let bytes = try JSONEncoder().encode(record)
    #expect(try JSONDecoder().decode(Record.self, from: bytes) == record)
    #expect(String(decoding: bytes, as: UTF8.self).contains("\"2199-12-31\""))
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([DayKey].self, from: Data("[\"2026-02-30\"]".utf8))
    }
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([FixedDecimal].self, from: Data("[1e13]".utf8))
    }
  }
}
