internal import MetricIntrinsics

/// The store of a `StringPool`: all bytes in one arena, found by an open-addressing table.
///
/// A slot holds a short text itself, so that finding it is one look into memory. With slots that led to the arena it was
/// three, which took a fifth of the time of loading ten million events.
struct InternTable: ~Copyable {
  private var slots: UnsafeMutablePointer<Slot>
  private var mask: Int
  private var arena: UnsafeMutablePointer<UInt8>
  private var arenaCapacity: Int
  /// Where each text starts in the arena, and behind the last one where it ends.
  private var starts: UnsafeMutablePointer<Int>
  private var startsCapacity: Int
  private(set) var count = 0

  /// Half a line of the cache.
  private struct Slot: BitwiseCopyable {
    /// The hash above, the number + 1 below; 0 is a free slot.
    var tag: UInt64
    var key: Key
  }

  /// A text as slots hold it: up to 23 bytes and their number in the byte above them; of a longer text its place in
  /// the arena, its length, and a mark there.
  private struct Key: BitwiseCopyable {
    var words: (UInt64, UInt64, UInt64)

    static let mostBytes = 23
    private static let longMark: UInt64 = 0xFF &<< 56

    @inline(__always)
    init(_ bytes: UnsafeBufferPointer<UInt8>) {
      let count = bytes.count
      guard let base = bytes.baseAddress, count > 0 else {
        words = (0, 0, 0)
        return
      }
      words.0 = ByteScan.firstWord(base, count)
      words.1 = count > 8 ? ByteScan.firstWord(base + 8, count &- 8) : 0
      words.2 = (count > 16 ? ByteScan.firstWord(base + 16, count &- 16) : 0) | UInt64(count) &<< 56
    }

    init(longFrom start: Int, count: Int) {
      words = (UInt64(start), UInt64(count), Key.longMark)
    }

    /// Where the text stands, for one that is too long for a slot.
    var place: Range<Int>? {
      words.2 == Key.longMark ? Int(words.0)..<Int(words.0 + words.1) : nil
    }

    @inline(__always)
    static func == (left: Key, right: Key) -> Bool {
      left.words.0 == right.words.0 && left.words.1 == right.words.1 && left.words.2 == right.words.2
    }
  }

  init() {
    let slotCount = 1024
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: InternTable.free, count: slotCount)
    mask = slotCount - 1
    arenaCapacity = 8192
    arena = .allocate(capacity: arenaCapacity)
    startsCapacity = 1024
    starts = .allocate(capacity: startsCapacity)
    starts[0] = 0
  }

  private static var free: Slot { Slot(tag: 0, key: Key(longFrom: 0, count: 0)) }

  deinit {
    slots.deallocate()
    arena.deallocate()
    starts.deallocate()
  }

  func bytes(of id: Int32) -> UnsafeBufferPointer<UInt8> {
    precondition(id >= 0 && id < count, "a number that this pool did not give")
    let start = starts[Int(id)]
    return UnsafeBufferPointer(start: arena + start, count: starts[Int(id) + 1] - start)
  }

  /// Calls `body` with the bytes of many texts. They stand in the order of their arrival, and are asked for some
  /// ahead.
  @inline(__always)
  func forEach(_ ids: [Int32], _ body: (_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Void) {
    for (index, id) in ids.enumerated() {
      if let far = ahead(32, index, ids) { metric_prefetch(starts + far) }
      if let near = ahead(16, index, ids) { metric_prefetch(arena + starts[near]) }
      body(index, bytes(of: id))
    }
  }

  @inline(__always)
  private func ahead(_ distance: Int, _ index: Int, _ ids: [Int32]) -> Int? {
    guard index &+ distance < ids.count else { return nil }
    let id = Int(ids[index &+ distance])
    return id >= 0 && id < count ? id : nil
  }
}

// MARK: - Finding

extension InternTable {
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32? {
    guard bytes.count <= Key.mostBytes else { return findLong(bytes, hash: hash) }
    let key = Key(bytes)
    var index = Int(hash) & mask
    while true {
      let tag = slots[index].tag
      if tag == 0 { return nil }
      if UInt32(truncatingIfNeeded: tag &>> 32) == hash, slots[index].key == key {
        return Int32(truncatingIfNeeded: Int(UInt32(truncatingIfNeeded: tag)) &- 1)
      }
      index = (index &+ 1) & mask
    }
  }

  @inline(never)
  private func findLong(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32? {
    guard let base = bytes.baseAddress else { return nil }
    var index = Int(hash) & mask
    while slots[index].tag != 0 {
      let slot = slots[index]
      if UInt32(truncatingIfNeeded: slot.tag >> 32) == hash, let place = slot.key.place,
        place.count == bytes.count, ByteScan.areEqual(base, arena + place.lowerBound, place.count)
      {
        return Int32(truncatingIfNeeded: Int(UInt32(truncatingIfNeeded: slot.tag)) - 1)
      }
      index = (index + 1) & mask
    }
    return nil
  }

  /// Puts the numbers of many texts in the place of their stretches; false where one is no UTF-8.
  mutating func resolve(_ texts: StashedTexts) -> Bool {
    for index in 0..<texts.count where texts.cells[index] != Column.missingWide {
      let bytes = texts.bytes(index)
      let hash = texts.hashes[index]
      if let known = find(bytes, hash: hash) {
        texts.cells[index] = Int64(known)
      } else {
        guard ByteScan.isUTF8(bytes) else { return false }
        texts.cells[index] = Int64(insert(bytes, hash: hash))
      }
    }
    return true
  }

  func prefetch(_ hashes: UnsafePointer<UInt32>, _ count: Int) {
    for index in 0..<count { prefetch(hashes[index]) }
  }

  @inline(__always)
  func prefetch(_ hash: UInt32) { metric_prefetch(slots + Int(hash) & mask) }
}

// MARK: - Adding

extension InternTable {
  /// Adds a text that is not in the table.
  mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32 {
    precondition(count < Int(Int32.max), "more than 2147483647 different texts")
    reserve(count: count + 1)
    let start = starts[count]
    reserve(bytes: start + bytes.count)
    if let base = bytes.baseAddress { (arena + start).update(from: base, count: bytes.count) }
    let id = count
    count += 1
    starts[count] = start + bytes.count
    let key = bytes.count <= Key.mostBytes ? Key(bytes) : Key(longFrom: start, count: bytes.count)
    place(Slot(tag: UInt64(hash) << 32 | UInt64(id + 1), key: key))
    return Int32(id)
  }

  /// The numbers that the texts of another table have here; new where they were not known.
  mutating func take(_ other: borrowing InternTable) -> [Int32] {
    let batch = TableBuilder.batchSize
    var numbers: [Int32] = []
    numbers.reserveCapacity(other.count)
    var hashes = [UInt32](repeating: 0, count: batch)
    for start in stride(from: 0, to: other.count, by: batch) {
      let ids = start..<min(start + batch, other.count)
      for id in ids {
        let hash = InternTable.hash(other.bytes(of: Int32(id)))
        hashes[id - start] = hash
        prefetch(hash)
      }
      for id in ids {
        let (bytes, hash) = (other.bytes(of: Int32(id)), hashes[id - start])
        numbers.append(find(bytes, hash: hash) ?? insert(bytes, hash: hash))
      }
    }
    return numbers
  }

  private func place(_ slot: Slot) {
    var index = Int(slot.tag >> 32) & mask
    while slots[index].tag != 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  /// Makes room for as many texts: of sixteen slots thirteen may be taken.
  mutating func reserve(count: Int) {
    var slotCount = mask + 1
    while count * 16 >= slotCount * 13 { slotCount *= 2 }
    if slotCount > mask + 1 { growSlots(to: slotCount) }
  }

  private mutating func growSlots(to slotCount: Int) {
    let old = slots
    let oldCount = mask + 1
    slots = LargeMemory.allocate(Slot.self, capacity: slotCount)
    slots.initialize(repeating: InternTable.free, count: slotCount)
    mask = slotCount - 1
    for index in 0..<oldCount where old[index].tag != 0 { place(old[index]) }
    old.deallocate()
  }

  /// Makes room for `needed` bytes in the arena and for one more start.
  private mutating func reserve(bytes needed: Int) {
    if needed > arenaCapacity {
      let larger = max(needed, arenaCapacity * 2)
      arena = InternTable.moved(arena, count: starts[count], capacity: larger)
      arenaCapacity = larger
    }
    if count + 2 > startsCapacity {
      starts = InternTable.moved(starts, count: count + 1, capacity: startsCapacity * 2)
      startsCapacity *= 2
    }
  }

  private static func moved<Element: BitwiseCopyable>(
    _ old: UnsafeMutablePointer<Element>, count: Int, capacity: Int
  ) -> UnsafeMutablePointer<Element> {
    let new = LargeMemory.allocate(Element.self, capacity: capacity)
    new.moveInitialize(from: old, count: count)
    old.deallocate()
    return new
  }
}

// MARK: - Bytes

extension InternTable {
  /// A hash of length and bytes: a multiplication to 128 bits for each word, folded (as in wyhash).
  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    var state = UInt64(bytes.count) ^ 0xA076_1D64_78BD_642F
    var rest: UInt64 = 0
    if let base = bytes.baseAddress {
      var offset = 0
      while offset &+ 8 <= bytes.count {
        state = folded(state ^ ByteScan.word(base + offset), 0xE703_7ED1_A0B4_28DB)
        offset &+= 8
      }
      rest = ByteScan.tail(base + offset, bytes.count &- offset)
    }
    state = folded(state ^ rest, 0x8EBC_6AF0_9C88_C6E3)
    return UInt32(truncatingIfNeeded: state ^ state >> 32)
  }

  @inline(__always)
  private static func folded(_ left: UInt64, _ right: UInt64) -> UInt64 {
    let product = left.multipliedFullWidth(by: right)
    return product.high ^ product.low
  }

  static func isLess(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    let shared = min(left.count, right.count)
    for index in 0..<shared where left[index] != right[index] { return left[index] < right[index] }
    return left.count < right.count
  }
}
