import MetricDiagnostics

/// Gathers the records of a file: decodes their cells, keeps the good ones and tells of the bad ones.
///
/// A reader gives it each needed cell of a record with `decode`, `decodeMissing` or `add`, in any
/// order, and then calls `finishRecord`. Cells are gathered by column in batches, so that a row costs
/// neither an allocation nor a reference count.
struct TableBuilder: ~Copyable {
  let schema: TableSchema
  let rules: FieldRules
  private let pool: StringPool
  private let path: String
  private let rejects: ((RejectedRecord) -> Void)?
  private let input: Input

  /// `batchSize` cells of each column, column after column.
  private let cells: UnsafeMutablePointer<Int64>
  private var batchRow = 0
  private static let batchSize = 1024
  private var columns: [Column]
  private var rowCount = 0

  /// The mistakes of the record that is being read.
  private var pending: [(offset: Int, finding: Finding)] = []
  private var positions: PositionCounter
  private var findings: [Diagnostic] = []
  private var findingCount = 0
  private var rejectedCount = 0
  /// Whether reading must end.
  private(set) var isFatal = false

  static let shownFindings = 20

  init(
    _ input: Input, schema: TableSchema, path: String, pool: StringPool,
    rejects: ((RejectedRecord) -> Void)?
  ) {
    self.input = input
    self.schema = schema
    self.path = path
    self.pool = pool
    self.rejects = rejects
    rules = FieldRules(schema, pool: pool)
    cells = .allocate(capacity: max(1, schema.columns.count * TableBuilder.batchSize))
    cells.initialize(repeating: Column.missingWide, count: schema.columns.count * TableBuilder.batchSize)
    columns = schema.columns.map { Column(type: $0.type) }
    positions = PositionCounter(input.base, start: input.start)
  }

  deinit { cells.deallocate() }

  /// Decodes the text of a cell; an empty one is missing.
  @inline(__always)
  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, column: Int, at offset: Int) {
    if bytes.count == 0 { return decodeMissing(column: column, at: offset) }
    do throws(CellFault) {
      store(try rules[column].decode(bytes, pool), column: column)
    } catch {
      add(error, bytes, column: column, at: offset)
    }
  }

  /// A cell without a value.
  @inline(__always)
  mutating func decodeMissing(column: Int, at offset: Int) {
    if rules[column].isRequired {
      add(CellFault.missing(schema.columns[column]), at: offset)
    } else {
      store(Column.missingWide, column: column)
    }
  }

  @inline(__always)
  private mutating func store(_ cell: Int64, column: Int) {
    cells[column &* TableBuilder.batchSize &+ batchRow] = cell
  }

  @inline(never)
  private mutating func add(
    _ fault: CellFault, _ bytes: UnsafeBufferPointer<UInt8>, column: Int, at offset: Int
  ) {
    let fault = ByteScan.isUTF8(bytes) ? fault : CellFault.notUTF8
    let finding = fault.finding(bytes, in: schema.columns[column])
    if case .notUTF8 = fault { fail(finding, at: offset) } else { add(finding, at: offset) }
  }

  /// A mistake of the record that is being read.
  @inline(never)
  mutating func add(_ finding: Finding, at offset: Int) {
    pending.append((offset, finding))
  }

  /// Forgets what was found wrong with the values of the record that is being read.
  mutating func forgetPending(except code: DiagnosticCode) {
    pending.removeAll { $0.finding.code != code }
  }

  /// Ends the record that stands in `start ..< end`, its line end perhaps included.
  @inline(__always)
  mutating func finishRecord(from start: Int, to end: Int) {
    if pending.isEmpty {
      batchRow &+= 1
      if batchRow == TableBuilder.batchSize { flush() }
    } else {
      reject(from: start, to: end)
    }
  }

  @inline(never)
  private mutating func reject(from start: Int, to end: Int) {
    defer { pending.removeAll() }
    guard !isFatal, let first = pending.first else { return }
    positions.advance(to: start)
    rejectedCount += 1
    guard let rejects else {
      for (offset, finding) in pending { report(finding, at: offset) }
      return
    }
    let position = positions.position(of: first.offset)
    rejects(
      RejectedRecord(
        path: path, record: schema.record, line: position.line, column: position.column,
        code: first.finding.code, message: pending.map(\.finding.message).joined(separator: "; "),
        text: TableBuilder.text(of: input.bytes(start, end))))
  }

  /// The text without its line end.
  private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
    var end = bytes.count
    if end > 0, bytes[end - 1] == Byte.newline { end -= 1 }
    if end > 0, bytes[end - 1] == Byte.carriageReturn { end -= 1 }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }

  /// A mistake in the structure of the file: reading ends.
  @inline(never)
  mutating func fail(_ finding: Finding, at offset: Int, notes: [Note] = []) {
    isFatal = true
    report(finding, at: offset, notes: notes)
  }

  private mutating func report(_ finding: Finding, at offset: Int, notes: [Note] = []) {
    findingCount += 1
    guard findings.count < TableBuilder.shownFindings else { return }
    let position = positions.position(of: offset)
    let location = Location.data(path: path, line: position.line, column: position.column)
    findings.append(Diagnostic(.error, finding.code, finding.message, at: location, notes: notes))
  }

  /// Moves the batch into the columns.
  @inline(never)
  private mutating func flush() {
    for index in columns.indices {
      let start = cells + index * TableBuilder.batchSize
      columns[index].append(contentsOf: UnsafeBufferPointer(start: start, count: batchRow))
    }
    rowCount += batchRow
    batchRow = 0
  }

  consuming func finish() -> ReadResult {
    flush()
    return ReadResult(
      table: Table(schema: schema, rowCount: rowCount, columns: columns), findings: findings,
      findingCount: findingCount, rejectedCount: rejectedCount, isFatal: isFatal)
  }
}

extension Column {
  /// Appends cells as wide as those of a Decimal, the missing ones the smallest integer.
  fileprivate mutating func append(contentsOf wide: UnsafeBufferPointer<Int64>) {
    switch self {
    case .narrow(var cells):
      self = .narrow([])
      for cell in wide {
        cells.append(cell == Column.missingWide ? Column.missingNarrow : Int32(truncatingIfNeeded: cell))
      }
      self = .narrow(cells)
    case .wide(var cells):
      self = .wide([])
      cells.append(contentsOf: wide)
      self = .wide(cells)
    }
  }
}
