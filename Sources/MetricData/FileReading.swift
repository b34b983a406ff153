import Dispatch
import MetricDiagnostics

/// Reads a file in parts, each on a thread of its own, and puts them together.
///
/// A part starts after a line feed. In a CSV file that may lie within quotes: so each part but the first is a
/// guess, which holds where the part before it ends exactly there. A part that was guessed wrongly is read
/// again from the right place. So the rows, the findings and their order are those of one pass over the file.
struct FileReading {
  let source: ByteSource
  let format: DataFormat
  /// As findings show it.
  let path: String
  let schema: TableSchema
  var options: ReadOptions
  var rejects: ((RejectedRecord) -> Void)?
  var search: PlaceSearch?

  func read(into pool: StringPool) -> ReadResult {
    let foreign = ForeignText.find(in: source.prefix(ForeignText.prefixLength))
    var parts =
      switch (foreign, format) {
      case (let foreign?, _): [refused(foreign, pool)]
      case (nil, .csv): readCSV(pool)
      case (nil, .ndjson): readParts(from: 0, pool, targets: [])
      case (nil, .json): [readArray(pool)]
      }
    if !parts.contains(where: \.hasGivenUp) {
      let result = result(of: &parts, pool)
      if result.table.folded?.isAbandoned != true { return result }
    }
    // Reads again and keeps the records as they are. The rejected ones have been reported.
    parts = []
    var again = self
    again.options.fold = nil
    if rejects != nil { again.rejects = { _ in } }
    return again.read(into: pool)
  }

  private func window(at offset: Int) -> FileWindow {
    var window = FileWindow(source, capacity: options.blockSize, longest: options.longestRecord)
    window.load(at: offset)
    return window
  }

  /// - Parameter expectedBytes: how many bytes will go into the table in all.
  private func builder(
    _ pool: StringPool, _ window: borrowing FileWindow, expectedBytes: Int = 0
  ) -> TableBuilder {
    // The lines before are counted only where records are reported at once.
    let position =
      rejects == nil ? nil : PositionCounter.positions(of: [window.origin], in: source).first
    return TableBuilder(
      schema: schema, path: path, pool: pool, fold: options.fold, rejects: rejects, search: search,
      window: window, position: position ?? Position(line: 1, column: 1), expectedBytes: expectedBytes)
  }

  // MARK: Formats

  private func refused(_ foreign: ForeignText, _ pool: StringPool) -> ReadPart {
    var builder = builder(pool, FileWindow(source, capacity: options.blockSize))
    builder.fail(foreign, at: 0)
    return builder.finish(start: 0, end: 0)
  }

  private func readCSV(_ pool: StringPool) -> [ReadPart] {
    var window = window(at: 0)
    var builder = builder(pool, window)
    let reader = CSVReader(&window, header: &builder)
    let end = window.origin + reader.scanner.cursor
    let targets = reader.targets
    let isFatal = builder.isFatal
    let header = builder.finish(start: 0, end: end)
    return isFatal ? [header] : readParts(from: end, pool, targets: targets)
  }

  /// A JSON array does not show where a record starts: it is one part.
  private func readArray(_ pool: StringPool) -> ReadPart {
    var window = window(at: 0)
    var builder = builder(pool, window, expectedBytes: source.count)
    builder.isFirstPart = true
    var reader = JSONArrayReader(window.input, schema: schema)
    reader.read(into: &builder, &window)
    return builder.finish(start: 0, end: window.origin + window.count)
  }

  // MARK: Parts

  private func readParts(from start: Int, _ pool: StringPool, targets: [Int]) -> [ReadPart] {
    let starts = partStarts(from: start)
    let count = starts.count
    nonisolated(unsafe) let parts = UnsafeMutablePointer<ReadPart?>.allocate(capacity: count)
    parts.initialize(repeating: nil, count: count)
    defer {
      parts.deinitialize(count: count)
      parts.deallocate()
    }
    nonisolated(unsafe) let reading = self
    let limits = starts.dropFirst() + [source.count]
    DispatchQueue.concurrentPerform(iterations: count) { index in
      parts[index] = reading.readPart(
        index == 0 ? pool : StringPool(), from: starts[index], to: limits[index + 1], targets,
        isFirst: index == 0,
        expectedBytes: (index == 0 ? reading.source.count : limits[index + 1]) - starts[index])
    }
    var right: [ReadPart] = []
    for index in 0..<count {
      guard var part = parts[index] else { continue }
      parts[index] = nil
      if let last = right.last {
        if last.isFatal || last.hasGivenUp { break }
        if last.end != part.start {
          part = readPart(
            StringPool(), from: last.end, to: limits[index + 1], targets,
            expectedBytes: limits[index + 1] - last.end)
        }
      }
      right.append(part)
    }
    return right
  }

  /// - Parameter expectedBytes: for the first part, those of all, because the others are appended to it.
  private func readPart(
    _ pool: StringPool, from start: Int, to limit: Int, _ targets: [Int], isFirst: Bool = false,
    expectedBytes: Int
  ) -> ReadPart {
    var window = window(at: start)
    var builder = builder(pool, window, expectedBytes: expectedBytes)
    builder.isFirstPart = isFirst
    let start = window.origin + window.input.start
    let end: Int
    if format == .csv {
      var reader = CSVReader(window, targets: targets)
      end = reader.read(into: &builder, &window, from: start, to: limit)
    } else {
      var reader = NDJSONReader(window.input, schema: schema)
      end = reader.read(into: &builder, &window, from: start, to: limit)
    }
    return builder.finish(start: start, end: end)
  }

  /// Where the parts start: the first at `first`, each other one after a line feed.
  private func partStarts(from first: Int) -> [Int] {
    let size = source.count - first
    // Rejected records are reported in order while reading.
    let threads = rejects == nil ? options.threads : 1
    let count = max(1, min(threads, size / max(1, options.bytesPerThread)))
    var starts = [first]
    for index in 1..<max(1, count) {
      guard let start = lineStart(from: first + size / count * index), start > starts[starts.count - 1] else {
        continue
      }
      starts.append(start)
    }
    return starts
  }

  /// The first place after a line feed that is at `offset` or later.
  private func lineStart(from offset: Int) -> Int? {
    var window = FileWindow(source, capacity: 4096)
    window.load(at: offset)
    while true {
      let found = ByteScan.first(Byte.newline, window.base, from: 0, to: window.count)
      if found < window.count { return window.origin + found + 1 }
      if window.isAtEnd { return nil }
      window.slide(to: window.count)
    }
  }

  // MARK: The result

  private func result(of parts: inout [ReadPart], _ pool: StringPool) -> ReadResult {
    let placed = Array(parts.flatMap(\.findings).prefix(TableBuilder.shownFindings))
    let positions = PositionCounter.positions(of: placed.map(\.offset), in: source)
    let findings = zip(placed, positions).map { placed, position in
      Diagnostic(
        .error, placed.finding.code, placed.finding.message,
        at: .data(path: path, line: position.line, column: position.column), notes: placed.notes)
    }
    return ReadResult(
      table: ReadPart.joined(&parts, schema: schema, pool: pool), findings: findings,
      findingCount: parts.reduce(0) { $0 + $1.findingCount },
      rejectedCount: parts.reduce(0) { $0 + $1.rejectedCount }, isFatal: parts.contains(where: \.isFatal))
  }
}

/// The result of reading a stretch of a file.
struct ReadPart {
  /// Where in the file the search for the first record began, and where the next one starts.
  let start: Int
  let end: Int
  var columns: [Column]
  let rowCount: Int
  var fold: FoldStore?
  /// What the texts are numbers of.
  let pool: StringPool
  let findings: [PlacedFinding]
  let findingCount: Int
  let rejectedCount: Int
  let isFatal: Bool

  /// Whether the records take less as they are than folded.
  var hasGivenUp: Bool { fold?.isAbandoned == true }

  /// One table of all parts, whose texts are numbers of `pool`. The parts give away what they have.
  static func joined(_ parts: inout [ReadPart], schema: TableSchema, pool: StringPool) -> Table {
    let numbers = parts.map { part in part.pool === pool ? nil : pool.take(part.pool) }
    if let fold = parts.first?.fold {
      for index in parts.indices.dropFirst() {
        if let other = parts[index].fold { fold.merge(other, numbers: numbers[index]) }
        parts[index].fold = nil
      }
      fold.keys = fold.numbers(in: pool)
      return Table(schema: schema, folded: fold)
    }
    let rowCount = parts.reduce(0) { $0 + $1.rowCount }
    let columns = joinedColumns(&parts, schema, rowCount, numbers)
    return Table(schema: schema, rowCount: rowCount, columns: columns)
  }

  /// Column by column on all threads: one thread alone took a tenth of the time of a query of ten million events.
  private static func joinedColumns(
    _ parts: inout [ReadPart], _ schema: TableSchema, _ rowCount: Int, _ numbers: [[Int32]?]
  ) -> [Column] {
    // Each is held by its task alone, so that what was read first is not copied: it has room for the others.
    let count = schema.columns.count
    let tasks = UnsafeMutablePointer<[Column]>.allocate(capacity: max(1, count))
    for index in 0..<count { (tasks + index).initialize(to: parts.map { $0.columns[index] }) }
    for part in parts.indices { parts[part].columns = [] }
    defer {
      tasks.deinitialize(count: count)
      tasks.deallocate()
    }
    nonisolated(unsafe) let columns = tasks
    DispatchQueue.concurrentPerform(iterations: parts.count > 1 ? count : 0) { index in
      let isText = schema.columns[index].type == .text
      join(&columns[index], rowCount, numbers: isText ? numbers : [])
    }
    return (0..<count).map { tasks[$0].first ?? Column(type: schema.columns[$0].type) }
  }

  /// Appends all others to the first, which is then the only one.
  ///
  /// - Parameter numbers: for each piece, for the numbers of its pool those of the table's; nil or none if they are the
  ///   same.
  private static func join(_ pieces: inout [Column], _ rowCount: Int, numbers: [[Int32]?]) {
    guard pieces.count > 1 else { return }
    let first = pieces.removeFirst()
    switch consume first {
    case .narrow(var cells):
      cells.reserveCapacity(rowCount)
      for (index, piece) in pieces.enumerated() {
        guard case .narrow(let own) = piece else { continue }
        if index + 1 < numbers.count, let numbers = numbers[index + 1] {
          for cell in own { cells.append(cell == Column.missingNarrow ? cell : numbers[Int(cell)]) }
        } else {
          cells += own
        }
      }
      pieces = [.narrow(cells)]
    case .wide(var cells):
      cells.reserveCapacity(rowCount)
      for case .wide(let own) in pieces { cells += own }
      pieces = [.wide(cells)]
    }
  }
}
