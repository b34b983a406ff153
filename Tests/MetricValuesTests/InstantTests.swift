import MetricTestSupport
import Testing

@testable import MetricValues

@Suite struct InstantTests {
  private static let cases: [(String, Int64)] = [
    ("1970-01-01T00:00:00Z", 0), ("1970-01-01t00:00:01z", 1_000_000), ("1970-01-01 00:00:00.5Z", 500_000),
    ("1970-01-01T02:00:00+02:00", 0), ("1969-12-31T23:30:00-00:30", 0), ("1970-01-01T00:00:00-00:00", 0),
    ("1970-01-01T00:00:00.123456789Z", 123_456), ("1970-01-01T00:00:00.000001Z", 1),
    ("1969-12-31T23:59:59.9Z", -100_000), ("1969-12-31T23:59:60Z", -1), ("1969-12-31T23:59:60.5Z", -1),
    ("2000-03-01T12:34:56Z", 951_914_096_000_000), ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
    ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
  ]

  @Test(arguments: cases)
  func parses(_ text: String, _ microseconds: Int64) {
    #expect(Instant(text)?.microseconds == microseconds)
  }

  @Test(arguments: [
    "", "2026-01-31", "2026-01-31T08:15Z", "2026-01-31T08:15:00", "2026-02-30T08:15:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T08:60:00Z", "2026-01-31T08:15:61Z", "2026-01-31T08:15:00.Z",
    "2026-01-31T08:15:00.1234567890Z",
    "2026-01-31T08:15:00+2:00", "2026-01-31T08:15:00+0200", "2026-01-31T08:15:00+24:00",
    "2026-01-31T08:15:00+02:60",
    "2026-01-31T08:15:00Zz", "2026-01-31_08:15:00Z", "2026-01-31T08.15.00Z", "2026-01-31T08:15:00,5Z",
    "0000-01-01T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "2026-01-31T-8:15:00Z",
    "2026-01-31T08:15:00.5", "2026-01-31T08:15:00+", "2026-01-31T08:15:00+02:0",
  ])
  func refuses(_ text: String) {
    #expect(Instant(text) == nil)
  }

  @Test func isWrittenAndReadBack() {
    let range: ClosedRange<Int64> = -62_135_596_800_000_000...253_402_300_799_999_999  // years 0001–9999
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<2_000 {
        var microseconds = Int64.random(in: range, using: &random)
        if Bool.random(using: &random) { microseconds -= microseconds % 100_000 }
        let instant = Instant(microseconds: microseconds)
        #expect(Instant(instant.description) == instant, "seed \(seed)")
      }
    }
    #expect(Instant(microseconds: -1).description == "1969-12-31T23:59:59.999999Z")
    #expect(Instant(microseconds: 250_000).description == "1970-01-01T00:00:00.25Z")
  }
}
