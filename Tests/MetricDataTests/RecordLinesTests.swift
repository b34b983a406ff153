import MetricData
import Testing

/// The line of a record is the one that it starts on, in each format.
@Suite struct RecordLinesTests {
  private func lines(_ text: String, _ format: DataFormat, _ rows: Set<Int>) -> [Int: Int] {
    Array(text.utf8).withUnsafeBytes { recordLines($0, format: format, rows: rows) }
  }

  @Test func csv() {
    let text = "id,note\r\n\r\na,\"one\ntwo, \"\"quoted\"\"\"\n\nb,x\nc,y"
    #expect(lines(text, .csv, [0, 1, 2]) == [0: 3, 1: 6, 2: 7])
    #expect(lines(text, .csv, [2]) == [2: 7])
    #expect(lines("\u{FEFF}id\na\n", .csv, [0]) == [0: 2])
  }

  @Test func ndjson() {
    #expect(lines("{\"a\":1}\n\n  \n{\"a\":2}\n{\"a\":3}", .ndjson, [0, 1, 2]) == [0: 1, 1: 4, 2: 5])
  }

  @Test func json() {
    let text = "[\n {\"a\":\"]{ \\\" \"},\n {\"a\":\n  {\"b\":[1]}}, {\"a\":3}\n]\n"
    #expect(lines(text, .json, [0, 1, 2]) == [0: 2, 1: 3, 2: 4])
  }
}
