/// The records of one type, folded as a `FoldSpec` says: a slot for each key, and in it the key, for each
/// bundle the total, and a bit for each day.
///
/// The memory it takes depends on the keys and the days, not on the records. A slot holds all that a record
/// changes, and its key as far as it is short, so that a record costs a look into the index and one or two
/// lines of the cache. (With the keys in the string pool it was three looks more, and half again as long.)
///
/// `@unchecked Sendable`: one thread fills it; afterwards it is only read.
package final class FoldStore: @unchecked Sendable {
  package let spec: FoldSpec
  private let conditions: [RowProgram?]
  let keepsDays: Bool
  /// For each noted column, by number of the pool whether a live record has it.
  var seen: [[Bool]]

  /// The slots by the hashes of their keys: the slot + 1 in the lower `slotBits` bits, upper bits of the hash
  /// above them; 0 is free. Small, so that it stays in the cache.
  private var index: UnsafeMutablePointer<UInt32>
  private var mask: Int
  private var slotBits: UInt32 = 11
  var memory: UnsafeMutablePointer<UInt64>
  var capacity = 1024
  var layout: FoldLayout
  package private(set) var slotCount = 0
  var chains = DailyChains()
  /// The store whose chains the slots lead to, where it is another one.
  private var chainOwner: FoldStore?
  /// The bytes of keys that are too long for their slots.
  private var longKeys = ScratchBytes()

  /// The day of the first bit; a multiple of 64.
  var firstDay: Int32 = 0
  var rowCount = 0
  /// Whether the days lie so far apart that the records are better kept as they are.
  package internal(set) var isAbandoned = false
  /// The last day of all records, live or not; nil where there are none.
  package internal(set) var lastDay: Int32?
  /// By slot, the number of its key in the pool of the table; -1 where no live record has the key.
  package internal(set) var keys: [Int32] = []

  /// In a slot's first word: its key's length, whether a live record has the key, and above that its hash.
  static let lengthBits: UInt64 = 0x7FFF_FFFF
  static let liveMark: UInt64 = 0x8000_0000
  /// Where in the memory each row's slot probably starts.
  private let likely = UnsafeMutablePointer<Int>.allocate(capacity: TableBuilder.batchSize)
  /// What `touch` has seen, so that it is not left out.
  private var lastTouched: UInt64 = 0

  /// Of each row of a batch its day's bit; -1 where the row is not live.
  private let bits = UnsafeMutablePointer<Int>.allocate(capacity: TableBuilder.batchSize)

  /// A wider range of days is refused where the slots would take more than this, and more than the records.
  static let freeWords = 8 << 20
  static let wordsPerRow = 4

  init(_ spec: FoldSpec, pool: StringPool) {
    self.spec = spec
    conditions = spec.bundles.map { bundle in bundle.condition.map { RowProgram($0, pool: pool) } }
    keepsDays = spec.bundles.contains(where: \.keepsDays)
    seen = spec.noted.map { _ in [] }
    layout = FoldLayout(spec, dayWords: 0)
    mask = 2 * capacity - 1
    index = .allocate(capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
    memory = .allocate(capacity: capacity * layout.stride)
  }

  /// The slots of another store in another order, for questions: those that are asked about one after the other
  /// stand one behind the other.
  ///
  /// - Parameter slots: those of the other store; -1 is a slot of a key without records.
  package init(ordering other: FoldStore, by slots: [Int32]) {
    spec = other.spec
    conditions = []
    keepsDays = other.keepsDays
    seen = other.seen
    layout = other.layout
    firstDay = other.firstDay
    rowCount = other.rowCount
    slotCount = slots.count
    capacity = max(1, slots.count)
    mask = 0
    index = .allocate(capacity: 1)
    index.initialize(to: 0)
    chainOwner = other
    memory = LargeMemory.allocate(UInt64.self, capacity: capacity * layout.stride)
    for (slot, source) in slots.enumerated() {
      let target = memory + slot * layout.stride
      if source >= 0 {
        target.initialize(from: other.memory + Int(source) * layout.stride, count: layout.stride)
      } else {
        target.initialize(repeating: 0, count: layout.stride)
      }
    }
  }

  deinit {
    index.deallocate()
    memory.deallocate()
    bits.deallocate()
    likely.deallocate()
  }
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
  var stride = keyWords

  /// The key's length and its first 24 bytes; of a longer one instead of these its place in `longKeys`.
  static let keyWords = 4
  static let shortKey = 24
  static let firstDayWords = 8
  /// Some 180 years.
  static let mostDayWords = 1024

  init(_ spec: FoldSpec, dayWords: Int) {
    self.dayWords = dayWords
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
    // Slots start with a line of the cache.
    stride = (stride + 7) / 8 * 8
  }
}

// MARK: - Keys

extension FoldStore {
  /// Puts the slots of stashed keys in the place of their stretches.
  ///
  /// - Parameter days: the days of the rows.
  /// - Returns: false where a new key is no UTF-8.
  func resolve(_ keys: StashedTexts, days: UnsafePointer<Int64>) -> Bool {
    touch(keys, days)
    for row in 0..<keys.count where keys.cells[row] != Column.missingWide {
      let bytes = keys.bytes(row)
      let hash = keys.hashes[row]
      var slot = find(bytes, hash)
      if slot < 0 {
        guard ByteScan.isUTF8(bytes) else { return false }
        slot = insert(bytes, hash)
      }
      keys.cells[row] = Int64(slot)
    }
    return true
  }

  /// Looks where the rows will look, in loops so short that the looks of many rows are under way at once.
  private func touch(_ keys: StashedTexts, _ days: UnsafePointer<Int64>) {
    let (index, mask, memory, stride) = (index, mask, memory, layout.stride)
    let (slotMask, likely) = ((1 as UInt32) &<< slotBits &- 1, likely)
    for row in 0..<keys.count {
      let slot = index[Int(keys.hashes[row]) & mask] & slotMask
      likely[row] = Int(max(slot, 1) &- 1) &* stride
    }
    let (first, words) = (Int(firstDay), layout.dayWords)
    let withDays = spec.bundles.firstIndex(where: \.keepsDays)
    let start = withDays.map { words > 0 ? layout.days[$0] : 0 } ?? 0
    let wordsThere = withDays == nil ? 0 : words
    var found: UInt64 = 0
    for row in 0..<keys.count {
      let word = (Int(truncatingIfNeeded: days[row]) &- first) &>> 6
      found ^=
        memory[likely[row]] ^ memory[likely[row] &+ start &+ (word >= 0 && word < wordsThere ? word : 0)]
    }
    lastTouched = found
  }

  /// The slot of a key; a new one where it has none.
  func slot(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int {
    // The words of a key are loaded whole, and these bytes may end where their memory ends.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 8) { copy in
      _ = copy.initialize(from: bytes)
      let padded = UnsafeBufferPointer(rebasing: copy[..<bytes.count])
      let known = find(padded, hash)
      return known >= 0 ? known : insert(padded, hash)
    }
  }

  /// The words that stand for a key in its slot; up to 23 bytes behind a short one are read.
  @inline(__always)
  private static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64, UInt64) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return (0, 0, 0) }
    func word(_ offset: Int) -> UInt64 {
      let left = bytes.count &- offset
      if left <= 0 { return 0 }
      let word = ByteScan.word(base + offset)
      return left >= 8 ? word : word & ((1 &<< UInt64(8 &* left)) &- 1)
    }
    return (word(0), word(8), word(16))
  }

  @inline(__always)
  private func find(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let words = FoldStore.words(bytes)
    let slotMask = (1 as UInt32) &<< slotBits &- 1
    var place = Int(hash) & mask
    while true {
      let entry = index[place]
      if entry == 0 { return -1 }
      if (entry ^ hash) & ~slotMask == 0 {
        let slot = Int(entry & slotMask) &- 1
        let key = memory + slot &* layout.stride
        if key[0] & FoldStore.lengthBits == UInt64(bytes.count) {
          if bytes.count > FoldLayout.shortKey {
            if holdsLong(key, bytes) { return slot }
          } else if key[1] == words.0, key[2] == words.1, key[3] == words.2 {
            return slot
          }
        }
      }
      place = (place &+ 1) & mask
    }
  }

  @inline(never)
  private func holdsLong(_ key: UnsafePointer<UInt64>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    longKeys.bytes[Int(key[1])..<Int(key[1]) + bytes.count].elementsEqual(bytes)
  }

  @inline(never)
  private func insert(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let slot = slotCount
    if slot == capacity { rebuild(layout.dayWords, from: firstDay, capacity: capacity * 2) }
    let key = memory + slot * layout.stride
    key.initialize(repeating: 0, count: layout.stride)
    key[0] = UInt64(hash) << 32 | UInt64(bytes.count)
    if bytes.count > FoldLayout.shortKey {
      key[1] = UInt64(longKeys.bytes.count)
      longKeys.append(bytes)
    } else {
      (key[1], key[2], key[3]) = FoldStore.words(bytes)
    }
    slotCount += 1
    if slotCount * 2 > mask { growIndex() }
    place(slot)
    return slot
  }

  private func place(_ slot: Int) {
    let hash = UInt32(truncatingIfNeeded: memory[slot * layout.stride] >> 32)
    let slotMask = (1 as UInt32) << slotBits - 1
    var place = Int(hash) & mask
    while index[place] != 0 { place = (place + 1) & mask }
    index[place] = hash & ~slotMask | UInt32(slot + 1)
  }

  private func growIndex() {
    index.deallocate()
    mask = mask * 4 + 3
    slotBits += 2
    index = LargeMemory.allocate(UInt32.self, capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
    for slot in 0..<slotCount - 1 { place(slot) }
  }

  /// Calls `body` with the bytes of a slot's key, which are valid during the call.
  func withKey<Result>(_ slot: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let key = memory + slot * layout.stride
    let count = Int(key[0] & FoldStore.lengthBits)
    if count > FoldLayout.shortKey {
      return body(UnsafeBufferPointer(rebasing: longKeys.bytes[Int(key[1])..<Int(key[1]) + count]))
    }
    return body(
      UnsafeBufferPointer(
        start: UnsafeRawPointer(key + 1).assumingMemoryBound(to: UInt8.self), count: count))
  }
}

// MARK: - Filling

extension FoldStore {
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
    let (bits, stride, memory) = (bits, layout.stride, memory)
    let last = Int(spec.lastDay ?? .max)
    var (low, high) = (Int.max, Int.min)
    for row in 0..<count {
      let day = Int(days[row])
      guard bits[row] == 0, slots[row] >= 0 else {
        slots[row] = Column.missingWide
        continue
      }
      memory[Int(slots[row]) &* stride] |= FoldStore.liveMark
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
    let first = Int(firstDay)
    for row in 0..<count { bits[row] &-= first }
    return true
  }

  private func add(
    _ index: Int, _ bundle: FoldSpec.Bundle, _ slots: UnsafePointer<Int64>,
    _ holds: UnsafePointer<Int64>?, _ amounts: UnsafePointer<Int64>?, _ count: Int
  ) {
    let (memory, bits, stride) = (memory, bits, layout.stride)
    let (totals, days) = (layout.totals[index], layout.days[index])
    let (keepsTotal, keepsDays) = (bundle.keepsTotal, bundle.keepsDays)
    guard keepsTotal || keepsDays else { return }
    for row in 0..<count where slots[row] >= 0 {
      if let holds, holds[row] != 1 { continue }
      let slot = memory + Int(slots[row]) &* stride
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
    let daily = layout.daily[index]
    for row in 0..<count where slots[row] >= 0 {
      if let holds, holds[row] != 1 { continue }
      let number = amounts?[row] ?? 1
      if number == Column.missingWide { continue }
      let chain = memory + (Int(slots[row]) &* layout.stride &+ daily)
      guard chains.add(number, day: Int(days[row]), to: chain) else {
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
