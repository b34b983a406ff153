/// What a fold keeps, for questions: the slots in the order in which they are asked about, each with its totals and
/// the words of its days side by side, and without its key.
///
/// `@unchecked Sendable`: nothing changes it.
package final class OrderedFold: @unchecked Sendable {
  package let spec: FoldSpec
  package let slotCount: Int
  private let layout: FoldLayout
  private let words: UnsafeMutablePointer<UInt64>
  /// Words a slot, and those of them that a bundle's days take.
  private let stride: Int
  private let dayWords: Int
  /// The day of the first bit.
  private let firstDay: Int32
  /// The numbers by day stay where they are.
  private let chainOwner: FoldStore

  /// - Parameter order: slots of the store; -1 is a slot of a key without records.
  package init(_ store: FoldStore, by order: [Int32]) {
    spec = store.spec
    chainOwner = store
    slotCount = order.count
    layout = FoldLayout(spec, after: 0)
    dayWords = store.days.wordCount
    firstDay = Int32(store.days.firstWord << 6)
    stride = max(1, layout.end + store.days.bundleCount * dayWords)
    words = LargeMemory.allocate(UInt64.self, capacity: stride * slotCount)
    words.initialize(repeating: 0, count: stride * slotCount)
    for (slot, source) in order.enumerated() {
      // Some slots ahead: they stand in the order in which their keys came.
      let ahead = order[min(slot + 16, slotCount - 1)]
      if ahead >= 0 {
        store.slots.prefetch(Int(ahead))
        store.days.prefetch(Int(ahead))
      }
      guard source >= 0 else { continue }
      let target = words + slot * stride
      layout.add(store.slots[Int(source)], store.layout, to: target, spec)
      store.days.copy(Int(source), to: target + layout.end)
    }
  }

  deinit { words.deallocate() }

  /// The days of a bundle of a slot.
  @inline(__always)
  package func days(_ bundle: Int, _ slot: Int) -> DayBits {
    guard let place = layout.days[bundle] else { return .empty }
    return DayBits(
      words: words + (slot &* stride &+ layout.end &+ place &* dayWords), wordCount: dayWords, first: firstDay
    )
  }

  /// How many records a bundle has for a slot, and their sum.
  package func total(_ bundle: Int, _ slot: Int) -> (count: Int, sum: Int128) {
    let words = words + slot * stride + layout.totals[bundle]
    guard spec.bundles[bundle].amount != nil else { return (Int(words[0]), 0) }
    return (Int(words[0]), Int128(Int64(bitPattern: words[2])) << 64 | Int128(words[1]))
  }

  /// The least and the greatest value that a bundle has for a slot; nil where it has none.
  package func extremes(_ bundle: Int, _ slot: Int) -> (least: Int64, greatest: Int64)? {
    let kept = words + slot * stride + layout.extremes[bundle]
    return kept[0] == 0 ? nil : (-FoldLayout.value(kept[1]), FoldLayout.value(kept[0]))
  }

  /// Calls `body` with what a bundle keeps of the days of a slot; a day may come several times and in any
  /// order.
  package func forEachDay(_ bundle: Int, _ slot: Int, _ body: (_ day: Int32, _ number: Int64) -> Void) {
    DailyChains.forEach(words + slot * stride + layout.daily[bundle], body)
  }
}
