import MetricDiagnostics
import Testing

@testable import MetricData

/// Each kind of mistake with its exact place and words.
@Suite struct FindingsTests {
  private static let csvCells: [(field: String, cell: String, finding: String)] = [
    ("id", "", "D010: `id` is missing, expected a text or a whole number"),
    ("id", "\"\"", "D010: `id` is missing, expected a text or a whole number"),
    ("day", "2026-02-31", "D011: `day` is `2026-02-31`, which is not a real date"),
    ("day", "1899-12-31", "D011: `day` is `1899-12-31`, expected a day from 1900-01-01 to 2199-12-31"),
    ("day", "2200-01-01", "D011: `day` is `2200-01-01`, expected a day from 1900-01-01 to 2199-12-31"),
    ("day", "0000-01-01", "D011: `day` is `0000-01-01`, which is not a real date"),
    ("day", "31.01.2026", "D012: `day` is `31.01.2026`, expected a day `YYYY-MM-DD`"),
    ("value", "abc", "D013: `value` is `abc`, expected a number"),
    ("value", "\"2,5\"", "D013: `value` is `2,5`, expected a number like `1000.5`, without commas"),
    ("page", "1.5", "D014: `page` is `1.5`, expected a whole number"),
    ("page", "x", "D013: `page` is `x`, expected a whole number"),
    ("value", "0.1234567", "D015: `value` is `0.1234567`, expected at most 6 digits after the decimal point"),
    ("page", "1e13", "D016: `page` is `1e13`, expected a number from -9000000000000 to 9000000000000"),
    ("value", "-0.5", "D017: `value` is `-0.5`, expected `0` or more"),
    ("mood", "sad", "D018: `mood` is `sad`, expected `calm`, `tired` or `odd, \"q\"`"),
    ("done", "yes", "D019: `done` is `yes`, expected `true` or `false`"),
    (
      "at", "2026-01-31 08:00",
      "D020: `at` is `2026-01-31 08:00`, expected an instant with its zone like `2026-01-31T08:15:00Z`"
    ),
  ]

  @Test("REC-02 REC-04 TEXT-08: a cell that is no value of its field", arguments: csvCells.indices)
  func csvCell(_ index: Int) {
    let (field, cell, finding) = Self.csvCells[index]
    let cells = ["id": "a", "day": "2026-01-31"].merging([field: cell]) { $1 }
    let names = ["id", "day", "value", "page", "mood", "done", "at"]
    let row = names.map { cells[$0] ?? "" }
    let column = 1 + 4 + row.prefix { $0 != cell }.reduce(0) { $0 + $1.count + 1 }
    let text = "x," + names.joined(separator: ",") + "\n\"é\"," + row.joined(separator: ",") + "\n"
    #expect(read(text).findings == ["2:\(column) \(finding)"])
  }

  private static let jsonValues: [(member: String, finding: String)] = [
    ("\"value\":\"3\"", "D021: `value` is the text `3`, expected a number"),
    ("\"page\":true", "D021: `page` is `true`, expected a whole number"),
    ("\"mood\":7", "D021: `mood` is the number `7`, expected `calm`, `tired` or `odd, \"q\"`"),
    ("\"done\":\"true\"", "D021: `done` is the text `true`, expected `true` or `false`"),
    (
      "\"at\":1767225600",
      "D021: `at` is the number `1767225600`, expected an instant with its zone like `2026-01-31T08:15:00Z`"
    ),
    ("\"value\":[1]", "D021: `value` is an array, expected a number"),
    ("\"value\":{}", "D021: `value` is an object, expected a number"),
    ("\"page\":2.5", "D014: `page` is `2.5`, expected a whole number"),
    ("\"value\":-1", "D017: `value` is `-1`, expected `0` or more"),
    ("\"value\":1e-7", "D015: `value` is `1e-7`, expected at most 6 digits after the decimal point"),
    ("\"mood\":\"s\\u0061d\"", "D018: `mood` is `sad`, expected `calm`, `tired` or `odd, \"q\"`"),
  ]

  @Test(arguments: jsonValues.indices)
  func jsonValue(_ index: Int) {
    let (member, finding) = Self.jsonValues[index]
    let name = member.prefix { $0 != ":" }
    let line = "{\"id\":\"é\",\"day\":\"2026-01-31\",\(member)}"
    let column = 30 + name.count + 1
    #expect(read("\n\n" + line, .ndjson).findings == ["3:\(column) \(finding)"])
    #expect(read("[\n" + line + "\n]", .json).findings == ["2:\(column) \(finding)"])
  }

  @Test func jsonRecords() {
    #expect(
      read("{\"id\":1.0,\"day\":null}\n{}", .ndjson).findings == [
        "1:7 D021: `id` is the number `1.0`, expected a text or a whole number",
        "1:17 D010: `day` is missing, expected a day `YYYY-MM-DD`",
        "2:1 D010: `id` is missing, expected a text or a whole number",
        "2:1 D010: `day` is missing, expected a day `YYYY-MM-DD`",
      ])
    #expect(
      read("{\"a\":\"1\",\"x\":0,\"x\":0,\"a\":\"2\"}", .ndjson, .texts).findings == [
        "1:22 D022: found the key `a` twice in one object, expected it once"
      ])
    #expect(
      read("[{},\n 7, {}]", .json, .texts).findings == [
        "2:2 D021: found the number `7`, expected an object with the fields of `Texts`"
      ])
    #expect(
      read("{}\n[1]\n{\"a\":\"x\"", .ndjson, .texts).findings == [
        "2:1 D021: found an array, expected an object with the fields of `Texts`",
        "3:9 D023: found the end of the line, expected a comma or `}`",
      ])
  }

  @Test func severalMistakesInOneRecord() {
    let file = read("id,day,value\n,2026-1-1,x\na,2026-01-01,1\n")
    #expect(
      file.findings == [
        "2:1 D010: `id` is missing, expected a text or a whole number",
        "2:2 D012: `day` is `2026-1-1`, expected a day `YYYY-MM-DD`",
        "2:11 D013: `value` is `x`, expected a number",
      ])
    #expect(file.result.findingCount == 3)
    #expect(file.result.rejectedCount == 1)
    #expect(file.rows.map(\.first) == ["a"])
  }

  @Test func rowsOfTheWrongShape() {
    #expect(
      read("a,b\n1\n1,2\n1,2,3\n\"x", .csv, .texts).findings == [
        "2:1 D004: found 1 cell in the row, expected 2 cells as in the header",
        "4:1 D004: found 3 cells in the row, expected 2 cells as in the header",
        "5:1 D006: found no closing quote before the end of the file",
      ])
    #expect(
      read("a,b\n1,x\"y\"\n\"1\"z,2\n\"é\n\n\",\"3\" \n", .csv, .texts).findings == [
        "2:4 D005: found a quote within a cell, expected the whole cell in quotes and this quote doubled",
        "3:4 D005: found `z` after the closing quote, expected a comma or the end of the line",
        "6:6 D005: found ` ` after the closing quote, expected a comma or the end of the line",
      ])
  }

  @Test func linesAreRightBehindQuotedNewlines() {
    let text =
      "\u{FEFF}id,day,x\r\n\"a\r\n\r\nb\",2026-01-01,\"\n\"\r\n\r\n\"é\nöü\",2026,\"\n\"\r\n,2026-01-01,\n"
    #expect(
      read(text).findings == [
        "8:5 D012: `day` is `2026`, expected a day `YYYY-MM-DD`",
        "10:1 D010: `id` is missing, expected a text or a whole number",
      ])
  }

  private static let fatal: [(String, DataFormat, [String])] = [
    ("", .csv, ["1:1 D001: found an empty file, expected a header that names the fields"]),
    ("\u{FEFF}\r\n\n", .csv, ["1:1 D001: found an empty file, expected a header that names the fields"]),
    (
      "a,b\n1,2\n", .csv,
      [
        "1:1 D002: found no `id` in the header, which every `Sample` must have",
        "1:1 D002: found no `day` in the header, which every `Sample` must have",
      ]
    ),
    ("id,x,day,x,id\n", .csv, ["1:12 D003: found `id` twice in the header, expected each needed field once"]),
    (
      "id,da\"y\n", .csv,
      ["1:6 D005: found a stray quote in the header, expected names with a comma between them"]
    ),
    ("id,\"day\n", .csv, ["1:4 D006: found no closing quote before the end of the file"]),
    ("", .json, ["1:1 D001: found an empty file, expected an array of `Sample` objects"]),
    ("\n{}", .json, ["2:1 D024: found an object at the start, expected an array of `Sample` objects"]),
    ("\"x\"", .json, ["1:1 D024: found no `[` at the start, expected an array of `Sample` objects"]),
    ("[", .json, ["1:2 D025: found the end of the file within the array, expected a value"]),
    (
      "[{\"id\":1,\"day\":\"2026-01-01\"}", .json,
      ["1:29 D025: found the end of the file within the array, expected a comma or `]`"]
    ),
    ("[{\"id\":1,\n\"day\":}", .json, ["2:7 D023: found `}`, expected a value"]),
    ("[] x", .json, ["1:4 D023: found `x`, expected the end of the file"]),
  ]

  @Test(arguments: fatal.indices, [false, true])
  func fatalFile(_ index: Int, _ isRejecting: Bool) {
    let (text, format, findings) = Self.fatal[index]
    let file = read(text, format, rejecting: isRejecting)
    #expect(file.findings == findings)
    #expect(file.result.isFatal)
    #expect(file.rejected == [])
  }

  @Test func theMissingColumnNoteListsTheHeader() {
    #expect(read("a,b\n1,2\n").result.findings.first?.notes == [Note("the header names `a`, `b`")])
  }

  @Test(arguments: [false, true])
  func bytesThatAreNoUTF8(_ isRejecting: Bool) {
    let csv = read(
      Array("a,b\n1,x".utf8) + [0xFF] + Array("\n2,y\n".utf8), .csv, .texts, rejecting: isRejecting)
    #expect(csv.findings == ["2:3 D007: `b` is `x\u{FFFD}`, whose bytes are not valid UTF-8"])
    #expect(csv.result.isFatal)
    let json = read(
      Array("[{\"a\":\"".utf8) + [0xC3] + Array("\"}]".utf8), .json, .texts, rejecting: isRejecting)
    #expect(json.findings == ["1:7 D007: `a` is `\u{FFFD}`, whose bytes are not valid UTF-8"])
    let day = read(Array("id,day\n1,".utf8) + [0xFF], .csv, rejecting: isRejecting)
    #expect(day.findings == ["2:3 D007: `day` is `\u{FFFD}`, whose bytes are not valid UTF-8"])
  }

  @Test func twentyAreShownAndAllAreCounted() {
    let file = read("id,day\n" + String(repeating: ",\n", count: 5_000))
    #expect(file.result.findings.count == 20)
    #expect(file.result.findingCount == 10_000)
    #expect(file.result.rejectedCount == 5_000)
    #expect(!file.result.isFatal)
  }

  @Test func longTextIsCutAndControlCharactersAreShown() {
    let long = String(repeating: "é", count: 61)
    let file = read("id,day\na,\(long)\na,\"x\ny\t\u{1}\"\n")
    #expect(
      file.findings == [
        "2:3 D012: `day` is `\(long.dropLast())…`, expected a day `YYYY-MM-DD`",
        "3:3 D012: `day` is `x\\ny\\t\\u{1}`, expected a day `YYYY-MM-DD`",
      ])
  }
}

// MARK: - Rejected records

extension FindingsTests {
  @Test func rejectedRecordsGoToTheClosure() {
    let file = read("id,day\r\n\"a\nb\",nope\r\n1,2026-01-01\r\n,x\r\n1\r\n", rejecting: true)
    #expect(file.findings == [])
    #expect(file.result.findingCount == 0)
    #expect(file.result.rejectedCount == 3)
    #expect(file.rows.map(\.first) == ["1"])
    #expect(
      file.rejected == [
        RejectedRecord(
          path: "data", record: "Sample", line: 3, column: 4, code: .notADay,
          message: "`day` is `nope`, expected a day `YYYY-MM-DD`", text: "\"a\nb\",nope"),
        RejectedRecord(
          path: "data", record: "Sample", line: 5, column: 1, code: .missingValue,
          message:
            "`id` is missing, expected a text or a whole number; `day` is `x`, expected a day `YYYY-MM-DD`",
          text: ",x"),
        RejectedRecord(
          path: "data", record: "Sample", line: 6, column: 1, code: .wrongCellCount,
          message: "found 1 cell in the row, expected 2 cells as in the header", text: "1"),
      ])
  }

  @Test func rejectedJSONIsTheElementOrTheLine() {
    let array = read("[{\"a\":\"1\"}, {\"a\":2} ,\n{\"a\":\"3\"}]", .json, .texts, rejecting: true)
    #expect(array.rejected.map(\.text) == ["{\"a\":2}"])
    #expect(array.rows.map(\.first) == ["1", "3"])
    let lines = read("{\"a\":\"1\"}\n {\"a\":\r\n{\"a\":\"3\"}\n", .ndjson, .texts, rejecting: true)
    #expect(lines.rejected.map(\.text) == [" {\"a\":"])
    #expect(lines.rejected.map(\.code) == [.malformedJSON])
    #expect(lines.rows.map(\.first) == ["1", "3"])
  }
}
