internal import MetricIntrinsics

/// Looking through bytes eight at a time: what the readers and the string pool share.
///
/// The tests on whole words are the classic ones ("Bit Twiddling Hacks", *Determine if a word has a
/// zero byte*). Such a test may also mark bytes above the first match, so only the lowest mark counts.
enum ByteScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Eight bytes, the first of them lowest.
  @inline(__always)
  static func word(_ bytes: UnsafePointer<UInt8>) -> UInt64 {
    UInt64(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt64.self))
  }

  /// The first of 1 or more bytes, at most eight: the first of them lowest, and zeros where there are no more.
  ///
  /// - Parameter isPadded: whether 7 bytes after them may be read, which makes it quicker.
  @inline(__always)
  static func firstWord(_ bytes: UnsafePointer<UInt8>, _ count: Int, isPadded: Bool = false) -> UInt64 {
    if count >= 8 { return word(bytes) }
    if isPadded { return word(bytes) & (1 &<< UInt64(8 &* count) &- 1) }
    // The two loads overlap where there are fewer than twice as many; the same bits then stand in the same place.
    if count >= 4 {
      let low = UInt32(littleEndian: UnsafeRawPointer(bytes).loadUnaligned(as: UInt32.self))
      let high = UInt32(
        littleEndian: UnsafeRawPointer(bytes + (count &- 4)).loadUnaligned(as: UInt32.self))
      return UInt64(low) | UInt64(high) &<< UInt64(8 &* (count &- 4))
    }
    let (middle, last) = (count &>> 1, count &- 1)
    return UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(8 &* middle)
      | UInt64(bytes[last]) &<< UInt64(8 &* last)
  }

  @inline(__always)
  private static func marks(of byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* ones)
    return (difference &- ones) & ~difference & highBits
  }

  /// Marks exactly the bytes that are `byte`, also above the first one.
  @inline(__always)
  static func marks(ofExactly byte: UInt8, in word: UInt64) -> UInt64 {
    let difference = word ^ (UInt64(byte) &* ones)
    return ~(((difference & ~highBits) &+ ~highBits) | difference | ~highBits)
  }

  @inline(__always)
  private static func marks(below limit: UInt8, in word: UInt64) -> UInt64 {
    (word &- UInt64(limit) &* ones) & ~word & highBits
  }

  /// The offset of the first byte that `marks` marks in its word, or `end`.
  @inline(__always)
  private static func first(
    _ base: UnsafePointer<UInt8>, from start: Int, to end: Int, _ marks: (UInt64) -> UInt64
  ) -> Int {
    var offset = start
    while offset &+ 8 <= end {
      let found = marks(word(base + offset))
      if found != 0 { return offset &+ found.trailingZeroBitCount >> 3 }
      offset &+= 8
    }
    if offset >= end { return offset }
    return min(end, offset &+ marks(firstWord(base + offset, end &- offset)).trailingZeroBitCount >> 3)
  }

  /// The first comma, quote or line feed, or `end`.
  @inline(__always)
  static func cellStop(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    first(base, from: start, to: end) {
      marks(of: Byte.comma, in: $0) | marks(of: Byte.quote, in: $0) | marks(of: Byte.newline, in: $0)
    }
  }

  /// The first comma or line feed, or `end`.
  static func separator(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    first(base, from: start, to: end) { marks(of: Byte.comma, in: $0) | marks(of: Byte.newline, in: $0) }
  }

  /// The first `byte`, or `end`.
  static func first(_ byte: UInt8, _ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    first(base, from: start, to: end) { marks(of: byte, in: $0) }
  }

  /// The first byte that ends a plain stretch of a JSON string (quote, backslash, control character),
  /// or `end`.
  @inline(__always)
  static func stringStop(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    first(base, from: start, to: end) {
      marks(of: Byte.quote, in: $0) | marks(of: Byte.backslash, in: $0) | marks(below: 0x20, in: $0)
    }
  }

  /// The first comma, closing brace, blank or control character, of which there must be one.
  @inline(__always)
  static func wordEnd(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
    first(base, from: start, to: .max) {
      marks(of: Byte.comma, in: $0) | marks(of: Byte.closeBrace, in: $0) | marks(below: 0x21, in: $0)
    }
  }

  /// Whether two stretches of the same length hold the same bytes.
  ///
  /// - Parameter isPadded: whether 8 bytes after them may be read, which makes it quicker.
  @inline(__always)
  static func areEqual(
    _ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>, _ count: Int, isPadded: Bool = false
  ) -> Bool {
    var offset = 0
    while offset &+ 8 <= count {
      guard word(left + offset) == word(right + offset) else { return false }
      offset &+= 8
    }
    let rest = count &- offset
    if isPadded {
      return (word(left + offset) ^ word(right + offset)) & (1 &<< UInt64(8 &* rest) &- 1) == 0
    }
    return rest == 0 || firstWord(left + offset, rest) == firstWord(right + offset, rest)
  }

  /// Whether the bytes are well-formed UTF-8.
  static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.reduce(0, |) < 0x80 || String(validating: bytes, as: UTF8.self) != nil
  }
}

/// The places of the separators in a stretch of bytes: all of them at once, 64 bytes per step.
///
/// Vector comparisons find the bytes and make a bit of each, so that with the places known a row is read
/// without looking at each of its bytes again. (The eight-byte loop of `ByteScan` costs four times as much for
/// a whole file.)
enum StructuralScan {
  /// What the processor can: see `metric_separators`.
  private static let vectorLevel = metric_vector_level()

  /// Writes the offsets of the bytes in `start ..< end` that are one of three, rising, and these bytes, and gives how
  /// many there are. There is room for `end - start` of them and 64 more; 64 bytes after `end` are readable.
  static func separators(
    _ wanted: (UInt8, UInt8, UInt8), _ base: UnsafePointer<UInt8>, from start: Int, to end: Int,
    places: UnsafeMutablePointer<UInt32>, kinds: UnsafeMutablePointer<UInt8>
  ) -> Int {
    withUnsafeBytes(of: wanted) { wanted in
      metric_separators(
        vectorLevel, base, start, end, wanted.bindMemory(to: UInt8.self).baseAddress, places, kinds)
    }
  }

  /// The first byte from `start` on that ends a plain stretch of a JSON string: a quote, a backslash or a control
  /// character. The zeros after a window are such, so that one is found.
  @inline(__always)
  static func stringStop(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
    #if arch(x86_64)
      var offset = start
      while true {
        // With a bit after the others, so that there is a lowest one.
        let stop = (metric_string_stops(base + offset) | 0x1_0000).trailingZeroBitCount
        if stop < 16 { return offset &+ stop }
        offset &+= 16
      }
    #else
      return ByteScan.stringStop(base, from: start, to: .max)
    #endif
  }
}

/// The places of separators in a window, and which these are, found a stretch at a time and taken in their order.
struct PlaceIndex: ~Copyable {
  private let memory: UnsafeMutablePointer<UInt32>
  private let kindMemory: UnsafeMutablePointer<UInt8>
  /// The first place not yet taken. Before it is the last one taken, or whatever precedes the start.
  private var next = 1
  private var count = 1
  /// Up to where the window has been looked through.
  private var end = 0

  private static let stretch = 16 << 10
  /// More places than these are not kept when a stretch is looked through.
  private static let mostKept = 16 << 10

  init() {
    let capacity = PlaceIndex.mostKept + PlaceIndex.stretch + 64
    memory = .allocate(capacity: capacity)
    kindMemory = .allocate(capacity: capacity)
    kindMemory.initialize(repeating: 0, count: capacity)
  }

  deinit {
    memory.deallocate()
    kindMemory.deallocate()
  }

  /// How many places are known and not yet taken.
  @inline(__always)
  var available: Int { count &- next }

  /// Where the reader is: after the last place taken.
  @inline(__always)
  var start: Int { Int(memory[next &- 1] &+ 1) }

  /// Says that the reader is elsewhere, with no place between.
  mutating func setStart(_ position: Int) { memory[next - 1] = UInt32(truncatingIfNeeded: position - 1) }

  /// The places not yet taken; the one before them may be examined.
  @inline(__always)
  var first: UnsafePointer<UInt32> { UnsafePointer(memory + next) }

  /// The separators that stand at these places; 7 bytes after them are readable.
  @inline(__always)
  var firstKinds: UnsafePointer<UInt8> { UnsafePointer(kindMemory + next) }

  @inline(__always)
  mutating func take(_ number: Int) { next &+= number }

  /// Starts again at a place of a window.
  mutating func restart(at position: Int) {
    next = 1
    count = 1
    end = position
    setStart(position)
  }

  /// Skips the places before a position.
  mutating func skip(to position: Int) {
    while next < count, memory[next] < position { next += 1 }
    if next == count, end < position { return restart(at: position) }
    setStart(position)
  }

  /// Looks through another stretch of the window; false at its end.
  ///
  /// - Parameter separators: three bytes.
  mutating func extend(to limit: Int, of separators: (UInt8, UInt8, UInt8), _ base: UnsafePointer<UInt8>)
    -> Bool
  {
    let kept = count - next + 1
    // A row so long that its places do not fit has to be read in the general way.
    guard end < limit, limit <= Int(Int32.max), kept <= PlaceIndex.mostKept else { return false }
    if next > 1 {
      memory.update(from: memory + (next - 1), count: kept)
      kindMemory.update(from: kindMemory + (next - 1), count: kept)
    }
    let stop = min(limit, end + PlaceIndex.stretch)
    let found = StructuralScan.separators(
      separators, base, from: end, to: stop, places: memory + kept, kinds: kindMemory + kept)
    (next, count, end) = (1, kept + found, stop)
    return true
  }
}
