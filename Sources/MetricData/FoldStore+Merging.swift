/// The range of days that a fold has bits for, and putting two folds together.
extension FoldStore {
  /// Some 180 years.
  private static let mostDayWords = 1024
  /// Always allowed for each of a few bundles.
  private static let fewDayWords = 8
  private static let fewBundles = 32

  /// Sees to it that there may be bits for all days from `low` to `high`; false where that would take too much.
  func cover(_ low: Int, _ high: Int) -> Bool {
    guard days.bundleCount > 0, !days.covers(low, high) else { return true }
    let words = days.words(covering: low, high)
    guard words <= FoldStore.mostDayWords, mayHave(words) else { return false }
    days.cover(low, high)
    return true
  }

  /// Makes room for the days of all slots; false where that would take too much.
  func reserveDays() -> Bool {
    guard days.needsRoom(for: slots.count) else { return true }
    guard mayHave(days.wordCount) else { return false }
    days.reserve(slots.count)
    return true
  }

  /// Whether the slots may have as many words of days for each bundle: it is little, or no more than lists of the
  /// records would take.
  private func mayHave(_ words: Int) -> Bool {
    if words <= FoldStore.fewDayWords, days.bundleCount <= FoldStore.fewBundles { return true }
    let size = slots.count * (slots.stride + days.bundleCount * words)
    return size <= FoldStore.freeWords + rowCount * FoldStore.wordsPerRow * max(1, spec.bundles.count)
  }

  /// Takes in what another store of the same spec holds.
  ///
  /// - Parameter numbers: for the numbers of the other one's pool those of this one's.
  func merge(_ other: FoldStore, numbers: [Int32]?) {
    rowCount += other.rowCount
    if let day = other.lastDay { lastDay = max(day, lastDay ?? day) }
    guard !isAbandoned, !other.isAbandoned, coverDays(of: other) else {
      isAbandoned = true
      return
    }
    chains.take(&other.chains)
    var owns: [Int32] = []
    owns.reserveCapacity(other.slots.count)
    let (layout, spec, sources) = (layout, spec, other.slots.view)
    slots.merge(other.slots) { slot, own, words in
      words[0] |= sources[slot][0] & KeyedSlots.liveMark
      layout.add(sources[slot], layout, to: words, spec)
      owns.append(Int32(own))
    }
    guard reserveDays() else {
      isAbandoned = true
      return
    }
    days.add(other.days, slots: owns)
    for index in seen.indices {
      for id in other.seen[index].indices where other.seen[index][id] {
        note(index, numbers.map { Int($0[id]) } ?? id)
      }
    }
  }

  /// Makes room for the days that another store has.
  private func coverDays(of other: FoldStore) -> Bool {
    other.days.wordCount == 0
      || cover(other.days.firstWord << 6, (other.days.firstWord + other.days.wordCount) << 6 - 1)
  }

  /// By slot, the pool's number of its key; -1 where no live record has it.
  func numbers(in pool: StringPool) -> [Int32] {
    pool.reserve(slots.count)
    return (0..<slots.count).map { slot in
      // Some slots ahead, what will be examined there.
      pool.prefetch(hash: slots.hash(min(slot + 16, slots.count - 1)))
      guard slots[slot][0] & KeyedSlots.liveMark != 0 else { return -1 }
      return pool.intern(slots.key(slot), hash: slots.hash(slot))
    }
  }

  /// The pool's numbers of the texts of a noted column, rising.
  package func noted(_ column: Int) -> [Int32] {
    guard let index = spec.noted.firstIndex(of: column) else { return [] }
    return seen[index].indices.filter { seen[index][$0] }.map(Int32.init)
  }
}
