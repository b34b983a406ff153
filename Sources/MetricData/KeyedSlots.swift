internal import MetricIntrinsics

/// Slots of some words each, found by keys that are bytes and numbered as they come: the memory of a fold, and that of
/// a string pool, which has nothing after its keys.
///
/// A slot's first words are its key as far as it is short, so that a record costs a look into the index and one or two
/// lines of the cache. (With the keys of folds in the string pool it was three looks more, and half again as long.) The
/// slots are in chunks of about a large page: when others come only those of the first, small chunk move.
struct KeyedSlots: ~Copyable {
  private(set) var count = 0
  /// Words of 8 bytes a slot.
  let stride: Int
  private var chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
  private var chunkCount = 0
  private var chunkCapacity = 8
  /// A chunk has 2 to the power of this slots.
  private let chunkBits: Int
  /// For how many slots the first chunk has memory: a few need no large page.
  private var firstCapacity = 0

  /// The slots by the hashes of their keys: the slot + 1 in the lower `slotBits` bits, upper bits of the hash
  /// above them; 0 is free. Small, so that it stays in the cache.
  private var index: UnsafeMutablePointer<UInt32>
  private var mask: Int
  private var slotBits: UInt32
  /// The bytes of keys that are too long for their slots.
  private var longKeys = ByteBuffer()

  /// The key's length and a mark in the first word, its hash above; then its first 24 bytes, or of a longer one
  /// instead of these its place in `longKeys`.
  static let keyWords = 4
  static let shortKey = 24
  private static let lengthBits: UInt64 = 0x7FFF_FFFF
  /// In a slot's first word: whether a live record has the key.
  static let liveMark: UInt64 = 0x8000_0000
  private static let chunkWords = (2 << 20) / 8
  private static let fewSlots = 256

  init(stride: Int) {
    self.stride = stride
    let slots = max(1, KeyedSlots.chunkWords / stride)
    chunkBits = Int.bitWidth - 1 - slots.leadingZeroBitCount
    chunks = .allocate(capacity: chunkCapacity)
    slotBits = 11
    mask = 1 << Int(slotBits) - 1
    index = .allocate(capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
  }

  deinit {
    for chunk in 0..<chunkCount { chunks[chunk].deallocate() }
    chunks.deallocate()
    index.deallocate()
  }

  @inline(__always)
  subscript(slot: Int) -> UnsafeMutablePointer<UInt64> { view[slot] }

  /// The slots for use in a loop; valid until one is added.
  @inline(__always)
  var view: View { View(chunks: chunks, bits: chunkBits, stride: stride) }

  struct View {
    fileprivate let chunks: UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>
    fileprivate let bits: Int
    fileprivate let stride: Int

    @inline(__always)
    subscript(slot: Int) -> UnsafeMutablePointer<UInt64> {
      chunks[slot &>> bits] + (slot & (1 &<< bits &- 1)) &* stride
    }
  }

  @inline(__always)
  private mutating func makeRoom() {
    if count >> chunkBits == chunkCount { addChunk() }
    if count + 1 > firstCapacity, count < 1 << chunkBits { growFirstChunk() }
  }

  private mutating func addChunk() {
    if chunkCount == chunkCapacity {
      let larger = UnsafeMutablePointer<UnsafeMutablePointer<UInt64>>.allocate(capacity: chunkCapacity * 2)
      larger.moveInitialize(from: chunks, count: chunkCount)
      chunks.deallocate()
      chunks = larger
      chunkCapacity *= 2
    }
    let isFirst = chunkCount == 0
    firstCapacity = isFirst ? min(KeyedSlots.fewSlots, 1 << chunkBits) : firstCapacity
    let words = stride * (isFirst ? firstCapacity : 1 << chunkBits)
    (chunks + chunkCount).initialize(to: LargeMemory.allocate(UInt64.self, capacity: words))
    chunkCount += 1
  }

  @inline(never)
  private mutating func growFirstChunk() {
    firstCapacity = min(firstCapacity * 4, 1 << chunkBits)
    let larger = LargeMemory.allocate(UInt64.self, capacity: firstCapacity * stride)
    larger.moveInitialize(from: chunks[0], count: count * stride)
    chunks[0].deallocate()
    chunks[0] = larger
  }
}

extension KeyedSlots {
  /// A key as slots hold it.
  fileprivate struct Key {
    let hash: UInt32
    let count: Int
    let words: (UInt64, UInt64, UInt64)
    let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter isPadded: whether 7 bytes after the key may be read, which makes it quicker.
    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt32, isPadded: Bool = false) {
      self.bytes = bytes
      self.hash = hash
      count = bytes.count
      guard let base = bytes.baseAddress, bytes.count > 0 else {
        words = (0, 0, 0)
        return
      }
      func word(_ offset: Int) -> UInt64 {
        let left = bytes.count &- offset
        return left <= 0 ? 0 : ByteScan.firstWord(base + offset, left, isPadded: isPadded)
      }
      words = (word(0), word(8), word(16))
    }

    var isLong: Bool { count > KeyedSlots.shortKey }
  }

  /// Puts the slots of stashed keys in place of their stretches.
  ///
  /// - Parameter likely: by row the slot that `prefetch` has found.
  /// - Returns: false if a new key is not UTF-8.
  mutating func resolve(_ keys: StashedTexts, likely: UnsafePointer<Int32>) -> Bool {
    var view = view
    for row in 0..<keys.count where keys.cells[row] != Column.missingWide {
      let (bytes, slot) = (keys.bytes(row), Int(likely[row]))
      if slot >= 0, KeyedSlots.holdsShort(view[slot], bytes) {
        keys.cells[row] = Int64(slot)
        continue
      }
      let found = findOrAdd(bytes, keys.hashes[row])
      guard found >= 0 else { return false }
      keys.cells[row] = Int64(found)
      view = self.view
    }
    return true
  }

  /// The slot of a key, -1 where it is new and no UTF-8.
  @inline(never)
  private mutating func findOrAdd(_ bytes: UnsafeBufferPointer<UInt8>, _ hash: UInt32) -> Int {
    let key = Key(bytes, hash, isPadded: true)
    let slot = find(key)
    return slot >= 0 || !ByteScan.isUTF8(bytes) ? slot : insert(key)
  }

  /// Whether the words are those of a short key; 7 bytes after it may be read. Without a `Key`, whose words are made
  /// first, a retention takes 2 % fewer instructions.
  @inline(__always)
  private static func holdsShort(_ words: UnsafePointer<UInt64>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool
  {
    let count = bytes.count
    guard words[0] & lengthBits == UInt64(count), count <= shortKey, let base = bytes.baseAddress else {
      return false
    }
    var offset = 0
    while offset &+ 8 <= count {
      guard ByteScan.word(base + offset) == words[offset &>> 3 &+ 1] else { return false }
      offset &+= 8
    }
    let rest = UInt64(count & 7)
    return rest == 0 || (ByteScan.word(base + offset) ^ words[offset &>> 3 &+ 1]) &<< (64 &- 8 &* rest) == 0
  }

  /// Asks for what the rows will look at, first of the index and then of the slots, and says where each row's key
  /// probably is. A fifth of the time of folding ten million records went by with waiting for these lines one
  /// after the other.
  ///
  /// - Parameters:
  ///   - likely: takes the slots; -1 is none.
  ///   - also: asks for what is elsewhere by the number of a slot.
  func prefetch(
    _ hashes: UnsafePointer<UInt32>, _ rows: Int, likely: UnsafeMutablePointer<Int32>,
    also: (_ row: Int, _ slot: Int) -> Void = { _, _ in }
  ) {
    let (index, mask) = (index, mask)
    prefetchIndex(hashes, rows)
    let (view, slotMask) = (view, (1 as UInt32) &<< slotBits &- 1)
    for row in 0..<rows {
      let hash = hashes[row]
      var place = Int(hash) & mask
      while index[place] != 0, (index[place] ^ hash) & ~slotMask != 0 { place = (place &+ 1) & mask }
      let slot = Int(index[place] & slotMask) &- 1
      likely[row] = Int32(truncatingIfNeeded: slot)
      guard slot >= 0 else { continue }
      metric_prefetch(view[slot])
      also(row, slot)
    }
  }

  /// Prefetches the index slots that lookups will read.
  func prefetchIndex(_ hashes: UnsafePointer<UInt32>, _ count: Int) {
    for row in 0..<count { prefetchIndex(hashes[row]) }
  }

  @inline(__always)
  func prefetchIndex(_ hash: UInt32) { metric_prefetch(index + Int(hash) & mask) }

  /// The slot of a key; a new one where it has none.
  @inline(__always)
  mutating func slot(of bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int {
    let key = Key(bytes, hash)
    let known = find(key)
    return known >= 0 ? known : insert(key)
  }

  /// The slot of a key, -1 for none.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int { find(Key(bytes, hash)) }

  @inline(__always)
  private func find(_ key: Key) -> Int {
    let slotMask = (1 as UInt32) &<< slotBits &- 1
    var place = Int(key.hash) & mask
    while true {
      let entry = index[place]
      if entry == 0 { return -1 }
      if (entry ^ key.hash) & ~slotMask == 0 {
        let slot = Int(entry & slotMask) &- 1
        if holds(view[slot], key) { return slot }
      }
      place = (place &+ 1) & mask
    }
  }

  @inline(__always)
  private func holds(_ words: UnsafePointer<UInt64>, _ key: Key) -> Bool {
    guard words[0] & KeyedSlots.lengthBits == UInt64(key.count) else { return false }
    if key.isLong { return holdsLong(words, key.bytes) }
    return words[1] == key.words.0 && words[2] == key.words.1 && words[3] == key.words.2
  }

  @inline(never)
  private func holdsLong(_ words: UnsafePointer<UInt64>, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    longKeys.bytes[Int(words[1])..<Int(words[1]) + bytes.count].elementsEqual(bytes)
  }

  @inline(never)
  private mutating func insert(_ key: Key) -> Int {
    let slot = count
    precondition(slot < 1 << 30, "more than 1073741823 different keys")
    makeRoom()
    let words = self[slot]
    words.initialize(repeating: 0, count: stride)
    words[0] = UInt64(key.hash) << 32 | UInt64(key.count)
    if key.isLong {
      words[1] = UInt64(longKeys.bytes.count)
      longKeys.append(key.bytes)
    } else {
      (words[1], words[2], words[3]) = key.words
    }
    count += 1
    if count * 5 > mask * 4 { growIndex() } else { place(slot) }
    return slot
  }

  private func place(_ slot: Int) {
    let hash = hash(slot)
    let slotMask = (1 as UInt32) << slotBits - 1
    var place = Int(hash) & mask
    while index[place] != 0 { place = (place + 1) & mask }
    index[place] = hash & ~slotMask | UInt32(slot + 1)
  }

  mutating func reserve(_ count: Int) {
    var doublings: UInt32 = 0
    while count * 5 > (mask << doublings) * 4 { doublings += 1 }
    if doublings > 0 { growIndex(doublings) }
  }

  private mutating func growIndex(_ doublings: UInt32 = 1) {
    index.deallocate()
    mask = (mask + 1) << Int(doublings) - 1
    slotBits += doublings
    index = LargeMemory.allocate(UInt32.self, capacity: mask + 1)
    index.initialize(repeating: 0, count: mask + 1)
    for slot in 0..<count { place(slot) }
  }

  @inline(__always)
  func hash(_ slot: Int) -> UInt32 { UInt32(truncatingIfNeeded: self[slot][0] >> 32) }

  /// The bytes of a slot's key, valid until a slot is added.
  @inline(__always)
  func key(_ slot: Int) -> UnsafeBufferPointer<UInt8> {
    let words = self[slot]
    let count = Int(words[0] & KeyedSlots.lengthBits)
    if count > KeyedSlots.shortKey {
      return UnsafeBufferPointer(rebasing: longKeys.bytes[Int(words[1])..<Int(words[1]) + count])
    }
    return UnsafeBufferPointer(
      start: UnsafeRawPointer(words + 1).assumingMemoryBound(to: UInt8.self), count: count)
  }

  /// Calls `body` with the keys of many slots, which are prefetched.
  @inline(__always)
  func forEachKey(
    _ slots: [Int32], _ body: (_ index: Int, _ key: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    for (index, slot) in slots.enumerated() {
      let ahead = Int(slots[min(index &+ 16, slots.count &- 1)])
      precondition(slot >= 0 && slot < count && ahead >= 0 && ahead < count, "a slot that is not there")
      metric_prefetch(self[ahead])
      body(index, key(Int(slot)))
    }
  }

  @inline(__always)
  func prefetch(_ slot: Int) { metric_prefetch(self[slot]) }

  /// Finds or adds the keys of another, and calls `body` with each of its slots, the slot here and its words.
  mutating func merge(
    _ other: borrowing KeyedSlots,
    _ body: (_ other: Int, _ own: Int, _ words: UnsafeMutablePointer<UInt64>) -> Void
  ) {
    let batch = TableBuilder.batchSize
    var likely = [Int32](repeating: -1, count: batch)
    for start in Swift.stride(from: 0, to: other.count, by: batch) {
      let slots = start..<min(start + batch, other.count)
      let hashes = slots.map { other.hash($0) }
      prefetch(hashes, slots.count, likely: &likely)
      for (slot, hash) in zip(slots, hashes) {
        let key = Key(other.key(slot), hash, isPadded: true)
        var own = Int(likely[slot - start])
        if own < 0 || !holds(view[own], key) { own = find(key) }
        if own < 0 { own = insert(key) }
        body(slot, own, self[own])
      }
    }
  }

  /// A hash of length and bytes: a multiplication to 128 bits for each word, folded (as in wyhash).
  ///
  /// - Parameter isPadded: whether 7 bytes after the key may be read, which makes it quicker.
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>, isPadded: Bool = false) -> UInt32 {
    var state = UInt64(bytes.count) ^ 0xA076_1D64_78BD_642F
    var rest: UInt64 = 0
    if let base = bytes.baseAddress {
      var offset = 0
      while offset &+ 8 <= bytes.count {
        state = folded(state ^ ByteScan.word(base + offset), 0xE703_7ED1_A0B4_28DB)
        offset &+= 8
      }
      let left = bytes.count &- offset
      if isPadded {
        rest = ByteScan.word(base + offset) & (1 &<< UInt64(8 &* left) &- 1)
      } else if left > 0 {
        rest = ByteScan.firstWord(base + offset, left)
      }
    }
    state = folded(state ^ rest, 0x8EBC_6AF0_9C88_C6E3)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }

  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }
}
