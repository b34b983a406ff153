/// Numbers texts: equal bytes get the same `Int32`, from 0 in the order of their arrival.
///
/// A table column holds these numbers instead of strings, so that comparing and grouping texts is
/// comparing integers. Texts compare as UTF-8 bytes, without normalisation.
///
/// `@unchecked Sendable`: one thread at a time interns while tables are loaded; afterwards the pool is
/// only read, and reading changes nothing.
public final class StringPool: @unchecked Sendable {
  /// A text's number is that of its slot, which holds nothing but the text.
  private var slots = KeyedSlots(stride: KeyedSlots.keyWords)

  public init() {}

  /// How many different texts there are; their numbers are `0 ..< count`.
  public var count: Int { slots.count }

  /// The number of a text, a new one where it has none. The bytes should be UTF-8.
  public func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    intern(bytes, hash: KeyedSlots.hash(bytes))
  }

  /// The same for bytes whose hash is known.
  func intern(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt32) -> Int32 {
    Int32(slots.slot(of: bytes, hash: hash))
  }

  func reserve(_ count: Int) { slots.reserve(count) }

  /// The number of a text, or nil if the bytes are not UTF-8.
  ///
  /// Only a text that is new is looked through: a known one was valid when it came.
  @inline(__always)
  func internValidated(_ bytes: UnsafeBufferPointer<UInt8>) -> Int32? {
    let hash = KeyedSlots.hash(bytes)
    let known = slots.find(bytes, hash: hash)
    if known >= 0 { return Int32(known) }
    return ByteScan.isUTF8(bytes) ? intern(bytes, hash: hash) : nil
  }

  /// Puts the numbers of many texts in place of their stretches: see `StashedTexts`.
  ///
  /// - Returns: false if a text is not UTF-8.
  func resolve(_ texts: StashedTexts) -> Bool {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: max(1, texts.count)) { likely in
      guard let likely = likely.baseAddress else { return true }
      slots.prefetch(texts.hashes, texts.count, likely: likely)
      return slots.resolve(texts, likely: likely)
    }
  }

  /// Asks for what `resolve` will look at first.
  func prefetch(_ hashes: UnsafePointer<UInt32>, count: Int) { slots.prefetchIndex(hashes, count) }

  func prefetch(hash: UInt32) { slots.prefetchIndex(hash) }

  /// The number that each text of another pool has in this one; new where it was not known here.
  func take(_ other: StringPool) -> [Int32] {
    var numbers: [Int32] = []
    numbers.reserveCapacity(other.count)
    slots.merge(other.slots) { _, own, _ in numbers.append(Int32(own)) }
    return numbers
  }

  /// The number of a text, a new one where it has none.
  public func intern(_ string: String) -> Int32 {
    var string = string
    return string.withUTF8 { intern($0) }
  }

  /// The number of a text that is in the pool.
  public func lookup(_ string: String) -> Int32? {
    var string = string
    let known = string.withUTF8 { slots.find($0, hash: KeyedSlots.hash($0)) }
    return known < 0 ? nil : Int32(known)
  }

  /// The text with a number that this pool gave.
  public func string(_ id: Int32) -> String {
    String(decoding: bytes(of: id), as: UTF8.self)
  }

  /// Calls `body` with the UTF-8 bytes of a text; they are valid during the call.
  public func withBytes<Result>(
    of id: Int32, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
  ) rethrows -> Result {
    try body(bytes(of: id))
  }

  /// Calls `body` with the bytes of many texts, one after the other; they are valid during the call.
  package func forEach(
    _ ids: [Int32], _ body: (_ index: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Void
  ) {
    slots.forEachKey(ids, body)
  }

  private func bytes(of id: Int32) -> UnsafeBufferPointer<UInt8> {
    precondition(id >= 0 && Int(id) < slots.count, "a number that this pool did not give")
    return slots.key(Int(id))
  }

  /// Whether text `a` comes before text `b` in the order of their UTF-8 bytes.
  public func isLess(_ a: Int32, _ b: Int32) -> Bool {
    a != b && bytes(of: a).lexicographicallyPrecedes(bytes(of: b))
  }

  /// The numbers in the order of their texts' bytes.
  public func sorted(_ ids: [Int32]) -> [Int32] {
    var order = TextOrder(capacity: ids.count)
    forEach(ids) { index, bytes in order.append(ids[index], bytes) }
    return order.sorted(isLess)
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
}

/// Puts many texts into the order of their bytes.
///
/// Their first eight bytes are sorted as numbers, byte by byte from the last one (a radix sort); only texts that begin
/// alike are compared with each other. Comparing all of a hundred thousand ids took about seven times as long (their
/// shares of two profiles), while every other thread waited.
struct TextOrder {
  private var entries: [Entry] = []

  private struct Entry: BitwiseCopyable {
    /// The first eight bytes and the next eight as numbers that sort like them; short texts are filled with zeros.
    var first: UInt64
    var second: UInt64
    var id: Int32
  }

  init(capacity: Int) { entries.reserveCapacity(capacity) }

  @inline(__always)
  mutating func append(_ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    func word(_ offset: Int) -> UInt64 {
      guard let base = bytes.baseAddress, bytes.count > offset else { return 0 }
      return ByteScan.firstWord(base + offset, bytes.count &- offset).byteSwapped
    }
    entries.append(Entry(first: word(0), second: word(8), id: id))
  }

  /// The numbers of the texts in their order.
  ///
  /// - Parameter isLess: decides about texts whose first sixteen bytes are the same.
  mutating func sorted(_ isLess: (Int32, Int32) -> Bool) -> [Int32] {
    sortFirstBytes()
    entries.withUnsafeMutableBufferPointer { entries in
      var start = 0
      while start < entries.count {
        var end = start + 1
        while end < entries.count, entries[end].first == entries[start].first { end += 1 }
        if end - start > 1 {
          entries[start..<end].sort {
            $0.second != $1.second ? $0.second < $1.second : isLess($0.id, $1.id)
          }
        }
        start = end
      }
    }
    return entries.map(\.id)
  }

  private mutating func sortFirstBytes() {
    guard let first = entries.first?.first else { return }
    // What is the same in all of them orders nothing.
    let varying = entries.reduce(into: UInt64(0)) { $0 |= $1.first ^ first }
    var room = entries
    for shift in stride(from: UInt64(0), to: 64, by: 8) where varying >> shift & 0xFF != 0 {
      TextOrder.sort(entries, by: shift, into: &room)
      swap(&entries, &room)
    }
  }

  /// Puts the entries into the order of one byte; those of the same byte stay in theirs.
  private static func sort(_ entries: [Entry], by shift: UInt64, into sorted: inout [Entry]) {
    var places = [Int](repeating: 0, count: 256)
    for entry in entries { places[Int(entry.first &>> shift & 0xFF)] &+= 1 }
    var place = 0
    for byte in 0..<256 { (places[byte], place) = (place, place + places[byte]) }
    sorted.withUnsafeMutableBufferPointer { sorted in
      for entry in entries {
        let byte = Int(entry.first &>> shift & 0xFF)
        sorted[places[byte]] = entry
        places[byte] &+= 1
      }
    }
  }
}
