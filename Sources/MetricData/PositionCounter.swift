import MetricDiagnostics

/// Lines and columns of offsets in a file, counted only where a finding needs them.
///
/// It remembers one offset and counts from there, so that findings in the order of the file cost one
/// pass over it in all, and a clean file costs nothing.
struct PositionCounter {
  private let base: UnsafePointer<UInt8>
  private var anchor: Int
  private var anchorPosition = Position(line: 1, column: 1)

  /// Counts in the bytes at `base`, whose first character stands at `start` (behind a BOM).
  init(_ base: UnsafePointer<UInt8>, start: Int) {
    self.base = base
    anchor = start
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

  /// Says that no offset before this one will be asked for.
  mutating func advance(to offset: Int) {
    guard offset > anchor else { return }
    anchorPosition = position(of: offset)
    anchor = offset
  }
}
