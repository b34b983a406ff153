internal import MetricIntrinsics

/// Numbers texts: equal bytes get the same `Int32`, from 0 in the order of their arrival.
///
/// A table column holds these numbers instead of strings, so that comparing and grouping texts is
/// comparing integers. Texts compare as UTF-8 bytes, without normalisation.
///
/// `@unchecked Sendable`: one thread at a time interns while tables are loaded; afterwards the pool is
/// only read, and reading changes nothing.
public final class StringPool: @unchecked Sendable {
  private var table = InternTable()

  public init() {}

  /// How many different texts there are; their numbers are `0 ..< count`.
  public var count: Int { table.count }

  /// The number of a text, a new one where it has none. The bytes should be UTF-8.
  public func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    let hash = InternTable.hash(bytes)
    return table.find(bytes, hash: hash) ?? table.insert(bytes, hash: hash)
  }

  /// The same for bytes whose hash is known.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32 {
    table.find(bytes, hash: hash) ?? table.insert(bytes, hash: hash)
  }

  /// Makes room for as many texts.
  func reserve(_ count: Int) { table.reserve(count: count) }

  /// The number of a text, or nil where the bytes are no UTF-8.
  ///
  /// Only a text that is new is looked through: a known one was valid when it came.
  @inline(__always)
  func internValidated(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    let hash = InternTable.hash(bytes)
    if let known = table.find(bytes, hash: hash) { return known }
    return ByteScan.isUTF8(bytes) ? table.insert(bytes, hash: hash) : nil
  }

  /// Puts the numbers of many texts in the place of their stretches: see `StashedTexts`.
  ///
  /// - Returns: false where a text is no UTF-8.
  func resolve(_ texts: StashedTexts) -> Bool {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(1, texts.count)) { likely in
      guard let likely = likely.baseAddress else { return true }
      table.prefetch(texts.hashes, texts.count, likely: likely)
      for index in 0..<texts.count where texts.cells[index] != Column.missingWide {
        let bytes = texts.bytes(index)
        let hash = texts.hashes[index]
        if likely[index] >= 0, table.holds(Int(likely[index]), bytes) {
          texts.cells[index] = Int64(likely[index])
        } else if let known = table.find(bytes, hash: hash) {
          texts.cells[index] = Int64(known)
        } else {
          guard ByteScan.isUTF8(bytes) else { return false }
          texts.cells[index] = Int64(table.insert(bytes, hash: hash))
        }
      }
      return true
    }
  }

  /// Asks for what `resolve` will look at first.
  func prefetch(_ hashes: UnsafePointer<UInt32>, count: Int) { table.prefetchSlots(hashes, count) }

  func prefetch(hash: UInt32) { table.prefetchSlot(hash) }

  /// The number that each text of another pool has in this one; new where it was not known here.
  func take(_ other: StringPool) -> [Int32] {
    (0..<Int32(other.count)).map { id in other.withBytes(of: id) { intern($0) } }
  }

  /// The number of a text, a new one where it has none.
  public func intern(_ string: String) -> Int32 {
    var string = string
    return string.withUTF8 { intern($0) }
  }

  /// The number of a text that is in the pool.
  public func lookup(_ string: String) -> Int32? {
    var string = string
    return string.withUTF8 { table.find($0, hash: InternTable.hash($0)) }
  }

  /// The text with a number that this pool gave.
  public func string(_ id: Int32) -> String {
    String(decoding: table.bytes(of: id), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 bytes of a text; they are valid during the call.
  public func withBytes<Result>(
    of id: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(table.bytes(of: id))
  }

  /// Whether text `a` comes before text `b` in the order of their UTF-8 bytes.
  public func isLess(_ a: Int32, _ b: Int32) -> Bool {
    a != b && InternTable.isLess(table.bytes(of: a), table.bytes(of: b))
  }

  /// The numbers in the order of their texts' bytes.
  public func sorted(_ ids: [Int32]) -> [Int32] {
    var order = ids.map { (prefix: InternTable.prefix(table.bytes(of: $0)), id: $0) }
    order.sort { $0.prefix != $1.prefix ? $0.prefix < $1.prefix : isLess($0.id, $1.id) }
    return order.map(\.id)
  }

  /// For each number the place of its text in the order of UTF-8 bytes, from 0.
  ///
  /// O(n log n) comparisons, most of them of the first eight bytes only.
  public func ranks() -> [Int32] {
    var order = (0..<Int32(count)).map { (prefix: InternTable.prefix(table.bytes(of: $0)), id: $0) }
    order.sort { $0.prefix != $1.prefix ? $0.prefix < $1.prefix : isLess($0.id, $1.id) }
    var ranks = [Int32](repeating: 0, count: order.count)
    for (rank, entry) in order.enumerated() { ranks[Int(entry.id)] = Int32(rank) }
    return ranks
  }
}

/// Texts that a reader has seen and not yet looked up. Looked up together, their lookups wait for memory
/// side by side.
struct StashedTexts {
  /// The stretch of each text, or the smallest integer where it is missing.
  var cells: UnsafeMutablePointer<Int64>
  var hashes: UnsafeMutablePointer<UInt32>
  var count: Int
  /// What the stretches are counted from.
  var base: UnsafePointer<UInt8>

  @inline(__always)
  static func stretch(_ start: Int, _ count: Int) -> Int64 { Int64(start &<< 32 | count) }

  @inline(__always)
  func bytes(_ index: Int) -> UnsafeBufferPointer<UInt8> {
    let cell = Int(cells[index])
    return UnsafeBufferPointer(start: base + cell &>> 32, count: cell & 0xFFFF_FFFF)
  }

  @inline(__always)
  static func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 { InternTable.hash(bytes) }
}

/// The store of a `StringPool`: all bytes in one arena, found by an open-addressing table.
private struct InternTable: ~Copyable {
  /// One slot: the hash above, the number + 1 below; 0 is a free slot.
  private var slots: UnsafeMutablePointer<UInt64>
  private var mask: Int
  private var arena: UnsafeMutablePointer<UInt8>
  private var arenaCapacity: Int
  /// Where each text starts in the arena, and behind the last one where it ends.
  private var starts: UnsafeMutablePointer<Int>
  private var startsCapacity: Int
  private(set) var count = 0

  init() {
    let slotCount = 1024
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    mask = slotCount - 1
    arenaCapacity = 8192
    arena = .allocate(capacity: arenaCapacity)
    startsCapacity = 1024
    starts = .allocate(capacity: startsCapacity)
    starts[0] = 0
  }

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

  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32? {
    var index = Int(hash) & mask
    while true {
      let slot = slots[index]
      if slot == 0 { return nil }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let id = Int(UInt32(truncatingIfNeeded: slot)) &- 1
        if holds(id, bytes) { return Int32(truncatingIfNeeded: id) }
      }
      index = (index &+ 1) & mask
    }
  }

  func prefetchSlots(_ hashes: UnsafePointer<UInt32>, _ count: Int) {
    for index in 0..<count { prefetchSlot(hashes[index]) }
  }

  @inline(__always)
  func prefetchSlot(_ hash: UInt32) { metric_prefetch(slots + Int(hash) & mask) }

  /// The numbers of texts with these hashes, -1 for none, with their bytes asked for. Looks for many texts are
  /// under way together then; one after the other they took half of the time of loading ten million events.
  func prefetch(_ hashes: UnsafePointer<UInt32>, _ count: Int, likely: UnsafeMutablePointer<Int32>) {
    for index in 0..<count {
      let hash = hashes[index]
      var place = Int(hash) & mask
      while slots[place] != 0, UInt32(truncatingIfNeeded: slots[place] >> 32) != hash {
        place = (place &+ 1) & mask
      }
      let id = Int(UInt32(truncatingIfNeeded: slots[place])) &- 1
      likely[index] = Int32(truncatingIfNeeded: id)
      if id >= 0 { metric_prefetch(starts + id) }
    }
    for index in 0..<count where likely[index] >= 0 { metric_prefetch(arena + starts[Int(likely[index])]) }
  }

  @inline(__always)
  func holds(_ id: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = starts[id]
    guard starts[id &+ 1] &- start == bytes.count else { return false }
    guard let base = bytes.baseAddress else { return true }
    return ByteScan.areEqual(base, arena + start, bytes.count)
  }

  /// Adds a text that is not in the table.
  mutating func insert(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32 {
    precondition(count < Int(Int32.max), "more than 2147483647 different texts")
    if (count + 1) * 2 > mask { growSlots(to: 2 * (mask + 1)) }
    let start = starts[count]
    reserve(bytes: start + bytes.count)
    if let base = bytes.baseAddress { (arena + start).update(from: base, count: bytes.count) }
    let id = count
    count += 1
    starts[count] = start + bytes.count
    place(UInt64(hash) << 32 | UInt64(id + 1))
    return Int32(id)
  }

  private func place(_ slot: UInt64) {
    var index = Int(slot >> 32) & mask
    while slots[index] != 0 { index = (index + 1) & mask }
    slots[index] = slot
  }

  mutating func reserve(count: Int) {
    var slotCount = mask + 1
    while count * 2 >= slotCount { slotCount *= 2 }
    if slotCount > mask + 1 { growSlots(to: slotCount) }
  }

  private mutating func growSlots(to slotCount: Int) {
    let old = slots
    let oldCount = mask + 1
    slots = LargeMemory.allocate(UInt64.self, capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
    mask = slotCount - 1
    for index in 0..<oldCount where old[index] != 0 { place(old[index]) }
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

  /// The first eight bytes as a number that sorts like them; shorter texts are filled with zeros.
  static func prefix(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
    var prefix: UInt64 = 0
    for index in 0..<min(8, bytes.count) { prefix |= UInt64(bytes[index]) << UInt64(56 - 8 * index) }
    return prefix
  }

  static func isLess(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
    let shared = min(left.count, right.count)
    for index in 0..<shared where left[index] != right[index] { return left[index] < right[index] }
    return left.count < right.count
  }
}
