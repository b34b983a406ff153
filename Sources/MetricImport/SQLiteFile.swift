import MetricDiagnostics

/// Reads the tables of an SQLite 3 database file, row by row, and nothing else: no index, no query, no write.
///
/// The format is documented (sqlite.org, "Database File Format"). A reader of it needs no library on anybody's
/// machine, and a damaged file can be refused exactly: every page number, offset and length is checked before
/// it is used, and each page is read once at the most.
struct SQLiteFile {
  enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
  }

  /// A table: its columns in order, and where its rows are.
  struct Table {
    var name: String
    /// In lower case.
    var columns: [String]
    /// The column that is another name of the row number, if any.
    var rowNumberColumn: Int?
    fileprivate var rootPage: Int
  }

  private let file: ExportFile
  private let pageSize: Int
  private let usableSize: Int
  private let pageCount: Int

  private static let mark = Array("SQLite format 3\u{0}".utf8)

  static func isDatabase(_ file: ExportFile) -> Bool { file.bytes.starts(with: mark) }

  init(_ file: ExportFile) throws(ImportFailure) {
    func refuse(_ message: String) -> ImportFailure { ImportFailure(message, file: file.name) }
    let bytes = file.bytes
    guard bytes.count >= 100, SQLiteFile.isDatabase(file) else { throw refuse("found no SQLite 3 database") }
    let size = Int(bytes[16]) << 8 | Int(bytes[17])
    pageSize = size == 1 ? 65_536 : size
    guard (512...65_536).contains(pageSize), pageSize.nonzeroBitCount == 1 else {
      throw refuse("found a database with pages of \(pageSize) bytes, which no SQLite writes")
    }
    usableSize = pageSize - Int(bytes[20])
    guard usableSize >= 480 else { throw refuse("found a database whose pages have no room") }
    let encoding = bytes[59]
    guard encoding == 1 || encoding == 0 else {
      throw refuse("found a database whose texts are UTF-16, expected UTF-8")
    }
    pageCount = bytes.count / pageSize
    guard pageCount > 0, bytes.count.isMultiple(of: pageSize) else {
      throw refuse("found a database that is cut off: its length is not a multiple of its pages")
    }
    self.file = file
  }

  /// The tables of the database.
  func tables() throws(ImportFailure) -> [Table] {
    let schema = Table(name: "sqlite_schema", columns: [], rowNumberColumn: nil, rootPage: 1)
    var found: [Table] = []
    try forEachRow(of: schema) { (_, values) throws(ImportFailure) in
      guard values.count >= 5, values[0] == .text("table"), case .text(let name) = values[1],
        case .integer(let root) = values[3], case .text(let statement) = values[4]
      else { return }
      let (columns, rowNumber) = SQLiteColumns.parse(statement)
      found.append(
        Table(
          name: name, columns: columns, rowNumberColumn: rowNumber,
          rootPage: Int(truncatingIfNeeded: root)))
    }
    return found
  }

  /// Calls `body` with each row of a table: its number and its values by column name.
  func forEachRecord(
    of table: Table, _ body: (Int64, [String: Value]) throws(ImportFailure) -> Void
  ) throws(ImportFailure) {
    try forEachRow(of: table) { (number, values) throws(ImportFailure) in
      var record: [String: Value] = [:]
      for (index, column) in table.columns.enumerated() where record[column] == nil {
        // Columns that were added later are not stored in older rows.
        record[column] = index < values.count ? values[index] : .null
      }
      if let index = table.rowNumberColumn { record[table.columns[index]] = .integer(number) }
      try body(number, record)
    }
  }

  // MARK: Pages

  /// Walks the tree of a table's pages, in the order of the row numbers.
  private func forEachRow(
    of table: Table, _ body: (Int64, [Value]) throws(ImportFailure) -> Void
  ) throws(ImportFailure) {
    var seen: Set<Int> = []
    // The next page is the last one.
    var pages = [table.rootPage]
    while let page = pages.popLast() {
      guard seen.insert(page).inserted else { throw damaged("page \(page) is reached twice") }
      let start = try offset(ofPage: page)
      let header = page == 1 ? start + 100 : start
      let kind = file.bytes[header]
      let cellCount = integer(header + 3, 2)
      let headerSize = kind == 0x05 ? 12 : 8
      guard headerSize + 2 * cellCount <= usableSize - (header - start) else {
        throw damaged("page \(page) names more cells than it has room for")
      }
      let cells = (0..<cellCount).map { start + integer(header + headerSize + 2 * $0, 2) }
      switch kind {
      case 0x05:
        let children = try cells.map { (cell) throws(ImportFailure) in try pageNumber(at: cell, start) }
        pages += [integer(header + 8, 4)] + children.reversed()
      case 0x0D:
        var used = 0
        for cell in cells {
          let (number, payload) = try leafCell(at: cell, start, &used, &seen)
          try body(number, try record(payload))
        }
      default:
        throw damaged("page \(page) is not a page of a table")
      }
    }
  }

  private func offset(ofPage page: Int) throws(ImportFailure) -> Int {
    guard page >= 1, page <= pageCount else {
      throw damaged("page \(page) is named, and the file has \(pageCount)")
    }
    return (page - 1) * pageSize
  }

  private func damaged(_ message: String) -> ImportFailure {
    ImportFailure("the database is damaged: \(message)", file: file.name)
  }

  /// An unsigned number of big-endian bytes that lie in the file.
  private func integer(_ offset: Int, _ count: Int) -> Int {
    var value = 0
    for index in 0..<count { value = value << 8 | Int(file.bytes[offset + index]) }
    return value
  }

  private func pageNumber(at cell: Int, _ page: Int) throws(ImportFailure) -> Int {
    guard cell >= page, cell + 4 <= page + pageSize else { throw damaged("a cell is outside its page") }
    return integer(cell, 4)
  }

  /// The row number of a cell of a leaf, and the bytes of its record, gathered from overflow pages.
  ///
  /// - Parameters:
  ///   - used: how many bytes of the page other cells hold: cells do not overlap.
  ///   - seen: the pages that were read; no page belongs to two rows.
  private func leafCell(
    at cell: Int, _ page: Int, _ used: inout Int, _ seen: inout Set<Int>
  ) throws(ImportFailure) -> (Int64, [UInt8]) {
    var cursor = cell
    let end = page + usableSize
    let size = try varint(&cursor, end)
    let number = try varint(&cursor, end)
    guard size >= 0, size <= file.bytes.count else { throw damaged("a row is longer than the file") }
    let length = Int(size)
    var local = length
    if length > usableSize - 35 {
      let least = (usableSize - 12) * 32 / 255 - 23
      let fitting = least + (length - least) % (usableSize - 4)
      local = fitting <= usableSize - 35 ? fitting : least
    }
    guard cursor + local + (local < length ? 4 : 0) <= end else {
      throw damaged("a row is outside its page")
    }
    used += local
    guard used <= usableSize else { throw damaged("rows overlap") }
    var payload = Array(file.bytes[cursor..<cursor + local])
    var next = local < length ? integer(cursor + local, 4) : 0
    while payload.count < length {
      guard seen.insert(next).inserted else { throw damaged("page \(next) is reached twice") }
      let start = try offset(ofPage: next)
      let count = min(length - payload.count, usableSize - 4)
      payload += file.bytes[start + 4..<start + 4 + count]
      next = integer(start, 4)
    }
    return (number, payload)
  }

  /// A number of one to nine bytes, seven bits in each but the ninth.
  private func varint(_ cursor: inout Int, _ end: Int) throws(ImportFailure) -> Int64 {
    guard cursor >= 0, cursor < end, end <= file.bytes.count else {
      throw damaged("a cell is outside its page")
    }
    let bytes = UnsafeRawBufferPointer(rebasing: file.bytes[cursor..<min(cursor + 9, end)])
    guard let (value, count) = SQLiteFile.varint(bytes) else { throw damaged("a number is cut off") }
    cursor += count
    return value
  }

  private static func varint(_ bytes: some Collection<UInt8>) -> (value: Int64, count: Int)? {
    var value: UInt64 = 0
    for (index, byte) in bytes.enumerated() {
      if index == 8 { return (Int64(bitPattern: value << 8 | UInt64(byte)), 9) }
      value = value << 7 | UInt64(byte & 0x7F)
      if byte < 0x80 { return (Int64(bitPattern: value), index + 1) }
    }
    return nil
  }

  // MARK: Records

  /// The values of a record: a header with a type for each, then the values.
  private func record(_ payload: [UInt8]) throws(ImportFailure) -> [Value] {
    guard let (headerSize, first) = SQLiteFile.varint(payload.prefix(9)), headerSize >= Int64(first),
      headerSize <= Int64(payload.count)
    else { throw damaged("a row has no header") }
    var cursor = first
    var body = Int(headerSize)
    var values: [Value] = []
    while cursor < Int(headerSize) {
      guard let (type, count) = SQLiteFile.varint(payload[cursor..<min(cursor + 9, Int(headerSize))]) else {
        throw damaged("the header of a row is cut off")
      }
      cursor += count
      let length = SQLiteFile.length(ofType: type)
      guard length >= 0, length <= payload.count - body else { throw damaged("a row is cut off") }
      values.append(try value(type, payload[body..<body + length]))
      body += length
    }
    return values
  }

  private static func length(ofType type: Int64) -> Int {
    switch type {
    case 0, 8, 9: 0
    case 1...4: Int(type)
    case 5: 6
    case 6, 7: 8
    case 12...: Int((type - 12) / 2)
    default: -1
    }
  }

  private func value(_ type: Int64, _ bytes: ArraySlice<UInt8>) throws(ImportFailure) -> Value {
    switch type {
    case 0: return .null
    case 8: return .integer(0)
    case 9: return .integer(1)
    case 1...6: return .integer(SQLiteFile.signed(bytes))
    case 7: return .real(Double(bitPattern: UInt64(bitPattern: SQLiteFile.signed(bytes))))
    case _ where type.isMultiple(of: 2): return .blob(Array(bytes))
    default:
      guard let text = String(validating: bytes, as: UTF8.self) else {
        throw damaged("a text is not valid UTF-8")
      }
      return .text(text)
    }
  }

  private static func signed(_ bytes: ArraySlice<UInt8>) -> Int64 {
    var value: Int64 = (bytes.first ?? 0) >= 0x80 ? -1 : 0
    for byte in bytes { value = value << 8 | Int64(byte) }
    return value
  }
}

/// The columns that a `CREATE TABLE` statement declares.
enum SQLiteColumns {
  /// The names in lower case, and which of them is the row number: the one declared `integer primary key`.
  static func parse(_ statement: String) -> (columns: [String], rowNumber: Int?) {
    guard let open = statement.firstIndex(of: "(") else { return ([], nil) }
    var columns: [String] = []
    var rowNumber: Int?
    for definition in parts(statement[statement.index(after: open)...]) {
      let words = definition.lowercased().split(whereSeparator: \.isWhitespace).map(String.init)
      guard let first = words.first else { continue }
      let name = first.trimmed(of: "\"'`[]")
      if ["primary", "unique", "check", "foreign", "constraint"].contains(first) { continue }
      if words.dropFirst().joined(separator: " ").hasPrefix("integer primary key") {
        rowNumber = columns.count
      }
      columns.append(name)
    }
    return (columns, rowNumber)
  }

  /// What stands between commas up to the closing parenthesis, minding parentheses and quotes.
  private static func parts(_ text: Substring) -> [String] {
    var parts: [String] = []
    var part = ""
    var depth = 0
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil }
      } else if character == "\"" || character == "'" || character == "`" {
        quote = character
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        if depth == 0 { break }
        depth -= 1
      } else if character == ",", depth == 0 {
        parts.append(part)
        part = ""
        continue
      }
      part.append(character)
    }
    return parts + [part]
  }
}

extension String {
  fileprivate func trimmed(of characters: String) -> String {
    var text = self[...]
    while let first = text.first, characters.contains(first) { text.removeFirst() }
    while let last = text.last, characters.contains(last) { text.removeLast() }
    return String(text)
  }
}
