/// Puts many texts into the order of their bytes.
///
/// Their first eight bytes are sorted as numbers, byte by byte from the last one (a radix sort); only texts that begin
/// alike are compared with each other. Comparing all of a hundred thousand ids took about seven times as long (their
/// shares of two profiles), while every other thread waited.
struct TextOrder: ~Copyable {
  private var entries: UnsafeMutableBufferPointer<Entry>
  private var room: UnsafeMutableBufferPointer<Entry>

  private struct Entry: BitwiseCopyable {
    /// The first eight bytes and the next eight as numbers that sort like them; short texts are filled with zeros.
    var first: UInt64
    var second: UInt64
    var id: Int32
  }

  /// - Parameter count: how many texts there are; `set` must follow for each.
  init(count: Int) {
    entries = .allocate(capacity: count)
    room = .allocate(capacity: count)
  }

  deinit {
    entries.deallocate()
    room.deallocate()
  }

  @inline(__always)
  func set(_ index: Int, _ id: Int32, _ bytes: UnsafeBufferPointer<UInt8>) {
    let (first, second) = TextOrder.words(bytes)
    entries.initializeElement(at: index, to: Entry(first: first, second: second, id: id))
  }

  @inline(__always)
  private static func words(_ bytes: UnsafeBufferPointer<UInt8>) -> (UInt64, UInt64) {
    guard let base = bytes.baseAddress, bytes.count > 0 else { return (0, 0) }
    let second = bytes.count > 8 ? ByteScan.firstWord(base + 8, bytes.count &- 8) : 0
    return (ByteScan.firstWord(base, bytes.count).byteSwapped, second.byteSwapped)
  }

  /// The numbers of the texts in their order.
  ///
  /// - Parameter isLess: decides about texts whose first sixteen bytes are the same.
  consuming func sorted(_ isLess: (Int32, Int32) -> Bool) -> [Int32] {
    sortFirstBytes()
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
    return entries.map(\.id)
  }

  private mutating func sortFirstBytes() {
    guard let first = entries.first?.first else { return }
    // What is the same in all of them orders nothing.
    let varying = entries.reduce(into: UInt64(0)) { $0 |= $1.first ^ first }
    for shift in stride(from: UInt64(0), to: 64, by: 8) where varying >> shift & 0xFF != 0 {
      sort(by: shift)
    }
  }

  /// Moves the entries into the order of one byte; those of the same byte stay in theirs.
  private mutating func sort(by shift: UInt64) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 256) { places in
      places.initialize(repeating: 0)
      for entry in entries { places[Int(entry.first &>> shift & 0xFF)] &+= 1 }
      var place = 0
      for byte in 0..<256 {
        (places[byte], place) = (place, place + places[byte])
      }
      for entry in entries {
        let byte = Int(entry.first &>> shift & 0xFF)
        room.initializeElement(at: places[byte], to: entry)
        places[byte] &+= 1
      }
    }
    swap(&entries, &room)
  }
}
