/// The stretch of a file that a reader looks at: it slides through the file, so that a file of any size
/// needs the memory of a block.
///
/// Reading blocks of 256 KB into one buffer beats a mapping of the file by more than half: the block stays in
/// the cache, no page of the file is entered into the page table, and nothing counts as memory in use.
struct FileWindow: ~Copyable {
  private let source: ByteSource
  private var memory: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// Where the window's first byte is in the file.
  private(set) var origin = 0
  /// How many bytes the window holds.
  private(set) var count = 0
  /// Whether the source gave fewer bytes than it promised.
  private var hasEnded = false
  let longest: Int

  static let blockSize = 256 << 10
  /// A longer record is an error: a window grows up to twice this, and no further.
  static let longestRecord = 16 << 20
  /// Bytes before and behind the window that may be read, so that words can be loaded at its edges.
  static let margin = 64

  /// - Parameter longest: more bytes than these are too long for a record.
  init(
    _ source: ByteSource, capacity: Int = FileWindow.blockSize, longest: Int = FileWindow.longestRecord
  ) {
    self.source = source
    self.longest = longest
    // A BOM has to fit.
    self.capacity = max(4, capacity)
    memory = FileWindow.allocate(self.capacity)
  }

  deinit { memory.deallocate() }

  private static func allocate(_ capacity: Int) -> UnsafeMutablePointer<UInt8> {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity + 2 * margin)
    memory.initialize(repeating: 0, count: margin)
    return memory
  }

  var base: UnsafePointer<UInt8> { UnsafePointer(memory + FileWindow.margin) }

  /// Whether the window reaches the end of the file.
  var isAtEnd: Bool { hasEnded || origin + count >= source.count }

  /// The bytes of the window as a reader sees them; `start` is behind a BOM at the start of the file.
  var input: Input { origin == 0 ? Input(base, count: count) : Input(base, end: count, start: 0) }

  /// Moves to `offset` of the file.
  mutating func load(at offset: Int) {
    origin = offset
    count = 0
    hasEnded = false
    fill()
  }

  /// Whether the record that starts at `position` is so long that the window is not made larger for it.
  func isTooLong(from position: Int) -> Bool { count - position >= longest }

  /// Drops the bytes before `position` and reads on; where there are none to drop the window grows.
  mutating func slide(to position: Int) {
    let kept = count - position
    if position == 0, count == capacity { grow() }
    let start = memory + FileWindow.margin
    if position > 0 { start.update(from: start + position, count: kept) }
    origin += position
    count = kept
    fill()
  }

  private mutating func fill() {
    let free = memory + FileWindow.margin + count
    let wanted = capacity - count
    let buffer = UnsafeMutableRawBufferPointer(start: free, count: wanted)
    let got = source.fill(buffer, from: origin + count)
    if got < wanted { hasEnded = true }
    count += got
    (free + got).update(repeating: 0, count: FileWindow.margin)
  }

  private mutating func grow() {
    let larger = FileWindow.allocate(capacity * 2)
    (larger + FileWindow.margin).update(from: memory + FileWindow.margin, count: count)
    memory.deallocate()
    memory = larger
    capacity *= 2
  }
}
