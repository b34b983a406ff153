import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import MetricData

/// Records and values are found where the reader met them.
@Suite struct ValuePlacesTests {
  private func lines(_ text: String, _ format: DataFormat, _ rows: [Int]) -> [Int?] {
    let wanted = rows.map { ValueAddress(row: $0) }
    let found = Array(text.utf8).withUnsafeBytes {
      places(of: wanted, in: ByteSource($0), format: format, schema: schema("id"), pool: StringPool())
    }
    return wanted.map { found[$0]?.line }
  }

  @Test func linesOfCSV() {
    let text = "id,note\r\n\r\na,\"one\ntwo, \"\"quoted\"\"\"\n\nb,x\nc,y"
    #expect(lines(text, .csv, [0, 1, 2, 3]) == [3, 6, 7, nil])
    #expect(lines(text, .csv, [2]) == [7])
    #expect(lines("\u{FEFF}id\na\n", .csv, [0]) == [2])
  }

  @Test func linesOfNDJSON() {
    #expect(lines("{\"a\":1}\n\n  \n{\"a\":2}\n{\"a\":3}", .ndjson, [0, 1, 2]) == [1, 4, 5])
  }

  @Test func linesOfJSON() {
    let text = "[\n {\"a\":\"]{ \\\" \"},\n {\"a\":\n  {\"b\":[1]}}, {\"a\":3}\n]\n"
    #expect(lines(text, .json, [0, 1, 2]) == [2, 3, 4])
  }

  /// A file of many blocks, with a record that is longer than one of them.
  @Test(arguments: DataFormat.allCases)
  func placesInALargeFile(_ format: DataFormat) {
    let notes = (0..<9_000).map { $0 == 4_000 ? String(repeating: "n", count: 400_000) : "note \($0) é" }
    let text: String =
      switch format {
      case .csv: "id,note\n" + notes.enumerated().map { "\($0),\"\($1)\"\n" }.joined()
      case .ndjson: notes.enumerated().map { "{\"id\":\($0),\"note\":\"\($1)\"}\n" }.joined()
      case .json:
        "[\n" + notes.enumerated().map { "{\"id\":\($0),\"note\":\"\($1)\"}" }.joined(separator: ",\n") + "]"
      }
    let rows = [0, 3_999, 4_000, 4_001, 8_999]
    let header = format == .ndjson ? 1 : 2
    #expect(lines(text, format, rows) == rows.map { $0 + header })
    let places = find(text, format, rows.map { ($0, "note") })
    #expect(places.map { $0.split(separator: ":")[0] } == rows.map { "\($0 + header)" })
    #expect(places[2].hasSuffix(format == .csv ? ":6" : ":19"))
  }

  /// The line of a rejected record behind many blocks, and behind lines of different lengths.
  @Test(arguments: DataFormat.allCases)
  func rejectedInALargeFile(_ format: DataFormat) {
    let notes = (0..<30_000).map { $0 == 29_000 ? "" : String(repeating: "n", count: $0 % 37 + 1) }
    let text: String =
      switch format {
      case .csv: "note,more\n" + notes.map { "\($0),\n" }.joined()
      case .ndjson: notes.map { "{\"note\":\"\($0)\"}\n" }.joined()
      case .json: "[\n" + notes.map { "{\"note\":\"\($0)\"}" }.joined(separator: ",\n") + "]"
      }
    var schema = schema("note")
    schema.columns[0].isRequired = true
    var lines: [Int] = []
    _ = Array(text.utf8).withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: "x", pool: StringPool()) { lines.append($0.line) }
    }
    #expect(lines == [format == .ndjson ? 29_001 : 29_002])
  }

  private func find(
    _ text: String, _ format: DataFormat, _ addresses: [(Int, String)]
  ) -> [String] {
    let bytes = Array(text.utf8)
    let wanted = addresses.map { ValueAddress(row: $0.0, field: $0.1) }
    let found = bytes.withUnsafeBytes {
      places(
        of: wanted, in: ByteSource($0), format: format, schema: schema("id", "name", "note"),
        pool: StringPool())
    }
    return wanted.map { found[$0].map { "\($0.line):\($0.column)" } ?? "-" }
  }

  private func schema(_ names: String...) -> TableSchema {
    TableSchema(
      record: "X",
      columns: names.map { ColumnSchema(name: $0, type: .text, isRequired: false, isIdentifier: true) })
  }

  @Test func csv() {
    let text = "\u{FEFF}id,name,more\r\n\r\n1,\"é\n2\",\r\n2,\"a,b\",\n\n3,x,"
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
    let text = "[{\"id\":1},{\"id\":2},\n {\"id\" : null}]"
    #expect(find(text, .json, [(0, "id"), (1, "id"), (2, "id"), (3, "id")]) == ["1:8", "1:17", "2:10", "-"])
  }

  /// In random files with malformed records, in each format: the place of a value is where the reader would
  /// have reported a mistake in it.
  @Test(arguments: DataFormat.allCases)
  func placesAreThoseOfTheReader(_ format: DataFormat) {
    for seed in seeds(120) {
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
      let table = bytes.withUnsafeBytes {
        readTable($0, format: format, schema: schema(day: true), path: "x", pool: StringPool()) { _ in }.table
      }
      // The same file read for what is wrong with `mood` alone, which allows none of these texts.
      var moods: [Position] = []
      _ = bytes.withUnsafeBytes {
        readTable($0, format: format, schema: schema(day: false), path: "x", pool: StringPool()) {
          moods.append(Position(line: $0.line, column: $0.column))
        }
      }
      let wanted = (0..<table.rowCount).map { ValueAddress(row: $0, field: "mood") }
      let found = bytes.withUnsafeBytes {
        places(
          of: wanted, in: ByteSource($0), format: format, schema: schema(day: true), pool: StringPool())
      }
      let expected = zip(records, moods).filter { $0.0.isGood }.map(\.1)
      #expect(wanted.map { found[$0] } == expected, "\(format), seed \(seed)")
    }
  }

  private func schema(day: Bool) -> TableSchema {
    day
      ? TableSchema(
        record: "X",
        columns: [
          ColumnSchema(name: "day", type: .dayKey, isRequired: true),
          ColumnSchema(name: "mood", type: .text, isRequired: false),
        ])
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
