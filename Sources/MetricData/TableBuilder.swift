/// Gathers the records of a stretch of a file: decodes their cells, keeps the good ones and remembers what
/// is wrong with the bad ones.
///
/// A reader gives it each needed cell of a record with `decode`, `decodeMissing` or `add`, in any
/// order, and then calls `finishRecord`; or it puts the cells of plain records where `place` says, and then
/// calls `finishPlainRecords`. Cells are gathered by column in batches, so that a row costs neither an allocation
/// nor a reference count.
struct TableBuilder: ~Copyable {
  let schema: TableSchema
  let rules: FieldRules
  private let reading: FileReading
  /// What the reader looks at; offsets are counted from its first byte.
  private var input: Input
  /// Where that byte is in the file.
  private var origin: Int

  /// `batchSize` cells of each column, column after column.
  private let cells: UnsafeMutablePointer<Int64>
  /// The hashes of the texts among them that are stashed.
  private let hashes: UnsafeMutablePointer<UInt32>
  /// By column the texts that are not stashed.
  private let knownTexts: UnsafeMutableBufferPointer<KnownTexts>
  private var batchRow = 0
  /// The rows of the batch before this one have no stashed texts.
  private var resolvedRow = 0
  static let batchSize = 256
  /// Where the rows of this stretch go that are kept.
  var room: RowRoom?
  /// What comes of this stretch.
  private var stretch: ReadStretch
  /// What comes of those before it, and of the records of all.
  private var part: ReadPart
  /// Whether the file's first record is in this stretch.
  var isFirstPart = false
  private var rowCount = 0

  /// The mistakes of the record that is being read.
  private var pending: [(offset: Int, finding: Finding)] = []
  private var positions: PositionCounter

  var pool: StringPool { part.pool }
  private var fold: FoldStore? { part.fold }
  /// The observer that notes where values are; the records are then not kept.
  var search: PlaceSearch? { reading.search }
  /// Whether reading must end.
  var isFatal: Bool { part.isFatal }

  /// Whether no more is to be read: a fatal mistake, or a fold that gave up, after which all is read again; where records
  /// that are left out are reported, this time reports them all.
  var isDone: Bool { isFatal || reading.rejects == nil && fold?.isAbandoned == true }

  static let shownFindings = 20

  init(_ reading: FileReading, _ pool: StringPool, _ window: borrowing FileWindow) {
    self.reading = reading
    schema = reading.schema
    input = window.input
    origin = window.origin
    stretch = ReadStretch(start: window.origin)
    let fold = reading.options.fold
    rules = FieldRules(schema, pool: pool)
    let cellCount = schema.columns.count * TableBuilder.batchSize
    cells = .allocate(capacity: max(1, cellCount))
    cells.initialize(repeating: Column.missingWide, count: cellCount)
    hashes = .allocate(capacity: max(1, cellCount))
    hashes.initialize(repeating: 0, count: cellCount)
    knownTexts = .allocate(capacity: schema.columns.count)
    _ = knownTexts.initialize(
      from: schema.columns.enumerated().map { KnownTexts(isUsed: $1.type == .text && $0 != fold?.key) })
    let counted = fold == nil ? reading.options.counted : nil
    part = ReadPart(
      fold: fold.map { FoldStore($0, pool: pool) }, sieve: counted.map { RecordSieve($0, pool: pool) },
      pool: pool)
    // The lines before are counted only where records are reported at once.
    let places = reading.rejects == nil ? [] : [window.origin]
    let position = PositionCounter.positions(of: places, in: reading.source).first
    positions = PositionCounter(
      input.base, start: input.start, position: position ?? Position(line: 1, column: 1))
  }

  deinit {
    cells.deallocate()
    hashes.deallocate()
    for index in knownTexts.indices { knownTexts[index].deallocate() }
    knownTexts.deallocate()
  }

  /// Moves the window on to `position`; false, and reading ends, where the record there is too long for one. The
  /// batch holds no stashed texts.
  mutating func slide(_ window: inout FileWindow, to position: Int) -> Bool {
    guard window.count - position < window.longest else {
      let message = "found a record of more than \(window.longest) bytes, expected it to end before that"
      fail(
        Finding(code: .recordTooLong, message: message), at: position,
        notes: [Note("a quote that is not closed makes one record of all that follows")])
      return false
    }
    // Lines are counted on the way only where records are reported at once.
    if reading.rejects != nil { positions.advance(to: position) }
    window.slide(to: position)
    look(at: window)
    positions.move(to: input.base, by: position)
    return true
  }

  private mutating func look(at window: borrowing FileWindow) {
    input = window.input
    origin = window.origin
  }

  /// Ends the stretch before `end`, where the next record starts, and goes on with the one at which the window is now.
  mutating func begin(_ window: borrowing FileWindow, after end: Int) {
    endStretch(at: end)
    look(at: window)
    stretch = ReadStretch(start: window.origin)
  }

  private mutating func endStretch(at end: Int) {
    flush()
    stretch.end = end
    part.stretches.append(stretch)
  }

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
  mutating func store(_ cell: Int64, column: Int) {
    cells(column).pointee = cell
  }

  /// Where the next cells of a column go.
  @inline(__always)
  func cells(_ column: Int) -> UnsafeMutablePointer<Int64> {
    cells + (column &* TableBuilder.batchSize &+ batchRow)
  }

  /// Where the hashes of its stashed texts go.
  @inline(__always)
  func hashes(_ column: Int) -> UnsafeMutablePointer<UInt32> {
    hashes + (column &* TableBuilder.batchSize &+ batchRow)
  }

  /// The numbers of a column's texts that are not stashed.
  @inline(__always)
  func texts(_ column: Int) -> UnsafeMutablePointer<KnownTexts> {
    knownTexts.baseAddress.unsafelyUnwrapped + column
  }

  @inline(__always)
  var freeRows: Int { TableBuilder.batchSize &- batchRow }

  /// Ends records whose texts are stashed. `resolve` must follow before another record is read in another way,
  /// or where the batch is full.
  @inline(__always)
  mutating func finishPlainRecords(_ count: Int) { batchRow &+= count }

  /// The columns in the order in which they are best decoded: the day and the key of a fold first, then texts, so
  /// that what they lead to is on its way while the others are decoded.
  var decodingOrder: [Int] {
    let first = fold.map { [$0.spec.day, $0.spec.key] } ?? []
    let texts = schema.columns.indices.filter { !first.contains($0) && schema.columns[$0].type == .text }
    return first + texts + schema.columns.indices.filter { !first.contains($0) && !texts.contains($0) }
  }

  /// Says that a column of the next records has been decoded.
  @inline(__always)
  func prefetch(_ column: Int, count: Int) {
    if let fold, column == fold.spec.key {
      fold.prefetch(hashes(column), days: cells(fold.spec.day), from: batchRow, count: count)
    } else if rules[column].type == .text, !knownTexts[column].isUsed {
      pool.prefetch(hashes(column), count: count)
    }
  }

  /// Looks up the stashed texts.
  ///
  /// - Returns: false if one of them is not a value of its field; the records that were finished since the last call
  ///   are then forgotten, and have to be read in the general way.
  mutating func resolve() -> Bool {
    let isRight = resolveTexts()
    if isRight { resolvedRow = batchRow } else { batchRow = resolvedRow }
    if batchRow == TableBuilder.batchSize { flush() }
    return isRight
  }

  private func resolveTexts() -> Bool {
    for column in schema.columns.indices where rules[column].type == .text {
      let start = column * TableBuilder.batchSize + resolvedRow
      let texts = StashedTexts(
        cells: cells + start, hashes: hashes + start, count: batchRow - resolvedRow, base: input.base)
      if let fold, column == fold.spec.key {
        guard fold.slots.resolve(texts, likely: fold.likely + resolvedRow) else { return false }
        continue
      }
      guard knownTexts[column].isUsed || pool.resolve(texts),
        rules[column].allows(texts.cells, count: texts.count)
      else { return false }
    }
    return true
  }

  /// Ends the record that is in `start ..< end`, its line end perhaps included. The batch holds no
  /// stashed texts.
  @inline(__always)
  mutating func finishRecord(from start: Int, to end: Int) {
    // A record in which reading had to end has cells that were never read.
    if isFatal { return pending.removeAll() }
    if let search {
      search.meetRecord(pending.isEmpty ? rowCount + batchRow : nil, at: start, &positions)
      part.isFatal = search.isDone
    }
    if pending.isEmpty {
      if let fold { turnKeyIntoSlot(fold) }
      batchRow &+= 1
      resolvedRow = batchRow
      if batchRow == TableBuilder.batchSize { flush() }
    } else {
      reject(from: start, to: end)
    }
  }

  /// The general way numbers texts by the pool; a fold has numbers of its own for its keys.
  private func turnKeyIntoSlot(_ fold: FoldStore) {
    let index = fold.spec.key * TableBuilder.batchSize + batchRow
    guard cells[index] != Column.missingWide else { return }
    cells[index] = pool.withBytes(of: Int32(cells[index])) { bytes in
      Int64(fold.slots.slot(of: bytes, hash: KeyedSlots.hash(bytes)))
    }
  }

  /// Moves the batch into the columns or folds it.
  @inline(never)
  private mutating func flush() {
    let batch = RowBatch(cells: cells, count: batchRow)
    if let fold {
      fold.add(batch)
      fold.giveUp(ifLargerThan: reading.expectedRows)
    } else if let room {
      let kept = part.sieve?.pick(batch, columns: schema.columns.count) ?? batchRow
      let rows = stretch.rows ?? room.rows.lowerBound..<room.rows.lowerBound
      part.isOverfull = part.isOverfull || kept > room.rows.upperBound - rows.upperBound
      if !part.isOverfull {
        if part.codes.isEmpty {
          // Where the texts of the first records are few.
          part.codes = zip(schema.columns, knownTexts).map { column, texts in
            column.type == .text && !column.isIdentifier && texts.isUsed ? TextCodes(pool) : nil
          }
        }
        room.write(RowBatch(cells: cells, count: kept), after: rows, &part.codes, part.stretches)
        stretch.rows = rows.lowerBound..<rows.upperBound + kept
      }
    }
    for index in knownTexts.indices { knownTexts[index].finishBatch(batchRow) }
    rowCount += batchRow
    batchRow = 0
    resolvedRow = 0
  }

  /// - Parameter end: where in the file the next record starts.
  consuming func finish(at end: Int) -> ReadPart {
    endStretch(at: end)
    return part
  }
}

extension TableBuilder {
  @inline(never)
  private mutating func add(
    _ fault: CellFault, _ bytes: UnsafeBufferPointer<UInt8>, column: Int, at offset: Int
  ) {
    let fault = ByteScan.isUTF8(bytes) ? fault : CellFault.notUTF8
    let finding = fault.finding(bytes, in: schema.columns[column])
    switch fault {
    // The first such value ends the reading; the rest of the record is not checked.
    case .notUTF8: if !isFatal { fail(finding, at: offset, notes: [Note(ForeignText.latin1)]) }
    case .notADay where isFirstRecord && Wording.isForeignDay(bytes):
      if !isFatal { fail(finding, at: offset, notes: Wording.foreignDayNotes(bytes)) }
    default: add(finding, at: offset)
    }
  }

  /// Whether the file's first record is being read: a mistake in its form is one of the whole column.
  private var isFirstRecord: Bool { isFirstPart && rowCount + batchRow + part.rejectedCount == 0 }

  var hasPending: Bool { !pending.isEmpty }

  /// A mistake of the record that is being read.
  @inline(never)
  mutating func add(_ finding: Finding, at offset: Int) {
    pending.append((offset, finding))
  }

  /// Forgets what was found wrong with the values of the record that is being read.
  mutating func forgetPending(except code: DiagnosticCode? = nil) {
    pending.removeAll { $0.finding.code != code }
  }

  @inline(never)
  private mutating func reject(from start: Int, to end: Int) {
    defer { pending.removeAll() }
    guard let first = pending.first else { return }
    part.rejectedCount += 1
    guard let rejects = reading.rejects else {
      for (offset, finding) in pending { report(finding, at: offset) }
      return
    }
    var textEnd = end
    if textEnd > start, input.base[textEnd - 1] == Byte.newline { textEnd -= 1 }
    if textEnd > start, input.base[textEnd - 1] == Byte.carriageReturn { textEnd -= 1 }
    positions.advance(to: start)
    let position = positions.position(of: first.offset)
    rejects(
      RejectedRecord(
        path: reading.path, record: schema.record, line: position.line, column: position.column,
        code: first.finding.code, message: pending.map(\.finding.message).joined(separator: "; "),
        text: String(decoding: input.bytes(start, textEnd), as: UTF8.self)))
  }

  /// A mistake in the structure of the file: reading ends.
  @inline(never)
  mutating func fail(_ finding: Finding, at offset: Int, notes: [Note] = []) {
    part.isFatal = true
    report(finding, at: offset, notes: notes)
  }

  /// The file is not readable text: reading ends.
  mutating func fail(_ foreign: ForeignText, at offset: Int) {
    fail(Finding(code: foreign.code, message: foreign.message), at: offset, notes: [Note(foreign.advice)])
  }

  /// A field is missing in the header, or in the first object, which has these names. Reading ends where every record
  /// must have it, and where a column is merely written otherwise: it would be lost in silence.
  mutating func failMissing(_ column: ColumnSchema, among names: [String], of place: String, at offset: Int) {
    let others = names.filter { name in !schema.columns.contains { $0.nameInFile == name } }
    let similar = others.first { ColumnSchema.isSimilar($0, column.nameInFile) }
    guard column.isRequired || similar != nil else { return }
    let listed = names.prefix(20).map { quoted($0) }.joined(separator: ", ")
    var notes = [Note("\(place) names \(listed)\(names.count > 20 ? ", …" : "")")]
    if let near = similar ?? nearestName(to: column.nameInFile, in: others) {
      let option = "`--column \(schema.record).\(column.name)=\(near)`"
      notes.append(Note("did you mean \(quoted(near))? \(option) reads it"))
    }
    if names.contains(where: { Int($0) != nil || DayKey($0) != nil }) {
      notes.append(Note("the first line names the fields; this one looks like a record"))
    }
    let reason =
      column.isRequired
      ? "which every `\(schema.record)` must have" : "but \(quoted(similar ?? "")), which no field is called"
    let message = "found no \(quoted(column.nameInFile)) in \(place), \(reason)"
    fail(Finding(code: .missingColumn, message: message), at: offset, notes: notes)
  }

  private mutating func report(_ finding: Finding, at offset: Int, notes: [Note] = []) {
    part.findingCount += 1
    guard stretch.findings.count < TableBuilder.shownFindings else { return }
    stretch.findings.append(PlacedFinding(offset: origin + offset, finding: finding, notes: notes))
  }
}

/// The rows of a batch: cells of columns that are `TableBuilder.batchSize` cells apart.
struct RowBatch {
  let cells: UnsafeMutablePointer<Int64>
  let count: Int

  @inline(__always)
  subscript(column: Int) -> UnsafeMutablePointer<Int64> { cells + column &* TableBuilder.batchSize }
}

/// A finding at an offset of the file, whose line nobody has counted yet.
struct PlacedFinding {
  var offset: Int
  var finding: Finding
  var notes: [Note]
}
