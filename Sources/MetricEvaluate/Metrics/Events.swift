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

/// Events in their order, with their origins where these are kept.
struct EventList: RandomAccessCollection {
  fileprivate let events: UnsafeBufferPointer<Event>
  let origins: UnsafePointer<EventOrigin>?

  static var empty: EventList { EventList(events: UnsafeBufferPointer(start: nil, count: 0), origins: nil) }

  var startIndex: Int { 0 }
  var endIndex: Int { events.count }

  @inline(__always)
  subscript(index: Int) -> Event { events[index] }

  func part(_ range: Range<Int>) -> EventList {
    EventList(
      events: UnsafeBufferPointer(rebasing: events[range]), origins: origins.map { $0 + range.lowerBound })
  }
}

/// The events of the steps of a funnel, or of the start and the return of a retention, by subject and in their order.
///
/// `@unchecked Sendable`: threads only read it.
final class Events: @unchecked Sendable {
  /// The record type of a source; nil for a completion.
  let records: [RecordID?]
  /// By step, the source of its facts.
  let sourceOfStep: [Int]
  private let subjectCount: Int
  private let keepsAll: Bool
  private let hasOrigins: Bool
  private let threads: Int
  private var scans: [EventLayout.Source] = []
  private var completions:
    [(source: Int, steps: UInt32, metric: CompiledMetric, completion: CompiledCompletion)] = []
  /// Steps whose facts are folded: each has its own days.
  private var folds: [(step: Int, days: FoldedStep)] = []

  /// - Parameters:
  ///   - keepsAll: whether facts are wanted that serve no step.
  ///   - hasOrigins: whether anybody asks where events come from.
  init(
    _ steps: [EventSource], keepsAll: Bool, hasOrigins: Bool, _ compiler: Compiler
  ) throws(EvaluationError) {
    let engine = compiler.engine
    subjectCount = engine.routing.subjectCount(compiler.subject)
    threads = engine.threads
    (self.keepsAll, self.hasOrigins) = (keepsAll, hasOrigins)
    let sourceOfStep = steps.map(\.withoutFilter)
    let sources = sourceOfStep.once { $0 }
    self.sourceOfStep = sourceOfStep.compactMap(sources.firstIndex)
    records = sources.map(\.record)
    for (number, source) in sources.enumerated() {
      let own = steps.indices.filter { sourceOfStep[$0] == source }
      switch source {
      case .completion(let id):
        completions.append(
          (number, own.reduce(0) { $0 | 1 << UInt32($1) }, try engine.compile(id), try engine.completion(id)))
      case .fact(let record, let route, _) where compiler.dataset.table(record).folded != nil:
        for step in own {
          let days = Aggregate(.days, of: record, route, where: steps[step].filter)
          if case .fold(let facts, let bundle) = try compiler.facts(days) {
            folds.append((step, FoldedStep(facts: facts, bundle: bundle)))
          }
        }
      case .fact(let record, let route, _):
        // A condition for each step, which holds nowhere in the sources of other steps.
        let conditions = steps.indices.map { own.contains($0) ? steps[$0].filter : .literal(.bool(false)) }
        let scan = try FactScan(record, route, conditions: conditions, isRepeated: true, compiler)
        let order = engine.library.records[record].orderField
        let column = order.flatMap { compiler.dataset.table(record).column($0) }
        let instants: [Int64] = if case .wide(let cells)? = column { cells } else { [] }
        scans.append((Int32(number), scan, instants))
      }
    }
  }

  /// As many subjects at once as have about this many facts: the events of all together would take more memory than the
  /// facts, and be colder.
  private static let factsAtOnce = 1 << 22

  /// Calls `body` with ranges of subjects and their facts as events; nil if all facts are folded.
  func forEachStretch(_ body: (Range<Int>, StoredEvents?) -> Void) {
    if scans.isEmpty { return body(0..<subjectCount, nil) }
    let rows = scans.reduce(0) { $0 + $1.scan.rowCount }
    let count = max(1, min(subjectCount, (rows + Events.factsAtOnce - 1) / Events.factsAtOnce))
    let layout = EventLayout(scans, of: 0..<subjectCount, threads: threads, keepsAll: keepsAll)
    var stored: StoredEvents?
    for stretch in (0..<count).map({ Parallel.part($0, of: count, subjectCount) }) {
      stored = StoredEvents(layout, of: stretch, hasOrigins: hasOrigins, reusing: stored)
      body(stretch, stored)
    }
  }

  /// The facts of one subject, as events.
  func stored(of subject: Int) -> StoredEvents? {
    if scans.isEmpty { return nil }
    let subjects = subject..<subject + 1
    let layout = EventLayout(scans, of: subjects, threads: threads, keepsAll: keepsAll)
    return StoredEvents(layout, of: subjects, hasOrigins: hasOrigins)
  }

  /// Calls `body` with a subject's events; those of completions up to a day.
  func with(
    subject: Int, of stored: StoredEvents?, through last: Int32, _ worker: Worker, _ body: (EventList) -> Void
  ) {
    let events = stored?.events(of: subject) ?? .empty
    if completions.isEmpty, folds.isEmpty { return body(events) }
    var all = events.indices.map { (events[$0], events.origins?[$0] ?? EventOrigin(source: -1, row: -1)) }
    func add(_ day: Int32, _ steps: UInt32, _ source: Int) {
      all.append(
        (Event(instant: Event.noInstant, day: day, steps: steps), EventOrigin(source: Int32(source), row: -1))
      )
    }
    for (step, days) in folds {
      days.days(of: subject).forEach(through: .max) { add($0, 1 << UInt32(step), sourceOfStep[step]) }
    }
    for (source, steps, metric, completion) in completions where metric.includes(subject) {
      // FUN-08: one on each complete day.
      WindowHistory.with(completion, subject: subject, asked: DayRange(last), eachDay: true, worker) {
        windows in
        for index in 0..<windows.count where windows.states[index] == WindowCell.complete {
          add(windows.days[index], steps, source)
        }
        for index in 0..<windows.count where windows.states[index] == outOfRange {
          worker.isOutOfRange = true
        }
      }
    }
    all.sort { $0.0.isEarlier(than: $1.0) }
    all.map(\.0).withUnsafeBufferPointer { events in
      all.map(\.1).withUnsafeBufferPointer { body(EventList(events: events, origins: $0.baseAddress)) }
    }
  }
}

extension Events {
  /// The folded facts whose days alone are the events of each step; nil if some events are of another kind.
  var foldedSteps: [FoldedStep]? {
    folds.count == sourceOfStep.count ? folds.sorted { $0.step < $1.step }.map(\.days) : nil
  }
}

/// The days of a step's facts that are folded.
struct FoldedStep {
  let facts: FoldedFacts
  let bundle: Int

  @inline(__always)
  func days(of subject: Int) -> DayBits { facts.days(bundle, of: subject) }
}

extension EventSource {
  /// Where facts of all conditions come from.
  fileprivate var withoutFilter: EventSource {
    if case .fact(let record, let route, _) = self { .fact(record, route: route, filter: nil) } else { self }
  }

  fileprivate var record: RecordID? { if case .fact(let record, _, _) = self { record } else { nil } }

  fileprivate var filter: Expression? { if case .fact(_, _, let filter) = self { filter } else { nil } }
}

/// The facts that are events of some subjects, and how many of them each thread has for each subject: one skip the
/// facts, however often parts of them are then put in their places.
///
/// Here and in `StoredEvents` a closure is called for each batch. A call for each fact, with an optional column and an
/// array of counts, took a fifth of a funnel's time.
struct EventLayout {
  /// Instants are empty if the record type has none.
  typealias Source = (number: Int32, scan: FactScan, instants: [Int64])

  fileprivate let sources: [Source]
  fileprivate let subjects: Range<Int>
  /// What is added to the steps of each fact: a bit of no step where facts are events that serve none.
  fileprivate let always: UInt32
  /// By piece of the facts and by subject.
  fileprivate private(set) var counts: [[Int32]] = []

  /// - Parameter keepsAll: whether facts are events that serve no step.
  init(_ sources: [Source], of subjects: Range<Int>, threads: Int, keepsAll: Bool) {
    self.sources = sources
    self.subjects = subjects
    always = keepsAll ? FactScan.beyondBit : 0
    let rows = sources.reduce(0) { $0 + $1.scan.rowCount }
    let pieces = Parallel.pieces(rows: rows, threads: threads)
    let layout = self
    counts = Parallel.map(pieces: pieces) { piece in
      var counts = [Int32](repeating: 0, count: subjects.count)
      counts.withUnsafeMutableBufferPointer { counts in
        let counts = counts
        layout.forEachBatch(piece, of: pieces, subjects) { _, batch in
          for lane in 0..<batch.count {
            let subject = Int(batch.subjects[lane]) &- subjects.lowerBound
            counts[subject] &+= layout.isEvent(batch.masks[lane]) ? 1 : 0
          }
        }
      }
      return counts
    }
  }

  @inline(__always)
  fileprivate func isEvent(_ mask: UInt32) -> Bool { mask & ~FactScan.beyondBit | always != 0 }

  fileprivate func forEachBatch(
    _ piece: Int, of pieces: Int, _ subjects: Range<Int>, _ body: (Source, FactScan.Batch) -> Void
  ) {
    guard let engine = sources.first?.scan.engine else { return }
    let worker = Worker(engine: engine, isPart: true)
    let owned = Int32(subjects.lowerBound)..<Int32(subjects.upperBound)
    for source in sources {
      let rows = Parallel.part(piece, of: pieces, source.scan.rowCount)
      source.scan.forEachBatch(in: rows, ownedBy: owned, worker) { body(source, $0) }
    }
  }
}

/// Events of facts, by subject.
final class StoredEvents: @unchecked Sendable {
  private let subjects: Range<Int>
  private var offsets: [Int]
  private let events: Cells<Event>
  private let origins: Cells<EventOrigin>?

  /// - Parameters:
  ///   - subjects: some of the layout's.
  ///   - other: events that nobody reads any more, of which the memory is used: the kernel clears new memory, 80 MB for each
  ///     stretch of subjects.
  init(_ layout: EventLayout, of subjects: Range<Int>, hasOrigins: Bool, reusing other: StoredEvents? = nil) {
    self.subjects = subjects
    let pieces = layout.counts.count
    var starts = [[Int]](repeating: Array(repeating: 0, count: subjects.count), count: pieces)
    offsets = [0]
    offsets.reserveCapacity(subjects.count + 1)
    var total = 0
    for (number, subject) in subjects.enumerated() {
      for piece in 0..<pieces {
        starts[piece][number] = total
        total += Int(layout.counts[piece][subject - layout.subjects.lowerBound])
      }
      offsets.append(total)
    }
    events = .count(total, reusing: other?.events)
    origins = hasOrigins ? .count(total, reusing: other?.origins) : nil
    let (events, origins, ends) = (events.base, origins?.base, offsets)
    Parallel.perform(pieces: pieces) { piece in
      var next = starts[piece]
      next.withUnsafeMutableBufferPointer { next in
        let next = next
        layout.forEachBatch(piece, of: pieces, subjects) { source, batch in
          StoredEvents.fill(events, origins, batch, source, layout, subjects.lowerBound, next)
        }
      }
    }
    Parallel.perform(pieces: pieces) { piece in
      for subject in Parallel.part(piece, of: pieces, subjects.count) {
        StoredEvents.sort(events, origins, ends[subject]..<ends[subject + 1])
      }
    }
  }

  /// - Parameter next: by subject, the place of its next event.
  private static func fill(
    _ events: UnsafeMutablePointer<Event>, _ origins: UnsafeMutablePointer<EventOrigin>?,
    _ batch: FactScan.Batch, _ source: EventLayout.Source, _ layout: EventLayout, _ first: Int,
    _ next: UnsafeMutableBufferPointer<Int>
  ) {
    source.scan.days.withUnsafeBufferPointer { days in
      source.instants.withUnsafeBufferPointer { instants in
        for lane in 0..<batch.count where layout.isEvent(batch.masks[lane]) {
          let (subject, row) = (Int(batch.subjects[lane]) &- first, Int(batch.rows[lane]))
          let place = next[subject]
          next[subject] = place &+ 1
          events[place] = Event(
            instant: instants.isEmpty ? Event.noInstant : instants[row], day: days[row],
            steps: batch.masks[lane] & ~FactScan.beyondBit)
          origins?[place] = EventOrigin(source: source.number, row: batch.rows[lane])
        }
      }
    }
  }

  private static func sort(
    _ events: UnsafeMutablePointer<Event>, _ origins: UnsafeMutablePointer<EventOrigin>?, _ range: Range<Int>
  ) {
    guard range.dropFirst().contains(where: { events[$0].isEarlier(than: events[$0 - 1]) }) else { return }
    let order = range.sorted { events[$0].isEarlier(than: events[$1]) }
    FactList.move(events, order, to: range)
    if let origins { FactList.move(origins, order, to: range) }
  }

  func events(of subject: Int) -> EventList {
    let number = subject - subjects.lowerBound
    let all = UnsafeBufferPointer(start: events.base, count: events.count)
    return EventList(events: all, origins: origins.map { UnsafePointer($0.base) })
      .part(offsets[number]..<offsets[number + 1])
  }
}
