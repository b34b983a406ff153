/// The bytes of a file, read from any place on any thread. The library opens nothing: the caller
/// says how to read.
public struct ByteSource: Sendable {
  /// How many bytes there are.
  public let count: Int
  private let read: @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// `read` fills the buffer with the bytes from `offset` on and gives how many these are; 0 or
  ///   less where nothing can be read, which is taken for the end of the file. Several threads call it.
  public init(
    count: Int, read: @escaping @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int
  ) {
    self.count = count
    self.read = read
  }

  /// Bytes in memory, which stay valid as long as the source is used.
  public init(_ bytes: UnsafeRawBufferPointer) {
    nonisolated(unsafe) let bytes = bytes
    self.init(count: bytes.count) { buffer, offset in
      let part = bytes[min(offset, bytes.count)..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
  }

  /// The first bytes, at most `length` of them.
  public func prefix(_ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(length, count)) { buffer, filled in
      filled = fill(UnsafeMutableRawBufferPointer(buffer), from: 0)
    }
  }

  /// Fills the buffer from `offset` on as far as there are bytes, and gives how many it took.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    var taken = 0
    let wanted = min(buffer.count, count - offset)
    while taken < wanted {
      let got = read(UnsafeMutableRawBufferPointer(rebasing: buffer[taken..<wanted]), offset + taken)
      guard got > 0 else { break }
      taken += got
    }
    return taken
  }
}

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
  /// Bytes before and after the window that may be read, so that words can be loaded at its edges.
  static let margin = 64

  /// - Parameters:
  ///   - longest: more bytes than these are too long for a record.
  ///   - offset: where in the file it starts.
  init(
    _ source: ByteSource, capacity: Int = FileWindow.blockSize, longest: Int = FileWindow.longestRecord,
    at offset: Int = 0
  ) {
    self.source = source
    self.longest = longest
    // A BOM has to fit.
    self.capacity = max(4, capacity)
    memory = FileWindow.allocate(self.capacity)
    load(at: offset)
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

  /// The bytes of the window as a reader sees them; `start` is after a BOM at the start of the file.
  var input: Input {
    let hasMark = UnsafeBufferPointer(start: base, count: count).starts(with: [0xEF, 0xBB, 0xBF])
    return Input(base, end: count, start: origin == 0 && hasMark ? 3 : 0)
  }

  /// Moves to `offset` of the file.
  mutating func load(at offset: Int) {
    origin = offset
    count = 0
    hasEnded = false
    fill()
  }

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
    let got = source.fill(.init(start: free, count: wanted), from: origin + count)
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

/// Lines and columns of offsets in a file, counted only where a finding needs them.
///
/// It remembers one offset and counts from there, so that findings in the order of the file cost one
/// pass over it in all, and a clean file costs nothing.
struct PositionCounter {
  private var base: UnsafePointer<UInt8>
  private var anchor: Int
  private var anchorPosition: Position

  /// Counts in the bytes at `base`, whose character at `start` has a known position (the first of a file follows a
  /// BOM).
  init(_ base: UnsafePointer<UInt8>, start: Int, position: Position = Position(line: 1, column: 1)) {
    (self.base, anchor, anchorPosition) = (base, start, position)
  }

  /// Line and column (from 1, in Unicode scalars) of an offset at or after the anchor.
  func position(of offset: Int) -> Position {
    var position = anchorPosition
    for index in anchor..<max(anchor, offset) {
      let byte = base[index]
      if byte == Byte.newline {
        position = Position(line: position.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  /// Counts on in another window, whose byte 0 was at `position` in the last one.
  mutating func move(to other: UnsafePointer<UInt8>, by position: Int) {
    base = other
    anchor -= position
  }

  /// Says that no offset before this one will be requested.
  mutating func advance(to offset: Int) {
    guard offset > anchor else { return }
    anchorPosition = position(of: offset)
    anchor = offset
  }
}

extension PositionCounter {
  /// The positions of offsets of a file, which are in any order: one more pass over the file up to the last
  /// of them.
  static func positions(of offsets: [Int], in source: ByteSource) -> [Position] {
    guard !offsets.isEmpty else { return [] }
    var window = FileWindow(source)
    var counter = PositionCounter(window.base, start: window.input.start)
    var positions = [Position](repeating: Position(line: 1, column: 1), count: offsets.count)
    for index in offsets.indices.sorted(by: { offsets[$0] < offsets[$1] }) {
      while offsets[index] > window.origin + window.count, !window.isAtEnd {
        let passed = window.count
        counter.advance(to: passed)
        window.slide(to: passed)
        counter.move(to: window.base, by: passed)
      }
      let offset = min(offsets[index] - window.origin, window.count)
      counter.advance(to: offset)
      positions[index] = counter.position(of: offset)
    }
    return positions
  }
}
