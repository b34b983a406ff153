/// Reads the records of a CSV file: a header that names the fields in any order, then a row per record.
///
/// Rows without quotes go the short way (`PlainRows`); this is the general one, which decides
/// what every other row means and what is wrong with it.
struct CSVReader: RecordReader, ~Copyable {
  private(set) var scanner: CSVScanner
  /// For each cell of a row the column of the schema that it fills, or -1.
  private(set) var targets: [Int] = []
  private var plain = PlainRows()

  /// Reads the header; `targets` are known then, or the reading has failed.
  init(_ window: inout FileWindow, header builder: inout TableBuilder) {
    scanner = CSVScanner(window.input)
    // Empty lines before the header may be many.
    while !window.isAtEnd, !(scanner.findRow() && scanner.holdsRow()) {
      guard builder.slide(&window, to: 0) else { return }
      scanner.move(to: window.input, at: window.input.start)
    }
    readHeader(into: &builder)
  }

  /// A reader of other rows of a file whose header has been read.
  init(_ window: borrowing FileWindow, targets: [Int]) {
    scanner = CSVScanner(window.input)
    self.targets = targets
  }

  /// Whether a line feed always ended a record so far.
  var mayBeCut: Bool { !scanner.hasMetQuotes }

  /// Reads the rows that start in `start ..< limit` of the file, and gives where the next one starts.
  mutating func read(
    into builder: inout TableBuilder, _ window: inout FileWindow, from start: Int, to limit: Int
  ) -> Int {
    plain.prepare(targets, builder)
    plain.places.restart(at: start - window.origin)
    scanner.move(to: window.input, at: start - window.origin)
    // Rows before this place take the general way.
    var generalEnd = builder.search == nil ? 0 : Int.max
    while !builder.isDone, window.origin + scanner.cursor < limit {
      if window.origin + scanner.cursor >= generalEnd {
        let (next, general) = plain.read(
          into: &builder, window.input, from: scanner.cursor, to: limit - window.origin)
        scanner.move(to: window.input, at: next)
        generalEnd = window.origin + general
        if window.origin + next >= limit { break }
      }
      if !window.isAtEnd, !scanner.holdsRow() {
        guard builder.slide(&window, to: scanner.cursor) else { break }
        scanner.move(to: window.input, at: 0)
        plain.places.restart(at: 0)
      } else if scanner.cursor >= window.count {
        break
      } else if !scanner.passEmptyLine() {
        readRecord(into: &builder)
      }
      plain.places.skip(to: scanner.cursor)
    }
    return window.origin + scanner.cursor
  }

  private mutating func readRecord(into builder: inout TableBuilder) {
    let start = scanner.cursor
    let cellCount = readRow(into: &builder)
    if cellCount != targets.count {
      // The cells may be under the wrong names: mistakes in their values are not reported.
      builder.forgetPending(except: .strayQuote)
      let (found, expected) = (Counting.of(cellCount, "cell"), Counting.of(targets.count, "cell"))
      let message = "found \(found) in the row, expected \(expected) as in the header"
      builder.add(Finding(code: .wrongCellCount, message: message), at: start)
    }
    builder.finishRecord(from: start, to: scanner.cursor)
  }

  /// Reads a row and says how many cells it has.
  @inline(__always)
  private mutating func readRow(into builder: inout TableBuilder) -> Int {
    var index = 0
    while true {
      let cell = scanner.nextCell()
      if let flaw = cell.flaw {
        CSVReader.add(flaw, of: cell, scanner.input, to: &builder)
      } else if index < targets.count {
        let column = targets[index]
        if column >= 0 {
          builder.search?.meetValue(column, at: cell.start)
          builder.decode(cell.bytes, column: column, at: cell.start)
        }
      }
      index &+= 1
      if cell.endsRow { return index }
    }
  }

  @inline(never)
  private static func add(
    _ flaw: CSVScanner.Flaw, of cell: CSVScanner.Cell, _ input: Input, to builder: inout TableBuilder
  ) {
    switch flaw {
    case .strayQuote(let offset):
      let message = "found a quote within a cell, expected the whole cell in quotes and this quote doubled"
      builder.add(Finding(code: .strayQuote, message: message), at: offset)
    case .textBehindQuote(let offset):
      let stop = ByteScan.separator(input.base, from: offset, to: input.end)
      let found = Wording.quoted(input.bytes(offset, stop))
      let message = "found \(found) after the closing quote, expected a comma or the end of the line"
      builder.add(Finding(code: .strayQuote, message: message), at: offset)
    case .unterminated:
      let message = "found no closing quote before the end of the file"
      builder.fail(Finding(code: .unterminatedQuote, message: message), at: cell.start)
    }
  }

  /// Finds the columns of the needed fields; fails if one is named twice, or not at all though it is required.
  private mutating func readHeader(into builder: inout TableBuilder) {
    guard scanner.findRow() else {
      let message = "found an empty file, expected a header that names the fields"
      return builder.fail(Finding(code: .emptyFile, message: message), at: scanner.input.start)
    }
    let start = scanner.cursor
    var names: [String] = []
    while true {
      let cell = scanner.nextCell()
      // Without a valid header, no row has names.
      switch cell.flaw {
      case .strayQuote(let offset), .textBehindQuote(let offset):
        let message = "found a stray quote in the header, expected names with a comma between them"
        return builder.fail(Finding(code: .strayQuote, message: message), at: offset)
      case .unterminated: return CSVReader.add(.unterminated, of: cell, scanner.input, to: &builder)
      case nil: break
      }
      let name = String(decoding: cell.bytes, as: UTF8.self)
      let column = builder.schema.columns.firstIndex { $0.nameInFile == name }
      if let column, targets.contains(column) {
        let message = "found `\(name)` twice in the header, expected each needed field once"
        builder.fail(Finding(code: .repeatedColumn, message: message), at: cell.start)
      }
      targets.append(column ?? -1)
      names.append(name)
      if cell.endsRow { break }
    }
    if !targets.contains(where: { $0 >= 0 }), let foreign = ForeignText.find(inHeader: names) {
      return builder.fail(foreign, at: start)
    }
    for (index, column) in builder.schema.columns.enumerated() where !targets.contains(index) {
      builder.failMissing(column, among: names, of: "the header", at: start)
    }
  }
}

/// The cells of a CSV file (RFC 4180), one after the other.
///
/// A line ends with LF or CRLF; a lone CR is text. A cell that needs no decoding is a stretch of the
/// file itself.
package struct CSVScanner: ~Copyable {
  private(set) var input: Input
  package private(set) var cursor: Int
  private var scratch = ByteBuffer()
  private(set) var hasMetQuotes = false

  package init(_ input: Input) {
    self.input = input
    cursor = input.start
  }

  /// Continues at a place of another stretch of the file.
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
    /// Something after the closing quote.
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

  /// Skips a line that is wholly empty; false if the line is none.
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
    return Cell(bytes: input.bytes(start, end), start: start, endsRow: passSeparator(stop))
  }

  /// Moves past the comma or line feed at `stop` and says whether the row ends there.
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
    hasMetQuotes = true
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
    return Cell(bytes: bytes, start: start, endsRow: passSeparator(stop))
  }

  /// A cell that is read to its next separator, whatever quotes there are on the way.
  private mutating func flawedCell(_ start: Int, _ flaw: Flaw, resumeAt offset: Int) -> Cell {
    let endsRow = passSeparator(ByteScan.separator(input.base, from: offset, to: input.end))
    return Cell(bytes: input.bytes(start, start), start: start, endsRow: endsRow, flaw: flaw)
  }

  /// The quote that closes the one at `open`, and whether there are doubled quotes in between.
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
