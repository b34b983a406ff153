import MetricTestSupport
import Testing

@testable import MetricData

@Suite struct KeyedSlotsTests {
  private func slot(_ key: [UInt8], in slots: inout KeyedSlots) -> Int {
    key.withUnsafeBufferPointer { slots.slot(of: $0, hash: KeyedSlots.hash($0)) }
  }

  /// Short keys, keys of whole words, long ones, and the empty one.
  private func key(_ random: inout SeededGenerator) -> [UInt8] {
    let count = Int(random.next() % 5) * 8 + Int(random.next() % 3)
    return (0..<count).map { _ in 97 + UInt8(random.next() % 2) }
  }

  /// Whether the bytes behind a key may be read changes nothing of its hash.
  @Test func hashesAreThoseOfTheKeyAlone() {
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      for count in 0...40 {
        let bytes = (0..<count + 8).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        bytes.withUnsafeBufferPointer { bytes in
          let key = UnsafeBufferPointer(rebasing: bytes[..<count])
          #expect(
            KeyedSlots.hash(key) == KeyedSlots.hash(key, isPadded: true), "seed \(seed), \(count) bytes")
        }
      }
    }
  }

  /// Slots of a line, and so wide ones that there are many chunks of few of them.
  @Test(arguments: [8, 2048]) func keysAsInADictionaryAndWordsKept(stride: Int) {
    for seed in seeds(8) {
      var random = SeededGenerator(seed: seed)
      var slots = KeyedSlots(stride: stride)
      var known: [[UInt8]: Int] = [:]
      let count = stride == 8 ? 20_000 : 4_000
      for _ in 0..<count {
        let key = key(&random)
        let slot = slot(key, in: &slots)
        #expect(slot == known[key] ?? known.count, "seed \(seed)")
        known[key] = slot
        slots[slot][5] += 1
      }
      #expect(slots.count == known.count, "seed \(seed)")
      var total = 0
      for (key, slot) in known {
        #expect(Array(slots.key(slot)) == key, "seed \(seed)")
        total += Int(slots[slot][5])
      }
      #expect(total == count, "seed \(seed)")
    }
  }

  @Test func mergingFindsEqualKeys() {
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      var one = KeyedSlots(stride: 8)
      var other = KeyedSlots(stride: 16)
      var known: [[UInt8]: Int] = [:]
      for _ in 0..<2_000 {
        let key = key(&random)
        known[key] = slot(key, in: &one)
      }
      var others: [[UInt8]] = []
      for _ in 0..<2_000 {
        let key = key(&random)
        if slot(key, in: &other) == others.count { others.append(key) }
      }
      var order: [Int] = []
      one.merge(other) { slot, _, words in
        order.append(slot)
        words[6] = UInt64(slot) + 1
      }
      #expect(order == Array(0..<others.count), "seed \(seed)")
      for (theirs, key) in others.enumerated() {
        let own = slot(key, in: &one)
        if let before = known[key] { #expect(own == before, "seed \(seed)") }
        known[key] = own
        #expect(one[own][6] == UInt64(theirs) + 1, "seed \(seed)")
      }
      #expect(one.count == known.count, "seed \(seed)")
    }
  }
}
