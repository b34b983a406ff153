import MetricData
import Testing

@testable import metricc

struct DayOptionsTests {
  private func days(_ step: Step, _ from: String, _ to: String) throws -> [String] {
    let unit = try selection("--from", from, "--every", step.rawValue).every
    return unit.lastDays(from: try #require(DayKey(from)), to: try #require(DayKey(to))).map(\.description)
  }

  private func selection(_ arguments: String...) throws -> DaySelection {
    try DayOptions.parse(arguments).selection()
  }

  @Test func everyDay() throws {
    #expect(
      try days(.day, "2026-02-27", "2026-03-01") == ["2026-02-27", "2026-02-28", "2026-03-01"])
    #expect(try days(.day, "2199-12-30", "2199-12-31") == ["2199-12-30", "2199-12-31"])
  }

  @Test func weeksEndOnSunday() throws {
    // 2026-06-07 is a Sunday.
    #expect(try days(.week, "2026-06-07", "2026-06-21") == ["2026-06-07", "2026-06-14", "2026-06-21"])
    // A week that is open ends with the series.
    #expect(try days(.week, "2026-06-08", "2026-06-13") == ["2026-06-13"])
    #expect(try days(.week, "2026-06-01", "2026-06-10") == ["2026-06-07", "2026-06-10"])
  }

  @Test func monthsEndOnTheirLastDay() throws {
    #expect(
      try days(.month, "2024-01-31", "2024-03-30") == ["2024-01-31", "2024-02-29", "2024-03-30"])
    #expect(try days(.month, "2024-02-01", "2024-03-31") == ["2024-02-29", "2024-03-31"])
  }

  @Test func whatIsAskedFor() throws {
    let day = try #require(DayKey("2026-01-31"))
    #expect(try selection() == DaySelection())
    #expect(try selection("--at", "2026-01-31") == DaySelection(to: day))
    #expect(try selection("--from", "2026-01-31") == DaySelection(from: day))
    #expect(
      try selection("--from", "2026-01-31", "--to", "2026-01-31", "--every", "week")
        == DaySelection(from: day, to: day, every: .week(from: .monday)))
  }

  @Test(arguments: [
    ["--at", "2026-02-30"], ["--at", "today"], ["--at", "2026-01-01", "--from", "2026-01-01"],
    ["--at", "2026-01-01", "--to", "2026-01-01"], ["--to", "2026-01-01"], ["--every", "week"],
    ["--from", "2026-01-02", "--to", "2026-01-01"], ["--from", "2026-01-01", "--every", "decade"],
  ])
  func wrongUseIsRefused(_ arguments: [String]) {
    #expect(throws: (any Error).self) { try DayOptions.parse(arguments) }
  }
}
