import MetricDiagnostics

/// The rows of a CSV file (RFC 4180) that another program wrote: a header, then a row a record.
///
/// Lines end with LF or CRLF, and a quote within a cell that does not start with one is text, as some
/// programs write names without quoting them. Empty lines are passed over.
struct CSVRows {
  let file: ExportFile
  private var cursor: Int
  /// The names of the columns.
  private(set) var header: [String] = []
  private var numbers: [String: Int] = [:]

  /// One row; its cells are found by the names of the header.
  struct Row {
    fileprivate var cells: [String]
    fileprivate var starts: [Int]
    fileprivate var numbers: [String: Int]
    /// Where the row starts.
    var start: Int

    var isBlank: Bool { cells.allSatisfy(\.isEmpty) }

    /// The text of a column; empty where the file or the row does not have it.
    subscript(_ column: String) -> String {
      guard let number = numbers[column], number < cells.count else { return "" }
      return cells[number]
    }

    /// Where the cell of a column starts.
    func place(of column: String) -> Int {
      guard let number = numbers[column], number < starts.count else { return start }
      return starts[number]
    }
  }

  /// Rows of a file that has no header.
  init(_ file: ExportFile, columns: [String]) {
    self.file = file
    cursor = file.start
    header = columns
    for (number, name) in header.enumerated() { numbers[name] = number }
  }

  /// Reads the header.
  ///
  /// - Parameters:
  ///   - required: columns without which the file is another one.
  ///   - readsOthers: whether the other columns are read too, so that their names have to be different.
  init(_ file: ExportFile, required: [String], readsOthers: Bool = true) throws(ImportFailure) {
    self.file = file
    cursor = file.start
    guard let first = try nextCells() else {
      throw file.failure("found an empty file, expected a header that names the columns", at: 0)
    }
    header = first.cells
    // Some exports end each line with a comma.
    while header.last == "" { header.removeLast() }
    for (number, name) in header.enumerated() {
      let isFirst = numbers.updateValue(number, forKey: name) == nil
      guard isFirst || name.isEmpty || !readsOthers && !required.contains(name) else {
        throw file.failure("found \(quoted(name)) twice in the header", at: first.starts[number])
      }
    }
    for name in required where numbers[name] == nil {
      let found = header.prefix(12).map(quoted).joined(separator: ", ")
      throw file.failure(
        "found no column \(quoted(name)) in the header, which names \(found.isEmpty ? "nothing" : found)",
        at: first.start)
    }
  }

  func has(_ column: String) -> Bool { numbers[column] != nil }

  /// The next row; nil at the end.
  mutating func next() throws(ImportFailure) -> Row? {
    guard let (cells, starts, start) = try nextCells() else { return nil }
    let extra = cells.dropFirst(header.count).firstIndex { !$0.isEmpty }
    if let extra {
      throw file.failure(
        "found \(cells.count) cells in the row, expected at most \(header.count) as in the header",
        at: starts[extra])
    }
    return Row(cells: cells, starts: starts, numbers: numbers, start: start)
  }

  /// A failure at a cell.
  func failure(_ message: String, _ row: Row, _ column: String) -> ImportFailure {
    file.failure("\(quoted(column)) is \(quoted(row[column])), \(message)", at: row.place(of: column))
  }

  private mutating func nextCells() throws(ImportFailure) -> (cells: [String], starts: [Int], start: Int)? {
    let bytes = file.bytes
    while cursor < bytes.count, bytes[cursor] == 0x0A || bytes[cursor] == 0x0D { cursor += 1 }
    guard cursor < bytes.count else { return nil }
    let start = cursor
    var cells: [String] = []
    var starts: [Int] = []
    while true {
      starts.append(cursor)
      cells.append(try nextCell())
      guard cursor < bytes.count else { break }
      let separator = bytes[cursor]
      cursor += 1
      if separator == 0x0A { break }
      if cursor == bytes.count {
        starts.append(cursor)
        cells.append("")
        break
      }
    }
    return (cells, starts, start)
  }

  /// The cell at the cursor, which is left at the comma or line feed behind it.
  private mutating func nextCell() throws(ImportFailure) -> String {
    let bytes = file.bytes
    let start = cursor
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else {
      while cursor < bytes.count, bytes[cursor] != UInt8(ascii: ","), bytes[cursor] != 0x0A { cursor += 1 }
      return try file.text(start, lineEnd(from: start))
    }
    var text: [UInt8] = []
    cursor += 1
    while true {
      guard cursor < bytes.count else {
        throw file.failure("found no closing quote up to the end of the file", at: start)
      }
      let byte = bytes[cursor]
      cursor += 1
      if byte == UInt8(ascii: "\"") {
        guard cursor < bytes.count, bytes[cursor] == byte else { break }
        cursor += 1
      }
      text.append(byte)
    }
    if cursor < bytes.count, bytes[cursor] == 0x0D { cursor += 1 }
    guard cursor == bytes.count || bytes[cursor] == UInt8(ascii: ",") || bytes[cursor] == 0x0A else {
      throw file.failure(
        "found text after a closing quote, expected a comma or the end of the line", at: cursor)
    }
    guard let string = String(validating: text, as: UTF8.self) else {
      throw file.failure("found bytes that are not valid UTF-8", at: start)
    }
    return string
  }

  /// The cursor, before a carriage return that ends the line.
  private func lineEnd(from start: Int) -> Int {
    let bytes = file.bytes
    let endsLine = cursor == bytes.count || bytes[cursor] == 0x0A
    return endsLine && cursor > start && bytes[cursor - 1] == 0x0D ? cursor - 1 : cursor
  }
}
