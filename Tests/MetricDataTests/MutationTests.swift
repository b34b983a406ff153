import MetricTestSupport
import Testing

@testable import MetricData

/// Whatever happens to a file, reading it ends without a crash and its counts fit together.
@Suite struct MutationTests {
  private static let csv = Array(
    """
    id,day,value,page,mood,done,at,extra
    a,2026-01-31,12.50,-3,calm,true,2026-01-31T08:00:00+01:00,"x ""y\"""
    "bé",2026-02-01,1e3,,"odd, ""q\""",false,,"1
    2"
    c,2026-02-28,,7.0,tired,,2026-01-31T08:00:00.123456Z,

    """.utf8)
  private static let object =
    #"{"id":17,"day":"2026-01-31","value":-1.5e3,"page":3,"mood":"odd, \"q\"","done":true,"#
    + #""at":"2026-01-31T08:00:00Z","extra":[null,{"é":"\ud83d\ude00\n"},[]]}"#
  private static let files: [(format: DataFormat, bytes: [UInt8])] = [
    (.csv, csv), (.ndjson, Array("\(object)\n\(object)\n".utf8)),
    (.json, Array("[\(object),\n\(object)]".utf8)),
  ]

  /// Reads in both modes from memory that ends where the file ends.
  private func check(_ bytes: [UInt8], _ format: DataFormat, _ comment: Comment) {
    let exact = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { exact.deallocate() }
    exact.copyBytes(from: bytes)
    var rejected: [RejectedRecord] = []
    let plain = readTable(
      UnsafeRawBufferPointer(exact), format: format, schema: .sample, path: "data", pool: StringPool(),
      rejects: nil)
    let rejecting = readTable(
      UnsafeRawBufferPointer(exact), format: format, schema: .sample, path: "data", pool: StringPool(),
      rejects: { rejected.append($0) })
    #expect(plain.table.rowCount == rejecting.table.rowCount, comment)
    #expect(plain.isFatal == rejecting.isFatal, comment)
    #expect(plain.rejectedCount == rejecting.rejectedCount, comment)
    #expect(rejected.count == rejecting.rejectedCount, comment)
    #expect(plain.findings.count == min(20, plain.findingCount), comment)
    #expect((plain.findingCount == 0) == (plain.rejectedCount == 0 && !plain.isFatal), comment)
    for column in plain.table.columns {
      let count =
        switch column {
        case .narrow(let cells): cells.count
        case .coded(let codes, _): codes.count
        case .wide(let cells): cells.count
        }
      #expect(count == plain.table.rowCount, comment)
    }
  }

  @Test(arguments: files.indices)
  func truncatedAnywhere(_ index: Int) {
    let (format, bytes) = Self.files[index]
    for count in 0...bytes.count {
      check(Array(bytes.prefix(count)), format, "\(format), first \(count) bytes")
    }
  }

  @Test(arguments: files.indices)
  func bytesChanged(_ index: Int) {
    let (format, original) = Self.files[index]
    let telling = Array("\"\\,\n\r{}[]:-.0e9 \u{0}T".utf8) + [0xFF, 0x80, 0xC3]
    for seed in seeds(1_500) {
      var random = SeededGenerator(seed: seed)
      var bytes = original
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes[place] = telling.randomElement(using: &random) ?? 0
        case 2: bytes.remove(at: place)
        default: bytes.insert(telling.randomElement(using: &random) ?? 0, at: place)
        }
      }
      check(bytes, format, "\(format), seed \(seed)")
    }
  }
}
