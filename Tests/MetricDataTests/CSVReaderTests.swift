import MetricTestSupport
import Testing

@testable import MetricData

@Suite struct CSVReaderTests {
  @Test func readsEachTypeInAnyOrderOfColumns() {
    let file = read(
      """
      day,extra,id,done,value,at,mood,page
      2026-01-31,x,a,true,12.50,2026-01-31T08:00:00+01:00,calm,-3.0
      2026-02-01,"y,
      z",b,false,,,"odd, ""q\""",
      1900-02-28,,c,,0e5,2026-01-31 08:00:00.1Z,,007
      """)
    #expect(file.findings == [])
    #expect(
      file.rows == [
        ["a", "2026-01-31", "12.5", "-3", "calm", "true", "2026-01-31T07:00:00Z"],
        ["b", "2026-02-01", "", "", "odd, \"q\"", "false", ""],
        ["c", "1900-02-28", "0", "7", "", "", "2026-01-31T08:00:00.1Z"],
      ])
  }

  @Test func lineEndsBOMAndEmptyLines() {
    let lines = ["a,b", "1,2", "", "\"3\",\"4\"", "5,"]
    let expected = [["1", "2"], ["3", "4"], ["5", ""]]
    for lineEnd in ["\n", "\r\n"] {
      for start in ["", "\u{FEFF}", lineEnd, "\u{FEFF}" + lineEnd] {
        for end in ["", lineEnd, lineEnd + lineEnd, "\r"] {
          let file = read(start + lines.joined(separator: lineEnd) + end, .csv, .texts)
          #expect(file.findings == [])
          #expect(file.rows == expected)
        }
      }
    }
  }

  @Test func quotesKeepSeparatorsAndLoneCarriageReturns() {
    let file = read("a,b\n\"x\"\"y\"\"\",\"p,q\r\nr\"\nu\rv,\"\"\n\"\"\"\",\"\r\"\n", .csv, .texts)
    #expect(file.findings == [])
    #expect(file.rows == [["x\"y\"", "p,q\r\nr"], ["u\rv", ""], ["\"", "\r"]])
  }

  @Test func headerMayBeQuotedAndOptionalColumnsMayLack() {
    let file = read("\"b\",\"c\"\"d\"\n1,2\n", .csv, .texts)
    #expect(file.rows == [["", "1"]])
    #expect(read("a,b", .csv, .texts).rows == [])
    #expect(read("a,b", .csv, .texts).findings == [])
    #expect(read("a,x,x\n1,2,3", .csv, .texts).rows == [["1", ""]])
  }

  @Test func manyBatchesKeepTheirOrder() {
    let lines = (0..<5_000).map { "\($0),\($0.isMultiple(of: 3) ? "" : String($0 % 7))" }
    let file = read("a,b\n" + lines.joined(separator: "\n"), .csv, .texts)
    #expect(file.rows.map { $0.joined(separator: ",") } == lines)
  }

  @Test func aSchemaWithoutColumnsCountsRecords() {
    let empty = TableSchema(record: "Event", columns: [])
    #expect(read("a\n1\n2\n", .csv, empty).result.table.rowCount == 2)
    #expect(read("{}\n{\"a\":1}\n", .ndjson, empty).result.table.rowCount == 2)
  }

  @Test func bytesThatNobodyNeedsMayBeAnything() {
    let file = read(Array("a,c\n1,".utf8) + [0xFF, 0xFE] + Array("\n2,\n".utf8), .csv, .texts)
    #expect(file.rows == [["1", ""], ["2", ""]])
  }
}

// MARK: - Against a naive parser

/// RFC 4180 character by character; only for files without flaws.
private func naiveRows(_ text: String) -> [[String]] {
  var rows: [[String]] = []
  var row: [String] = []
  var cell = String.UnicodeScalarView()
  var isQuoted = false
  var scalars = Array(text.unicodeScalars)[...]
  func peek() -> Unicode.Scalar? { scalars.first }
  func endRow() {
    row.append(String(cell))
    if row != [""] { rows.append(row) }
    row = []
    cell = .init()
  }
  while let scalar = scalars.popFirst() {
    switch scalar {
    case "\"" where isQuoted && peek() == "\"":
      cell.append("\"")
      scalars.removeFirst()
    case "\"": isQuoted.toggle()
    case "," where !isQuoted:
      row.append(String(cell))
      cell = .init()
    case "\r" where !isQuoted && peek() == "\n": break
    case "\n" where !isQuoted: endRow()
    default: cell.append(scalar)
    }
  }
  if !row.isEmpty || !cell.isEmpty { endRow() }
  return rows
}

extension CSVReaderTests {
  private func randomCell(_ random: inout SeededGenerator) -> String {
    let pieces = ["a", "bc", "é", "😀", ",", "\"", "\n", "\r\n", " ", "0123456789", "x\u{0}y", ""]
    let count = Int.random(in: 0...4, using: &random)
    return (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
  }

  private func written(_ cell: String, _ random: inout SeededGenerator) -> String {
    let mustQuote = cell.unicodeScalars.contains { ",\"\n\r".unicodeScalars.contains($0) }
    guard mustQuote || Int.random(in: 0..<4, using: &random) == 0 else { return cell }
    let doubled = cell.unicodeScalars.map { $0 == "\"" ? "\"\"" : String($0) }.joined()
    return "\"\(doubled)\""
  }

  @Test func randomFilesAsTheNaiveParserReadsThem() {
    for seed in seeds(300) {
      var random = SeededGenerator(seed: seed)
      let lineEnd = Bool.random(using: &random) ? "\n" : "\r\n"
      var text = "a,other,b" + lineEnd
      for _ in 0..<Int.random(in: 0...12, using: &random) {
        let cells = (0..<3).map { _ in randomCell(&random) }
        text += cells.map { written($0, &random) }.joined(separator: ",") + lineEnd
      }
      if Bool.random(using: &random) { text.unicodeScalars.removeLast(lineEnd.unicodeScalars.count) }
      let file = read(text, .csv, .texts)
      let expected = naiveRows(text).dropFirst().map { [$0[0], $0[2]] }
      #expect(file.findings == [], "seed \(seed)")
      #expect(file.rows == expected, "seed \(seed)")
    }
  }
}
