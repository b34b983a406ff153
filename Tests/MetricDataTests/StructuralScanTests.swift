import MetricIntrinsics
import MetricTestSupport
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

  /// The ways to look for separators that this processor has.
  private typealias Scan = (
    _ base: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ places: UnsafeMutablePointer<UInt32>,
    _ kinds: UnsafeMutablePointer<UInt8>
  ) -> Int

  private var scans: [(name: String, scan: Scan)] {
    let wanted: (UInt8, UInt8, UInt8) = (0x2C, 0x0A, 0x22)
    let chosen: Scan = { StructuralScan.separators(wanted, $0, from: $1, to: $2, places: $3, kinds: $4) }
    return [("chosen", chosen)]
      + (0...metric_vector_level()).map { level in
        let scan: Scan = { base, start, end, places, kinds in
          metric_separators(level, base, start, end, [0x2C, 0x0A, 0x22], places, kinds)
        }
        return ("level \(level)", scan)
      }
  }

  @Test func findsWhatALoopFinds() {
    for seed in seeds(50) {
      var random = SeededGenerator(seed: seed)
      let count = Int(random.next() % 300)
      // Some with nothing but separators.
      let bytes = seed % 5 == 0 ? Array(repeating: 0x2C, count: count + 64) : text(count, &random)
      let start = Int(random.next() % UInt64(count + 1))
      let expected = (start..<count).filter { [0x2C, 0x0A, 0x22].contains(bytes[$0]) }
      for (name, scan) in scans {
        var places = [UInt32](repeating: 0, count: count - start + 64)
        var kinds = [UInt8](repeating: 0, count: count - start + 64)
        let found = bytes.withUnsafeBufferPointer { scan($0.baseAddress!, start, count, &places, &kinds) }
        #expect(places[..<found].map(Int.init) == expected, "\(name), seed \(seed)")
        #expect(Array(kinds[..<found]) == expected.map { bytes[$0] }, "\(name), seed \(seed)")
      }
    }
  }

  @Test func stringsEndWhereALoopSaysSo() {
    for seed in seeds(50) {
      var random = SeededGenerator(seed: seed)
      let bytes = text(Int(random.next() % 200), &random)
      for start in 0..<bytes.count - 64 {
        let stop = bytes.withUnsafeBufferPointer { StructuralScan.stringStop($0.baseAddress!, from: start) }
        let expected = bytes[start...].firstIndex { $0 == 0x22 || $0 == 0x5C || $0 < 0x20 }
        #expect(stop == expected, "seed \(seed)")
      }
    }
  }
}
