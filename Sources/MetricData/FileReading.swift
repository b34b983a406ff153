/// Reads a file in parts, each on a thread of its own, and puts them together.
///
/// A part starts after a line feed. In a CSV file that may lie within quotes: so each part but the first is a
/// guess, which holds where the part before it ends exactly there. A part that was guessed wrongly is read
/// again from the right place. So the rows, the findings and their order are those of one pass over the file.
///
/// A thread that is done takes over some of another one's part (`ReadingShare`).
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
  var room: RowRoom?
  /// How many times as much room they get as they should need.
  var slack = 1
  /// How many rows there are at most, as far as some stretches of the file tell.
  var expectedRows = 0

  func read(into pool: StringPool) -> ReadResult {
    var (reading, parts): (FileReading, [ReadPart]) = (self, [])
    reading.expectedRows = search == nil ? rowsOfStretch * stretches : 0
    let capacity = options.fold == nil ? reading.expectedRows : 0
    let dropped = options.counted?.dropped ?? []
    let columns = RowRoom.columns(schema, capacity: capacity, dropping: dropped) { room in
      reading.room = search == nil ? room : nil
      parts = reading.readParts(pool)
      let numbers = parts.map { part in part.pool === pool ? nil : pool.take(part.pool) }
      for (part, numbers) in zip(parts, numbers).dropFirst() {
        if let other = part.fold { parts[0].fold?.merge(other, numbers: numbers) }
        if let other = part.sieve { parts[0].sieve?.merge(other, numbers: numbers) }
      }
      let rows = zip(parts, numbers).flatMap { part, numbers in
        part.stretches.compactMap { stretch in
          stretch.rows.map { RowRoom.Rows(range: $0, codes: part.codes, numbers: numbers) }
        }
      }
      return room.join(rows.sorted { $0.range.lowerBound < $1.range.lowerBound }, pool)
    }
    let fold = parts.first?.fold
    guard fold?.isAbandoned == true || parts.contains(where: \.isOverfull) else {
      fold?.findKeys(in: pool)
      let table = Table(
        schema: schema, rowCount: parts.reduce(0) { $0 + $1.rowCount }, columns: columns, folded: fold,
        sieve: parts.first?.sieve)
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
      var builder = TableBuilder(self, pool, window(at: 0))
      builder.fail(foreign, at: 0)
      return [builder.finish(at: 0)]
    }
    return switch format {
    case .csv: readCSV(pool)
    case .ndjson: readParts(from: 0, pool, targets: [], isShared: true)
    case .json: [readArray(pool)]
    }
  }

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

  /// How much of the file a thread takes at a time.
  private var bite: Int { max(1, options.bytesPerThread, source.count / 1024) }

  /// How many stretches there are, where each part ends within one, and each bite that a thread takes.
  private var stretches: Int {
    source.count / FileReading.stretch + 1 + source.count / bite + max(1, options.threads)
  }

  /// The room of the records that start in some range of the file, of which parts start at `starts`.
  private func room(of bytes: Range<Int>, _ starts: [Int]) -> RowRoom? {
    guard var room else { return nil }
    let all = room.rows.count
    let rows = all / stretches
    func firstRow(_ place: Int) -> Int {
      guard place < source.count else { return all }
      let offset = place - starts[0]
      let earlier = starts.count { $0 <= place } - 1
      return rows * (offset / FileReading.stretch + offset / bite + earlier)
    }
    room.rows = firstRow(bytes.lowerBound)..<firstRow(bytes.upperBound)
    return room
  }

  private func window(at offset: Int) -> FileWindow {
    FileWindow(source, capacity: options.blockSize, longest: options.longestRecord, at: offset)
  }

  private func readCSV(_ pool: StringPool) -> [ReadPart] {
    var window = window(at: 0)
    var builder = TableBuilder(self, pool, window)
    let reader = CSVReader(&window, header: &builder)
    let end = window.origin + reader.scanner.cursor
    guard !builder.isFatal else { return [builder.finish(at: end)] }
    return readParts(from: end, pool, targets: reader.targets, isShared: true)
  }

  /// A JSON array does not show where a record starts: it is one part.
  private func readArray(_ pool: StringPool) -> ReadPart {
    var window = window(at: 0)
    var builder = TableBuilder(self, pool, window)
    builder.isFirstPart = true
    builder.room = room
    var reader = JSONArrayReader(window.input, schema: schema)
    reader.read(into: &builder, &window)
    return builder.finish(at: window.origin + window.count)
  }

  /// - Parameter isShared: whether a thread may take over some of another one's part.
  private func readParts(
    from start: Int, _ pool: StringPool, targets: [Int], isShared: Bool
  ) -> [ReadPart] {
    let starts = partStarts(from: start)
    let share = ReadingShare(starts, end: source.count, bite: isShared ? bite : source.count + 1)
    let read = Parallel.map(pieces: starts.count) { index in
      readPart(index == 0 ? pool : StringPool(), share, index, from: starts[index], targets)
    }
    guard share.hasGiven else { return repaired(read, share, starts, targets) }
    return ReadPart.areWhole(read) ? read : readParts(from: start, pool, targets: targets, isShared: false)
  }

  /// The parts up to one that ended the reading; those that do not start where the one before them ends are read again.
  private func repaired(
    _ parts: [ReadPart], _ share: ReadingShare, _ starts: [Int], _ targets: [Int]
  ) -> [ReadPart] {
    var right = [parts[0]]
    for (index, part) in parts.enumerated().dropFirst() {
      if right[index - 1].hasStopped { break }
      let start = right[index - 1].end
      guard start != part.start else {
        right.append(part)
        continue
      }
      // A record may end after the whole part.
      let limit = index + 1 < starts.count ? starts[index + 1] : source.count
      share.leave(index, start..<max(start, limit))
      right.append(readPart(StringPool(), share, index, from: start, targets))
    }
    return right
  }

  private func readPart(
    _ pool: StringPool, _ share: ReadingShare, _ thread: Int, from start: Int, _ targets: [Int]
  ) -> ReadPart {
    var window = window(at: start)
    var builder = TableBuilder(self, pool, window)
    builder.isFirstPart = thread == 0
    let end: Int
    if format == .csv {
      var reader = CSVReader(window, targets: targets)
      end = read(share, thread, with: &reader, into: &builder, &window)
    } else {
      var reader = NDJSONReader(window.input, schema: schema)
      end = read(share, thread, with: &reader, into: &builder, &window)
    }
    return builder.finish(at: end)
  }

  /// Reads what a thread takes, and gives where the next record starts.
  private func read<Reader: RecordReader & ~Copyable>(
    _ share: ReadingShare, _ thread: Int, with reader: inout Reader, into builder: inout TableBuilder,
    _ window: inout FileWindow
  ) -> Int {
    var first = window.origin
    var next = first + window.input.start
    while !builder.isDone, let bite = share.take(thread, mayBeCut: reader.mayBeCut) {
      if bite.isElsewhere {
        first = bite.start
        window.load(at: lineStart(from: first - 1))
        builder.begin(window, after: next)
        next = window.origin
      }
      builder.room = room(of: first..<bite.free, share.starts)
      next = reader.read(into: &builder, &window, from: next, to: bite.end)
    }
    // Nobody reads on after a mistake that ends the reading.
    share.leave(thread, next..<next)
    return next
  }

  /// Where the parts start: the first at `first`, each other one after a line feed.
  private func partStarts(from first: Int) -> [Int] {
    let size = source.count - first
    // Rejected records are reported in order while reading.
    let threads = rejects == nil ? options.threads : 1
    let count = max(1, min(threads, size / max(1, options.bytesPerThread)))
    var starts = [first]
    for index in 1..<count {
      let start = lineStart(from: first + size / count * index)
      if start > starts[starts.count - 1], start < source.count { starts.append(start) }
    }
    return starts
  }

  /// The first place after a line feed that is at `offset` or later; the end of the file if there is none.
  private func lineStart(from offset: Int) -> Int {
    var window = FileWindow(source, capacity: 4096, at: offset)
    while true {
      let found = ByteScan.first(Byte.newline, window.base, from: 0, to: window.count)
      if found < window.count { return window.origin + found + 1 }
      if window.isAtEnd { return source.count }
      window.slide(to: window.count)
    }
  }

  private func result(of parts: [ReadPart], _ table: Table) -> ReadResult {
    let stretches = parts.flatMap(\.stretches).sorted { $0.start < $1.start }
    let placed = Array(stretches.flatMap(\.findings).prefix(TableBuilder.shownFindings))
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

/// A stretch of a file that a thread has read.
struct ReadStretch {
  /// Where in the file the search for the first record began, and where the next one starts.
  let start: Int
  var end = 0
  /// Where its rows are; nil as long as it has none.
  var rows: Range<Int>?
  var findings: [PlacedFinding] = []
}

/// What a thread has read: its part of the file, less what others took over, and what it took over itself.
struct ReadPart {
  var stretches: [ReadStretch] = []
  /// By column those of its texts, if they are few.
  var codes: [TextCodes?] = []
  /// Whether there was no room for some rows.
  var isOverfull = false
  let fold: FoldStore?
  let sieve: RecordSieve?
  /// What the texts are numbers of.
  let pool: StringPool
  var findingCount = 0
  var rejectedCount = 0
  var isFatal = false

  var start: Int { stretches[0].start }
  var end: Int { stretches[stretches.count - 1].end }
  var rowCount: Int { stretches.reduce(0) { $0 + ($1.rows?.count ?? 0) } }
  /// Whether it ends before its end.
  var hasStopped: Bool { isFatal || fold?.isAbandoned == true }

  /// Whether all stretches of the parts follow each other without a gap.
  static func areWhole(_ parts: [ReadPart]) -> Bool {
    let stretches = parts.flatMap(\.stretches).sorted { $0.start < $1.start }
    return !parts.contains(where: \.isFatal)
      && zip(stretches, stretches.dropFirst()).allSatisfy { $0.end == $1.start }
  }
}
