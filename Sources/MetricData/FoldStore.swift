/// The records of one type, folded as a `FoldSpec` says: a slot for each key, and in it the key, for each
/// bundle the total, and a bit for each day.
///
/// The memory it takes depends on the keys and the days, not on the records.
///
/// `@unchecked Sendable`: one thread fills it; afterwards it is only read.
package final class FoldStore: @unchecked Sendable {
  package let spec: FoldSpec
  private let conditions: [RowProgram?]
  let keepsDays: Bool
  /// For each noted column, by number of the pool whether a live record has it.
  var seen: [[Bool]]

  var slots: KeyedSlots
  var layout: FoldLayout
  var chains = DailyChains()
  /// The store whose chains the slots lead to, where it is another one.
  private var chainOwner: FoldStore?

  /// The day of the first bit; a multiple of 64.
  var firstDay: Int32 = 0
  /// The last day that has a bit set.
  var lastBit = Int.min
  var rowCount = 0
  /// Whether the days lie so far apart that the records are better kept as they are.
  package internal(set) var isAbandoned = false
  /// The last day of all records, live or not; nil where there are none.
  package internal(set) var lastDay: Int32?
  /// By slot, the number of its key in the pool of the table; -1 where no live record has the key.
  package internal(set) var keys: [Int32] = []

  /// Of each row of a batch its day's bit; -1 where the row is not live.
  private let bits = UnsafeMutablePointer<Int>.allocate(capacity: TableBuilder.batchSize)

  /// Of each row of a batch the slot that its key probably has.
  private let likely = UnsafeMutablePointer<Int32>.allocate(capacity: TableBuilder.batchSize)

  /// A wider range of days is refused where the slots would take more than this, and more than the records.
  static let freeWords = 8 << 20
  static let wordsPerRow = 4

  init(_ spec: FoldSpec, pool: StringPool) {
    self.spec = spec
    conditions = spec.bundles.map { bundle in bundle.condition.map { RowProgram($0, pool: pool) } }
    keepsDays = spec.bundles.contains(where: \.keepsDays)
    seen = spec.noted.map { _ in [] }
    layout = FoldLayout(spec, dayWords: 0)
    slots = KeyedSlots(stride: layout.stride)
  }

  /// The slots of another store in another order, for questions: those that are asked about one after the other
  /// stand one behind the other, without their keys and without words for days that nobody has.
  ///
  /// - Parameter order: slots of the other store; -1 is a slot of a key without records.
  package init(ordering other: FoldStore, by order: [Int32]) {
    spec = other.spec
    conditions = []
    keepsDays = other.keepsDays
    seen = other.seen
    let days = other.lastBit == .min ? 0 : (other.lastBit - Int(other.firstDay)) >> 6 + 1
    layout = FoldLayout(spec, dayWords: min(days, other.layout.dayWords), hasKeys: false)
    firstDay = other.firstDay
    lastBit = other.lastBit
    rowCount = other.rowCount
    slots = KeyedSlots(stride: layout.stride, count: order.count)
    chainOwner = other
    let (sources, targets) = (other.slots.view, slots.view)
    for (slot, source) in order.enumerated() {
      // Some slots ahead: they stand in the order in which their keys came.
      let ahead = order[min(slot + 16, order.count - 1)]
      if ahead >= 0 { other.slots.prefetch(Int(ahead)) }
      guard source >= 0 else { continue }
      FoldStore.add(sources[Int(source)], other.layout, to: targets[slot], layout, spec, shift: 0)
    }
  }

  deinit {
    bits.deallocate()
    likely.deallocate()
  }

  package var slotCount: Int { slots.count }
}

/// Where in a slot what stands, in words of 8 bytes: the key, the totals of all bundles, their days.
struct FoldLayout {
  /// Words of bits a bundle; 0 before the first record.
  var dayWords: Int
  /// By bundle: the count, and the sum in two words where there is one.
  var totals: [Int] = []
  /// The first chunk and the last entry of a chain.
  var daily: [Int] = []
  var days: [Int] = []
  var stride: Int

  static let firstDayWords = 8
  /// Some 180 years.
  static let mostDayWords = 1024

  init(_ spec: FoldSpec, dayWords: Int, hasKeys: Bool = true) {
    self.dayWords = dayWords
    stride = hasKeys ? KeyedSlots.keyWords : 0
    for bundle in spec.bundles {
      totals.append(stride)
      if bundle.keepsTotal { stride += bundle.amount == nil ? 1 : 3 }
      daily.append(stride)
      if bundle.keepsDaily { stride += 2 }
    }
    for bundle in spec.bundles {
      days.append(stride)
      if bundle.keepsDays { stride += dayWords }
    }
    // Slots that are looked up start with a line of the cache.
    if hasKeys { stride = (stride + 7) / 8 * 8 }
    stride = max(1, stride)
  }
}

// MARK: - Filling

extension FoldStore {
  /// Asks for what rows of the batch will look at.
  ///
  /// - Parameters:
  ///   - hashes: those of the rows' keys.
  ///   - days: the days of the rows.
  ///   - first: where in the batch they start.
  func prefetch(
    _ hashes: UnsafePointer<UInt32>, days: UnsafePointer<Int64>, from first: Int, count: Int
  ) {
    let (firstWord, words) = (Int(firstDay) &>> 6, layout.dayWords)
    let start = spec.bundles.firstIndex(where: \.keepsDays).map { layout.days[$0] } ?? 0
    slots.prefetch(hashes, count, likely: likely + first) { row in
      let word = Int(truncatingIfNeeded: days[row]) &>> 6 &- firstWord
      return start &+ (word >= 0 && word < words ? word : 0)
    }
  }

  /// Puts the slots of stashed keys in the place of their stretches.
  ///
  /// - Parameter first: where in the batch they start.
  /// - Returns: false where a new key is no UTF-8.
  func resolve(_ keys: StashedTexts, from first: Int) -> Bool { slots.resolve(keys, likely: likely + first) }

  /// The slot of a key; a new one where it has none.
  func slot(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int { slots.slot(of: bytes, hash: hash) }

  /// Takes in the rows of a batch, whose cells stand column after column; those of the key are slots.
  func add(_ cells: UnsafeMutablePointer<Int64>, stride: Int, count: Int) {
    guard !isAbandoned, count > 0 else { return }
    rowCount += count
    noteLastDay(cells + spec.day * stride, count)
    findLive(cells, stride, count)
    note(cells, stride, count)
    let slots = cells + spec.key * stride
    guard findBits(slots, cells + spec.day * stride, count) else { return }
    for (index, bundle) in spec.bundles.enumerated() {
      let holds = conditions[index]?.run(cells, stride: stride, count: count)
      let amounts = bundle.amount.map { cells + $0 * stride }
      add(index, bundle, slots, holds, amounts, count)
      if bundle.keepsDaily { addDaily(index, slots, cells + spec.day * stride, holds, amounts, count) }
    }
  }

  private func noteLastDay(_ days: UnsafePointer<Int64>, _ count: Int) {
    var last = Int64(lastDay ?? .min)
    for row in 0..<count { last = max(last, days[row]) }
    lastDay = Int32(truncatingIfNeeded: last)
  }

  /// Marks the rows that are not live: -1 in `bits`.
  private func findLive(_ cells: UnsafePointer<Int64>, _ stride: Int, _ count: Int) {
    bits.update(repeating: 0, count: count)
    for column in spec.tombstones {
      let tombstones = cells + column * stride
      for row in 0..<count { bits[row] |= tombstones[row] == Column.missingWide ? 0 : -1 }
    }
  }

  private func note(_ cells: UnsafePointer<Int64>, _ stride: Int, _ count: Int) {
    for (index, column) in spec.noted.enumerated() {
      let texts = cells + column * stride
      for row in 0..<count where bits[row] == 0 && texts[row] >= 0 { note(index, Int(texts[row])) }
    }
  }

  func note(_ index: Int, _ id: Int) {
    if id >= seen[index].count {
      let wanted = id + 1 + seen[index].count
      seen[index] += Array(repeating: false, count: wanted - seen[index].count)
    }
    seen[index][id] = true
  }

  /// Puts each row's bit into `bits`, and no value in the place of the slot where the row counts nowhere; false
  /// where there is no room for a day.
  private func findBits(
    _ slots: UnsafeMutablePointer<Int64>, _ days: UnsafePointer<Int64>, _ count: Int
  ) -> Bool {
    let (bits, view) = (bits, self.slots.view)
    let last = Int(spec.lastDay ?? .max)
    var (low, high) = (Int.max, Int.min)
    for row in 0..<count {
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
    guard low <= high else { return true }
    guard cover(low, high) else {
      isAbandoned = true
      return false
    }
    lastBit = max(lastBit, high)
    let first = Int(firstDay)
    for row in 0..<count { bits[row] &-= first }
    return true
  }

  private func add(
    _ index: Int, _ bundle: FoldSpec.Bundle, _ slots: UnsafePointer<Int64>,
    _ holds: UnsafePointer<Int64>?, _ amounts: UnsafePointer<Int64>?, _ count: Int
  ) {
    let (bits, view) = (bits, self.slots.view)
    let (totals, days) = (layout.totals[index], layout.days[index])
    let (keepsTotal, keepsDays) = (bundle.keepsTotal, bundle.keepsDays)
    guard keepsTotal || keepsDays else { return }
    for row in 0..<count where slots[row] >= 0 {
      if let holds, holds[row] != 1 { continue }
      let slot = view[Int(slots[row])]
      if let amounts {
        let amount = amounts[row]
        if amount == Column.missingWide { continue }
        if keepsTotal { FoldStore.add(amount, to: slot + (totals &+ 1)) }
      }
      if keepsTotal { slot[totals] &+= 1 }
      if keepsDays {
        let bit = bits[row]
        slot[days &+ bit &>> 6] |= 1 &<< UInt64(bit & 63)
      }
    }
  }

  private func addDaily(
    _ index: Int, _ slots: UnsafePointer<Int64>, _ days: UnsafePointer<Int64>,
    _ holds: UnsafePointer<Int64>?, _ amounts: UnsafePointer<Int64>?, _ count: Int
  ) {
    let (daily, view) = (layout.daily[index], self.slots.view)
    for row in 0..<count where slots[row] >= 0 {
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
