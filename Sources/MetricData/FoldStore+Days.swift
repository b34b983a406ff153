/// The range of days that the slots have bits for, and putting two stores together.
extension FoldStore {
  /// Sees to it that there are bits for all days from `low` to `high`; false where that would take too much.
  func cover(_ low: Int, _ high: Int) -> Bool {
    guard keepsDays else { return true }
    let (lowWord, highWord, first) = (low >> 6, high >> 6, Int(firstDay) >> 6)
    if layout.dayWords > 0, lowWord >= first, highWord < first + layout.dayWords { return true }
    let newFirst = layout.dayWords > 0 ? min(first, lowWord) : lowWord
    let newLast = layout.dayWords > 0 ? max(first + layout.dayWords - 1, highWord) : highWord
    guard let words = dayWords(for: newLast - newFirst + 1) else { return false }
    // What is added lies on the side that was too short.
    let start = layout.dayWords > 0 && lowWord < first ? newLast - words + 1 : newFirst
    widen(to: words, from: Int32(start << 6))
    return true
  }

  /// How many words to take where `needed` are; nil where that is too much.
  private func dayWords(for needed: Int) -> Int? {
    var words = max(FoldLayout.firstDayWords, layout.dayWords)
    while words < needed { words *= 2 }
    guard words <= FoldLayout.mostDayWords else { return nil }
    let size = slots.count * FoldLayout(spec, dayWords: words).stride
    let isAllowed = size <= FoldStore.freeWords + rowCount * FoldStore.wordsPerRow
    return isAllowed || words == FoldLayout.firstDayWords ? words : nil
  }

  /// Gives the slots more words of days.
  private func widen(to dayWords: Int, from day: Int32) {
    let (old, new) = (layout, FoldLayout(spec, dayWords: dayWords))
    let shift = (Int(firstDay) - Int(day)) >> 6
    slots.restride(to: new.stride) { source, target in
      FoldStore.add(source, old, to: target, new, spec, shift: shift)
    }
    layout = new
    firstDay = day
  }

  /// Adds what one slot holds to another, whose days start `shift` words earlier.
  static func add(
    _ source: UnsafePointer<UInt64>, _ from: FoldLayout, to target: UnsafeMutablePointer<UInt64>,
    _ to: FoldLayout, _ spec: FoldSpec, shift: Int
  ) {
    for (index, bundle) in spec.bundles.enumerated() {
      let (one, other) = (target + to.totals[index], source + from.totals[index])
      if bundle.keepsTotal {
        one[0] &+= other[0]
        if bundle.amount != nil {
          let (low, carried) = one[1].addingReportingOverflow(other[1])
          one[1] = low
          one[2] = one[2] &+ other[2] &+ (carried ? 1 : 0)
        }
      }
      if bundle.keepsDaily {
        DailyChains.join(source + from.daily[index], to: target + to.daily[index])
      }
      guard bundle.keepsDays else { continue }
      for word in 0..<from.dayWords where source[from.days[index] + word] != 0 {
        target[to.days[index] + word + shift] |= source[from.days[index] + word]
      }
    }
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
    let shift = (Int(other.firstDay) - Int(firstDay)) >> 6
    lastBit = max(lastBit, other.lastBit)
    let (sources, from, to, spec) = (other.slots.view, other.layout, layout, spec)
    slots.merge(other.slots) { slot, _, own in
      own[0] |= sources[slot][0] & KeyedSlots.liveMark
      FoldStore.add(sources[slot], from, to: own, to, spec, shift: shift)
    }
    for index in seen.indices {
      for id in other.seen[index].indices where other.seen[index][id] {
        note(index, numbers.map { Int($0[id]) } ?? id)
      }
    }
  }

  /// Makes room for the days that another store has, not for all that it has room for.
  private func coverDays(of other: FoldStore) -> Bool {
    other.lastBit == .min || cover(Int(other.firstDay), other.lastBit)
  }
}

// MARK: - Asking

extension FoldStore {
  /// By slot, the pool's number of its key; -1 where no live record has it.
  func numbers(in pool: StringPool) -> [Int32] {
    pool.reserve(slots.count)
    return (0..<slots.count).map { slot in
      // Some slots ahead, what will be looked at there.
      pool.prefetch(hash: slots.hash(min(slot + 16, slots.count - 1)))
      guard slots[slot][0] & KeyedSlots.liveMark != 0 else { return -1 }
      return pool.intern(slots.key(slot), hash: slots.hash(slot))
    }
  }

  /// The days of a bundle of a slot.
  @inline(__always)
  package func days(_ bundle: Int, _ slot: Int) -> DayBits {
    DayBits(
      words: slots[slot] + layout.days[bundle], wordCount: layout.dayWords, first: firstDay)
  }

  /// How many records a bundle has for a slot, and their sum.
  package func total(_ bundle: Int, _ slot: Int) -> (count: Int, sum: Int128) {
    let words = slots[slot] + layout.totals[bundle]
    guard spec.bundles[bundle].amount != nil else { return (Int(words[0]), 0) }
    return (Int(words[0]), Int128(Int64(bitPattern: words[2])) << 64 | Int128(words[1]))
  }

  /// Calls `body` with what a bundle keeps of the days of a slot; a day may come several times and in any
  /// order.
  package func forEachDay(_ bundle: Int, _ slot: Int, _ body: (_ day: Int32, _ number: Int64) -> Void) {
    DailyChains.forEach(slots[slot] + layout.daily[bundle], body)
  }

  /// The pool's numbers of the texts of a noted column, rising.
  package func noted(_ column: Int) -> [Int32] {
    guard let index = spec.noted.firstIndex(of: column) else { return [] }
    return seen[index].indices.filter { seen[index][$0] }.map(Int32.init)
  }
}
