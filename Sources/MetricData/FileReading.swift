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

  /// Where the rows go.
  private var room: RowRoom?
  /// How many times as much room they get as they should need.
  private var slack = 1
  /// How many rows there are at most, as far as some stretches of the file tell.
  private var expectedRows = 0

  init(
    source: ByteSource, format: DataFormat, path: String, schema: TableSchema, options: ReadOptions,
    rejects: ((RejectedRecord) -> Void)?, search: PlaceSearch? = nil
  ) {
    (self.source, self.format, self.path, self.schema) = (source, format, path, schema)
    (self.options, self.rejects, self.search) = (options, rejects, search)
  }

  func read(into pool: StringPool) -> ReadResult {
    var (reading, parts): (FileReading, [ReadPart]) = (self, [])
    reading.expectedRows = search == nil ? rowsOfStretch * stretches : 0
    let capacity = options.fold == nil ? reading.expectedRows : 0
    let dropped = options.counted?.dropped ?? []
    let columns = RowRoom.columns(schema, capacity: capacity, dropping: dropped) { room in
      reading.room = room
      parts = reading.readParts(pool)
      let numbers = parts.map { part in part.pool === pool ? nil : pool.take(part.pool) }
      for (part, numbers) in zip(parts, numbers).dropFirst() {
        if let other = part.fold { parts[0].fold?.merge(other, numbers: numbers) }
        if let other = part.sieve { parts[0].sieve?.merge(other, numbers: numbers) }
      }
      return room.join(parts.map(\.rows), numbers: numbers)
    }
    let fold = parts.first?.fold
    guard fold?.isAbandoned == true || parts.contains(where: \.isOverfull) else {
      var table = Table(
        schema: schema, rowCount: parts.reduce(0) { $0 + $1.rows.count }, columns: columns,
        sieve: parts.first?.sieve)
      if let fold {
        fold.keys = fold.numbers(in: pool)
        table = Table(schema: schema, folded: fold)
      }
      return result(of: parts, table)
    }
    // Reads again and keeps the records as they are. The rejected ones have been reported.
    parts = []
    var again = self
    again.options.fold = nil
    again.slack *= fold == nil ? 8 : 1
    if rejects != nil { again.rejects = { _ in } }
    return again.read(into: pool)
  }

  private func readParts(_ pool: StringPool) -> [ReadPart] {
    if let foreign = ForeignText.find(in: source.prefix(ForeignText.prefixLength)) {
      return [refused(foreign, pool)]
    }
    return switch format {
    case .csv: readCSV(pool)
    case .ndjson: readParts(from: 0, pool, targets: [])
    case .json: [readArray(pool)]
    }
  }

  // MARK: Room

  private static let stretch = 1 << 14

  /// How many rows a stretch of the file has at most, as far as some of them tell.
  private var rowsOfStretch: Int {
    let end = format == .csv ? Byte.newline : UInt8(ascii: "{")
    let places = source.count <= FileReading.stretch ? 1 : 16
    let most = (0..<places).map { place in
      withUnsafeTemporaryAllocation(byteCount: FileReading.stretch, alignment: 16) { buffer in
        let count = source.fill(buffer, from: source.count / places * place)
        return buffer[..<count].count(where: { $0 == end })
      }
    }.max()
    return ((most ?? 0) + 1) * 17 / 16 * slack + 1
  }

  /// How many stretches there are, where each part ends within one.
  private var stretches: Int { source.count / FileReading.stretch + 1 + max(1, options.threads) }

  /// The rooms of parts of the file, which start there.
  private func rooms(of starts: [Int]) -> [RowRoom?] {
    guard let room else { return starts.map { _ in nil } }
    let rows = room.rows.count / stretches
    let firsts = starts.enumerated().map { $0 == 0 ? 0 : rows * ($1 / FileReading.stretch + $0) }
    return zip(firsts, firsts.dropFirst() + [room.rows.count]).map { room.part($0..<$1) }
  }

  private func window(at offset: Int) -> FileWindow {
    var window = FileWindow(source, capacity: options.blockSize, longest: options.longestRecord)
    window.load(at: offset)
    return window
  }

  private func builder(
    _ pool: StringPool, _ window: borrowing FileWindow, room: RowRoom? = nil
  ) -> TableBuilder {
    // The lines before are counted only where records are reported at once.
    let position =
      rejects == nil ? nil : PositionCounter.positions(of: [window.origin], in: source).first
    return TableBuilder(
      schema: schema, path: path, pool: pool, fold: options.fold,
      counted: search == nil ? options.counted : nil, rejects: rejects, search: search,
      room: search == nil ? room : nil, expectedRows: expectedRows, window: window,
      position: position ?? Position(line: 1, column: 1))
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
    var builder = builder(pool, window, room: room)
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
    let rooms = rooms(of: starts)
    DispatchQueue.concurrentPerform(iterations: count) { index in
      parts[index] = reading.readPart(
        index == 0 ? pool : StringPool(), from: starts[index], to: limits[index + 1], targets,
        isFirst: index == 0, rooms[index])
    }
    var right: [ReadPart] = []
    for index in 0..<count {
      guard var part = parts[index] else { continue }
      parts[index] = nil
      if let last = right.last {
        if last.isFatal || last.fold?.isAbandoned == true { break }
        if last.end != part.start {
          part = readPart(StringPool(), from: last.end, to: limits[index + 1], targets, rooms[index])
        }
      }
      right.append(part)
    }
    return right
  }

  private func readPart(
    _ pool: StringPool, from start: Int, to limit: Int, _ targets: [Int], isFirst: Bool = false,
    _ room: RowRoom?
  ) -> ReadPart {
    var window = window(at: start)
    var builder = builder(pool, window, room: room)
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

  private func result(of parts: [ReadPart], _ table: Table) -> ReadResult {
    let placed = Array(parts.flatMap(\.findings).prefix(TableBuilder.shownFindings))
    let positions = PositionCounter.positions(of: placed.map(\.offset), in: source)
    let findings = zip(placed, positions).map { placed, position in
      Diagnostic(
        .error, placed.finding.code, placed.finding.message,
        at: .data(path: path, line: position.line, column: position.column), notes: placed.notes)
    }
    return ReadResult(
      table: table, findings: findings,
      findingCount: parts.reduce(0) { $0 + $1.findingCount },
      rejectedCount: parts.reduce(0) { $0 + $1.rejectedCount }, isFatal: parts.contains(where: \.isFatal))
  }
}

/// The result of reading a stretch of a file.
struct ReadPart {
  /// Where in the file the search for the first record began, and where the next one starts.
  let start: Int
  let end: Int
  /// Where its rows are.
  let rows: Range<Int>
  /// Whether there was no room for some.
  let isOverfull: Bool
  let fold: FoldStore?
  let sieve: RecordSieve?
  /// What the texts are numbers of.
  let pool: StringPool
  let findings: [PlacedFinding]
  let findingCount: Int
  let rejectedCount: Int
  let isFatal: Bool
}
