/// The cells of a CSV file (RFC 4180), one after the other.
///
/// A line ends with LF or CRLF; a lone CR is text. A cell that needs no decoding is a stretch of the
/// file itself.
package struct CSVScanner: ~Copyable {
  private(set) var input: Input
  package private(set) var cursor: Int
  private var scratch = ByteBuffer()

  package init(_ input: Input) {
    self.input = input
    cursor = input.start
  }

  /// Goes on at a place of another stretch of the file.
  mutating func move(to input: Input, at position: Int) {
    self.input = input
    cursor = position
  }

  /// One cell; `bytes` is valid until the next one is read.
  package struct Cell {
    /// The text, meaningless where there is a flaw.
    package var bytes: UnsafeBufferPointer<UInt8>
    /// Where the cell starts, its quote included.
    package var start: Int
    package var endsRow: Bool
    package var flaw: Flaw?
  }

  package enum Flaw {
    /// A quote within a cell that does not start with one.
    case strayQuote(at: Int)
    /// Something behind the closing quote.
    case textBehindQuote(at: Int)
    /// No closing quote up to the end of the file.
    case unterminated
  }

  /// Goes to the next line that is not wholly empty; false at the end of the file.
  package mutating func findRow() -> Bool {
    while cursor < input.end {
      guard passEmptyLine() else { return true }
    }
    return false
  }

  /// Passes over a line that is wholly empty; false where the line is none.
  mutating func passEmptyLine() -> Bool {
    let byte = input.base[cursor]
    if byte == Byte.newline {
      cursor &+= 1
    } else if byte == Byte.carriageReturn, isLineEnd(cursor) {
      cursor = min(cursor &+ 2, input.end)
    } else {
      return false
    }
    return true
  }

  /// Whether the line end of the row at the cursor is in the input; the cursor stays.
  mutating func holdsRow() -> Bool {
    let start = cursor
    defer { cursor = start }
    guard cursor < input.end else { return false }
    if input.base[cursor] == Byte.carriageReturn, cursor + 1 == input.end { return false }
    if passEmptyLine() { return true }
    while true {
      let cell = nextCell()
      if case .unterminated = cell.flaw { return false }
      if cell.endsRow { return input.base[cursor - 1] == Byte.newline }
    }
  }

  /// The next cell of the row; there always is one until a cell `endsRow`.
  @inline(__always)
  package mutating func nextCell() -> Cell {
    let start = cursor
    let stop = ByteScan.cellStop(input.base, from: start, to: input.end)
    if stop < input.end, input.base[stop] == Byte.quote { return quotedCell(start, firstQuote: stop) }
    var end = stop
    if stop > start, input.base[stop &- 1] == Byte.carriageReturn,
      stop == input.end || input.base[stop] == Byte.newline
    {
      end &-= 1
    }
    let endsRow = passSeparator(stop)
    return Cell(bytes: input.bytes(start, end), start: start, endsRow: endsRow)
  }

  /// Moves behind the comma or line feed at `stop` and says whether the row ends there.
  @inline(__always)
  private mutating func passSeparator(_ stop: Int) -> Bool {
    cursor = stop
    guard stop < input.end else { return true }
    cursor &+= 1
    return input.base[stop] == Byte.newline
  }

  /// Whether the carriage return at `offset` belongs to a line end.
  private func isLineEnd(_ offset: Int) -> Bool {
    offset + 1 == input.end || input.base[offset + 1] == Byte.newline
  }

  @inline(never)
  private mutating func quotedCell(_ start: Int, firstQuote: Int) -> Cell {
    guard firstQuote == start else {
      return flawedCell(start, .strayQuote(at: firstQuote), resumeAt: firstQuote)
    }
    guard let (close, hasDoubled) = closingQuote(start) else {
      cursor = input.end
      return Cell(bytes: input.bytes(start, start), start: start, endsRow: true, flaw: .unterminated)
    }
    var stop = close + 1
    if stop < input.end, input.base[stop] == Byte.carriageReturn, isLineEnd(stop) { stop += 1 }
    guard stop == input.end || input.base[stop] == Byte.comma || input.base[stop] == Byte.newline else {
      return flawedCell(start, .textBehindQuote(at: close + 1), resumeAt: close + 1)
    }
    let bytes = hasDoubled ? undoubled(start + 1, close) : input.bytes(start + 1, close)
    let endsRow = passSeparator(stop)
    return Cell(bytes: bytes, start: start, endsRow: endsRow)
  }

  /// A cell that is read to its next separator, whatever quotes there are on the way.
  private mutating func flawedCell(_ start: Int, _ flaw: Flaw, resumeAt offset: Int) -> Cell {
    let endsRow = passSeparator(ByteScan.separator(input.base, from: offset, to: input.end))
    return Cell(bytes: input.bytes(start, start), start: start, endsRow: endsRow, flaw: flaw)
  }

  /// The quote that closes the one at `open`, and whether doubled ones stand between.
  private func closingQuote(_ open: Int) -> (close: Int, hasDoubled: Bool)? {
    var hasDoubled = false
    var from = open + 1
    while true {
      let quote = ByteScan.first(Byte.quote, input.base, from: from, to: input.end)
      guard quote < input.end else { return nil }
      guard quote + 1 < input.end, input.base[quote + 1] == Byte.quote else { return (quote, hasDoubled) }
      hasDoubled = true
      from = quote + 2
    }
  }

  /// The bytes with each doubled quote made one.
  private mutating func undoubled(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
    scratch.removeAll()
    var from = start
    while from < end {
      let quote = ByteScan.first(Byte.quote, input.base, from: from, to: end)
      scratch.append(input.bytes(from, min(quote + 1, end)))
      from = quote + 2
    }
    return scratch.bytes
  }
}
