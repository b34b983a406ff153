import Foundation
import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import MetricData

/// A file says the same wherever it is cut: at every byte, for one, two and seven parts, with windows of any
/// size.
@Suite struct PartsTests {
  private static let csv: [[UInt8]] =
    [
      "id,day,value\na,2026-01-31,12.50\nb,2026-02-01,1e3\n\"c\",2026-02-02,\n",
      "\u{FEFF}id,x,day\r\n\"a\r\n\r\nb\",\"\n\",2026-01-01\r\n\r\ne,,2026-01-02\r\nf,\"q,\"\"\n\"\"r\",2026-01-03",
      "id,day,value\n\na,2026-01-31,1\nb,nope,2\nc,2026-02-01\n,2026-02-01,x\nd,2026-02-03,0.5\ne,2026-02-30,-1\n",
      "id,day,mood\na,2026-01-01,calm\nb,2026-01-02,sad\nc,2026-01-03,\"odd, \"\"q\"\"\"\nd,2026-01-04,tired\n",
      "id,day\na,2026-01-01\n\"b\"x,2026-01-01\nc,2026-01-02\nd\"e,2026-01-03\nf,2026-01-04\n\"g,2026-01-05\nh,\n",
      "id\na\n\nb\r\n\r\nc\r\n\"\"\nd",
      // Longer than some parts.
      "id,day\na,2026-01-01\n\"b\n\(String(repeating: "c\n", count: 30))\",2026-01-02\nd,2026-01-03\ne,x\n",
    ].map { Array($0.utf8) }
    + [Array("id,day\na,2026-01-01\nb".utf8) + [0xFF] + Array(",2026-01-02\nc,x\nd,2026-01-03\n".utf8)]

  private static let ndjson: [[UInt8]] = [
    #"{"id":"a","day":"2026-01-31","value":12.5,"x":null}"# + "\n"
      + #"{"id":"b","day":"2026-02-01","value":1.5e1,"x":"\u00e9"}"# + "\n\n"
      + #"{"id":7,"day":"2026-02-02","value":0.25,"x":"y"}"# + "\r\n" + #"{"id":"","day":"2026-02-02"}"#
      + "\n"
      + #"{"id":"c","day":"2026-02-03","value":007,"x":"y"}"# + "\n" + #"{"id":"d","day":"2026-02-04","#
  ].map { Array($0.utf8) }

  private static let schema = TableSchema(
    record: "Sample", columns: TableSchema.sample.columns.filter { ["id", "day", "value"].contains($0.name) })

  /// All that a reading tells, in text.
  private func said(
    _ bytes: [UInt8], _ format: DataFormat, _ schema: TableSchema, threads: Int, bytesPerThread: Int,
    blockSize: Int, isSlow: @escaping @Sendable (_ offset: Int) -> Bool = { _ in false }
  ) -> [String] {
    let pool = StringPool()
    var options = ReadOptions(threads: threads)
    options.bytesPerThread = bytesPerThread
    options.blockSize = blockSize
    let source = ByteSource(count: bytes.count) { buffer, offset in
      if isSlow(offset) { usleep(2_000) }
      let part = bytes[offset..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
    let result = readTable(source, format: format, schema: schema, path: "data", pool: pool, options: options)
    let file = ReadFile(result: result, pool: pool)
    let counts = "\(result.findingCount) \(result.rejectedCount) \(result.isFatal)"
    return file.rows.map { $0.joined(separator: "|") } + file.findings + [counts]
  }

  /// Parts of a few bytes each begin at every line in turn; windows of a few bytes end everywhere.
  @Test(arguments: csv.indices)
  func csvInParts(_ index: Int) {
    for schema in [Self.schema, .sample] { check(Self.csv[index], .csv, schema) }
  }

  @Test(arguments: ndjson.indices)
  func ndjsonInParts(_ index: Int) { check(Self.ndjson[index], .ndjson, Self.schema) }

  private func check(_ bytes: [UInt8], _ format: DataFormat, _ schema: TableSchema) {
    let whole = said(bytes, format, schema, threads: 1, bytesPerThread: 1 << 20, blockSize: 1 << 18)
    for blockSize in 1...bytes.count + 1 {
      let got = said(bytes, format, schema, threads: 1, bytesPerThread: 1 << 20, blockSize: blockSize)
      #expect(got == whole, "blocks of \(blockSize)")
    }
    for bytesPerThread in 1...bytes.count {
      for (threads, blockSize) in [(2, 1 << 18), (7, 16), (7, 1 << 18)] {
        let got = said(
          bytes, format, schema, threads: threads, bytesPerThread: bytesPerThread, blockSize: blockSize)
        #expect(got == whole, "\(threads) threads, parts of \(bytesPerThread), blocks of \(blockSize)")
      }
    }
  }

  /// A thread that waits for its part is helped by those that are done, whatever the rest of its part holds.
  @Test(arguments: [nil, "x\"y", "\"two\nlines\"", "\"never closed"], DataFormat.allCases)
  func slowPartsAreShared(_ odd: String?, format: DataFormat) {
    let rows = (0..<600).map { row in
      let id = row % 97 == 13 ? "" : "id\(row * 7 % 50)"
      let day = "2026-01-\(row % 89 == 5 ? 99 : 10 + row % 20)"
      return format == .csv
        ? "\(row % 50 == 49 ? odd ?? id : id),\(day),\(row)"
        : #"{"id":"\#(id)","day":"\#(day)","value":\#(row)}"#
    }
    let text =
      switch format {
      case .csv: "id,day,value\n" + rows.joined(separator: "\n")
      case .ndjson: rows.joined(separator: "\n")
      case .json: "[" + rows.joined(separator: ",\n") + "]"
      }
    let bytes = Array(text.utf8)
    let whole = said(bytes, format, Self.schema, threads: 1, bytesPerThread: 1 << 20, blockSize: 1 << 18)
    for slow in [0..<bytes.count / 3, bytes.count / 3..<bytes.count / 2, bytes.count * 2 / 3..<bytes.count] {
      let got = said(
        bytes, format, Self.schema, threads: 3, bytesPerThread: 300, blockSize: 256, isSlow: slow.contains)
      #expect(got == whole, "slow at \(slow)")
    }
  }

  /// A record that is too long for a window is an error at its place, wherever parts begin.
  @Test(arguments: DataFormat.allCases, [1, 3])
  func aRecordWithoutAnEnd(_ format: DataFormat, threads: Int) {
    let long = String(repeating: "n", count: 400)
    let text =
      switch format {
      case .csv: "id,day\na,2026-01-01\n\"\(long)\n\(long)\n\(long)\n"
      case .ndjson: #"{"id":"a","day":"2026-01-01"}"# + "\n{\"id\":\"\(long)\(long)\(long)\n"
      case .json: #"[{"id":"a","day":"2026-01-01"},"# + "\n{\"id\":\"\(long)\(long)\(long)\n"
      }
    var options = ReadOptions(threads: threads)
    options.bytesPerThread = 300
    options.blockSize = 64
    options.longestRecord = 1_000
    let result = Array(text.utf8).withUnsafeBytes {
      readTable($0, format: format, schema: Self.schema, path: "x", pool: StringPool(), options: options)
    }
    let place = [DataFormat.csv: "3:1", .ndjson: "2:1", .json: "1:31"][format] ?? ""
    let message = "D027: found a record of more than 1000 bytes, expected it to end before that"
    #expect(ReadFile(result: result, pool: StringPool()).findings == ["\(place) \(message)"])
    #expect(result.isFatal)
    #expect(result.table.rowCount == 1)
  }

  @Test(arguments: json.indices)
  func jsonThroughSmallWindows(_ index: Int) { check(Self.json[index], .json, Self.schema) }

  private static let json: [[UInt8]] = [
    #"[{"id":"a","day":"2026-01-31","value":12.5,"x":[{"y":"\ud83d\ude00"}]} ,"# + "\n"
      + #"{"id":"b","day":"2026-02-01","value":1.5e1},7,-0.5,true,null,"x",[1],"#
      + #"{"id":"","day":"2026-02-30","value":-0},{"id":"d","day":"2026-02-04"}]"# + "\n \n",
    #" [{"id":"a","day":"2026-01-31"},-02]"#, #"[{"id":"a","day":"2026-01-31"}] x"#, "[ ]", "\u{FEFF} []",
    "  ",
    #"[{"id":"a","day":"2026-01-31"},{"id":"b\u12"#, #"[{"id":"a","day":"2026-01-31","value":tru}]"#, "{}",
  ].map { Array($0.utf8) }

  /// Random files, most of whose rows are plain, against the general way alone.
  @Test func plainRowsAsTheGeneralWayReadsThem() {
    for seed in seeds(60) {
      var random = SeededGenerator(seed: seed)
      let bytes = Array(randomFile(&random).utf8)
      let blockSize = Int.random(in: 1...200, using: &random)
      let plain = said(
        bytes, .csv, .sample, threads: 1 + Int(seed % 3), bytesPerThread: 40, blockSize: blockSize)
      // A quoted header cell that nobody needs changes nothing; quotes in each row leave no row plain.
      let general = said(
        quoted(bytes), .csv, .sample, threads: 1, bytesPerThread: 1 << 20, blockSize: 1 << 18)
      #expect(plain.filter { !$0.contains(":") } == general.filter { !$0.contains(":") }, "seed \(seed)")
    }
  }

  private func randomFile(_ random: inout SeededGenerator) -> String {
    let values = [
      "0", "1", "20", "3.5", "0.25", "1234567", "12345678", "123456789", "1e2", "-1", ".5", "5.", "x", "",
    ]
    let days = [
      "2026-01-31", "2025-12-01", "2026-02-29", "2024-02-29", "2026-1-1", "0001-01-01", "1900-01-01",
    ]
    let instants = [
      "", "2026-01-31T08:15:00Z", "2026-01-31T08:15:00.123Z", "2026-01-31T23:59:60Z",
      "2026-01-31 08:15:00+01:00",
      "2026-01-31T24:00:00Z", "2026-01-31T08:15:00.12Z",
    ]
    var text = "id,day,value,page,done,at,note\n"
    for row in 0..<Int.random(in: 0...40, using: &random) {
      let isOdd = Int.random(in: 0..<8, using: &random) == 0
      func some(_ all: [String], _ usual: Int) -> String {
        (isOdd ? all : Array(all.prefix(usual))).randomElement(using: &random) ?? ""
      }
      let cells = [
        "id\(row % 7)", some(days, 2), some(values, 6), some(["", "3", "12", "-4", "3.0", "x"], 3),
        some(["true", "false", "", "yes"], 3), some(instants, 3), "n",
      ]
      text += cells.joined(separator: ",") + "\n"
    }
    return text
  }

  /// The file with its last cell in quotes.
  private func quoted(_ bytes: [UInt8]) -> [UInt8] {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").enumerated()
    return Array(
      lines.map { index, line in index == 0 ? String(line) : line.dropLast() + "\"n\"" }.joined(
        separator: "\n"
      ).utf8)
  }
}
