extension MetricKind {
  /// Whether it counts subjects, and has no value for one of them.
  package var countsSubjects: Bool {
    switch self {
    case .completion, .streak, .momentum, .progress, .measure, .level: false
    case .funnel, .retention: true
    }
  }
}

package enum Audience: String, Sendable {
  /// The person whom the number is shown to.
  case user
  /// Numbers about many people; the fourth question does not bind them.
  case team
}

/// `for habit where E`; `for app` has no entity.
package struct Subject: Hashable, Sendable {
  package var entity: RecordID?
  /// Over the entity's own fields, root `.row`.
  package var condition: Expression?

  package init(entity: RecordID?, condition: Expression? = nil) {
    self.entity = entity
    self.condition = condition
  }
}

package struct Metric: Hashable, Sendable {
  package var name: String
  package var kind: MetricKind { body.kind }
  package var subject: Subject
  package var audience: Audience
  package var unit: String?
  package var title: String?
  package var doc: String?
  package var deprecated: String?
  package var owner: String?
  package var tags: [String] = []
  package var approval: Approval?
  /// Of the team's reading of a metric, that metric.
  package var declared: MetricID?
  /// `reading "why"`: what was seen, and no score.
  package var readingReason: String?
  /// `nearest N`: what the values are rounded to.
  package var nearest: FixedDecimal?
  /// `allow CODE "why"`: code to reason.
  package var allowed: [String: String] = [:]
  package var body: Body
  /// Of a question about another metric, which is no part of a library: it has that one's subjects and groups.
  package var asksAbout: MetricID?
  /// In the order of the result's rows.
  package var parts: [Part]
  /// The span of the metric's name.
  package var span: Span
  /// The spans of clauses by their words (`value`), and of the names of steps (`step opened`), for findings.
  package var clauseSpans: [String: Span]

  package init(
    name: String, subject: Subject, audience: Audience, doc: String? = nil, body: Body, parts: [Part],
    span: Span, clauseSpans: [String: Span] = [:]
  ) {
    self.name = name
    self.subject = subject
    self.audience = audience
    self.doc = doc
    self.body = body
    self.parts = parts
    self.span = span
    self.clauseSpans = clauseSpans
  }

  /// A place that only the metrics of its declaration have: the members of a family share their clauses.
  package var declaration: Span { clauseSpans["for"] ?? span }

  /// What its own `by` names; a level has the groups of its metric.
  package var grouping: [GroupField] { body.grouping }

  /// The fields by which it may be asked for (SLC-04).
  package var slices: [GroupField] { body.groups.slices }
}

/// What makes a metric one of its kind. It is a class: rules pass metrics around by value.
package indirect enum Body: Hashable, Sendable {
  case completion(Completion)
  case windows(WindowMetric)
  case measure(Measure)
  case level(Level)
  case funnel(Funnel)
  case retention(Retention)

  package var kind: MetricKind {
    switch self {
    case .completion: .completion
    case .windows(let metric): metric.reading.kind
    case .measure(let measure): measure.isProgress ? .progress : .measure
    case .level: .level
    case .funnel: .funnel
    case .retention: .retention
    }
  }

  /// The expressions of the body itself by the words of their clauses, in the metric's scope.
  package var clauses: [(word: String, expression: Expression)] {
    switch self {
    case .completion(let completion):
      [("when", completion.when)] + (completion.limit.map { [("limit", $0.condition)] } ?? [])
        + (completion.rest.map { [("rest when", $0)] } ?? [])
    case .measure(let measure):
      [("value", measure.value)] + (measure.target.map { [("target", $0)] } ?? [])
    case .windows, .level, .funnel, .retention: []
    }
  }

  package var expressions: [Expression] { clauses.map(\.expression) }

  /// The same, and what its groups are.
  package var expressionsAndGroups: [Expression] { expressions + grouping.expressions }

  package var grouping: [GroupField] { groups.own }

  /// `at least K users`
  package var atLeast: Int? { groups.atLeast }

  /// `by`, `slice by` and `at least`.
  fileprivate var groups: (own: [GroupField], slices: [GroupField], atLeast: Int?) {
    switch self {
    case .measure(let measure): (measure.grouping, measure.slices, measure.atLeast)
    case .funnel(let funnel): (funnel.grouping, funnel.slices, funnel.atLeast)
    case .retention(let retention): (retention.grouping, retention.slices, retention.atLeast)
    case .completion, .windows, .level: ([], [], nil)
    }
  }

  /// The period of the aggregates in a value; nil for what has no value of its own.
  package var over: Period? { if case .measure(let measure) = self { measure.over } else { nil } }

  /// The period of the aggregates in its expressions: the window of a completion.
  package var period: Period? {
    if case .completion(let completion) = self { completion.window.period } else { over }
  }

  /// The expressions and all below them in the metric's scope.
  package var parts: [Expression] { expressions.flatMap(\.parts) }

  /// The metric that a streak, a momentum or a level rests on.
  package var base: MetricID? {
    switch self {
    case .windows(let metric): metric.completion
    case .level(let level): level.metric
    case .completion, .measure, .funnel, .retention: nil
    }
  }

  /// The facts and completions of a funnel or retention.
  package var sources: [EventSource] { orderedSources.map(\.source) }

  /// The same, and whether the order of one day's facts counts.
  package var orderedSources: [(source: EventSource, inOrder: Bool)] {
    switch self {
    case .funnel(let funnel):
      // Steps in any order are taken on days, unless a field of the opening groups them.
      let inOrder = funnel.order != .any || funnel.grouping.hasPaths
      return (funnel.steps.map(\.source) + [funnel.without].compactMap { $0 }).map { ($0, inOrder) }
    case .retention(let retention):
      // Only a group by a field asks which start of the day was the first; otherwise days are enough.
      return [(retention.start, retention.grouping.hasPaths), (retention.returns, false)]
    case .completion, .windows, .measure, .level: return []
    }
  }

  /// Numbers of days that a funnel or retention counts.
  package var lengths: [Int] {
    switch self {
    case .funnel(let funnel): [funnel.within].compactMap { $0 }
    case .retention(let retention): retention.after.map(\.through)
    case .completion, .windows, .measure, .level: []
    }
  }
}

package struct Completion: Hashable, Sendable {
  package var window: Window
  package var when: Expression
  package var limit: Limit?
  package var rest: Expression?

  package init(window: Window, when: Expression, limit: Limit? = nil, rest: Expression?) {
    self.window = window
    self.when = when
    self.limit = limit
    self.rest = rest
  }

  /// What holds in a complete window, presence aside (CMP-01).
  package var holds: Expression { limit.map { .and(when, $0.condition) } ?? when }
}

/// `limit count(Smoke) == 0 "my own choice"`: what a person wants less of (CMP-03).
package struct Limit: Hashable, Sendable {
  package var condition: Expression
  package var reason: String
}

/// One of the fields of `by`, or its `cohort week`: the calendar unit of the start (GRP-05).
package enum GroupField: Hashable, Sendable {
  package static let most = 4

  /// As it is written, `book.level`; for each record type whose facts the value reads, the path from the fact (root `.row`).
  case field(String, [RecordID: FieldPath], type: ValueType)
  /// As it is written, `run_band`; a metric of the counted subject (root `.row`), whose value on the day is the group
  /// (GRP-07).
  case metric(String, MetricReference, of: RecordID)
  case cohort(CalendarUnit)

  /// The name of its column.
  package var name: String {
    switch self {
    case .field(let name, _, _), .metric(let name, _, _): name
    case .cohort: "cohort"
    }
  }

  package var type: ValueType {
    switch self {
    case .field(_, _, let type): type
    case .metric(_, let reference, _): reference.type
    case .cohort: .dayKey
    }
  }

  /// The paths from facts and counted subjects; a cohort and a metric have none.
  package var paths: [RecordID: FieldPath] {
    if case .field(_, let paths, _) = self { paths } else { [:] }
  }

  /// The metric whose value it is.
  package var read: MetricReference? {
    if case .metric(_, let reference, _) = self { reference } else { nil }
  }

  package var isCohort: Bool { if case .cohort = self { true } else { false } }

  /// What it is for a fact or a counted subject (root `.row`); nil for a record without it.
  package func expression(of record: RecordID) -> Expression? {
    switch self {
    case .field(_, let paths, _): paths[record].map { .field($0) }
    case .metric(_, let reference, let entity): entity == record ? .metric(reference) : nil
    case .cohort: nil
    }
  }
}

extension [GroupField] {
  /// Where a metric that is read in these groups has its fields among them (GRP-03).
  package func places(of read: [GroupField]) -> [Int] {
    read.compactMap { field in firstIndex { $0.name == field.name } }
  }

  /// Whether the group of a subject may be another one on another day.
  package var vary: Bool { contains { $0.read != nil } }

  /// Whether a field of the facts is among them.
  package var hasPaths: Bool { contains { !$0.paths.isEmpty } }

  package var paths: [FieldPath] { flatMap(\.paths.values) }

  /// What they are for the records and subjects that have them.
  package var expressions: [Expression] {
    paths.map { .field($0) } + compactMap(\.read).map { .metric($0) }
  }
}

/// A value, and of a progress perhaps what it is to reach (PRG-01).
package struct Measure: Hashable, Sendable {
  package var isProgress = false
  package var value: Expression
  package var target: Expression?
  package var over: Period
  package var grouping: [GroupField]
  package var slices: [GroupField] = []
  package var atLeast: Int?

  package init(value: Expression, over: Period, grouping: [GroupField] = [], atLeast: Int? = nil) {
    self.value = value
    self.over = over
    self.grouping = grouping
    self.atLeast = atLeast
  }
}

package struct Level: Hashable, Sendable {
  package var metric: MetricID
  /// The part it rests on; empty for the metric's own value.
  package var part: String
  /// Rising.
  package var thresholds: [FixedDecimal]
  /// Whether it has the day on which each was first reached (LEV-03).
  package var hasDays = false

  /// What its thresholds are compared with.
  package var number: Expression {
    .metric(MetricReference(root: .subject, metric: metric, part: part, type: .decimal))
  }
}

/// What a funnel step or a retention takes as a fact.
package enum EventSource: Hashable, Sendable {
  case fact(RecordID, route: Route, filter: Expression?)
  /// One fact on each complete day of a day-window completion.
  case completion(MetricID)
}

package struct FunnelStep: Hashable, Sendable {
  package var name: String
  package var source: EventSource
}

package enum FunnelOrder: String, Hashable, Sendable {
  case inOrder, any, strict
}

package struct Funnel: Hashable, Sendable {
  /// The steps that a fact can serve are a mask of bits; one bit says that a condition is out of range.
  package static let mostSteps = 31

  package var steps: [FunnelStep]
  /// All steps lie less than this many days after step 1's day; nil means no bound.
  package var within: Int?
  package var order: FunnelOrder
  /// `days 50, 90`: percentiles of the days from step 1 to each later one (FUN-09).
  package var percentiles: [Int] = []
  /// What lies between no two neighbouring steps (FUN-10).
  package var without: EventSource?
  package var over: Period
  package var grouping: [GroupField]
  package var slices: [GroupField] = []
  package var atLeast: Int?
}

package struct Retention: Hashable, Sendable {
  package var start: EventSource
  /// `start each`: every day with a start fact is a day 0.
  package var startsEachDay: Bool
  /// Of a `value` the facts that add to it.
  package var returns: EventSource
  /// `value E` in place of `return`: the sum or the number of facts (RET-10).
  package var value: Aggregate?
  package var after: [DaysAfter]
  package var orLater: Bool
  package var over: Period
  package var grouping: [GroupField]
  package var slices: [GroupField] = []
  package var atLeast: Int?

  /// The days since day 0 whose facts count: the one day, all up to it for a value, or those of the bracket.
  package func span(_ days: DaysAfter) -> ClosedRange<Int> {
    (days.from ?? (value == nil ? days.through : 0))...days.through
  }

  /// What `return` names, or the facts of `value` with the condition that is written.
  package var written: EventSource {
    value.map { .fact($0.record, route: $0.route, filter: $0.filter) } ?? returns
  }

  /// Three for each of `after`.
  package var parts: [Part] {
    after.flatMap { days in
      let dividend = value.map { Part(.worth(days), type: $0.type) } ?? Part(.returned(days), type: .int)
      let quotient = Part(value == nil ? .rate(days) : .mean(days), type: .decimal)
      return [Part(.eligible(days), type: .int), dividend, quotient]
    }
  }
}

/// `7` of `after 1, 7 days`, or `1 to 7` of `after days 1 to 7`; in days, also where they are written in weeks.
package struct DaysAfter: Hashable, Sendable {
  /// Where a bracket of days begins.
  package var from: Int?
  package var through: Int

  package init(from: Int? = nil, through: Int) {
    self.from = from
    self.through = through
  }

  /// `d7`, `d1to7`: how its parts begin.
  package var name: String { "d\(from.map { "\($0)to" } ?? "")\(through)" }

  /// As the language writes it.
  package var asWritten: String { "\(from.map { "\($0) to " } ?? "")\(through)" }
}
