import Foundation
import MetricData
import MetricEvaluate
import Testing

@testable import metricc

struct ResultRecordsTests {
  private let day = DayKey(number: 20_454)  // 2026-01-01

  private var rows: [ResultRow] {
    [
      row("done", "read", .bool(true)), row("done", "a,\"b\"\n", .none),
      row("share", "", .decimal(FixedDecimal(millionths: -500_000)), group: "Ä", part: "d1.rate"),
      row("total", "", .int(-3)), row("start", "x", .day(day)), row("mood", "x", .text("a\\b\t")),
    ]
  }

  private func row(
    _ metric: String, _ subject: String, _ value: Value, group: GroupKey = "", part: String = ""
  ) -> ResultRow {
    ResultRow(metric: metric, subject: subject, group: group, part: part, at: day, value: value)
  }

  private func written(_ write: (BufferedOutput) -> Void) throws -> String {
    let folder = try TemporaryFolder()
    let file = try AtomicFile(path: folder.path("out"))
    write(file.stream)
    try file.commit()
    return try folder.read("out")
  }

  @Test("RES-03: values in CSV")
  func csv() throws {
    #expect(
      try written { ResultRecords(rows).write(as: .csv, to: $0) } == """
        metric,subject,group,part,at,value
        done,read,,,2026-01-01,true
        done,"a,""b""
        ",,,2026-01-01,
        share,,Ä,d1.rate,2026-01-01,-0.5
        total,,,,2026-01-01,-3
        start,x,,,2026-01-01,2026-01-01
        mood,x,,,2026-01-01,a\\b\t

        """)
  }

  @Test func ndjson() throws {
    #expect(
      try written { ResultRecords(rows).write(as: .ndjson, to: $0) } == #"""
        {"metric":"done","subject":"read","group":"","part":"","at":"2026-01-01","value":true}
        {"metric":"done","subject":"a,\"b\"\n","group":"","part":"","at":"2026-01-01","value":null}
        {"metric":"share","subject":"","group":"Ä","part":"d1.rate","at":"2026-01-01","value":-0.5}
        {"metric":"total","subject":"","group":"","part":"","at":"2026-01-01","value":-3}
        {"metric":"start","subject":"x","group":"","part":"","at":"2026-01-01","value":"2026-01-01"}
        {"metric":"mood","subject":"x","group":"","part":"","at":"2026-01-01","value":"a\\b\t"}

        """#)
  }

  @Test func jsonIsAnArray() throws {
    let text = try written { ResultRecords(rows).write(as: .json, to: $0) }
    let array = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect(array?.count == rows.count)
    #expect(array?.allSatisfy { $0.count == 6 } == true)
    #expect(try written { ResultRecords([]).write(as: .json, to: $0) } == "[]\n")
  }
}
