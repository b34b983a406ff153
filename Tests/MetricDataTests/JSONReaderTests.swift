import Testing

@testable import MetricData

@Suite struct JSONReaderTests {
  private static let record = """
    { "extra" : [1, {"id": "no", "x": [[]]}, "\\ud800"] , "done":true,"value": 1.25e1, "id":42,
      "mood":"odd, \\"q\\"", "day":"2026-01-31","page": 3.0, "at":"2026-01-31T08:00:00Z", "z": null }
    """
  private static let row = ["42", "2026-01-31", "12.5", "3", "odd, \"q\"", "true", "2026-01-31T08:00:00Z"]

  @Test func readsEachType() {
    let array = read("\u{FEFF} [\(Self.record), \(Self.record)\r\n]\n", .json)
    #expect(array.findings == [])
    #expect(array.rows == [Self.row, Self.row])
    let line = Self.record.split(separator: "\n").joined()
    let lines = read("\u{FEFF}\n\(line)\r\n \t\r\n\(line)", .ndjson)
    #expect(lines.findings == [])
    #expect(lines.rows == [Self.row, Self.row])
  }

  @Test func emptyFilesWithoutRecords() {
    #expect(read("", .ndjson).findings == [])
    #expect(read("\n\r\n", .ndjson).findings == [])
    #expect(read(" [ ] ", .json).findings == [])
    #expect(read("[]", .json).result.table.rowCount == 0)
  }

  @Test func nullAbsentAndEmptyAreMissing() {
    let file = read("{\"a\":null,\"b\":\"\"}\n{}\n{\"b\":\"x\"}", .ndjson, .texts)
    #expect(file.rows == [["", ""], ["", ""], ["", "x"]])
  }

  @Test func escapes() {
    let file = read(
      #"{"\u0061":"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00|","b":"\u0000"}"#, .ndjson, .texts)
    #expect(file.findings == [])
    #expect(file.rows == [["\"\\/\u{8}\u{C}\n\r\té😀|", "\u{0}"]])
  }

  @Test func halfSurrogatesAreRefusedOnlyWhereTheyAreNeeded() {
    #expect(read(#"{"x\ud800":"\udc00","a":"1"}"#, .ndjson, .texts).rows == [["1", ""]])
    for half in [#"\ud800"#, #"\udc00"#, #"\ud800\u0041"#, #"\ud800x"#] {
      let file = read(#"{"a":"x\#(half)"}"#, .ndjson, .texts)
      #expect(file.findings.count == 1)
      #expect(file.findings.first?.hasPrefix("1:8 D023: found `\\`, expected both halves") == true)
    }
  }

  @Test(arguments: [
    "{", "{\"a\"", "{\"a\":", "{\"c\":1", "{\"c\":1,}", "{,}", "{\"a\" 1}", "{a:1}", "{\"a\":01}",
    "{\"a\":-}",
    "{\"a\":1.}", "{\"a\":.5}", "{\"a\":+1}", "{\"a\":1e}", "{\"a\":1e+}", "{\"a\":tru}", "{\"a\":nulL}",
    "{\"a\":'x'}", "{\"a\":\"x}", "{\"a\":\"\t\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12g4\"}",
    "{\"a\":\"\\u12",
    "{\"c\":[1,]}", "{\"c\":[1 2]}", "{\"c\":[}", "{} {}", "{}x", "{\"c\":NaN}", "{\"c\":{\"d\"}}",
    "{\"c\":\"\\",
    "{\"c\":[\u{0}]}", "{\"c\":0x1}", "{\"c\":1.2.3}", "{\"c\":-01}",
  ])
  func refuses(_ text: String) {
    let lines = read("{}\n" + text + "\n{}", .ndjson, .texts)
    #expect(lines.result.findingCount == 1)
    #expect(lines.result.findings.first?.code == .malformedJSON)
    #expect(lines.result.table.rowCount == 2)
    let array = read("[{}," + text + "]", .json, .texts)
    #expect(array.result.isFatal)
  }

  @Test func nestingHasALimit() {
    func nested(_ depth: Int) -> String {
      "{\"c\":" + String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        + ",\"a\":\"1\"}"
    }
    let limit = JSONScanner.nestingLimit
    #expect(read(nested(limit - 1), .ndjson, .texts).rows == [["1", ""]])
    let message = "found arrays and objects nested deeper than 128 levels"
    #expect(read(nested(limit), .ndjson, .texts).findings == ["1:133 D026: \(message)"])
    #expect(read("[" + nested(100_000) + "]", .json, .texts).result.findings.first?.code == .nestedTooDeeply)
  }

  @Test func keysMayChangeTheirOrder() {
    let file = read(
      "{\"a\":\"1\",\"b\":\"2\"}\n{\"b\":\"3\",\"x\":0,\"a\":\"4\"}\n{\"y\":[],\"b\":\"5\"}\n{\"a\":\"6\",\"b\":\"7\"}",
      .ndjson, .texts)
    #expect(file.rows == [["1", "2"], ["4", "3"], ["", "5"], ["6", "7"]])
  }
}
