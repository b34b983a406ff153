import MetricDiagnostics
import MetricEvaluate
import MetricExplain
import MetricPlan
import MetricValues

/// A value of a series, for a chart; the day identifies it.
public struct SeriesPoint<Element> {
  public var day: DayKey
  /// Nil where there is no value.
  public var value: Element?
}

extension SeriesPoint: Sendable where Element: Sendable {}
extension SeriesPoint: Equatable where Element: Equatable {}
extension SeriesPoint: Identifiable {
  public var id: DayKey { day }
}

extension MetricSession {
  /// A value of a metric; nil where there is none.
  ///
  ///     let week: Double? = try session.value(of: "last_week", for: "read", on: today)
  ///
  /// - Parameters:
  ///   - metric: one of the session's.
  ///   - part: empty for the metric's own value.
  ///   - subject: its id; empty for metrics of the whole app, funnels and retentions.
  ///   - group: of a metric that says `by`. A group that is not there has no value.
  ///   - day: the user's, as `MetricFoundation` makes it of a `Date`.
  ///   - type: a type that holds the metric's values; `Value` holds them all.
  /// - Throws: for a metric, part or subject that is unknown, or a type that the metric does not have; where a number
  ///   leaves its range, or bundles form a circle.
  public func value<Element: MetricConvertible>(
    of metric: String, part: String = "", for subject: String = "", group: String = "", on day: DayKey,
    as type: Element.Type = Element.self
  ) throws(SessionError) -> Element? {
    try series(of: metric, part: part, for: subject, group: group, days: day...day, as: type).first?.value
  }

  /// The value on each day of a range, for a chart.
  public func series<Element: MetricConvertible>(
    of metric: String, part: String = "", for subject: String = "", group: String = "",
    days: ClosedRange<DayKey>, as type: Element.Type = Element.self
  ) throws(SessionError) -> [SeriesPoint<Element>] {
    let plan = self.plan.metrics[try self.metric(metric)]
    guard let found = plan.parts.first(where: { $0.name == part }) else {
      throw .unknownPart(part, metric: metric, parts: plan.parts.map(\.name))
    }
    guard type.columnTypes.contains(found.type) else {
      throw .wrongType(metric: metric, part: part, is: found.type, asked: "\(type)")
    }
    var points = (days.lowerBound.number...days.upperBound.number).map {
      SeriesPoint<Element>(day: DayKey(number: $0), value: nil)
    }
    for row in try rows(of: metric, for: subject, days: days)
    where row.part == part && row.group == group && row.value != .none {
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
    let id = try self.metric(metric)
    if let subject, !session.isKnown(subject, of: id) { throw .unknownSubject(subject, metric: metric) }
    let days = (days.lowerBound.number...days.upperBound.number).map { DayKey(number: $0) }
    return try SessionError.evaluating { () throws(EvaluationError) in
      try session.rows(of: id, subject: subject, days: days)
    }
  }

  /// The values of all metrics of a subject, by the names of the metrics.
  ///
  /// An empty subject stands for all metrics that have one row for many subjects. An entity such as `habit` is needed
  /// where records of several types have the id.
  public func values(
    for subject: String, of entity: String? = nil, on day: DayKey
  ) throws(SessionError) -> [ResultRow] {
    let asked = metrics.filter { entity == nil || plan.name(of: plan.metrics[$1].subject) == entity }
    if let entity, asked.isEmpty {
      throw .unknownRecord(entity, nearest: nearestName(to: entity, in: plan.records.map(\.subjectName)))
    }
    let known = asked.filter { session.isKnown(subject, of: $1) }
    guard !known.isEmpty else { throw .unknownSubject(subject, metric: "") }
    var rows: [ResultRow] = []
    for name in known.keys.sorted() { rows += try self.rows(of: name, for: subject, days: day...day) }
    return rows
  }

  /// Why a metric is what it is for a subject on a day. It costs a pass over the records.
  ///
  /// The subject of a funnel or a retention is the counted one, or empty for none. Without a group it is the only one
  /// there is, or the one that the subject counts in.
  public func why(
    _ metric: String, for subject: String = "", group: String? = nil, on day: DayKey
  ) throws(SessionError) -> Explanation {
    let id = try self.metric(metric)
    let isCounted = plan.metrics[id].isOfMany(plan) && !subject.isEmpty
    let isKnown =
      isCounted
      ? plan.metrics[id].subject.entity.map { session.isKnown(subject, $0) } == true
      : session.isKnown(subject, of: id)
    let explanation = try SessionError.evaluating { () throws(EvaluationError) -> Explanation? in
      guard isKnown else { return nil }
      return try Explainer(library: plan, tables: session.tables, pool: pool)
        .explain(id, subject: subject, group: group, at: day)
    }
    guard let explanation else { throw .unknownSubject(subject, metric: metric) }
    return explanation
  }
}

/// Which values a change of the records may have changed; all others are what they were.
public struct SessionChange: Hashable, Sendable {
  /// By metric the ids of the subjects; nil where any subject's value may have changed. The id of a metric with one row
  /// for all is empty.
  public private(set) var metrics: [String: Set<String>?] = [:]

  init() {}

  init(_ affected: [MetricID: AffectedSubjects], _ plan: Library) {
    for (metric, subjects) in affected {
      switch subjects {
      case .all: metrics[plan.metrics[metric].name] = .some(nil)
      case .some(let ids): if !ids.isEmpty { metrics[plan.metrics[metric].name] = ids }
      }
    }
  }

  /// Whether the app should query a value that it shows again.
  ///
  ///     if change.affects("daily_streak", for: habit.id) { streak = try session.value(…) }
  public func affects(_ metric: String, for subject: String = "") -> Bool {
    guard let subjects = metrics[metric] else { return false }
    return subjects?.contains(subject) ?? true
  }

  /// The two changes as one.
  public func union(_ other: SessionChange) -> SessionChange {
    var both = self
    both.metrics.merge(other.metrics) { one, two in
      guard let one, let two else { return nil }
      return one.union(two)
    }
    return both
  }
}
