import Foundation
import MetricTimeline
import Testing

/// What a widget reads: a small file, and values by day.
@Suite struct ValueTimelineTests {
  private let timeline = ValueTimeline(
    subject: "read", days: ["2026-01-03", "2026-01-04"],
    lines: [
      .init(
        metric: "run", part: "", title: "Days in a row", unit: "days", values: [.init("23"), .init("0")]),
      .init(metric: "run", part: "left", title: nil, unit: nil, values: [.init("1"), nil]),
      .init(metric: "done", part: "", title: nil, unit: nil, values: [.init("true"), .init("false")]),
      .init(metric: "strength", part: "", title: nil, unit: nil, values: [.init("0.100001"), .init("0.3")]),
    ])

  @Test func valuesAreFoundByDay() {
    #expect(timeline["run", on: "2026-01-03"]?.number == 23)
    #expect(timeline["run", part: "left", on: "2026-01-03"]?.text == "1")
    #expect(timeline["run", part: "left", on: "2026-01-04"] == nil)
    #expect(
      timeline["done", on: "2026-01-03"]?.isTrue == true
        && timeline["done", on: "2026-01-04"]?.isTrue == false)
    #expect(timeline["strength", on: "2026-01-03"]?.number == 0.100001)
    #expect(timeline["run", on: "2026-01-05"] == nil && timeline["walk", on: "2026-01-03"] == nil)
  }

  @Test func itIsTheSameAfterAFile() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let file = try encoder.encode(timeline)
    #expect(try JSONDecoder().decode(ValueTimeline.self, from: file) == timeline)
    #expect(
      String(decoding: file, as: UTF8.self).hasPrefix(
        #"{"days":["2026-01-03","2026-01-04"],"lines":[{"metric":"run","part":"","title":"Days in a row","unit":"days","values":["23","0"]}"#
      ))
  }

  /// A file of another version may be shorter than its days.
  @Test func aShortLineHasNoValue() {
    let short = ValueTimeline(
      subject: "", days: ["2026-01-03"],
      lines: [.init(metric: "m", part: "", title: nil, unit: nil, values: [])])
    #expect(short["m", on: "2026-01-03"] == nil)
  }
}
