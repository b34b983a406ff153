internal import MetricIntrinsics

/// Where in a stretch of bytes the separators stand: all of them at once, 64 bytes a step.
///
/// Vector comparisons find the bytes and make a bit of each, so that with the places known a row is read
/// without looking at each of its bytes again. (The eight-byte loop of `ByteScan` costs four times as much for
/// a whole file.)
enum StructuralScan {
  /// What the processor can: see `metric_separators`.
  private static let vectorLevel = metric_vector_level()

  /// Writes the offsets of the bytes in `start ..< end` that are one of three, rising, and these bytes, and gives how
  /// many there are. There is room for `end - start` of them and 64 more; 64 bytes behind `end` are readable.
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
  /// character. The zeros behind a window are such, so that one is found.
  @inline(__always)
  static func stringStop(_ base: UnsafePointer<UInt8>, from start: Int) -> Int {
    #if arch(x86_64)
      var offset = start
      while true {
        // With a bit behind the others, so that there is a lowest one.
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
  private var memory: UnsafeMutablePointer<UInt32>
  private var kindMemory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The first place not yet taken. Before it stands the last one that was taken, or whatever precedes
  /// the start.
  private var next = 1
  private var count = 1
  /// Up to where the window has been looked through.
  private var end = 0

  private static let stretch = 16 << 10

  init() {
    capacity = PlaceIndex.stretch + 1024
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

  /// Where the reader stands: behind the last place that was taken.
  @inline(__always)
  var start: Int { Int(memory[next &- 1] &+ 1) }

  /// Says that the reader is elsewhere, with no place between.
  mutating func setStart(_ position: Int) { memory[next - 1] = UInt32(truncatingIfNeeded: position - 1) }

  /// The places not yet taken; the one before them may be examined.
  @inline(__always)
  var first: UnsafePointer<UInt32> { UnsafePointer(memory + next) }

  /// The separators that stand at these places; 7 bytes behind them are readable.
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

  /// Passes over the places before a position.
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
    // A row so long that its places do not fit has to be read in the general way.
    guard end < limit, limit <= Int(Int32.max) else { return false }
    let stop = min(limit, end + PlaceIndex.stretch)
    makeRoom()
    count += StructuralScan.separators(
      separators, base, from: end, to: stop, places: memory + count, kinds: kindMemory + count)
    end = stop
    return true
  }

  private mutating func makeRoom() {
    let kept = count - next + 1
    if next > 1 {
      memory.update(from: memory + (next - 1), count: kept)
      kindMemory.update(from: kindMemory + (next - 1), count: kept)
    }
    next = 1
    count = kept
    let needed = kept + PlaceIndex.stretch + 64
    guard needed > capacity else { return }
    let larger = UnsafeMutablePointer<UInt32>.allocate(capacity: needed * 2)
    let largerKinds = UnsafeMutablePointer<UInt8>.allocate(capacity: needed * 2)
    larger.update(from: memory, count: kept)
    largerKinds.initialize(repeating: 0, count: needed * 2)
    largerKinds.update(from: kindMemory, count: kept)
    memory.deallocate()
    kindMemory.deallocate()
    (memory, kindMemory) = (larger, largerKinds)
    capacity = needed * 2
  }
}
