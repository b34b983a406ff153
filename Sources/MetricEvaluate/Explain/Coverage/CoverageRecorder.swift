/// Runs through the tests of a library and keeps which outcomes its conditions had.
package struct CoverageRecorder {
  /// With the team's readings, whose outcomes are those of the declared metrics.
  private let library: Library
  private let declared: Range<MetricID>
  private var conditions: [[CoverageCondition]]
  private var stages: [[CoverageStage]]
  private var reached: Set<MetricID> = []
  private var parts: [MetricID: Set<String>] = [:]

  package init(library: Library) {
    declared = library.metrics.indices
    self.library = library.withTeamReadings(of: declared)
    conditions = library.metrics.map { CoverageConditions($0, library).conditions }
    stages = library.metrics.map(\.coverageStages)
  }

  /// Looks at what a test exercises; the test itself runs elsewhere.
  package mutating func record(_ test: TestCase) {
    let pool = StringPool()
    let prober = Prober(library: library, tables: library.tables(test.rows, pool: pool), pool: pool)
    let factDays = test.rows.compactMap(library.day)
    var visits = CoverageVisits(library: library, firstDay: factDays.min() ?? .last)
    for expectation in test.expectations { visits.add(expectation) }
    parts.merge(visits.parts) { $0.union($1) }
    for (visit, days) in visits.days.sorted(by: { $0.key.metric < $1.key.metric }) {
      reached.insert(declared(visit.metric))
      record(visit, days.sorted(), prober)
    }
  }

  private func declared(_ id: MetricID) -> MetricID { library.metrics[id].declared ?? id }

  private mutating func record(_ visit: CoverageVisits.Visit, _ days: [DayKey], _ prober: Prober) {
    let scope = Prober.Scope(metric: visit.metric, subject: visit.name, over: .allTime)
    let id = declared(visit.metric)
    for (index, condition) in conditions[id].enumerated()
    where !condition.outcomes.wasTrue || !condition.outcomes.wasFalse {
      for value in values(of: condition, scope, days, prober) {
        // `when`, `where`, `rest when` and `if` take none as false.
        conditions[id][index].outcomes.add(value == .bool(true))
      }
    }
    guard !stages[id].isEmpty else { return }
    let rows = (try? prober.rows(of: visit.metric, subject: visit.name, at: days)) ?? []
    for row in rows where row.part == rows[0].part {
      for index in stages[id].indices {
        let found = stages[id][index].found { part in
          rows.first { ($0.subject, $0.group, $0.at, $0.part) == (row.subject, row.group, row.at, part) }?
            .value.millionths
        }
        for isReached in found { stages[id][index].outcomes.add(isReached) }
      }
    }
  }

  private func values(
    of condition: CoverageCondition, _ scope: Prober.Scope, _ days: [DayKey], _ prober: Prober
  ) -> [Value] {
    var scope = scope
    switch condition.place {
    case .counted(let entity):
      scope.subject = nil
      let answers = prober.ask(
        [condition.expression.onSubject], scope, entity: entity.map { .some($0) }, at: days)
      return Array(answers[0].values.values)
    case .subject(let over):
      scope.over = over
      let open = places(condition.guards, scope, days, prober)
      let answers = prober.ask([condition.expression], scope, at: days)[0].values
      return answers.filter { open.contains($0.key) }.map(\.value)
    case .facts(let aggregate, let over):
      scope.over = over
      let ends = Set(places(condition.guards, scope, days, prober).map(\.day))
      let period = aggregate.period ?? over
      guard let last = ends.max() else { return [] }
      return prober.outcomes(of: condition.expression, aggregate, scope, through: last).filter { fact in
        ends.contains { period.days(at: $0.number).contains(fact.day.number) }
      }.map(\.value)
    }
  }

  /// Where the conditions above let something be decided.
  private func places(
    _ guards: [CoverageCondition.Guard], _ scope: Prober.Scope, _ days: [DayKey], _ prober: Prober
  ) -> Set<Prober.Answers.Key> {
    let questions = [Expression.literal(.bool(true))] + guards.map(\.condition)
    let answers = prober.ask(questions, scope, at: days)
    var open = Set(answers[0].values.keys)
    for (above, answer) in zip(guards, answers.dropFirst()) {
      open = open.filter { (answer.values[$0] == .bool(true)) == above.isTrue }
    }
    return open
  }

  package var coverage: Coverage {
    Coverage(
      metrics: declared.map { id in
        let clauses = library.metrics[id].coverageClauses.map { word in
          Coverage.Clause(
            word: word, isReached: isReached(id, word),
            conditions: conditions[id].filter { $0.clause == word }.map(\.outcomes)
              + stages[id].filter { $0.clause == word }.map(\.outcomes))
        }
        return Coverage.Metric(
          name: library.metrics[id].name, isReached: reached.contains(id), clauses: clauses)
      })
  }

  /// A target is examined where its parts are, a rest where a window was not complete.
  private func isReached(_ id: MetricID, _ word: String) -> Bool {
    guard reached.contains(id) else { return false }
    if word == "target" {
      return !(parts[id] ?? []).isDisjoint(with: [PartRole.target.name, PartRole.fraction.name])
    }
    guard word == "rest when" else { return true }
    return conditions[id].contains {
      $0.clause == word && ($0.outcomes.wasTrue || $0.outcomes.wasFalse)
    }
  }
}

extension Metric {
  fileprivate var coverageClauses: [String] {
    let subject = subject.condition != nil && body.base == nil ? ["for … where"] : []
    if body.base != nil { return [kind == .level ? "at" : "of"] }
    if !kind.countsSubjects { return subject + body.clauses.map(\.word) }
    return subject + body.namedSources.map(\.word) + (kind == .retention ? ["after"] : [])
  }
}
