import MetricData
import MetricTestSupport
import Testing

@testable import MetricImport

/// Local dates are those that another implementation of the zones gives.
@Suite struct ZoneTests {
  /// The rows of `zones.py`; `METRICC_ZONES` names a longer table.
  @Test func offsetsAndDaysAreThoseOfZoneinfo() throws {
    let path = environment("METRICC_ZONES")
    let text = try path.map { try String(contentsOfFile: $0, encoding: .utf8) } ?? Exports.text("zones.csv")
    var count = 0
    for line in text.split(separator: "\n").dropFirst() {
      let cells = line.split(separator: ",").map(String.init)
      guard cells.count == 4, let zone = Zone.named(cells[0]), let second = Int64(cells[1]) else {
        Issue.record("cannot use `\(line)`")
        continue
      }
      count += 1
      let offset = zone.offset(atSecond: second)
      let day = zone.day(of: Instant(microseconds: second * 1_000_000))
      if String(offset) != cells[2] || day?.description != cells[3] {
        Issue.record("\(line): found offset \(offset), day \(day?.description ?? "none")")
      }
    }
    #expect(count >= 400)
  }

  private func instant(_ local: String, _ zone: String) throws -> String {
    let time = try #require(LocalTime(local))
    return try #require(Zone(zone)).instant(ofLocal: time.microseconds).description
  }

  @Test func aTimeThatClocksShowTwiceIsTheFirstOne() throws {
    #expect(try instant("2026-10-25 01:59", "Europe/Berlin") == "2026-10-24T23:59:00Z")
    #expect(try instant("2026-10-25 02:30", "Europe/Berlin") == "2026-10-25T00:30:00Z")
    #expect(try instant("2026-10-25 03:00", "Europe/Berlin") == "2026-10-25T02:00:00Z")
    #expect(try instant("2026-11-01 01:30", "America/New_York") == "2026-11-01T05:30:00Z")
    // Half an hour of summer time.
    #expect(try instant("2026-04-05 01:45", "Australia/Lord_Howe") == "2026-04-04T14:45:00Z")
  }

  @Test func aTimeThatClocksPassOverIsTakenByTheOldOffset() throws {
    #expect(try instant("2026-03-29 01:59", "Europe/Berlin") == "2026-03-29T00:59:00Z")
    #expect(try instant("2026-03-29 02:30", "Europe/Berlin") == "2026-03-29T01:30:00Z")
    #expect(try instant("2026-03-29 03:00", "Europe/Berlin") == "2026-03-29T01:00:00Z")
  }

  @Test func aDateThatAZoneLeftOut() throws {
    let apia = try #require(Zone("Pacific/Apia"))
    func day(_ text: String) -> String? { Instant(text).flatMap { apia.day(of: $0)?.description } }
    #expect(day("2011-12-30T09:59:59Z") == "2011-12-29")
    #expect(day("2011-12-30T10:00:00Z") == "2011-12-31")
    #expect(try instant("2011-12-30 12:00", "Pacific/Apia") == "2011-12-30T22:00:00Z")
  }

  @Test func datesNearMidnightAndAroundTheDateLine() throws {
    let places = [
      ("Pacific/Kiritimati", "2026-03-02"), ("Etc/GMT+12", "2026-02-28"), ("Pacific/Pago_Pago", "2026-02-28"),
      ("Asia/Kathmandu", "2026-03-01"), ("UTC", "2026-03-01"), ("America/Los_Angeles", "2026-03-01"),
    ]
    let instant = try #require(Instant("2026-03-01T10:30:00Z"))
    for (name, day) in places where name != "America/Los_Angeles" && name != "Pacific/Pago_Pago" {
      let zone = try #require(Zone(name))
      #expect(zone.day(of: instant)?.description == day, "\(name)")
    }
    let samoa = try #require(Zone("Pacific/Pago_Pago"))
    #expect(samoa.day(of: instant)?.description == "2026-02-28")
    #expect(
      samoa.day(of: Instant(microseconds: instant.microseconds + 1_800_000_000))?.description == "2026-03-01")
  }

  @Test func namesThatAreNoZones() {
    for name in ["", "EST", "Berlin", "Europe/Atlantis", "GMT+2", "../etc/passwd", "/"] {
      #expect(Zone(name) == nil, "\(name)")
    }
  }

  @Test func timesAsExportsWriteThem() {
    let instants = [
      ("2026-01-31 08:15:30 +0100", "2026-01-31T07:15:30Z"), ("2026-01-31T08:15Z", "2026-01-31T08:15:00Z"),
      ("2026-01-31T08:15:30.25-03:30", "2026-01-31T11:45:30.25Z"),
      ("2026-06-30T23:59:60Z", "2026-06-30T23:59:59.999999Z"),
    ]
    for (text, instant) in instants { #expect(LocalTime(text)?.instant?.description == instant, "\(text)") }
    #expect(LocalTime("2026-01-31 08:15")?.offset == nil)
    for text in [
      "2026-02-29 08:15", "2026-01-31", "2026-01-31 24:00", "2026-01-31 08:15 CET", "2026-01-31 08:15:",
    ] {
      #expect(LocalTime(text) == nil, "\(text)")
    }
  }
}
