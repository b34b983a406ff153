import MetricData
import MetricEvaluate
import MetricPlan

/// The events of one subject, as funnels and retentions see them.
extension Explainer {
  /// A fact, or a day on which a completion held.
  struct SubjectEvent: Hashable {
    var day: DayKey
    var instant: Int64?
    /// Nil for a completion.
    var record: RecordID?
    var row: Int

    /// Whether another one may come after this one (FUN-03).
    func mayPrecede(_ other: SubjectEvent) -> Bool {
      if day != other.day { return day < other.day }
      guard let instant, let later = other.instant else { return true }
      return instant <= later
    }

    /// Whether it is surely before: by day, or by Instants that order the two.
    func isSurelyBefore(_ other: SubjectEvent) -> Bool {
      if day != other.day { return day < other.day }
      guard let instant, let later = other.instant else { return false }
      return instant < later
    }

    func isEarlier(than other: SubjectEvent) -> Bool {
      day != other.day ? day < other.day : (instant ?? .min) < (other.instant ?? .min)
    }
  }

  /// The subject's events up to the reference day: by day, those without an Instant first, then by
  /// Instant and row.
  func events(of source: EventSource, _ work: Work) throws(EvaluationError) -> [SubjectEvent] {
    switch source {
    case .fact(let record, let route, let filter):
      let aggregate = Aggregate(
        function: .count, record: record, route: route, argument: nil, filter: filter, period: nil, type: .int
      )
      let facts = try prober.facts(aggregate, work.scope(over: .allTime), through: work.day)
      let events = facts.map {
        SubjectEvent(day: $0.day, instant: reader.instant(of: record, $0.row), record: record, row: $0.row)
      }
      return events.sorted { $0.isEarlier(than: $1) || (!$1.isEarlier(than: $0) && $0.row < $1.row) }
    case .completion(let id):
      guard case .completion(let completion) = library.metrics[id].body else { return [] }
      let reading = try reading(of: id, completion, work, from: work.day, atMost: Explainer.mostWindows)
      return reading.windows.reversed().filter { $0.state == .complete }.map {
        SubjectEvent(day: $0.last, instant: nil, record: nil, row: -1)
      }
    }
  }

  func reference(_ event: SubjectEvent) -> RecordReference? {
    event.record.map { reader.reference($0, event.row) }
  }

  /// The name of the group that an event belongs to, which began an attempt or is a day 0.
  func group(of event: SubjectEvent, _ work: Work) throws(EvaluationError) -> String {
    switch library.grouping(of: work.plan) {
    case nil: return ""
    case .cohort(.day): return event.day.description
    case .cohort(.week): return event.day.startOfWeek(from: .monday).description
    case .cohort(.month): return event.day.startOfMonth.description
    case .field(let paths, _):
      guard let record = event.record, let path = paths[record] else { return "" }
      var sources = work.plan.body.sources
      if case .retention(let retention) = work.plan.body { sources = [retention.start] }
      for case .fact(record, let route, let filter) in sources {
        let aggregate = Aggregate(
          function: .first, record: record, route: route, argument: .field(path), filter: filter, period: nil,
          type: path.type)
        let facts = try prober.facts(aggregate, work.scope(over: .allTime), through: work.day)
        if let value = facts.first(where: { $0.row == event.row })?.value { return value.plainText }
      }
      return ""
    }
  }

  /// The earliest event; of several at one time the one with the lowest id, then the lowest group.
  func earliest(_ events: [SubjectEvent], _ work: Work) throws(EvaluationError) -> SubjectEvent? {
    guard let first = events.min(by: { $0.isEarlier(than: $1) }) else { return nil }
    let ties = events.filter { !first.isEarlier(than: $0) }
    guard ties.count > 1, case .field = work.plan.grouping else { return first }
    var keyed: [(event: SubjectEvent, id: [UInt8], group: [UInt8])] = []
    for event in ties {
      let id = reference(event)?.id ?? ""
      keyed.append((event, Array(id.utf8), Array(try group(of: event, work).utf8)))
    }
    return keyed.min {
      $0.id != $1.id
        ? $0.id.lexicographicallyPrecedes($1.id) : $0.group.lexicographicallyPrecedes($1.group)
    }?.event
  }

  /// The group in which a subject counts, where it has one.
  func groupOf(_ subject: String, _ work: inout Work) throws(EvaluationError) -> String? {
    if case .funnel(let funnel) = work.plan.body { return try attempt(funnel, work).map(\.group) }
    guard case .retention(let retention) = work.plan.body else { return nil }
    let starts = try events(of: retention.start, work)
    let from = retention.over.start(endingAt: work.day.number)
    guard let first = starts.first, retention.startsEachDay || first.day.number >= from else { return nil }
    let ofDay = starts.filter { $0.day.number >= from }
    guard let day = ofDay.first?.day, let event = try earliest(ofDay.filter { $0.day == day }, work) else {
      return nil
    }
    return try group(of: event, work)
  }

  /// Whether `for S where` and the records that are read let a subject of a funnel or retention count.
  func counts(_ subject: String, _ work: Work) -> Bool {
    let condition = work.plan.subject.condition?.onSubject ?? .literal(.bool(true))
    return prober.ask([condition], work.scope(over: .allTime), at: [work.day])[0]
      .value(subject, work.day) == .bool(true)
  }

  /// Why a subject does not count, where it does not.
  func whyNotCounted(_ work: Work) -> Reason? {
    guard !work.subject.isEmpty, let entity = work.plan.subject.entity, !counts(work.subject, work) else {
      return nil
    }
    let name = library.records[entity].subjectName
    let exists = prober.ask([.literal(.bool(true))], work.scope(over: .allTime), at: [work.day])[0]
    if let condition = work.plan.subject.condition, exists.value(work.subject, work.day) != .none {
      return Reason(
        code: .leftOut,
        text: "`for \(name) where \(library.text(of: condition))` leaves `\(work.subject)` out")
    }
    return whyUnknown(name, work)
  }

  /// Why there is no such subject: nothing names it, or the people behind it did not agree.
  func whyUnknown(_ name: String, _ work: Work) -> Reason {
    var open = work.scope(over: .allTime)
    open.isTeam = false
    let exists = prober.ask([.literal(.bool(true))], open, at: [work.day])[0]
    guard work.isTeam, exists.value(work.subject, work.day) != .none else {
      return Reason(
        code: .unknownSubject,
        text: "no record that `\(work.plan.name)` reads names the \(name) `\(work.subject)`")
    }
    let reads = DataNeeds(library: library, metrics: [work.metric]).reads[work.metric] ?? []
    let asked = library.askedConsents(of: reads).map { "`\($0.text)`" }.joined(separator: " and ")
    return Reason(
      code: .noConsent,
      text:
        "`\(work.plan.name)` needs consent to \(asked), which the people behind the \(name) `\(work.subject)` do not give"
    )
  }
}

extension Value {
  /// As a cell of the result table has it.
  package var plainText: String {
    switch self {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): value.description
    case .day(let day): day.description
    case .text(let text): text
    }
  }

  /// As the language writes it.
  public var literalText: String {
    switch self {
    case .none: "none"
    case .text(let text): "\"\(text)\""
    case .bool, .int, .decimal, .day: plainText
    }
  }
}
