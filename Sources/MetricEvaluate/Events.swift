import MetricData
import MetricPlan

/// A fact as a funnel or a retention sees it.
struct Event {
  var day: Int32
  /// Microseconds, or the smallest number where there is none: those come first in a day.
  var instant: Int64
  /// Row of the fact's table; -1 for a day of a completion.
  var row: Int32
  /// The record type; -1 for a completion.
  var record: Int32

  static let noInstant = Column.missingWide

  /// Whether `other` may come after this one (LANGUAGE, Funnels): an earlier day; or the same day,
  /// and an Instant is missing or this one is not after the other.
  func mayPrecede(_ other: Event) -> Bool {
    if day != other.day { return day < other.day }
    return instant == Event.noInstant || other.instant == Event.noInstant || instant <= other.instant
  }

  /// By day, then those without an Instant, then by Instant.
  func isEarlier(than other: Event) -> Bool {
    day != other.day ? day < other.day : instant < other.instant
  }

  /// Whether it is surely before: by day, or by Instants that order the two.
  func isSurelyBefore(_ other: Event) -> Bool {
    if day != other.day { return day < other.day }
    return instant != Event.noInstant && other.instant != Event.noInstant && instant < other.instant
  }
}

/// Where the events of a step come from.
struct EventStream {
  private enum Source {
    case facts(FactIndex, instants: Column?)
    /// Days alone: nothing that asks for more is folded.
    case folded(FoldedFacts, bundle: Int)
    case completion(VariantID, CompiledMetric)
  }

  private let source: Source
  /// The record type, or nil for a completion.
  let record: RecordID?

  init(_ source: EventSource, _ compiler: Compiler) throws(EvaluationError) {
    switch source {
    case .fact(let record, let route, let filter):
      self.record = record
      if let (facts, bundle) = compiler.folded(Aggregate(daysOf: record, route, where: filter)) {
        self.source = .folded(facts, bundle: bundle)
        return
      }
      let aggregate = Aggregate(
        function: .first, record: record, route: route, argument: nil, filter: filter, period: nil,
        type: .dayKey)
      let list = try compiler.factList(aggregate)
      let field = compiler.dataset.library.records[record].orderField
      self.source = .facts(list.index, instants: field.flatMap { compiler.dataset.table(record).column($0) })
    case .completion(let id):
      let variant = compiler.engine.variant(id, isTeam: compiler.isTeam)
      self.source = .completion(variant, try compiler.engine.compile(variant))
      self.record = nil
    }
  }

  /// A subject's events up to a day: by day, those without an Instant first, then by Instant and id.
  func events(of subject: Int, through day: Int32, _ worker: Worker) -> [Event] {
    switch source {
    case .facts(let index, let instants):
      return index.slots(of: subject, from: .min, through: day).map { slot in
        let row = index.rows[slot]
        return Event(
          day: index.days[slot], instant: instants?[Int(row)] ?? Event.noInstant, row: row,
          record: Int32(record ?? -1))
      }
    case .folded(let facts, let bundle):
      var events: [Event] = []
      facts.days(bundle, of: subject).forEach(through: day) {
        events.append(Event(day: $0, instant: Event.noInstant, row: -1, record: Int32(record ?? -1)))
      }
      return events
    case .completion(let id, let metric):
      // Of a subject that the completion leaves out no day is complete.
      guard metric.includes(subject) else { return [] }
      return worker.timeline(of: id, subject: subject).completeDays(through: day, worker).map {
        Event(day: $0, instant: Event.noInstant, row: -1, record: -1)
      }
    }
  }

  /// Whether two streams are of one record type, or the same completion.
  func sharesType(with other: EventStream) -> Bool {
    switch (source, other.source) {
    case (.facts, .facts), (.folded, .folded): record == other.record
    case (.completion(let one, _), .completion(let two, _)): one == two
    default: false
    }
  }
}
