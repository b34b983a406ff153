import Testing

@testable import MetricData

@Suite struct StructuralScanTests {
  /// Bytes that are often what is looked for, with 64 bytes behind them that may be read.
  private func text(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
    let some: [UInt8] = [0x2C, 0x0A, 0x22, 0x5C, 0x00, 0x1F, 0x20, 0x7F, 0x80, 0xA2, 0xFF, 0x61]
    return (0..<count).map { _ in
      random.next() % 3 == 0
        ? some[Int(random.next() % UInt64(some.count))] : UInt8(truncatingIfNeeded: random.next())
    } + Array(repeating: 0, count: 64)
  }

  @Test func findsWhatALoopFinds() {
    for seed in testSeeds(50) {
      var random = SeededGenerator(seed: seed)
      let count = Int(random.next() % 300)
      let bytes = text(count, &random)
      let start = Int(random.next() % UInt64(count + 1))
      var places = [UInt32](repeating: 0, count: count + 80)
      let found = bytes.withUnsafeBufferPointer { bytes in
        StructuralScan.places(
          of: (0x2C, 0x0A, 0x22), bytes.baseAddress!, from: start, to: count, into: &places)
      }
      let expected = (start..<count).filter { [0x2C, 0x0A, 0x22].contains(bytes[$0]) }
      #expect(places[..<found].map(Int.init) == expected, "seed \(seed)")
    }
  }

  @Test func stringsEndWhereALoopSaysSo() {
    for seed in testSeeds(50) {
      var random = SeededGenerator(seed: seed)
      let bytes = text(Int(random.next() % 200), &random)
      for start in 0..<bytes.count - 64 {
        let stop = bytes.withUnsafeBufferPointer { StructuralScan.stringStop($0.baseAddress!, from: start) }
        let expected = bytes[start...].firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }
        #expect(stop == expected, "seed \(seed)")
      }
    }
  }

  @Test func portableMarksAreTheSame() {
    for seed in testSeeds(50) {
      var random = SeededGenerator(seed: seed)
      let bytes = text(64, &random)
      let marks = bytes.withUnsafeBufferPointer {
        PortableMarks.marks($0.baseAddress!, (0x2C, 0x0A, 0x22))
      }
      for place in 0..<64 {
        #expect(
          (marks >> UInt64(place) & 1 == 1) == [0x2C, 0x0A, 0x22].contains(bytes[place]), "seed \(seed)")
      }
    }
  }
}
