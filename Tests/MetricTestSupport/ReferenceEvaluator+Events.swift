import MetricData
import MetricPlan

/// A fact in a funnel or a retention. "Where a funnel or retention takes a FACT, a day-window
/// completion of the same subject may stand: one fact on each complete day."
struct ReferenceEvent: Hashable {
  enum Kind: Hashable {
    case record(RecordID)
    case completion(MetricID)
  }

  var kind: Kind
  var day: DayKey
  var instant: Int128?
  var id: ByteText?
  var fact: ReferenceFact?

  /// By DayKey, then Instant, then id bytes; a missing one before any.
  func isEarlier(than other: ReferenceEvent) -> Bool {
    if day != other.day { return day < other.day }
    if instant != other.instant { return (instant ?? .min) < (other.instant ?? .min) }
    return (id?.bytes ?? []).lexicographicallyPrecedes(other.id?.bytes ?? [])
  }

  /// Whether it surely lies before another: "on a day strictly between [or], where Instants order them,
  /// within the day".
  func isSurelyBefore(_ other: ReferenceEvent) -> Bool {
    if day != other.day { return day < other.day }
    guard let instant, let end = other.instant else { return false }
    return instant < end
  }

  /// "in order (an earlier day; or the same day, and an Instant is missing or the first is not after the
  /// second)"
  func isInOrder(with next: ReferenceEvent) -> Bool {
    if day != next.day { return day < next.day }
    guard let instant, let end = next.instant else { return true }
    return instant <= end
  }
}

extension ReferenceEvaluator {
  /// The facts ≤ r, since the subject agreed, that a funnel or retention takes. These metrics are always `team`.
  func events(_ source: EventSource, of subject: ByteText, _ id: MetricID, at day: DayKey) throws
    -> [ReferenceEvent]
  {
    var found: [ReferenceEvent]
    switch source {
    case .completion(let completion):
      found = try completeDays(completion, subject, upTo: day, asksConsent: true).map {
        ReferenceEvent(kind: .completion(completion), day: $0)
      }
    case .fact(let record, let route, let filter):
      let scope = eventScope(id, subject, at: day)
      found = try facts(record, route, of: subject, asksConsent: true)
        .filter { try self.day($0) <= day && holds(filter, $0, scope) }.map(event)
    }
    let entity = library.metrics[id].subject.entity
    return found.filter { agrees(subject, of: entity, readBy: id, on: $0.day) }
  }

  /// The facts ≤ r of a source's record type, whatever its `where`.
  func allEvents(_ source: EventSource, of subject: ByteText, _ id: MetricID, at day: DayKey) throws
    -> [ReferenceEvent]
  {
    guard case .fact(let record, let route, _) = source else {
      return try events(source, of: subject, id, at: day)
    }
    return try events(.fact(record, route: route, filter: nil), of: subject, id, at: day)
  }

  private func event(_ fact: ReferenceFact) -> ReferenceEvent {
    ReferenceEvent(
      kind: .record(fact.record), day: day(fact), instant: instant(fact), id: id(fact), fact: fact)
  }

  func eventScope(_ id: MetricID, _ subject: ByteText, at day: DayKey) -> ReferenceScope {
    ReferenceScope(
      metric: id, subject: subject, day: day, span: DaySpan(.allTime, at: day), asksConsent: true)
  }

  /// Those of whom a funnel or retention speaks.
  func manySubjects(of id: MetricID) throws -> [ByteText] {
    guard let entity = library.metrics[id].subject.entity else { return [""] }
    return try existing(entity, readBy: id, asksConsent: true).filter { try isSubject($0, of: id) }
  }

  /// The group of the fact that took step 1, or that started: its field, or "a cohort's group is its
  /// first DayKey (weeks from Monday)".
  func group(
    _ event: ReferenceEvent, _ grouping: [GroupField], _ scope: ReferenceScope
  ) throws -> ReferenceGroup {
    let read = try event.fact.map { try groupTexts($0, grouping, scope) }
    let texts = grouping.enumerated().map { index, field -> ByteText in
      if case .cohort(let unit) = field { return ByteText(unit.firstDay(holding: event.day).description) }
      return read?[index] ?? ""
    }
    return texts.isEmpty ? [""] : texts
  }

  /// The earliest of some facts, with its group; where nothing else tells them apart, the lowest group.
  func earliest(
    _ events: [ReferenceEvent], _ grouping: [GroupField], _ scope: ReferenceScope
  ) throws -> (event: ReferenceEvent, group: ReferenceGroup)? {
    try events.map { (event: $0, group: try group($0, grouping, scope)) }.min { left, right in
      if left.event.isEarlier(than: right.event) { return true }
      if right.event.isEarlier(than: left.event) { return false }
      return left.group.isBefore(right.group)
    }
  }

  /// The ways to users from facts; of a completion's days, from its subject.
  func ways(to events: [ReferenceEvent], of subject: ByteText, _ id: MetricID) -> [[ByteText?]] {
    events.map { event in
      event.fact.map { ways(to: $0) } ?? ways(to: subject, of: library.metrics[id].subject.entity)
    }
  }
}
