import MetricDiagnostics

/// Lines and columns of offsets in a file, counted only where a finding needs them.
///
/// It remembers one offset and counts from there, so that findings in the order of the file cost one
/// pass over it in all, and a clean file costs nothing.
struct PositionCounter {
  private var base: UnsafePointer<UInt8>
  private var anchor: Int
  private var anchorPosition: Position

  /// Counts in the bytes at `base`, of which the character at `start` has a known position (the first of a file
  /// follows a BOM).
  init(
    _ base: UnsafePointer<UInt8>, start: Int, position: Position = Position(line: 1, column: 1)
  ) {
    self.base = base
    anchor = start
    anchorPosition = position
  }

  /// Line and column (from 1, in Unicode scalars) of an offset at or behind the anchor.
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
    window.load(at: 0)
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
