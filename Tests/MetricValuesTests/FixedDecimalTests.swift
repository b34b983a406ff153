import MetricTestSupport
import Testing

@testable import MetricValues

@Suite struct FixedDecimalTests {
  private static let cases: [(String, Int64)] = [
    ("0", 0), ("-0", 0), ("-0.0", 0), ("007", 7_000_000), ("12.5", 12_500_000), ("-0.000001", -1),
    ("1.2000000000000", 1_200_000), ("1e3", 1_000_000_000), ("1E+3", 1_000_000_000), ("1e-6", 1),
    ("10e-7", 1), ("0.0000010", 1), ("0e99999999999999999999", 0), ("0.000e-50", 0),
    ("9000000000000", 9_000_000_000_000_000_000), ("-9000000000000.000000", -9_000_000_000_000_000_000),
    ("8999999999999.999999", 8_999_999_999_999_999_999), ("0.00000000000009e20", 9_000_000_000_000),
    ("9000000000000000000e-6", 9_000_000_000_000_000_000), ("100000000000000000000000e-20", 1_000_000_000),
  ]

  @Test(arguments: cases)
  func parsesExactly(_ text: String, _ millionths: Int64) throws {
    #expect(try FixedDecimal.parse(text).millionths == millionths)
  }

  private static let faults: [(String, NumberFault)] = [
    ("", .malformed), ("-", .malformed), ("+1", .malformed), (" 1", .malformed), ("1 ", .malformed),
    (".5", .malformed), ("5.", .malformed), ("1e", .malformed), ("1e+", .malformed), ("1.e3", .malformed),
    ("1,5", .malformed), ("--1", .malformed), ("0x10", .malformed), ("NaN", .malformed),
    ("1e1.0", .malformed),
    ("1.0000001", .tooManyFractionalDigits), ("1e-7", .tooManyFractionalDigits),
    ("0.12345678901234567890123456789", .tooManyFractionalDigits),
    ("1e-99999999999999999999999", .tooManyFractionalDigits),
    ("9000000000000.000001", .outOfRange), ("-9000000000000.1", .outOfRange), ("9000000000001", .outOfRange),
    ("1e13", .outOfRange), ("1e99999999999999999999999", .outOfRange),
    ("18446744073709551616", .outOfRange), ("123456789012345678901234567890", .outOfRange),
  ]

  @Test(arguments: faults)
  func refuses(_ text: String, _ fault: NumberFault) {
    #expect(throws: fault) { try FixedDecimal.parse(text) }
  }

  private func parseInt(_ text: String) throws -> Int64 {
    let bytes = Array(text.utf8)
    return try bytes.withUnsafeBufferPointer { try FixedDecimal.parseInt($0) }
  }

  @Test func parsesWholeNumbers() throws {
    #expect(try parseInt("3.0") == 3)
    #expect(try parseInt("-0042") == -42)
    #expect(try parseInt("1.5e1") == 15)
    #expect(try parseInt("-9000000000000") == -9_000_000_000_000)
    #expect(throws: NumberFault.notWhole) { try parseInt("3.5") }
    #expect(throws: NumberFault.notWhole) { try parseInt("1e-9") }
    #expect(throws: NumberFault.outOfRange) { try parseInt("9000000000001") }
    #expect(throws: NumberFault.malformed) { try parseInt("three") }
  }

  @Test func isWrittenAndReadBack() throws {
    for seed in seeds(20) {
      var random = SeededGenerator(seed: seed)
      for _ in 0..<2_000 {
        let shift = Int64.random(in: 0...60, using: &random)
        let millionths = Int64.random(in: -FixedDecimal.limit...FixedDecimal.limit, using: &random) >> shift
        let decimal = FixedDecimal(millionths: millionths)
        var buffer = ByteBuffer()
        ValueText.write(decimal, to: &buffer)
        let text = String(decoding: buffer.bytes, as: UTF8.self)
        #expect(text == decimal.description, "seed \(seed)")
        #expect(try FixedDecimal.parse(text) == decimal, "seed \(seed)")
      }
    }
  }
}
