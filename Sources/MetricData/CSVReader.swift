import MetricDiagnostics

/// Reads the records of a CSV file: a header that names the fields in any order, then a row a record.
///
/// Rows without quotes go the short way (`CSVReader+Plain.swift`); this is the general one, which decides
/// what every other row means and what is wrong with it.
struct CSVReader: ~Copyable {
  private(set) var scanner: CSVScanner
  /// For each cell of a row the column of the schema that it fills, or -1.
  private(set) var targets: [Int] = []
  var plain: PlainRows

  /// Reads the header; `targets` are known then, or the reading has failed.
  init(_ window: inout FileWindow, header builder: inout TableBuilder) {
    scanner = CSVScanner(window.input)
    plain = PlainRows()
    // Empty lines before the header may be many.
    while !window.isAtEnd, !hasHeader() {
      guard !window.isTooLong(from: 0) else {
        builder.failTooLong(at: window.input.start, window)
        return
      }
      window.slide(to: 0)
      builder.move(to: window, from: 0)
      scanner.move(to: window.input, at: window.input.start)
    }
    readHeader(into: &builder)
  }

  /// A reader of other rows of a file whose header has been read.
  init(_ window: borrowing FileWindow, targets: [Int]) {
    scanner = CSVScanner(window.input)
    plain = PlainRows()
    self.targets = targets
  }

  private mutating func hasHeader() -> Bool {
    let found = scanner.findRow() && scanner.holdsRow()
    scanner.move(to: scanner.input, at: scanner.input.start)
    return found
  }

  /// Reads the rows that start in `start ..< limit` of the file, and gives where the next one starts.
  mutating func read(
    into builder: inout TableBuilder, _ window: inout FileWindow, from start: Int, to limit: Int
  ) -> Int {
    plain.prepare(targets, builder)
    plain.places.restart(at: start - window.origin)
    scanner.move(to: window.input, at: start - window.origin)
    // Rows before this place take the general way.
    var generalEnd = 0
    while !builder.isFatal, window.origin + scanner.cursor < limit {
      if window.origin + scanner.cursor >= generalEnd {
        let (next, general) = plain.read(
          into: &builder, window.input, from: scanner.cursor, to: limit - window.origin)
        scanner.move(to: window.input, at: next)
        generalEnd = window.origin + general
        if window.origin + next >= limit { break }
      }
      if !window.isAtEnd, !scanner.holdsRow() {
        slide(&window, &builder)
      } else if scanner.cursor >= window.count {
        break
      } else if !scanner.passEmptyLine() {
        readRecord(into: &builder)
      }
      plain.places.skip(to: scanner.cursor)
    }
    return window.origin + scanner.cursor
  }

  private mutating func slide(_ window: inout FileWindow, _ builder: inout TableBuilder) {
    let position = scanner.cursor
    guard !window.isTooLong(from: position) else { return builder.failTooLong(at: position, window) }
    window.slide(to: position)
    builder.move(to: window, from: position)
    scanner.move(to: window.input, at: 0)
    plain.places.restart(at: 0)
  }

  private mutating func readRecord(into builder: inout TableBuilder) {
    let start = scanner.cursor
    let cellCount = readRow(into: &builder)
    if cellCount != targets.count {
      addWrongCellCount(cellCount, at: start, to: &builder)
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
        if column >= 0 { builder.decode(cell.bytes, column: column, at: cell.start) }
      }
      index &+= 1
      if cell.endsRow { return index }
    }
  }

  /// The cells of a row of the wrong length may stand under the wrong names: what was found wrong with
  /// their values is not given.
  private func addWrongCellCount(_ count: Int, at start: Int, to builder: inout TableBuilder) {
    builder.forgetPending(except: .strayQuote)
    let found = Counting.of(count, "cell")
    let expected = Counting.of(targets.count, "cell")
    builder.add(
      Finding(
        code: .wrongCellCount, message: "found \(found) in the row, expected \(expected) as in the header"),
      at: start)
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
}

// MARK: - The header

extension CSVReader {
  /// Finds the columns of the needed fields; fails where one is named twice, or not at all though it is
  /// required.
  private mutating func readHeader(into builder: inout TableBuilder) {
    guard scanner.findRow() else {
      let message = "found an empty file, expected a header that names the fields"
      return builder.fail(Finding(code: .emptyFile, message: message), at: scanner.input.start)
    }
    let start = scanner.cursor
    var names: [String] = []
    while true {
      let cell = scanner.nextCell()
      if let flaw = cell.flaw {
        return CSVReader.failHeader(flaw, of: cell, scanner.input, &builder)
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
    failMissingColumns(names, at: start, &builder)
  }

  /// A flaw of the header leaves every row without names.
  private static func failHeader(
    _ flaw: CSVScanner.Flaw, of cell: CSVScanner.Cell, _ input: Input, _ builder: inout TableBuilder
  ) {
    switch flaw {
    case .strayQuote(let offset), .textBehindQuote(let offset):
      let message = "found a stray quote in the header, expected names with a comma between them"
      builder.fail(Finding(code: .strayQuote, message: message), at: offset)
    case .unterminated:
      add(flaw, of: cell, input, to: &builder)
    }
  }

  private func failMissingColumns(_ names: [String], at start: Int, _ builder: inout TableBuilder) {
    let schema = builder.schema
    if !targets.contains(where: { $0 >= 0 }), let foreign = ForeignText.find(inHeader: names) {
      return builder.fail(foreign, at: start)
    }
    for (index, column) in schema.columns.enumerated() where !targets.contains(index) {
      builder.failMissing(column, among: names, of: "the header", at: start)
    }
  }
}
