/// One file of an export: its name as it is shown, and its bytes.
///
/// The bytes belong to the caller, who keeps them (mapped into memory, say) as long as the import runs.
public struct ExportFile {
  public let name: String
  /// The path within the folder of the export; empty if the export is this one file.
  public let path: String
  public let bytes: UnsafeRawBufferPointer

  public init(name: String, path: String = "", bytes: UnsafeRawBufferPointer) {
    (self.name, self.path, self.bytes) = (name, path, bytes)
  }

  /// The number of the first byte after a byte order mark.
  var start: Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

  private nonisolated(unsafe) static let nothing = UnsafeRawPointer(
    UnsafeMutableRawPointer.allocate(byteCount: 1, alignment: 1))

  func input(_ start: Int, _ end: Int) -> Input {
    // No byte of an empty stretch is read.
    let base = bytes.baseAddress ?? ExportFile.nothing
    return Input(base.assumingMemoryBound(to: UInt8.self), end: end, start: start)
  }

  /// Line and column (from 1, in Unicode scalars) of an offset.
  func position(of offset: Int) -> Position {
    var position = Position(line: 1, column: 1)
    for byte in bytes[min(start, bytes.count)..<max(start, min(offset, bytes.count))] {
      if byte == UInt8(ascii: "\n") {
        position = Position(line: position.line + 1, column: 1)
      } else if byte & 0xC0 != 0x80 {
        position.column += 1
      }
    }
    return position
  }

  func failure(_ message: String, at offset: Int) -> ImportFailure {
    ImportFailure(message, file: name, at: position(of: offset))
  }

  /// The text of a stretch; fails if the bytes are not UTF-8.
  func text(_ start: Int, _ end: Int) throws(ImportFailure) -> String {
    try text(bytes[start..<end], at: start)
  }

  /// The text of bytes that were made of what is at an offset.
  func text(_ bytes: some Sequence<UInt8>, at offset: Int) throws(ImportFailure) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("found bytes that are not valid UTF-8; \(ForeignText.latin1)", at: offset)
    }
    return text
  }

  func starts(_ text: StaticString, at offset: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard offset + count <= bytes.count else { return false }
    for index in 0..<count where bytes[offset + index] != text.utf8Start[index] { return false }
    return true
  }

  /// Fails if the file is not text in UTF-8, or its first row shows separators other than commas.
  func requireReadable(firstRow cells: [String]? = nil) throws(ImportFailure) {
    let foreign = cells.map(ForeignText.find(inHeader:)) ?? ForeignText.find(in: bytes)
    if let foreign { throw failure("\(foreign.message); \(foreign.advice)", at: 0) }
  }

  /// Whether the file is a zip archive, which has to be unpacked first.
  public var isZip: Bool {
    bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) || bytes.starts(with: [0x50, 0x4B, 0x05, 0x06])
  }
}

protocol ExportRow {
  /// The text of a column; empty if it has none.
  subscript(_ column: String) -> String { get }
  func fault(_ message: String, at column: String) -> ImportFailure
}

extension ExportRow {
  func failure(_ message: String, _ column: String) -> ImportFailure {
    fault("\(quoted(column)) is \(quoted(self[column])), \(message)", at: column)
  }
}

/// The rows of a CSV file (RFC 4180) that another program wrote: a header, then a row per record.
///
/// Lines end with LF or CRLF, and a quote within a cell that does not start with one is text, as some
/// programs write names without quoting them. Empty lines are skipped.
struct CSVRows: ~Copyable {
  let file: ExportFile
  private var scanner: CSVScanner
  private(set) var header: [String] = []
  private var numbers: [String: Int] = [:]

  /// One row; its cells are found by the names of the header.
  struct Row: ExportRow {
    fileprivate let cells: [String]
    fileprivate let starts: [Int]
    fileprivate let numbers: [String: Int]
    fileprivate let file: ExportFile

    func has(_ column: String) -> Bool { numbers[column] != nil }

    subscript(_ column: String) -> String {
      guard let number = numbers[column], number < cells.count else { return "" }
      return cells[number]
    }

    func fault(_ message: String, at column: String) -> ImportFailure {
      let number = numbers[column].flatMap { $0 < starts.count ? $0 : nil }
      return file.failure(message, at: starts[number ?? 0])
    }
  }

  /// The cells of all rows, whatever they mean.
  init(_ file: ExportFile) {
    self.file = file
    scanner = CSVScanner(file.input(file.start, file.bytes.count))
  }

  /// Reads the header. Without a `required` column the file is another one; with `readsOthers` the other
  /// columns are read too, so that their names have to be different.
  init(_ file: ExportFile, required: [String], readsOthers: Bool = true) throws(ImportFailure) {
    self.init(file)
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
      if !required.contains(where: { numbers[$0] != nil }) { try file.requireReadable(firstRow: header) }
      let found = header.prefix(12).map(quoted).joined(separator: ", ")
      throw file.failure(
        "found no column \(quoted(name)) in the header, which names \(found.isEmpty ? "nothing" : found)",
        at: first.starts[0])
    }
  }

  /// The next row; nil at the end.
  mutating func next() throws(ImportFailure) -> Row? {
    guard let (cells, starts) = try nextCells() else { return nil }
    if let extra = cells.dropFirst(header.count).firstIndex(where: { !$0.isEmpty }) {
      throw file.failure(
        "found \(cells.count) cells in the row, expected at most \(header.count) as in the header",
        at: starts[extra])
    }
    return Row(cells: cells, starts: starts, numbers: numbers, file: file)
  }

  /// The cells of the next row, of which there is at least one; nil at the end.
  mutating func nextCells() throws(ImportFailure) -> (cells: [String], starts: [Int])? {
    guard scanner.findRow() else { return nil }
    var cells: [String] = []
    var starts: [Int] = []
    var endsRow = false
    while !endsRow {
      let cell = scanner.nextCell()
      starts.append(cell.start)
      cells.append(try text(cell))
      endsRow = cell.endsRow
    }
    return (cells, starts)
  }

  private func text(_ cell: CSVScanner.Cell) throws(ImportFailure) -> String {
    switch cell.flaw {
    case nil: return try file.text(cell.bytes, at: cell.start)
    case .strayQuote: return try file.text(cell.start, end(of: cell))
    case .textBehindQuote(let place):
      throw file.failure(
        "found text after a closing quote, expected a comma or the end of the line", at: place)
    case .unterminated:
      throw file.failure("found no closing quote before the end of the file", at: cell.start)
    }
  }

  /// Where the cell ends that the scanner just passed: before its comma, or before what ends its line.
  private func end(of cell: CSVScanner.Cell) -> Int {
    var end = scanner.cursor
    if !cell.endsRow || file.bytes[end - 1] == UInt8(ascii: "\n") { end -= 1 }
    let hasReturn = cell.endsRow && end > cell.start && file.bytes[end - 1] == UInt8(ascii: "\r")
    return hasReturn ? end - 1 : end
  }
}
