import MetricDiagnostics

/// A value of a record: the number of the row in the table that was read, and the name of the field.
public struct ValueAddress: Hashable, Sendable {
  public var row: Int
  public var field: String

  public init(row: Int, field: String) {
    self.row = row
    self.field = field
  }
}

/// Where values stand in the file that a table was read from.
///
/// A table keeps no places, since nearly none is ever asked for; this walks through the file once more. A
/// value that is missing stands where its record starts.
///
/// - Parameters:
///   - bytes: the whole file, as `readTable` got it.
///   - rejected: where the first mistake of each record stands that is not in the table, in the order of
///     the file.
public func places(
  of addresses: some Sequence<ValueAddress>, in bytes: UnsafeRawBufferPointer, format: DataFormat,
  rejected: [Position] = []
) -> [ValueAddress: Position] {
  var wanted: [Int: [String]] = [:]
  for address in addresses { wanted[address.row, default: []].append(address.field) }
  guard !wanted.isEmpty, let base = bytes.bindMemory(to: UInt8.self).baseAddress else { return [:] }
  let input = Input(base, count: bytes.count)
  var search = PlaceSearch(input: input, wanted: wanted, rejected: rejected)
  switch format {
  case .csv: search.searchCSV()
  case .ndjson: search.searchLines()
  case .json: search.searchArray()
  }
  return search.found
}

/// A walk over the records of a file that counts those which are in the table.
private struct PlaceSearch {
  let input: Input
  /// By row.
  private let wanted: [Int: [String]]
  private let rejected: [Position]
  private var nextRejected = 0
  private var row = 0
  private var positions: PositionCounter
  private(set) var found: [ValueAddress: Position] = [:]
  private var rowsLeft: Int

  init(input: Input, wanted: [Int: [String]], rejected: [Position]) {
    self.input = input
    self.wanted = wanted
    self.rejected = rejected
    rowsLeft = wanted.count
    positions = PositionCounter(input.base, start: input.start)
  }

  /// Takes notice of the record in `start ..< end`. `fields` gives where the values of some fields start.
  private mutating func meet(_ start: Int, _ end: Int, fields: ([String]) -> [String: Int]) {
    if nextRejected < rejected.count {
      positions.advance(to: start)
      let stop = positions.position(of: end)
      let mistake = rejected[nextRejected]
      if (mistake.line, mistake.column) < (stop.line, stop.column) || end == input.end {
        nextRejected += 1
        return
      }
    }
    defer { row += 1 }
    guard let names = wanted[row] else { return }
    let starts = fields(names)
    positions.advance(to: start)
    for name in names {
      found[ValueAddress(row: row, field: name)] = positions.position(of: starts[name] ?? start)
    }
    rowsLeft -= 1
  }

  mutating func searchCSV() {
    var scanner = CSVScanner(input)
    guard scanner.findRow() else { return }
    var names: [String] = []
    while true {
      let cell = scanner.nextCell()
      names.append(String(decoding: cell.bytes, as: UTF8.self))
      if cell.endsRow { break }
    }
    var starts: [Int] = []
    while rowsLeft > 0, scanner.findRow() {
      let start = scanner.cursor
      starts.removeAll(keepingCapacity: true)
      while true {
        let cell = scanner.nextCell()
        starts.append(cell.start)
        if cell.endsRow { break }
      }
      meet(start, scanner.cursor) { _ in
        Dictionary(zip(names, starts), uniquingKeysWith: { first, _ in first })
      }
    }
  }

  mutating func searchLines() {
    let input = input
    var scanner = JSONScanner(input)
    var start = input.start
    while rowsLeft > 0, start < input.end {
      let end = ByteScan.first(Byte.newline, input.base, from: start, to: input.end)
      scanner.restrict(from: start, to: end)
      if scanner.peek() != nil {
        let object = scanner.cursor
        meet(start, end + 1) { PlaceSearch.values($0, of: object, end: end, input) }
      }
      start = end + 1
    }
  }

  mutating func searchArray() {
    let input = input
    var scanner = JSONScanner(input)
    do throws(JSONFault) {
      try scanner.pass(Byte.openBracket, "an array")
      var isFirst = true
      while rowsLeft > 0, try scanner.nextElement(isFirst: isFirst) {
        isFirst = false
        let value = try scanner.scanValue(depth: 1)
        let start = value.kind == .string ? value.start - 1 : value.start
        meet(start, value.end) { PlaceSearch.values($0, of: start, end: value.end, input) }
      }
    } catch {
      // The reader has told of it; nothing behind it is in the table.
    }
  }

  /// Where the values of some keys of the object at `start` stand.
  private static func values(_ names: [String], of start: Int, end: Int, _ input: Input) -> [String: Int] {
    var scanner = JSONScanner(input)
    scanner.restrict(from: start, to: end)
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
