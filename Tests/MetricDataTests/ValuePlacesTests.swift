import MetricDiagnostics
import Testing

@testable import MetricData

/// Values are found where the reader met them.
@Suite struct ValuePlacesTests {
  private func find(
    _ text: String, _ format: DataFormat, _ addresses: [(Int, String)], rejected: [Position] = []
  ) -> [String] {
    let bytes = Array(text.utf8)
    let wanted = addresses.map { ValueAddress(row: $0.0, field: $0.1) }
    let found = bytes.withUnsafeBytes { places(of: wanted, in: $0, format: format, rejected: rejected) }
    return wanted.map { found[$0].map { "\($0.line):\($0.column)" } ?? "-" }
  }

  @Test func csv() {
    let text = "\u{FEFF}id,name\r\n\r\n1,\"é\n2\"\r\n2,\"a,b\",\n\n3,x"
    #expect(
      find(text, .csv, [(0, "id"), (0, "name"), (1, "name"), (2, "name"), (2, "other"), (3, "id")])
        == ["3:1", "3:3", "5:3", "7:3", "7:1", "-"])
  }

  @Test func ndjson() {
    let text = "{\"id\": 1, \"name\": \"é\"}\n\n  {\"x\": {\"name\": 0}, \"name\":\"b\"}"
    #expect(
      find(text, .ndjson, [(0, "name"), (1, "name"), (1, "id")]) == ["1:19", "3:29", "3:1"])
  }

  @Test func json() {
    let text = "[{\"id\":1},{\"id\":2},\n {\"id\" : [3]}]"
    #expect(find(text, .json, [(0, "id"), (1, "id"), (2, "id"), (3, "id")]) == ["1:8", "1:17", "2:10", "-"])
  }

  /// In random files with malformed records, in each format: the place of a value is where the reader would
  /// have reported a mistake in it.
  @Test(arguments: DataFormat.allCases)
  func placesAreThoseOfTheReader(_ format: DataFormat) {
    for seed in testSeeds(120) {
      var random = SeededGenerator(seed: seed)
      let count = Int.random(in: 1...12, using: &random)
      // A record is good, or has no day, so that the reader rejects it; `mood` is what is looked for.
      let records = (0..<count).map { _ in
        (
          isGood: Bool.random(using: &random),
          text: ["a", "b,c", "d\"e", "é"].randomElement(using: &random) ?? ""
        )
      }
      let bytes = Array(file(records, format, random: &random).utf8)
      var rejected: [Position] = []
      let table = bytes.withUnsafeBytes {
        readTable($0, format: format, schema: schema(day: true), path: "x", pool: StringPool()) {
          rejected.append(Position(line: $0.line, column: $0.column))
        }.table
      }
      // The same file read for what is wrong with `mood` alone, which allows none of these texts.
      var moods: [Position] = []
      _ = bytes.withUnsafeBytes {
        readTable($0, format: format, schema: schema(day: false), path: "x", pool: StringPool()) {
          moods.append(Position(line: $0.line, column: $0.column))
        }
      }
      let wanted = (0..<table.rowCount).map { ValueAddress(row: $0, field: "mood") }
      let found = bytes.withUnsafeBytes { places(of: wanted, in: $0, format: format, rejected: rejected) }
      let expected = zip(records, moods).filter { $0.0.isGood }.map(\.1)
      #expect(wanted.map { found[$0] } == expected, "\(format), seed \(seed)")
    }
  }

  private func schema(day: Bool) -> TableSchema {
    day
      ? TableSchema(record: "X", columns: [ColumnSchema(name: "day", type: .dayKey, isRequired: true)])
      : TableSchema(
        record: "X", columns: [ColumnSchema(name: "mood", type: .text, isRequired: true, choices: ["never"])])
  }

  private func file(
    _ records: [(isGood: Bool, text: String)], _ format: DataFormat, random: inout SeededGenerator
  ) -> String {
    let breaks = records.map { _ in Bool.random(using: &random) ? "\n" : "" }
    switch format {
    case .csv:
      return zip(records, breaks).reduce("day,mood\n") { text, item in
        let mood = item.0.text.replacing("\"", with: "\"\"")
        return text + (item.0.isGood ? "2026-01-01" : "") + ",\"\(mood)\"\n" + item.1
      }
    case .ndjson, .json:
      let objects = zip(records, breaks).map { record, blank in
        let mood = record.text.replacing("\"", with: "\\\"")
        return (format == .json ? blank : "") + (record.isGood ? "{\"day\":\"2026-01-01\"," : "{")
          + " \"mood\": \"\(mood)\"}" + (format == .ndjson ? blank : "")
      }
      return format == .json
        ? "[" + objects.joined(separator: ",") + "]" : objects.joined(separator: "\n") + "\n"
    }
  }
}
