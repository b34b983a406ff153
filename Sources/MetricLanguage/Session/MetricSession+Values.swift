import MetricEvaluate

/// A value of a series, for a chart; the day identifies it.
public struct SeriesPoint<Element> {
  public var day: DayKey
  /// Nil if there is no value.
  public var value: Element?
}

extension SeriesPoint: Sendable where Element: Sendable {}
extension SeriesPoint: Equatable where Element: Equatable {}
extension SeriesPoint: Identifiable { public var id: DayKey { day } }

extension MetricSession {
  /// A value of a metric; nil if there is none.
  ///
  ///     let week: Double? = try session.value(of: "last_week", for: "read", on: today)
  ///
  /// - Parameters:
  ///   - metric: one of the session's.
  ///   - part: empty for the metric's own value.
  ///   - subject: its id; empty for metrics of the whole app, funnels and retentions.
  ///   - group: of a metric that says `by`, a text for each field: `"pro"`, `["de", "pro"]`; empty for records without the
  ///     field. A group that no record makes has no value.
  ///   - day: the user's, as `MetricFoundation` makes it of a `Date`.
  ///   - type: a type that holds the metric's values; `Value` holds them all.
  /// - Throws: for a metric, part, subject or day that is unknown, a group that is missing or not asked for, or a type
  ///   that the metric does not have; where a number leaves its range, or bundles form a cycle.
  public func value<Element: MetricConvertible>(
    of metric: String, part: String = "", for subject: String = "", group: GroupKey? = nil, on day: DayKey,
    as type: Element.Type = Element.self
  ) throws(SessionError) -> Element? {
    try series(of: metric, part: part, for: subject, group: group, days: day...day, as: type).first?.value
  }

  /// The value on each day of a range, for a chart.
  public func series<Element: MetricConvertible>(
    of metric: String, part: String = "", for subject: String = "", group: GroupKey? = nil,
    days: ClosedRange<DayKey>, as type: Element.Type = Element.self
  ) throws(SessionError) -> [SeriesPoint<Element>] {
    let plan = self.plan.metrics[try known.id(metric)]
    guard let found = plan.parts.first(where: { $0.name == part }) else {
      throw .unknownPart(part, metric: metric, parts: plan.parts.map(\.name))
    }
    guard type.columnTypes.contains(found.type) else {
      throw .wrongType(metric: metric, part: part, is: found.type, asked: "\(type)")
    }
    try check(group, plan)
    let rows = try rows(of: metric, for: subject, days: days)
    var points = days.days.map { SeriesPoint<Element>(day: $0, value: nil) }
    for row in rows where row.part == part && row.group == group ?? GroupKey() && row.value != .none {
      guard let value = Element(row.value) else {
        throw .wrongType(metric: metric, part: part, is: found.type, asked: "\(type)")
      }
      points[Int(row.at.number - days.lowerBound.number)].value = value
    }
    return points
  }

  /// All rows of a metric on some days, as `metricc eval` shows them; without a subject those of all subjects.
  public func rows(
    of metric: String, for subject: String? = nil, days: ClosedRange<DayKey>
  ) throws(SessionError) -> [ResultRow] {
    let id = try known.id(metric)
    for day in [days.lowerBound, days.upperBound] where !DayKey.all.contains(day) { throw .invalidDay(day) }
    if let subject, !session.isKnown(subject, of: id) { throw known.unknownSubject(subject, of: id) }
    do throws(EvaluationError) {
      return try session.rows(of: id, subject: subject, days: days.days)
    } catch { throw .evaluation(error) }
  }

  /// The values of all metrics of a subject, by the names of the metrics.
  ///
  /// An empty subject stands for all metrics that have one row for many subjects. An entity such as `habit` is needed
  /// where records of several types have the id.
  public func values(
    for subject: String, of entity: String? = nil, on day: DayKey
  ) throws(SessionError) -> [ResultRow] {
    let entities = plan.records.filter { $0.kind != .fact }.map(\.subjectName)
    if let entity, !entities.contains(entity) {
      throw .unknownRecord(entity, nearest: nearestName(to: entity, in: entities))
    }
    let asked = known.ids.filter { entity == nil || plan.name(of: plan.metrics[$1].subject) == entity }
    let found = asked.filter { session.isKnown(subject, of: $1) }
    guard !found.isEmpty else { throw .unknownSubject(subject, metric: "", entity: entity) }
    var rows: [ResultRow] = []
    for name in found.keys.sorted() { rows += try self.rows(of: name, for: subject, days: day...day) }
    return rows
  }

  /// Why a metric is what it is for a subject on a day. It costs a pass over the records.
  ///
  /// The subject of a funnel or a retention is the counted one, or empty for none. Without a group it is the one that
  /// this subject counts in.
  public func why(
    _ metric: String, for subject: String = "", group: GroupKey? = nil, on day: DayKey
  ) throws(SessionError) -> Explanation {
    let id = try known.id(metric)
    guard DayKey.all.contains(day) else { throw .invalidDay(day) }
    let isCounted = plan.metrics[id].isOfMany(plan) && !subject.isEmpty
    let isKnown =
      isCounted
      ? plan.metrics[id].subject.entity.map { session.isKnown(subject, $0) } == true
      : session.isKnown(subject, of: id)
    guard isKnown else { throw known.unknownSubject(subject, of: id) }
    if group != nil || !isCounted { try check(group, plan.metrics[id]) }
    do throws(EvaluationError) {
      return try Explainer(library: plan, tables: session.tables, pool: pool)
        .explain(id, subject: subject, group: group, at: day)
    } catch { throw .evaluation(error) }
  }

  /// What keeps or raises a metric today: the smallest additions. It costs a pass over the records, plus the cost of a
  /// few hundred temporary records.
  ///
  ///     for sentence in try session.ahead(of: "daily_streak", for: "read", on: today).sentences { print(sentence) }
  ///
  /// - Throws: also for a measure, a funnel, a retention, and a level of one of them.
  public func ahead(
    of metric: String, for subject: String = "", on day: DayKey
  ) throws(SessionError) -> Ahead {
    let id = try known.id(metric)
    guard DayKey.all.contains(day) else { throw .invalidDay(day) }
    guard AheadQuestion.takes(plan.metrics[id], in: plan) else {
      throw .nothingAhead(metric, kind: plan.metrics[id].kind.rawValue)
    }
    guard session.isKnown(subject, of: id) else { throw known.unknownSubject(subject, of: id) }
    do throws(EvaluationError) {
      return try AheadQuestion.answer(
        id, for: subject, on: day, library: plan, tables: session.tables, pool: pool)
    } catch { throw .evaluation(error) }
  }

  /// A group has to be named where a metric has groups, and only there; where a field lists its texts, it is one of them.
  private func check(_ group: GroupKey?, _ metric: Metric) throws(SessionError) {
    let grouping = plan.grouping(of: metric)
    guard (group?.fields.count ?? 0) == grouping.count else {
      throw .wrongGroup(group, metric: metric.name, by: grouping.isEmpty ? nil : plan.text(of: grouping))
    }
    for (text, paths) in zip(group?.fields ?? [], grouping.map(\.paths)) where !text.isEmpty && !paths.isEmpty
    {
      let lists = paths.values.compactMap { path -> [String]? in
        if case .choice(let texts) = plan[path.field].type { texts } else { nil }
      }
      let choices = Set(lists.joined()).sorted()
      if lists.count == paths.count, !choices.contains(text) {
        throw .unknownGroup(text, metric: metric.name, groups: choices)
      }
    }
  }
}

/// Which values a change of the records may have changed; all others are what they were.
public struct SessionChange: Hashable, Sendable {
  /// By metric the ids of the subjects; nil if any subject's value may have changed. The id of a metric with one row
  /// for all is empty.
  public private(set) var metrics: [String: Set<String>?] = [:]
  private let known: SessionMetrics

  init(_ affected: [MetricID: AffectedSubjects], _ known: SessionMetrics) {
    self.known = known
    for (metric, subjects) in affected {
      switch subjects {
      case .all: metrics[known.plan.metrics[metric].name] = .some(nil)
      case .some(let ids): if !ids.isEmpty { metrics[known.plan.metrics[metric].name] = ids }
      }
    }
  }

  public static func == (one: SessionChange, other: SessionChange) -> Bool { one.metrics == other.metrics }
  public func hash(into hasher: inout Hasher) { hasher.combine(metrics) }

  /// Whether the app should query a value that it shows again.
  ///
  ///     if try change.affects("daily_streak", for: habit.id) { streak = try session.value(…) }
  ///
  /// - Parameters:
  ///   - metric: one of the session's.
  ///   - subject: nil for any. An id that no record names has no value that could change.
  /// - Throws: for a metric that is not the session's; where a subject is named and the metric has none, or is empty
  ///   and it has some.
  public func affects(_ metric: String, for subject: String? = nil) throws(SessionError) -> Bool {
    let id = try known.id(metric)
    if let subject, subject.isEmpty != (known.entity(of: id) == nil) {
      throw known.unknownSubject(subject, of: id)
    }
    guard let subjects = metrics[metric] else { return false }
    guard let subjects, let subject else { return true }
    return subjects.contains(subject)
  }

  /// The two changes as one.
  public func union(_ other: SessionChange) -> SessionChange {
    var both = self
    both.metrics.merge(other.metrics) { one, two in two.flatMap { one?.union($0) } }
    return both
  }
}

extension SessionChange: CustomStringConvertible {
  /// The metrics with the ids of their subjects: `daily_streak: read, swim; users: all`.
  public var description: String {
    metrics.sorted { $0.key < $1.key }.map { metric, subjects in
      let ids = subjects?.subtracting([""]).sorted() ?? ["all"]
      return ids.isEmpty ? metric : "\(metric): \(ids.joined(separator: ", "))"
    }.joined(separator: "; ")
  }
}

struct SessionMetrics: Sendable {
  let plan: Library
  private(set) var ids: [String: MetricID] = [:]
  private let rejected: Set<String>

  /// - Parameter names: empty for all that are accepted.
  init(_ library: MetricLibrary, _ names: [String]) {
    plan = library.plan
    let accepted = Set(library.metrics.lazy.filter(\.isAccepted).map(\.name))
    rejected = Set(library.metrics.lazy.map(\.name)).subtracting(accepted)
    for (id, metric) in plan.metrics.enumerated() where accepted.contains(metric.name) {
      if names.isEmpty || names.contains(metric.name) { ids[metric.name] = id }
    }
  }

  func id(_ name: String) throws(SessionError) -> MetricID {
    if let id = ids[name] { return id }
    if rejected.contains(name) { throw .rejectedMetric(name) }
    if plan.metric(named: name) != nil { throw .omittedMetric(name) }
    throw .unknownMetric(name, nearest: nearestName(to: name, in: plan.metrics.map(\.name)))
  }

  /// What has a value each, as the language names it; nil if the metric has one row for all.
  func entity(of metric: MetricID) -> String? {
    let metric = plan.metrics[metric]
    return metric.isOfMany(plan) ? nil : metric.subject.entity.map { plan.records[$0].subjectName }
  }

  func unknownSubject(_ subject: String, of metric: MetricID) -> SessionError {
    .unknownSubject(subject, metric: plan.metrics[metric].name, entity: entity(of: metric))
  }
}
