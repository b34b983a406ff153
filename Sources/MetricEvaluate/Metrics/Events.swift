import MetricData
import MetricPlan

/// A fact of a funnel or a retention: when it was, and which steps it can serve.
struct Event: BitwiseCopyable {
  /// Microseconds, or the smallest number where there is none: those come first in a day.
  var instant: Int64
  var day: Int32
  /// Bit 0 is the first step.
  var steps: UInt32

  static let noInstant = Column.missingWide

  @inline(__always)
  func serves(_ step: Int) -> Bool { steps &>> UInt32(step) & 1 != 0 }

  /// By day, then those without an Instant, then by Instant.
  @inline(__always)
  func isEarlier(than other: Event) -> Bool { day != other.day ? day < other.day : instant < other.instant }

  /// Whether `other` may come after this one (FUN-03): an earlier day; or the same day, and an Instant is missing or
  /// this one is not after the other.
  @inline(__always)
  func mayPrecede(_ other: Event) -> Bool {
    if day != other.day { return day < other.day }
    return instant == Event.noInstant || other.instant == Event.noInstant || instant <= other.instant
  }

  /// Whether it is certainly before the other: by day, or by Instant.
  @inline(__always)
  func isSurelyBefore(_ other: Event) -> Bool {
    if day != other.day { return day < other.day }
    return instant != Event.noInstant && other.instant != Event.noInstant && instant < other.instant
  }
}

/// Where an event comes from.
struct EventOrigin: BitwiseCopyable {
  /// Which of the sources: each record type is one, and each completion.
  var source: Int32
  /// Row of the fact's table; -1 for a day of a completion, and for folded facts.
  var row: Int32
}

/// The events of the steps of a funnel, or of the start and the return of a retention, by subject and in their order.
///
/// `@unchecked Sendable`: threads only read it.
final class Events: @unchecked Sendable {
  /// The record type of a source; nil for a completion.
  let records: [RecordID?]
  /// By step, the source of its facts.
  let sourceOfStep: [Int]
  private let scans: [StoredEvents.Source]
  private let subjectCount: Int
  private let keepsAll: Bool
  private let hasOrigins: Bool
  private let threads: Int
  private let completions:
    [(source: Int, steps: UInt32, metric: CompiledMetric, completion: CompiledCompletion)]
  private let folds: [(source: Int, steps: UInt32, facts: FoldedFacts, bundle: Int)]

  /// - Parameters:
  ///   - keepsAll: whether facts are wanted that serve no step.
  ///   - hasOrigins: whether anybody asks where events come from.
  init(
    _ steps: [EventSource], keepsAll: Bool, hasOrigins: Bool, _ compiler: Compiler
  ) throws(EvaluationError) {
    let sources = Sources(steps)
    let engine = compiler.engine
    scans = try sources.scans(compiler)
    subjectCount = engine.routing.subjectCount(compiler.subject)
    threads = engine.threads
    self.keepsAll = keepsAll
    self.hasOrigins = hasOrigins
    folds = try sources.folds(compiler)
    var completions: [(source: Int, steps: UInt32, metric: CompiledMetric, completion: CompiledCompletion)] =
      []
    for (source, id, mask) in sources.completions {
      let variant = engine.variant(id, isTeam: compiler.isTeam)
      let metric = try engine.compile(variant)
      completions.append((source, mask, metric, engine.completion(variant)))
    }
    self.completions = completions
    records = sources.records
    sourceOfStep = sources.ofStep
  }

  /// As many subjects at once as have about so many facts: the events of all together would take more memory than the
  /// facts, and be colder.
  private static let factsAtOnce = 1 << 21

  /// Ranges of subjects whose events are built together.
  var stretches: [Range<Int>] {
    let rows = scans.reduce(0) { $0 + $1.scan.rowCount }
    let count = max(1, min(subjectCount, (rows + Events.factsAtOnce - 1) / Events.factsAtOnce))
    return (0..<count).map { Parallel.part($0, of: count, subjectCount) }
  }

  /// The facts of some subjects, as events.
  func stored(of subjects: Range<Int>) -> StoredEvents {
    StoredEvents(scans, of: subjects, threads: threads, keepsAll: keepsAll, hasOrigins: hasOrigins)
  }

  /// Calls `body` with a subject's events up to a day in their order, and with their origins where these are kept.
  func with(
    subject: Int, of stored: StoredEvents, through last: Int32, _ worker: Worker,
    _ body: (UnsafeBufferPointer<Event>, UnsafePointer<EventOrigin>?) -> Void
  ) {
    let (events, origins) = stored.events(of: subject)
    if completions.isEmpty, folds.isEmpty { return body(events, origins) }
    if completions.isEmpty, events.isEmpty, folds.count == 1, !hasOrigins {
      return withDays(folds[0].facts.days(folds[0].bundle, of: subject), folds[0].steps, worker) {
        body($0, nil)
      }
    }
    var all = events.indices.map { (events[$0], origins?[$0] ?? EventOrigin(source: -1, row: -1)) }
    func add(_ day: Int32, _ steps: UInt32, _ source: Int) {
      all.append(
        (Event(instant: Event.noInstant, day: day, steps: steps), EventOrigin(source: Int32(source), row: -1))
      )
    }
    for (source, steps, facts, bundle) in folds {
      facts.days(bundle, of: subject).forEach(through: .max) { add($0, steps, source) }
    }
    for (source, steps, metric, completion) in completions where metric.includes(subject) {
      // FUN-08: one on each complete day.
      WindowHistory.with(completion, subject: subject, asked: DayRange(last), eachDay: true, worker) {
        windows in
        for index in 0..<windows.count where windows.states[index] == WindowState.complete {
          add(windows.days[index], steps, source)
        }
        for index in 0..<windows.count where windows.states[index] == outOfRange {
          worker.isOutOfRange = true
        }
      }
    }
    all.sort { $0.0.isEarlier(than: $1.0) }
    all.map(\.0).withUnsafeBufferPointer { events in
      all.map(\.1).withUnsafeBufferPointer { body(events, $0.baseAddress) }
    }
  }
}

extension Events {
  /// Calls `body` with an event on each day.
  private func withDays(
    _ days: DayBits, _ steps: UInt32, _ worker: Worker, _ body: (UnsafeBufferPointer<Event>) -> Void
  ) {
    let most = days.count(from: .min, through: .max)
    worker.with(Event.self, most) { events in
      var count = 0
      days.forEach(through: .max) {
        events[count] = Event(instant: Event.noInstant, day: $0, steps: steps)
        count += 1
      }
      body(UnsafeBufferPointer(start: events, count: count))
    }
  }
}

/// The different sources of some steps.
private struct Sources {
  /// By source; nil for a completion.
  private(set) var records: [RecordID?] = []
  private(set) var ofStep: [Int] = []
  private(set) var facts: [(source: Int, record: RecordID, route: Route)] = []
  private(set) var completions: [(source: Int, id: MetricID, steps: UInt32)] = []
  private let steps: [EventSource]

  init(_ steps: [EventSource]) {
    self.steps = steps
    for (step, source) in steps.enumerated() {
      switch source {
      case .fact(let record, let route, _):
        if let known = facts.first(where: { $0.record == record && $0.route == route }) {
          ofStep.append(known.source)
        } else {
          facts.append((records.count, record, route))
          ofStep.append(records.count)
          records.append(record)
        }
      case .completion(let id):
        if let known = completions.firstIndex(where: { $0.id == id }) {
          completions[known].steps |= 1 << UInt32(step)
          ofStep.append(completions[known].source)
        } else {
          completions.append((records.count, id, 1 << UInt32(step)))
          ofStep.append(records.count)
          records.append(nil)
        }
      }
    }
  }

  /// The facts of the sources; a condition for each step, which holds nowhere in the sources of other steps.
  func scans(_ compiler: Compiler) throws(EvaluationError) -> [StoredEvents.Source] {
    var scans: [StoredEvents.Source] = []
    for (source, record, route) in facts where compiler.dataset.table(record).folded == nil {
      let conditions = steps.indices.map { step -> Expression? in
        guard ofStep[step] == source, case .fact(_, _, let filter) = steps[step] else {
          return .literal(.bool(false))
        }
        return filter
      }
      let scan = try FactScan(record, route, conditions: conditions, isRepeated: true, compiler)
      let instants = compiler.engine.library.records[record].orderField.flatMap {
        compiler.dataset.table(record).column($0)
      }
      scans.append((Int32(source), scan, instants))
    }
    return scans
  }

  /// Of folded facts each step has its own days.
  func folds(
    _ compiler: Compiler
  ) throws(EvaluationError) -> [(source: Int, steps: UInt32, facts: FoldedFacts, bundle: Int)] {
    var folds: [(source: Int, steps: UInt32, facts: FoldedFacts, bundle: Int)] = []
    for (step, source) in steps.enumerated() {
      guard case .fact(let record, let route, let filter) = source,
        compiler.dataset.table(record).folded != nil
      else { continue }
      guard
        case .fold(let facts, let bundle) = try compiler.facts(
          Aggregate(daysOf: record, route, where: filter))
      else { continue }
      if let same = folds.firstIndex(where: {
        $0.facts === facts && $0.bundle == bundle && $0.source == ofStep[step]
      }) {
        folds[same].steps |= 1 << UInt32(step)
      } else {
        folds.append((ofStep[step], 1 << UInt32(step), facts, bundle))
      }
    }
    return folds
  }
}

/// Events of facts, by subject: two passes over the facts, each on all threads, one counts and one puts them in their
/// places.
final class StoredEvents: @unchecked Sendable {
  typealias Source = (number: Int32, scan: FactScan, instants: Column?)

  private let subjects: Range<Int>
  private var offsets: [Int]
  private let events: Cells<Event>
  private let origins: Cells<EventOrigin>?

  init(_ sources: [Source], of subjects: Range<Int>, threads: Int, keepsAll: Bool, hasOrigins: Bool) {
    self.subjects = subjects
    let (firstSubject, subjectCount) = (subjects.lowerBound, subjects.count)
    let owned = Int32(subjects.lowerBound)..<Int32(subjects.upperBound)
    let rows = sources.reduce(0) { $0 + $1.scan.rowCount }
    let pieces = Parallel.pieces(rows: rows, threads: threads)
    func isWanted(_ mask: UInt32) -> Bool { keepsAll || mask & ~FactScan.beyondBit != 0 }
    func forEach(_ piece: Int, _ body: (Source, FactScan.Batch, Int) -> Void) {
      guard let engine = sources.first?.scan.engine else { return }
      let worker = Worker(engine: engine, isPart: true)
      for source in sources {
        let rows = Parallel.part(piece, of: pieces, source.scan.rowCount)
        source.scan.forEachBatch(in: rows, ownedBy: owned, worker) { batch in
          for lane in 0..<batch.count where isWanted(batch.masks[lane]) { body(source, batch, lane) }
        }
      }
    }
    var places = Parallel.map(pieces: pieces) { piece in
      var counts = [Int](repeating: 0, count: subjectCount)
      forEach(piece) { _, batch, lane in counts[Int(batch.subjects[lane]) - firstSubject] += 1 }
      return counts
    }
    offsets = [0]
    offsets.reserveCapacity(subjectCount + 1)
    var total = 0
    for subject in 0..<subjectCount {
      for piece in 0..<pieces {
        let count = places[piece][subject]
        places[piece][subject] = total
        total += count
      }
      offsets.append(total)
    }
    let events = Cells<Event>(count: total)
    let origins = hasOrigins ? Cells<EventOrigin>(count: total) : nil
    let starts = places
    Parallel.perform(pieces: pieces) { piece in
      var next = starts[piece]
      forEach(piece) { source, batch, lane in
        let (subject, row) = (Int(batch.subjects[lane]) - firstSubject, batch.rows[lane])
        let place = next[subject]
        next[subject] += 1
        events.base[place] = Event(
          instant: source.instants?[Int(row)] ?? Event.noInstant, day: source.scan.day(row),
          steps: batch.masks[lane] & ~FactScan.beyondBit)
        origins?.base[place] = EventOrigin(source: source.number, row: row)
      }
    }
    (self.events, self.origins) = (events, origins)
    let ends = offsets
    Parallel.perform(pieces: pieces) { piece in
      for subject in Parallel.part(piece, of: pieces, subjectCount) {
        StoredEvents.sort(events.base, origins?.base, ends[subject]..<ends[subject + 1])
      }
    }
  }

  private static func sort(
    _ events: UnsafeMutablePointer<Event>, _ origins: UnsafeMutablePointer<EventOrigin>?, _ range: Range<Int>
  ) {
    guard range.count > 1, range.dropFirst().contains(where: { events[$0].isEarlier(than: events[$0 - 1]) })
    else {
      return
    }
    let order = range.sorted { events[$0].isEarlier(than: events[$1]) }
    let sorted = order.map { events[$0] }
    let sortedOrigins = order.map { origins?[$0] }
    for (place, index) in zip(range, sorted.indices) {
      events[place] = sorted[index]
      if let origin = sortedOrigins[index] { origins?[place] = origin }
    }
  }

  func events(of subject: Int) -> (UnsafeBufferPointer<Event>, UnsafePointer<EventOrigin>?) {
    let number = subject - subjects.lowerBound
    let range = offsets[number]..<offsets[number + 1]
    return (
      UnsafeBufferPointer(start: events.base + range.lowerBound, count: range.count),
      origins.map { UnsafePointer($0.base + range.lowerBound) }
    )
  }
}
