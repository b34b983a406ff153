import Dispatch
import Synchronization

/// The rows of one metric.
struct RowJob: Sendable {
  let id: MetricID
  let days: [DayKey]
  /// The same days, in ranges; for a metric that reads windows one of all days between the first and the last.
  private let ranges: [DayRange]
  /// Numbers of the subjects, rising, so by the bytes of their ids.
  let subjects: [Int32]
  let engine: Engine
  /// The ids of the subjects' entity, where they are written as text.
  let names: EntityNames?

  /// - Parameter isText: whether `text` will be requested.
  init(_ id: MetricID, request: EvaluationRequest, engine: Engine, isText: Bool) {
    self.engine = engine
    names = isText ? engine.library.metrics[id].subject.entity.map { engine.names($0) } : nil
    self.id = id
    days = request.days
    let metric = engine.metric(id)
    ranges = RowJob.ranges(days, metric)
    guard let entity = metric.plan.subject.entity, !metric.plan.isOfMany(engine.library) else {
      subjects = request.subjects.isEmpty || request.subjects.contains("") ? [0] : []
      return
    }
    let exists = engine.existing(engine.needs.subjects(of: entity, for: id))
    let chosen = Set(request.subjects.compactMap { engine.number(of: $0, entity) })
    subjects = (0..<Int32(exists.count)).filter { number in
      exists[Int(number)] && metric.includes(Int(number))
        && (request.subjects.isEmpty || chosen.contains(Int(number)))
    }
  }

  init(_ id: MetricID, days: [DayKey], subjects: [Int32], engine: Engine) {
    self.id = id
    self.days = days
    ranges = RowJob.ranges(days, engine.metric(id))
    self.subjects = subjects
    self.engine = engine
    names = nil
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

  /// Whether it has one row for the whole dataset, without a subject.
  var isWhole: Bool { metric.isWhole || metric.plan.isOfMany(engine.library) }

  /// The rows of some of the subjects.
  func rows(_ range: Range<Int>, _ worker: Worker) throws(EvaluationError) -> [ResultRow] {
    let (metric, isWhole) = (metric, isWhole)
    let plan = metric.plan
    var rows: [ResultRow] = []
    rows.reserveCapacity(range.count * days.count * plan.parts.count)
    for index in range {
      let subject = Int(subjects[index])
      let name = isWhole ? "" : engine.id(plan.subject.entity, subject)
      try forEachRow(metric, subject, name, worker) { group, part, day, value in
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
    let (metric, isWhole) = (metric, isWhole)
    var text = RowText(format, job: self, metric, open: open)
    for index in range {
      let subject = Int(subjects[index])
      text.start(isWhole ? nil : subject)
      // The name is wanted for an error only.
      try forEachRow(metric, subject, nil, worker) { group, part, day, value in
        text.append(group: group, part: part, day: day, value: value)
      }
    }
    return text.finish()
  }

  /// Calls `body` with the rows of one subject in their order: by group, part and day.
  ///
  /// - Parameter name: the subject's name in errors; nil means its id.
  @inline(__always)
  private func forEachRow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ worker: Worker,
    _ body: (_ group: GroupKey, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    worker.forget()
    guard metric.hasParts else { return try forEachGroupRow(metric, subject, name, worker, body) }
    let mark = worker.scratch.mark
    defer { worker.scratch.release(to: mark) }
    let isDense = ranges.count == 1 && ranges[0].step == 1
    let cells = worker.scratch.take(Cell.self, ranges.reduce(0) { $0 + $1.count })
    for part in metric.plan.parts.indices {
      var first = 0
      for range in ranges {
        metric.evaluate(part: part, subject: subject, days: range, cells + first, worker)
        first += range.count
      }
      for day in days.indices {
        let cell = cells[isDense ? Int(days[day].number - ranges[0].first) : day]
        if cell == outOfRange { throw overflow(metric, subject, name, days[day]) }
        body(GroupKey(), part, day, cell)
      }
    }
  }

  private func forEachGroupRow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ worker: Worker,
    _ body: (_ group: GroupKey, _ part: Int, _ day: Int, _ value: Cell) -> Void
  ) throws(EvaluationError) {
    var columns: [NamedColumn] = []
    var first = 0
    for range in ranges {
      for column in metric.groups(subject: subject, days: range, worker) {
        let beyond = column.cells.indices.lazy.filter { column.cells[$0] == outOfRange }
        if let day = beyond.map({ $0 % range.count }).min() {
          throw overflow(metric, subject, name, days[first + day])
        }
        columns.append(
          NamedColumn(name: worker.groupName(column.group, metric), first: first, column: column))
      }
      first += range.count
    }
    columns.sort(by: NamedColumn.isBefore)
    var start = 0
    while start < columns.count {
      var end = start + 1
      while end < columns.count, columns[end].column.group == columns[start].column.group { end += 1 }
      for part in metric.plan.parts.indices {
        for named in columns[start..<end] {
          named.column.forEachDay { body(named.name, part, named.first + $0, named.column[part, $0]) }
        }
      }
      start = end
    }
  }

  /// A group's column over one of the ranges.
  private struct NamedColumn {
    var name: GroupKey
    /// The index of the range's first day.
    var first: Int
    var column: GroupColumn

    /// By group and then by day.
    static func isBefore(_ left: NamedColumn, _ right: NamedColumn) -> Bool {
      left.column.group == right.column.group ? left.first < right.first : left.name < right.name
    }
  }

  private func overflow(
    _ metric: CompiledMetric, _ subject: Int, _ name: String?, _ day: DayKey
  ) -> EvaluationError {
    let subject = name ?? (isWhole ? "" : engine.id(metric.plan.subject.entity, subject))
    return .overflow(metric: metric.plan.name, subject: subject, day: day)
  }
}

extension Metric {
  /// Whether it has one row for all its subjects: a funnel, a retention, or a level of one.
  package func isOfMany(_ library: Library) -> Bool {
    if case .level(let level) = body { return library.metrics[level.metric].isOfMany(library) }
    return kind.countsSubjects
  }
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
  let queue = Mutex(PieceQueue<Piece>(count: work.count))
  // They are used during the call only.
  withoutActuallyEscaping(make) { make in
    withoutActuallyEscaping(take) { take in
      nonisolated(unsafe) let (make, take) = (make, take)
      DispatchQueue.concurrentPerform(iterations: min(threads, work.count)) { _ in
        let worker = Worker(engine: work[0].0.engine)
        while let index = queue.withLock({ $0.takeNext() }) {
          let (job, range) = work[index]
          let piece = Result { () throws(EvaluationError) in try make(job, range, worker) }
          let done = queue.withLock { $0.finish(index, piece, subjects: range.count, take) }
          progress?(done, subjectCount)
        }
      }
    }
  }
  if let failure = queue.withLock({ $0.failure }) { throw failure }
}

/// Which pieces are being made, and those that are made before their turn.
private struct PieceQueue<Piece: Sendable> {
  let count: Int
  private var next = 0
  private var given = 0
  private var doneSubjects = 0
  private var pieces: [Int: Result<Piece, EvaluationError>] = [:]
  private(set) var failure: EvaluationError?

  init(count: Int) { self.count = count }

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
