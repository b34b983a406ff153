import Testing

@testable import MetricValues

@Suite struct ValueTextTests {
  private func written(_ write: (inout ByteBuffer) -> Void) -> String {
    var buffer = ByteBuffer()
    buffer.append("<")
    write(&buffer)
    return String(decoding: buffer.bytes, as: UTF8.self)
  }

  @Test func appendsEachKindOfValue() throws {
    let day = try #require(DayKey(year: 2026, month: 1, day: 9))
    #expect(written { ValueText.write(day, to: &$0) } == "<2026-01-09")
    let early = try #require(Instant("0007-01-09T00:00:00Z"))
    #expect(written { ValueText.write(early, to: &$0) } == "<0007-01-09T00:00:00Z")
    #expect(written { ValueText.write(FixedDecimal(millionths: 0), to: &$0) } == "<0")
    #expect(written { ValueText.write(FixedDecimal(millionths: -500_000), to: &$0) } == "<-0.5")
    #expect(written { ValueText.write(FixedDecimal(millionths: 3_000_001), to: &$0) } == "<3.000001")
    #expect(written { ValueText.write(Int64.min, to: &$0) } == "<-9223372036854775808")
    #expect(written { ValueText.write(Int64(100), to: &$0) } == "<100")
    let others: [(Int64, String)] = [(.max, "<9223372036854775807"), (9, "<9"), (10, "<10"), (0, "<0")]
    for (number, text) in others {
      #expect(written { ValueText.write(number, to: &$0) } == text)
    }
    let instant = try #require(Instant("1969-12-31T01:02:03.04Z"))
    #expect(written { ValueText.write(instant, to: &$0) } == "<1969-12-31T01:02:03.04Z")
  }
}
