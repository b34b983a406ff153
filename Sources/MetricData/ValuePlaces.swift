import MetricDiagnostics

/// A value of a record: the number of the row in the table that was read, and the name of the field.
public struct ValueAddress: Hashable, Sendable {
  public var row: Int
  /// Nil is the record itself.
  public var field: String?

  public init(row: Int, field: String? = nil) {
    self.row = row
    self.field = field
  }
}

/// Where records, and values in them, stand in the file that a table was read from.
///
/// A table keeps no places, since nearly none is ever asked for; this walks through the file once more, of
/// which a block is in memory at a time. A value that is missing stands where its record starts.
///
/// The source is the whole file, as `readTable` got it. `rejected` has the place of the first mistake of each record that
/// is not in the table, in the order of the file; `columns` by field what the file calls it where that is something else.
public func places(
  of addresses: some Sequence<ValueAddress>, in source: ByteSource, format: DataFormat,
  rejected: [Position] = [], columns: [String: String] = [:]
) -> [ValueAddress: Position] {
  var wanted: [Int: [String]] = [:]
  for address in addresses { wanted[address.row, default: []] += address.field.map { [$0] } ?? [] }
  guard !wanted.isEmpty else { return [:] }
  var window = FileWindow(source)
  window.load(at: 0)
  var search = PlaceSearch(window, wanted: wanted, rejected: rejected, columns: columns)
  switch format {
  case .csv: search.searchCSV(&window)
  case .ndjson: search.searchLines(&window)
  case .json: search.searchArray(&window)
  }
  return search.found
}

/// A walk over the records of a file that counts those which are in the table.
private struct PlaceSearch {
  private var input: Input
  /// By row, the fields that are requested.
  private let wanted: [Int: [String]]
  private let rejected: [Position]
  private let columns: [String: String]
  private var nextRejected = 0
  private var row = 0
  private var positions: PositionCounter
  private(set) var found: [ValueAddress: Position] = [:]
  private var rowsLeft: Int

  init(
    _ window: borrowing FileWindow, wanted: [Int: [String]], rejected: [Position], columns: [String: String]
  ) {
    input = window.input
    self.columns = columns
    self.wanted = wanted
    self.rejected = rejected
    rowsLeft = wanted.count
    positions = PositionCounter(input.base, start: input.start)
  }

  /// Goes on at a place of the window that is to be its first; false where the record there is too long,
  /// which the reader has reported.
  private mutating func slide(_ window: inout FileWindow, to position: Int) -> Bool {
    guard !window.isTooLong(from: position) else { return false }
    positions.advance(to: position)
    window.slide(to: position)
    input = window.input
    positions.move(to: input.base, by: position)
    return true
  }

  /// Takes notice of the record in `start ..< end`. `fields` gives where the values of some fields start.
  private mutating func meet(
    _ start: Int, _ end: Int, isLast: Bool, fields: ([String]) -> [String: Int]
  ) {
    if nextRejected < rejected.count {
      positions.advance(to: start)
      let stop = positions.position(of: end)
      let mistake = rejected[nextRejected]
      if (mistake.line, mistake.column) < (stop.line, stop.column) || isLast {
        nextRejected += 1
        return
      }
    }
    defer { row += 1 }
    guard let names = wanted[row] else { return }
    let starts = names.isEmpty ? [:] : fields(names.map { columns[$0] ?? $0 })
    positions.advance(to: start)
    found[ValueAddress(row: row)] = positions.position(of: start)
    for name in names {
      found[ValueAddress(row: row, field: name)] = positions.position(
        of: starts[columns[name] ?? name] ?? start)
    }
    rowsLeft -= 1
  }

  // MARK: CSV

  mutating func searchCSV(_ window: inout FileWindow) {
    var scanner = CSVScanner(input)
    var names: [String]?
    while rowsLeft > 0 {
      guard window.isAtEnd || scanner.holdsRow() else {
        let position = scanner.cursor == input.start ? 0 : scanner.cursor
        guard slide(&window, to: position) else { return }
        scanner.move(to: input, at: input.start)
        continue
      }
      guard scanner.cursor < input.end else { return }
      if scanner.passEmptyLine() { continue }
      let start = scanner.cursor
      let starts = PlaceSearch.cells(&scanner)
      guard let fields = names else {
        names = PlaceSearch.names(starts, scanner.cursor, input)
        continue
      }
      meet(start, scanner.cursor, isLast: window.isAtEnd && scanner.cursor == input.end) { _ in
        Dictionary(zip(fields, starts), uniquingKeysWith: { first, _ in first })
      }
    }
  }

  /// Where the cells of the row at the cursor start.
  private static func cells(_ scanner: inout CSVScanner) -> [Int] {
    var starts: [Int] = []
    while true {
      let cell = scanner.nextCell()
      starts.append(cell.start)
      if cell.endsRow { return starts }
    }
  }

  /// The texts of the header's cells.
  private static func names(_ starts: [Int], _ end: Int, _ input: Input) -> [String] {
    var scanner = CSVScanner(input)
    scanner.move(to: input, at: starts[0])
    return starts.map { _ in String(decoding: scanner.nextCell().bytes, as: UTF8.self) }
  }

  // MARK: JSON

  mutating func searchLines(_ window: inout FileWindow) {
    var scanner = JSONScanner(input)
    var start = input.start
    while rowsLeft > 0, start < input.end || !window.isAtEnd {
      let end = ByteScan.first(Byte.newline, input.base, from: start, to: input.end)
      if end == input.end, !window.isAtEnd {
        guard slide(&window, to: start) else { return }
        start = 0
        continue
      }
      scanner.move(to: input, from: start, to: end)
      if scanner.peek() != nil {
        let (object, input) = (scanner.cursor, input)
        meet(start, end + 1, isLast: false) { PlaceSearch.values($0, of: object, end: end, input) }
      }
      start = end + 1
    }
  }

  mutating func searchArray(_ window: inout FileWindow) {
    var scanner = JSONScanner(input)
    var state = ArrayState.before
    while rowsLeft > 0, state != .behind {
      let position = scanner.cursor
      do throws(JSONFault) {
        try searchNext(&scanner, &state)
      } catch {
        // The reader has reported a fault; nothing after it is in the table.
        guard !window.isAtEnd, error.offset + 16 >= window.count, slide(&window, to: position) else { return }
        scanner.move(to: input, from: position == 0 ? input.start : 0, to: input.end)
      }
    }
  }

  private enum ArrayState { case before, first, others, behind }

  private mutating func searchNext(_ scanner: inout JSONScanner, _ state: inout ArrayState) throws(JSONFault)
  {
    if state == .before {
      try scanner.pass(Byte.openBracket, "an array")
      state = .first
    }
    guard try scanner.nextElement(isFirst: state == .first) else {
      state = .behind
      return
    }
    let value = try scanner.scanValue(depth: 1)
    state = .others
    let start = value.kind == .string ? value.start - 1 : value.start
    let input = input
    meet(start, value.end, isLast: false) { PlaceSearch.values($0, of: start, end: value.end, input) }
  }

  /// Where the values of some keys of the object at `start` stand.
  private static func values(_ names: [String], of start: Int, end: Int, _ input: Input) -> [String: Int] {
    var scanner = JSONScanner(input)
    scanner.move(to: input, from: start, to: end)
    var places: [String: Int] = [:]
    do throws(JSONFault) {
      try scanner.pass(Byte.openBrace, "an object")
      var isFirst = true
      while let key = try scanner.nextKey(isFirst: isFirst) {
        isFirst = false
        let name = String(decoding: input.bytes(key.start, key.end), as: UTF8.self)
        let value = try scanner.scanValue(depth: 1)
        if names.contains(name) { places[name] = value.kind == .string ? value.start - 1 : value.start }
      }
    } catch {
      return places
    }
    return places
  }
}
