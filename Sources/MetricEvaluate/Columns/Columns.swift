/// What an expression is evaluated for: days of one subject, or rows of one record type; one cell each.
struct Place {
  /// How many cells a column has.
  var count: Int
  /// Number of the metric's subject in its entity's space; 0 for `app`.
  var subject = 0
  /// The days; for a completion's conditions the last days of its windows.
  var days = DayRange(0)
  /// The days that an aggregate without a period of its own looks at (AGG-05).
  var period = Period.allTime
  /// Number of the counted subject, inside an aggregate over subjects.
  var counted = 0
  /// In a grouped measure, the cell of the group.
  var group = noValue
  /// Rows of a record; -1 if the record is missing.
  var rows: UnsafePointer<Int32>?
  /// By row, the subject that the fact belongs to.
  var subjects: UnsafePointer<Int32>?
}

extension Place {
  init(subject: Int, days: DayRange, period: Period) {
    self.init(count: days.count, subject: subject, days: days, period: period)
  }

  /// The same for a group.
  func of(_ group: Cell) -> Place {
    var place = self
    place.group = group
    return place
  }
}

/// A compiled expression: fills a column with one cell for each day or row of the place.
typealias Program = (_ place: Place, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker) -> Void

/// A part of a metric on some days, for a subject or for the whole dataset.
struct ColumnKey: Hashable {
  var metric: MetricID
  var part = 0
  var subject = 0
  var days: DayRange
}

/// One thread's state: memory for columns, and cached columns of metrics that several others read.
final class Worker {
  let engine: Engine
  /// Whether it shares the work of one row with other workers.
  let isPart: Bool
  /// Set if a completion window that serves as an event is out of range.
  var isOutOfRange = false

  // No code changes one of these while it reads it, so that exclusivity need not be checked for each column.
  @exclusivity(unchecked) private var scratch = Scratch()
  @exclusivity(unchecked) private var known: [ColumnKey: [Cell]] = [:]
  @exclusivity(unchecked) private var knownColumns: [ColumnKey: [Cell: GroupColumn]] = [:]

  /// Cached names of one metric's groups, so that a text is decoded once and not once a subject.
  private var groupNames: (metric: MetricID, names: [Cell: GroupKey]) = (-1, [:])
  var knownGroups = KnownGroupCells()

  private static let mostKnown = 4096

  init(engine: Engine, isPart: Bool = false) {
    self.engine = engine
    self.isPart = isPart
  }

  deinit { scratch.free() }

  /// Runs `body` with a scratch column.
  @inline(__always)
  func withCells<E>(_ count: Int, _ body: (UnsafeMutablePointer<Cell>) throws(E) -> Void) throws(E) {
    try with(Cell.self, count, body)
  }

  /// Runs `body` with uninitialised scratch memory.
  @inline(__always)
  func with<T: BitwiseCopyable, E>(
    _: T.Type, _ count: Int, _ body: (UnsafeMutablePointer<T>) throws(E) -> Void
  ) throws(E) {
    let (block, used) = (scratch.block, scratch.used)
    defer { (scratch.block, scratch.used) = (block, used) }
    try body(scratch.take(T.self, count))
  }

  /// What parts of some elements make, in their order: on several threads, unless this is one of several.
  func map<T>(_ count: Int, _ body: (Range<Int>, Worker) -> T) -> [T] {
    let pieces = isPart ? 1 : max(1, min(engine.threads, count / 256))
    return Parallel.map(pieces: pieces) { piece in
      let worker = pieces == 1 ? self : Worker(engine: engine, isPart: true)
      return body(Parallel.part(piece, of: pieces, count), worker)
    }
  }

  /// Drops cached columns before the next subject.
  func forget() {
    if !known.isEmpty { known.removeAll(keepingCapacity: true) }
    if !knownColumns.isEmpty { knownColumns.removeAll(keepingCapacity: true) }
  }

  /// The name of a group of a metric; without groups the empty one.
  func groupName(_ group: Cell, _ metric: CompiledMetric) -> GroupKey {
    guard metric.isGrouped else { return GroupKey() }
    if groupNames.metric != metric.id || groupNames.names.count >= Worker.mostKnown {
      groupNames = (metric.id, [:])
    }
    if let name = groupNames.names[group] { return name }
    let name = engine.key(of: group, metric.grouping)
    groupNames.names[group] = name
    return name
  }

  /// A part of a group of a metric as expressions read it, or whether the group is there. A metric that is out of range on
  /// a day is so in each group.
  func read(
    _ metric: CompiledMetric, group: Cell, part: Int?, subject: Int, days: DayRange,
    _ out: UnsafeMutablePointer<Cell>
  ) {
    let columns = columns(metric, subject: subject, days: days)
    let (beyond, column) = (columns[noValue], columns[group])
    for lane in 0..<days.count {
      let isThere = column?.exists(on: lane) ?? false
      if beyond?[0, lane] == outOfRange {
        out[lane] = outOfRange
      } else if let part {
        out[lane] = isThere ? column?[part, lane] ?? noValue : noValue
      } else {
        out[lane] = isThere ? 1 : 0
      }
    }
  }

  /// The columns of a metric by their groups.
  func columns(_ metric: CompiledMetric, subject: Int, days: DayRange) -> [Cell: GroupColumn] {
    guard metric.includes(subject) else { return [:] }
    let key = ColumnKey(metric: metric.id, subject: subject, days: days)
    if let known = knownColumns[key] { return known }
    let made = metric.groups(subject: subject, days: days, self)
    let columns = Dictionary(made.map { ($0.group, $0) }, uniquingKeysWith: { first, _ in first })
    knownColumns[key] = columns
    return columns
  }

  /// A part of a metric as expressions read it: none for subjects that the metric's `for … where` excludes.
  func read(
    _ metric: CompiledMetric, part: Int, subject: Int, days: DayRange, _ out: UnsafeMutablePointer<Cell>
  ) {
    guard metric.includes(subject) else { return out.update(repeating: noValue, count: days.count) }
    guard metric.isReadOften || metric.isWhole else {
      return metric.evaluate(part: part, subject: subject, days: days, out, self)
    }
    let key = ColumnKey(metric: metric.id, part: part, subject: subject, days: days)
    if let found = metric.isWhole ? engine.wholeColumns[key] : known[key] {
      found.withUnsafeBufferPointer {
        if let base = $0.baseAddress { out.update(from: base, count: days.count) }
      }
      return
    }
    metric.evaluate(part: part, subject: subject, days: days, out, self)
    let column = Array(UnsafeBufferPointer(start: out, count: days.count))
    if metric.isWhole {
      engine.wholeColumns[key] = column
    } else {
      if known.count >= Worker.mostKnown { known.removeAll(keepingCapacity: true) }
      known[key] = column
    }
  }
}

/// A stack allocator. With `withUnsafeTemporaryAllocation` habits took 2 % more instructions, a funnel 3 %.
private struct Scratch {
  private var blocks: [UnsafeMutableRawBufferPointer] = []
  /// The block that is being filled, and how much of it is taken.
  var block = -1
  var used = 0

  private static let blockBytes = 1 << 18

  func free() { for block in blocks { block.deallocate() } }

  /// Uninitialised memory for `count` values.
  @inline(__always)
  mutating func take<T: BitwiseCopyable>(_: T.Type, _ count: Int) -> UnsafeMutablePointer<T> {
    let bytes = (max(1, count) &* MemoryLayout<T>.stride &+ 15) & ~15
    if block < 0 || used &+ bytes > blocks[block].count { nextBlock(bytes) }
    let start = used
    used &+= bytes
    return UnsafeMutableRawPointer(blocks[block].baseAddress.unsafelyUnwrapped + start).bindMemory(
      to: T.self, capacity: count)
  }

  @inline(never)
  private mutating func nextBlock(_ bytes: Int) {
    used = 0
    block += 1
    while block < blocks.count, blocks[block].count < bytes { block += 1 }
    guard block == blocks.count else { return }
    blocks.append(.allocate(byteCount: max(Scratch.blockBytes, bytes), alignment: 16))
  }
}

/// Equally spaced days in rising order: a column has one cell for each.
///
/// One reference day is a range of one; a series steps by 1; the windows of a completion step by their length.
struct DayRange: Hashable {
  var first: Int32
  var step: Int32
  var count: Int

  init(first: Int32, step: Int32 = 1, count: Int) {
    self.first = first
    self.step = step
    self.count = count
  }

  init(_ day: Int32) { self.init(first: day, count: 1) }

  /// Every day from `first` through `last`; none if `last` is earlier.
  init(from first: Int32, through last: Int32) {
    self.init(first: first, count: max(0, Int(last) - Int(first) + 1))
  }

  @inline(__always)
  subscript(index: Int) -> Int32 { first &+ step &* Int32(truncatingIfNeeded: index) }

  var last: Int32 { self[count - 1] }

  /// The days that are read with an offset; of months all between them, as several may map to one (OPD-03).
  func shifted(by offset: Offset?) -> DayRange {
    switch offset {
    case nil: return self
    case .days(let days): return DayRange(first: first - Int32(days), step: step, count: count)
    case .months(let months):
      let ends = [first, last].map { DayKey(number: $0).advanced(byMonths: -months).number }
      return DayRange(from: ends[0], through: ends[1])
    }
  }

  /// The index of the first day that is not before `day`; `count` where all are.
  @inline(__always)
  func firstIndex(notBefore day: Int32) -> Int {
    let distance = Int(day) &- Int(first)
    if distance <= 0 { return 0 }
    // A division per fact cost more than the rest of the work on it.
    return min(count, step == 1 ? distance : (distance &+ Int(step) &- 1) / Int(step))
  }

  /// The indices of the days in `low…high`.
  @inline(__always)
  func indices(from low: Int32, through high: Int32) -> Range<Int> {
    let start = firstIndex(notBefore: low)
    let end = high == .max ? count : firstIndex(notBefore: high &+ 1)
    return start..<max(start, end)
  }

  @inline(__always)
  func indices(_ days: ClosedRange<Int32>) -> Range<Int> {
    indices(from: days.lowerBound, through: days.upperBound)
  }

  /// Splits rising days into the longest possible ranges.
  static func ranges(of days: [Int32]) -> [DayRange] {
    var ranges: [DayRange] = []
    for day in days {
      if var range = ranges.last, range.count == 1 || day == range.last + range.step {
        range.step = day - range.last
        range.count += 1
        ranges[ranges.count - 1] = range
      } else {
        ranges.append(DayRange(day))
      }
    }
    return ranges
  }
}
