import MetricTestSupport
import Testing

@testable import MetricData

@Suite struct DaySlicesTests {
  private typealias Entry = (slot: Int, bundle: Int, day: Int)

  private func note(_ entry: Entry, in slices: inout DaySlices) {
    slices.reserve(entry.slot + 1)
    let days = entry.day >> 6
    if !slices.words.contains(days) { slices.cover(days..<days + 1) }
    let word = days - slices.words.lowerBound
    slices.open(word)
    slices.view.bits(word, entry.slot, entry.bundle)?.pointee |= 1 << UInt64(entry.day & 63)
  }

  /// The days of a slot, as they are copied for questions.
  private func days(_ slot: Int, _ bundle: Int, in slices: borrowing DaySlices) -> [Int] {
    var words = [UInt64](repeating: 0, count: slices.words.count * slices.bundleCount)
    slices.copy(slot, to: &words)
    var days: [Int] = []
    for word in 0..<slices.words.count {
      var bits = words[bundle * slices.words.count + word]
      while bits != 0 {
        days.append((slices.words.lowerBound + word) << 6 + bits.trailingZeroBitCount)
        bits &= bits - 1
      }
    }
    return days
  }

  /// Days before and behind those that are there, and before 1970; slots by the thousand.
  private func entry(_ random: inout SeededGenerator) -> Entry {
    let day = Int(random.next() % 2_000) - 1_000
    return (Int(random.next() % 3_000), Int(random.next() % 2), random.next() % 10 == 0 ? day * 8 : day)
  }

  @Test func daysAreThoseOfASet() {
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      var slices = DaySlices(bundleCount: 2)
      var known: [Int: Set<Int>] = [:]
      for _ in 0..<500 {
        let entry = entry(&random)
        note(entry, in: &slices)
        known[entry.slot * 2 + entry.bundle, default: []].insert(entry.day)
      }
      slices.reserve(3_000)
      for (key, set) in known {
        #expect(days(key / 2, key % 2, in: slices) == set.sorted(), "seed \(seed)")
      }
      for slot in 0..<20 where known[slot * 2] == nil {
        #expect(days(slot, 0, in: slices).isEmpty, "seed \(seed)")
      }
    }
  }

  @Test func anotherIsAddedSlotBySlot() {
    for seed in seeds(10) {
      var random = SeededGenerator(seed: seed)
      var one = DaySlices(bundleCount: 2)
      var other = DaySlices(bundleCount: 2)
      var known: [Int: Set<Int>] = [:]
      // The slots of the other one in the reverse order.
      let slots = (0..<3_000).reversed().map(Int32.init)
      for _ in 0..<300 {
        let (first, second) = (entry(&random), entry(&random))
        note(first, in: &one)
        note(second, in: &other)
        known[first.slot * 2 + first.bundle, default: []].insert(first.day)
        known[Int(slots[second.slot]) * 2 + second.bundle, default: []].insert(second.day)
      }
      one.reserve(3_000)
      other.reserve(3_000)
      one.cover(other.words)
      one.add(other, slots: slots)
      for (key, set) in known {
        #expect(days(key / 2, key % 2, in: one) == set.sorted(), "seed \(seed)")
      }
    }
  }
}
