/// Asks the evaluator itself what a part of a metric was.
///
/// Each question becomes a small metric beside those of the library. So whatever an explanation says
/// was computed by the same code as the number that it explains.
struct Prober {
  /// With the team's readings.
  private(set) var library: Library
  let dataset: Dataset

  init(library: Library, tables: [String: Table], pool: StringPool) {
    self.library = library
    dataset = Dataset(library: library, tables: tables, pool: pool, threads: 1)
  }

  /// Who asks: a metric for a subject, and what aggregates without a period of their own look at.
  struct Scope {
    var metric: MetricID
    /// Nil for all subjects.
    var subject: String?
    var over: Period
    /// The group that is asked about, in a metric that has groups by a field.
    var group: GroupKey?
  }

  /// Rows of metrics that were made for a question.
  private func rows(_ made: [Metric], subject: String?, days: [DayKey]) throws(EvaluationError) -> [ResultRow]
  {
    var library = library
    let ids = made.indices.map { library.metrics.count + $0 }
    library.metrics += made
    let request = EvaluationRequest(
      metrics: ids, subjects: subject.map { [$0] } ?? [], days: Array(Set(days)).sorted())
    return try evaluate(request, library: library, dataset)
  }

  /// One that reads the facts of a metric without consent.
  func withoutConsent(_ metric: MetricID) -> Prober {
    var open = self
    open.library.metrics[metric].audience = .user
    return open
  }

  /// - Parameter body: in place of the metric's own.
  func rows(
    of metric: MetricID, body: Body? = nil, subject: String?, at days: [DayKey]
  ) throws(EvaluationError) -> [ResultRow] {
    var plan = library.metrics[metric]
    if let body { plan.body = body }
    return try rows([plan], subject: subject, days: days)
  }

  func trace(_ metric: MetricID, at day: DayKey) throws(EvaluationError) -> Trace {
    try Trace(metric, at: day, library: library, dataset)
  }

  /// What an expression was, by subject and day: one that is not there has no value.
  struct Answers {
    var values: [Key: Value] = [:]
    var isOutOfRange = false

    struct Key: Hashable {
      var subject: ByteKey
      var day: DayKey
    }

    func value(_ subject: String, _ day: DayKey) -> Value {
      values[Key(subject: ByteKey(subject), day: day)] ?? .none
    }
  }

  /// - Parameter entity: whose subjects are asked about; that of the metric where it is not given.
  func ask(
    _ expressions: [Expression], _ scope: Scope, entity: RecordID?? = nil, at days: [DayKey]
  ) -> [Answers] {
    guard !expressions.isEmpty, !days.isEmpty else { return expressions.map { _ in Answers() } }
    let made = expressions.enumerated().map { measure($1, scope, entity: entity, index: $0) }
    do throws(EvaluationError) {
      return try answers(made, scope, days)
    } catch {
      // One of them leaves the range: each is asked by itself.
      return made.map { metric in
        do throws(EvaluationError) {
          return try answers([metric], scope, days).first ?? Answers()
        } catch {
          return Answers(isOutOfRange: true)
        }
      }
    }
  }

  private func answers(
    _ made: [Metric], _ scope: Scope, _ days: [DayKey]
  ) throws(EvaluationError) -> [Answers] {
    let numbers = Dictionary(uniqueKeysWithValues: made.enumerated().map { ($1.name, $0) })
    var answers = made.map { _ in Answers() }
    for row in try rows(made, subject: scope.subject, days: days) {
      guard let number = numbers[row.metric] else { continue }
      if !made[number].grouping.isEmpty, row.group != scope.group { continue }
      answers[number].values[Answers.Key(subject: ByteKey(row.subject), day: row.at)] = row.value
    }
    return answers
  }

  /// A measure whose value is the expression, for the subjects and groups of the current metric.
  private func measure(
    _ expression: Expression, _ scope: Scope, entity: RecordID??, index: Int
  ) -> Metric {
    let plan = library.metrics[scope.metric]
    let hasGroups = scope.group != nil && plan.kind == .measure
    var metric = Metric(
      name: "#\(index)", subject: Subject(entity: entity ?? plan.subject.entity), audience: plan.audience,
      body: .measure(
        Measure(value: expression, over: scope.over, grouping: hasGroups ? plan.grouping : [])),
      parts: [Part(.value, type: expression.type)], span: plan.span)
    metric.asksAbout = scope.metric
    return metric
  }

  /// The live facts of the subject at a reference day that pass an aggregate's `where`, whatever its period; with
  /// `argument` what each of them gives, and only those that give something.
  func facts(
    _ aggregate: Aggregate, _ scope: Scope, in days: ClosedRange<DayKey> = DayKey.all, at day: DayKey,
    atMost most: Int = .max
  ) throws(EvaluationError) -> (facts: [TracedFact], count: Int) {
    try trace(scope.metric, at: day).facts(
      aggregate, of: scope.subject, group: scope.group, in: days, atMost: most)
  }

  /// What a condition is for each live fact up to a day that an aggregate could look at, whatever its own `where`.
  func outcomes(
    of condition: Expression, _ aggregate: Aggregate, _ scope: Scope, through day: DayKey
  ) -> [(day: DayKey, value: Value)] {
    let question = Aggregate(.count, of: aggregate.record, aggregate.route)
    let valued = Aggregate(.count, of: aggregate.record, aggregate.route, argument: condition)
    // Facts where the condition is none appear only in the list of all.
    guard let all = try? facts(question, scope, at: day).facts,
      let decided = try? facts(valued, scope, at: day).facts
    else { return [] }
    let values = Dictionary(decided.map { ($0.row, $0.value ?? .none) }, uniquingKeysWith: { one, _ in one })
    return all.map { ($0.day, values[$0.row] ?? .none) }
  }
}
