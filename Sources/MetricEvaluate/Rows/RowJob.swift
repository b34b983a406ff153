import Synchronization

/// The rows of one metric.
struct RowJob: Sendable {
  let id: MetricID
  let days: [DayKey]
  /// The same days, in ranges; for a metric that reads windows one of all days between the first and the last.
  private let ranges: [DayRange]
  /// Whose subjects it has rows for; nil for one row for the whole dataset, without a subject.
  let entity: RecordID?
  /// Numbers of the subjects, rising, so by the bytes of their ids.
  let subjects: [Int32]
  let engine: Engine
  /// Where rows are written as text.
  let names: EntityNames?

  /// - Parameters:
  ///   - subjects: numbers of those that are asked about; nil for all that exist.
  ///   - names: only subjects with one of these; empty for all.
  init(
    _ id: MetricID, days: [DayKey], subjects: [Int32]? = nil, named names: [String] = [],
    isText: Bool = false, engine: Engine
  ) {
    (self.id, self.days, self.engine) = (id, days, engine)
    let metric = engine.metric(id)
    ranges = RowJob.ranges(days, metric)
    entity = metric.plan.entityOfRows(engine.library)
    self.names = isText ? entity.map(engine.names) : nil
    let all =
      subjects
      ?? entity.map { entity in
        let exists = engine.existing(engine.needs.subjects(of: entity, for: id))
        return (0..<Int32(exists.count)).filter { exists[Int($0)] && metric.includes(Int($0)) }
      } ?? [0]
    let wanted = Set(names.compactMap { [entity] in engine.number(of: $0, entity) })
    self.subjects = names.isEmpty ? all : all.filter { wanted.contains(Int($0)) }
  }

  /// A metric that reads windows goes through all days up to the last one anyway: for weeks and months it does so once.
  private static func ranges(_ days: [DayKey], _ metric: CompiledMetric) -> [DayRange] {
    let ranges = DayRange.ranges(of: days.map(\.number))
    guard let first = ranges.first, let last = ranges.last, ranges.count > 1, metric.readsWindows else {
      return ranges
    }
    let all = DayRange(from: first.first, through: last.last)
    return all.count <= 31 * days.count ? [all] : ranges
  }

  var metric: CompiledMetric { engine.metric(id) }

  /// How many subjects are written at once: fewer where each has many rows, so that pieces stay a few megabytes.
  var pieceSize: Int { min(512, max(1, (1 << 17) / max(1, days.count * metric.plan.parts.count))) }

  /// The rows of some of the subjects.
  func rows(_ range: Range<Int>, _ worker: Worker) throws(EvaluationError) -> [ResultRow] {
    let metric = metric
    let plan = metric.plan
    var rows: [ResultRow] = []
    rows.reserveCapacity(range.count * days.count * plan.parts.count)
    for index in range {
      let subject = Int(subjects[index])
      let name = engine.id(entity, subject)
      try forEachRow(metric, subject, worker) { group, part, day, value in
        rows.append(
          ResultRow(
            metric: plan.name, subject: name, group: group, part: plan.parts[part].name,
            at: days[day], value: engine.value(of: value, plan.parts[part].type)))
      }
    }
    return rows
  }

  /// The same rows as text.
  func text(
    _ range: Range<Int>, _ worker: Worker, _ format: RowFormat, _ open: DayKey?
  ) throws(EvaluationError) -> [UInt8] {
    let metric = metric
    var text = RowText(format, job: self, metric, open: open)
    for index in range {
      let subject = Int(subjects[index])
      text.start(subject)
      try forEachRow(metric, subject, worker) { group, part, day, value in
        text.append(group: group, part: part, day: day, value: value)
      }
    }
    return text.finish()
  }

  /// Calls `body` with the rows of one subject in their order: by group, part and day.
  @inline(__always)
  private func forEachRow(
    _ metric: CompiledMetric, _ subject: Int, _ worker: Worker,
    _ body: (_ group: GroupKey, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    worker.forget()
    guard metric.hasParts else { return try forEachGroupRow(metric, subject, worker, body) }
    let isDense = ranges.count == 1 && ranges[0].step == 1
    try worker.withCells(ranges.reduce(0) { $0 + $1.count }) { cells throws(EvaluationError) in
      for part in metric.plan.parts.indices {
        var first = 0
        for range in ranges {
          metric.evaluate(part: part, subject: subject, days: range, cells + first, worker)
          first += range.count
        }
        for day in days.indices {
          let cell = cells[isDense ? Int(days[day].number - ranges[0].first) : day]
          if cell == outOfRange { throw overflow(metric, subject, days[day]) }
          body(GroupKey(), part, day, cell)
        }
      }
    }
  }

  private func forEachGroupRow(
    _ metric: CompiledMetric, _ subject: Int, _ worker: Worker,
    _ body: (_ group: GroupKey, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    /// With the names of their groups, and the index of the first day of their ranges.
    var columns: [(name: GroupKey, first: Int, column: GroupColumn)] = []
    var first = 0
    for range in ranges {
      for column in metric.groups(subject: subject, days: range, worker) {
        let beyond = column.cells.indices.lazy.filter { column.cells[$0] == outOfRange }
        if let day = beyond.map({ $0 % range.count }).min() {
          throw overflow(metric, subject, days[first + day])
        }
        columns.append((worker.groupName(column.group, metric), first, column))
      }
      first += range.count
    }
    columns.sort { $0.column.group == $1.column.group ? $0.first < $1.first : $0.name < $1.name }
    var start = 0
    while start < columns.count {
      var end = start + 1
      while end < columns.count, columns[end].column.group == columns[start].column.group { end += 1 }
      for part in metric.plan.parts.indices {
        for (name, first, column) in columns[start..<end] {
          column.forEachDay { body(name, part, first + $0, column[part, $0]) }
        }
      }
      start = end
    }
  }

  private func overflow(_ metric: CompiledMetric, _ subject: Int, _ day: DayKey) -> EvaluationError {
    .overflow(metric: metric.plan.name, subject: engine.id(entity, subject), day: day)
  }
}

extension Metric {
  /// Whether it has one row for all its subjects: a funnel, a retention, or a level of one.
  package func isOfMany(_ library: Library) -> Bool {
    if case .level(let level) = body { return library.metrics[level.metric].isOfMany(library) }
    return kind.countsSubjects
  }

  /// Whose subjects have a row each; nil if there is one for all.
  func entityOfRows(_ library: Library) -> RecordID? { isOfMany(library) ? nil : subject.entity }
}

/// Runs jobs in pieces on several threads. Pieces are delivered in order as soon as all before them are done, so rows
/// and errors do not depend on the number of threads.
///
/// - Parameters:
///   - make: makes a piece of some of a job's subjects.
///   - take: takes the pieces in their order; on any thread, one at a time.
func runInPieces<Piece: Sendable>(
  _ jobs: [RowJob], threads: Int, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)?,
  make: (RowJob, Range<Int>, Worker) throws(EvaluationError) -> Piece, take: (Piece) -> Void
) throws(EvaluationError) {
  let subjectCount = jobs.reduce(0) { $0 + $1.subjects.count }
  let work = jobs.flatMap { job in
    stride(from: 0, to: job.subjects.count, by: job.pieceSize).map { start in
      (job, start..<min(start + job.pieceSize, job.subjects.count))
    }
  }
  guard let engine = work.first?.0.engine else { return }
  let queue = Mutex(PieceQueue<Piece>(count: work.count))
  Parallel.perform(pieces: min(threads, work.count)) { _ in
    let worker = Worker(engine: engine)
    while let index = queue.withLock({ $0.takeNext() }) {
      let (job, range) = work[index]
      let piece = Result { () throws(EvaluationError) in try make(job, range, worker) }
      let done = queue.withLock { $0.finish(index, piece, subjects: range.count, take) }
      progress?(done, subjectCount)
    }
  }
  if let failure = queue.withLock({ $0.failure }) { throw failure }
}

/// Which pieces are being made, and those that are made before their turn.
private struct PieceQueue<Piece: Sendable> {
  let count: Int
  var next = 0
  var given = 0
  var doneSubjects = 0
  var pieces: [Int: Result<Piece, EvaluationError>] = [:]
  var failure: EvaluationError?

  /// The next piece to make; nil if none is left or an earlier one failed.
  mutating func takeNext() -> Int? {
    guard next < count, failure == nil else { return nil }
    next += 1
    return next - 1
  }

  /// - Returns: how many subjects are done.
  mutating func finish(
    _ index: Int, _ piece: Result<Piece, EvaluationError>, subjects: Int, _ take: (Piece) -> Void
  ) -> Int {
    pieces[index] = piece
    doneSubjects += subjects
    while failure == nil, let piece = pieces.removeValue(forKey: given) {
      given += 1
      switch piece {
      case .success(let piece): take(piece)
      case .failure(let error): failure = error
      }
    }
    return doneSubjects
  }
}
