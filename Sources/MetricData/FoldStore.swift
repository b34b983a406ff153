internal import MetricIntrinsics

/// The records of one type, folded as a `FoldSpec` says: a slot for each key, and in it the key and the totals of each
/// bundle; and a bit for each of its days.
///
/// The memory it takes depends on the keys and the days, not on the records.
///
/// `@unchecked Sendable`: one thread fills it; afterwards it is only read.
package final class FoldStore: @unchecked Sendable {
  package let spec: FoldSpec
  private let conditions: [RowProgram?]
  package private(set) var noted: NotedRecords

  var slots: KeyedSlots
  let layout: FoldLayout
  var days: DaySlices
  @exclusivity(unchecked) var chains = DailyChains()

  var rowCount = 0
  /// Whether there would be so many bits that the records are better kept as they are: days lie far apart, or many
  /// keys have many conditions.
  package private(set) var isAbandoned = false
  /// By slot, the number of its key in the pool of the table; -1 where no live record has the key.
  package private(set) var keys: [Int32] = []

  /// Of each row of a batch its day, then its day's bit; -1 where the row is not live.
  private let bits = UnsafeMutablePointer<Int>.allocate(capacity: TableBuilder.batchSize)

  /// Of each row of a batch the slot that its key probably has.
  let likely = UnsafeMutablePointer<Int32>.allocate(capacity: TableBuilder.batchSize)

  /// More slots, or a wider range of days, are refused where they would take more than this, and more than the records.
  static let freeWords = 8 << 20
  static let wordsPerRow = 4

  init(_ spec: FoldSpec, pool: StringPool) {
    self.spec = spec
    conditions = spec.bundles.map { bundle in bundle.condition.map { RowProgram($0, pool: pool) } }
    noted = NotedRecords(spec.noted, day: spec.day, pool)
    layout = FoldLayout(spec, after: KeyedSlots.keyWords)
    // A slot is a line of the cache, or several, or half a line.
    slots = KeyedSlots(stride: layout.end <= 4 ? 4 : (layout.end + 7) / 8 * 8)
    days = DaySlices(bundleCount: spec.bundles.count(where: \.keepsDays))
  }

  deinit {
    bits.deallocate()
    likely.deallocate()
  }

  /// Asks for what rows of the batch will look at.
  ///
  /// - Parameters:
  ///   - hashes: those of the rows' keys.
  ///   - days: the days of the rows.
  ///   - first: where in the batch they start.
  func prefetch(
    _ hashes: UnsafePointer<UInt32>, days: UnsafePointer<Int64>, from first: Int, count: Int
  ) {
    let (words, slices) = (self.days.words, self.days.view)
    slots.prefetch(hashes, count, likely: likely + first) { row, slot in
      let word = Int(truncatingIfNeeded: days[row]) &>> 6
      guard words.contains(word), let bits = slices.bits(word &- words.lowerBound, slot, 0) else { return }
      metric_prefetch(bits)
    }
  }

  /// Takes in the rows of a batch, whose keys are slots.
  func add(_ batch: RowBatch) {
    guard !isAbandoned else {
      // Where records that are left out are reported, keys still come.
      slots = KeyedSlots(stride: slots.stride)
      return
    }
    let count = batch.count
    guard count > 0 else { return }
    rowCount += count
    noted.add(days: batch[spec.day], count)
    // Rows that are not live are marked: -1.
    bits.update(repeating: 0, count: count)
    for column in spec.tombstones {
      let tombstones = batch[column]
      for row in 0..<count { bits[row] |= tombstones[row] == Column.missingWide ? 0 : -1 }
    }
    noted.add(batch, (0..<count).lazy.filter { [bits] in bits[$0] == 0 })
    guard findBits(batch), days.bundleCount == 0 || reserveDays() else {
      isAbandoned = true
      return
    }
    openSlices(batch)
    for (index, bundle) in spec.bundles.enumerated() {
      let holds = conditions[index]?.run(batch)
      add(index, bundle, batch, holds)
      if bundle.keepsDaily { addDaily(index, bundle, batch, holds) }
    }
  }

  /// Gives up where the keys are so many that the records as they are take less: with 40 sums over three million
  /// habits with an entry each the slots took 6.7 GB, and lists take 1.0.
  ///
  /// - Parameter rows: how many records there will be.
  func giveUp(ifLargerThan rows: Int) {
    let words = slots.count * slots.stride
    if words > FoldStore.freeWords, words > FoldStore.wordsPerRow * rows { isAbandoned = true }
  }

  /// Puts each row's day into `bits`, and no value in place of the slot where the row counts nowhere; false if there is
  /// no room for a day.
  private func findBits(_ batch: RowBatch) -> Bool {
    let (bits, view, slots, days) = (bits, self.slots.view, batch[spec.key], batch[spec.day])
    let last = Int(spec.lastDay ?? .max)
    var (low, high) = (Int.max, Int.min)
    for row in 0..<batch.count {
      let day = Int(days[row])
      guard bits[row] == 0, slots[row] >= 0 else {
        slots[row] = Column.missingWide
        continue
      }
      view[Int(slots[row])][0] |= KeyedSlots.liveMark
      guard day <= last else {
        slots[row] = Column.missingWide
        continue
      }
      bits[row] = day
      low = min(low, day)
      high = max(high, day)
    }
    return low > high || cover(low >> 6..<high >> 6 + 1)
  }

  /// Makes sure that there are slices for the days of all rows, and lets `bits` count from their first day.
  private func openSlices(_ batch: RowBatch) {
    guard days.bundleCount > 0 else { return }
    let (slots, first) = (batch[spec.key], days.words.lowerBound << 6)
    var last = -1
    for row in 0..<batch.count where slots[row] >= 0 {
      bits[row] &-= first
      let word = bits[row] &>> 6
      if word != last { days.open(word) }
      last = word
    }
  }

  private func add(
    _ index: Int, _ bundle: FoldSpec.Bundle, _ batch: RowBatch, _ holds: UnsafePointer<Int64>?
  ) {
    let (slots, amounts) = (batch[spec.key], bundle.amount.map { batch[$0] })
    let (bits, view, slices) = (bits, self.slots.view, days.view)
    let (totals, extremes, days) = (layout.totals[index], layout.extremes[index], layout.days[index])
    let (keepsTotal, keepsExtremes) = (bundle.keepsTotal, bundle.keepsExtremes)
    guard keepsTotal || keepsExtremes || days != nil else { return }
    for row in 0..<batch.count where slots[row] >= 0 {
      if let holds, holds[row] != 1 { continue }
      let slot = Int(slots[row])
      if let amounts {
        let amount = amounts[row]
        if amount == Column.missingWide { continue }
        if keepsTotal { FoldStore.add(amount, to: view[slot] + (totals &+ 1)) }
        if keepsExtremes {
          let kept = view[slot] + extremes
          kept[0] = max(kept[0], FoldLayout.rank(amount))
          kept[1] = max(kept[1], FoldLayout.rank(-amount))
        }
      }
      if keepsTotal { view[slot][totals] &+= 1 }
      if let days { slices.bits(bits[row] &>> 6, slot, days)?.pointee |= 1 &<< UInt64(bits[row] & 63) }
    }
  }

  private func addDaily(
    _ index: Int, _ bundle: FoldSpec.Bundle, _ batch: RowBatch, _ holds: UnsafePointer<Int64>?
  ) {
    let (slots, days, amounts) = (batch[spec.key], batch[spec.day], bundle.amount.map { batch[$0] })
    let (daily, view) = (layout.daily[index], self.slots.view)
    for row in 0..<batch.count where slots[row] >= 0 {
      if let holds, holds[row] != 1 { continue }
      let number = amounts?[row] ?? 1
      if number == Column.missingWide { continue }
      guard chains.add(number, day: Int(days[row]), to: view[Int(slots[row])] + daily) else {
        isAbandoned = true
        return
      }
    }
  }

  /// Adds to a sum of two words, the lower one first.
  @inline(__always)
  private static func add(_ amount: Int64, to sum: UnsafeMutablePointer<UInt64>) {
    let (low, carried) = sum[0].addingReportingOverflow(UInt64(bitPattern: amount))
    sum[0] = low
    sum[1] = sum[1] &+ UInt64(bitPattern: amount &>> 63) &+ (carried ? 1 : 0)
  }
}

/// The range of days that a fold has bits for, and putting two folds together.
extension FoldStore {
  /// Some 180 years.
  private static let mostDayWords = 1024
  /// Always allowed for each of a few bundles.
  private static let fewDayWords = 8
  private static let fewBundles = 32

  /// Makes sure that there may be bits for all days of some words; false if that would take too much.
  func cover(_ words: Range<Int>) -> Bool {
    let all = days.words(covering: words)
    guard days.bundleCount > 0, all != days.words else { return true }
    guard all.count <= FoldStore.mostDayWords, mayHave(all.count) else { return false }
    days.cover(words)
    return true
  }

  /// Makes room for the days of all slots; false if that would take too much.
  func reserveDays() -> Bool {
    guard days.needsRoom(for: slots.count) else { return true }
    guard mayHave(days.words.count) else { return false }
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
    noted.merge(other.noted, numbers: numbers)
    guard !isAbandoned, !other.isAbandoned, cover(other.days.words) else {
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
  }

  /// Numbers the keys by a pool.
  func findKeys(in pool: StringPool) {
    pool.reserve(slots.count)
    keys = (0..<slots.count).map { slot in
      // Some slots ahead, what will be examined there.
      pool.prefetch(hash: slots.hash(min(slot + 16, slots.count - 1)))
      guard slots[slot][0] & KeyedSlots.liveMark != 0 else { return -1 }
      return pool.intern(slots.key(slot), hash: slots.hash(slot))
    }
  }
}

/// What a fold keeps, for questions: the slots in the order in which they are asked about, each with its totals and
/// the words of its days side by side, and without its key.
///
/// `@unchecked Sendable`: nothing changes it.
package final class FoldedFacts: @unchecked Sendable {
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
    dayWords = store.days.words.count
    firstDay = Int32(store.days.words.lowerBound << 6)
    stride = max(1, layout.end + store.days.bundleCount * dayWords)
    words = LargeMemory.allocate(UInt64.self, capacity: stride * slotCount)
    words.initialize(repeating: 0, count: stride * slotCount)
    for (slot, source) in order.enumerated() {
      // Some slots ahead: they are in the order in which their keys came.
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
  package func days(_ bundle: Int, of slot: Int) -> DayBits {
    guard slot >= 0, slot < slotCount, let place = layout.days[bundle] else { return .empty }
    return DayBits(
      words: words + (slot &* stride &+ layout.end &+ place &* dayWords), wordCount: dayWords, first: firstDay
    )
  }

  /// How many records a bundle has for a slot, and their sum.
  package func total(_ bundle: Int, of slot: Int) -> (count: Int, sum: Int128) {
    guard slot >= 0, slot < slotCount else { return (0, 0) }
    let words = words + slot * stride + layout.totals[bundle]
    guard spec.bundles[bundle].amount != nil else { return (Int(words[0]), 0) }
    return (Int(words[0]), Int128(Int64(bitPattern: words[2])) << 64 | Int128(words[1]))
  }

  /// The least and the greatest value that a bundle has for a slot; nil if it has none.
  package func extremes(_ bundle: Int, of slot: Int) -> (least: Int64, greatest: Int64)? {
    guard slot >= 0, slot < slotCount else { return nil }
    let kept = words + slot * stride + layout.extremes[bundle]
    return kept[0] == 0 ? nil : (-FoldLayout.value(kept[1]), FoldLayout.value(kept[0]))
  }

  /// On how many days a bundle keeps something of a slot, at most. Slots are asked about in their order: every so often
  /// the days of the next ones are brought into the cache.
  package func mostDays(_ bundle: Int, of slot: Int) -> Int {
    let ahead = 32
    if slot % ahead == 0 {
      DailyChains.prefetch(chain(bundle, slot), stride: stride, count: min(ahead, slotCount - slot))
    }
    return DailyChains.capacity(of: chain(bundle, slot))
  }

  /// Copies what a bundle keeps of the days of a slot. Where these do not rise, a day may come several times.
  package func copyDays(
    _ bundle: Int, of slot: Int, to days: UnsafeMutablePointer<Int32>, _ sums: UnsafeMutablePointer<Int64>
  ) -> (count: Int, isRising: Bool) {
    DailyChains.copy(chain(bundle, slot), to: days, sums)
  }

  private func chain(_ bundle: Int, _ slot: Int) -> UnsafePointer<UInt64> {
    UnsafePointer(words + slot * stride + layout.daily[bundle])
  }
}
