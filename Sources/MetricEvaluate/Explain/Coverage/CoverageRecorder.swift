/// Runs through the tests of a library and keeps which outcomes its conditions had.
package struct CoverageRecorder {
  /// With the team's readings, whose outcomes are those of the declared metrics.
  private let library: Library
  private let declared: Range<MetricID>
  private let conditions: [[CoverageCondition]]
  private var outcomes: [[Outcomes]]
  private var reached: Set<MetricID> = []
  private var parts: [MetricID: Set<String>] = [:]
  /// Thresholds, steps and returns, which are not expressions.
  private var stages: [MetricID: [String: Outcomes]] = [:]

  private struct Outcomes {
    var wasTrue = false
    var wasFalse = false

    mutating func add(_ value: Value) {
      // `when`, `where`, `rest when` and `if` take none as false.
      if value == .bool(true) { wasTrue = true } else { wasFalse = true }
    }

    func union(_ other: Outcomes) -> Outcomes {
      Outcomes(wasTrue: wasTrue || other.wasTrue, wasFalse: wasFalse || other.wasFalse)
    }
  }

  package init(library: Library) {
    declared = library.metrics.indices
    self.library = library.withTeamReadings(of: declared)
    conditions = library.metrics.map { CoverageConditions($0, library).conditions }
    outcomes = conditions.map { $0.map { _ in Outcomes() } }
  }

  // MARK: Tests

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
      recordStages(visit, days.sorted(), prober)
    }
  }

  private func declared(_ id: MetricID) -> MetricID { library.metrics[id].declared ?? id }

  private mutating func record(_ visit: CoverageVisits.Visit, _ days: [DayKey], _ prober: Prober) {
    let scope = Prober.Scope(metric: visit.metric, subject: visit.name, over: .allTime)
    let id = declared(visit.metric)
    for index in conditions[id].indices {
      let condition = conditions[id][index]
      let known = outcomes[id][index]
      if known.wasTrue, known.wasFalse { continue }
      for value in values(of: condition, scope, days, prober) { outcomes[id][index].add(value) }
    }
  }

  /// All that a condition was.
  private func values(
    of condition: CoverageCondition, _ scope: Prober.Scope, _ days: [DayKey], _ prober: Prober
  ) -> [Value] {
    var scope = scope
    switch condition.place {
    case .kept:
      scope.subject = nil
      return Array(prober.ask([condition.expression.onSubject], scope, at: days)[0].values.values)
    case .counted(let entity):
      scope.subject = nil
      let answers = prober.ask(
        [condition.expression.onSubject], scope, entity: .some(entity), at: days)
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

  // MARK: Stages

  private mutating func recordStages(_ visit: CoverageVisits.Visit, _ days: [DayKey], _ prober: Prober) {
    let plan = library.metrics[visit.metric]
    guard plan.kind == .level || plan.kind.countsSubjects else { return }
    let rows = (try? prober.rows(of: visit.metric, subject: visit.name, at: days)) ?? []
    func value(_ part: String?, beside row: ResultRow) -> Int64? {
      rows.first { $0.group == row.group && $0.at == row.at && $0.part == part }?.value.millionths
    }
    var found: [String: Outcomes] = [:]
    func add(_ name: String, _ isReached: Bool) { found[name, default: Outcomes()].add(.bool(isReached)) }
    // A stage is one outcome where somebody reaches it, and the other where somebody could have.
    func addStage(_ name: String, _ count: Int64?, of all: Int64?) {
      guard let count else { return }
      if count > 0 { add(name, true) }
      if let all, count < all { add(name, false) }
    }
    if case .level(let level) = plan.body {
      for case .int(let value) in rows.map(\.value) {
        for (index, threshold) in level.thresholds.enumerated() {
          add("`\(threshold)` is reached", index < value)
        }
      }
    } else if case .funnel(let funnel) = plan.body {
      for (index, step) in funnel.steps.enumerated() {
        let before = index > 0 ? plan.parts[index - 1].name : nil
        for row in rows where row.part == plan.parts[index].name {
          addStage("`\(step.name)` is reached", row.value.millionths, of: value(before, beside: row))
        }
      }
    } else if case .retention(let retention) = plan.body {
      for after in retention.after {
        let name = retention.stage(after)
        for row in rows where row.part == PartRole.eligible(after).name {
          if let worth = value(PartRole.worth(after).name, beside: row) { add(name, worth != 0) }
          addStage(name, value(PartRole.returned(after).name, beside: row), of: row.value.millionths)
        }
      }
    }
    stages[declared(visit.metric), default: [:]].merge(found) { $0.union($1) }
  }

  // MARK: Report

  package var coverage: Coverage {
    Coverage(metrics: declared.map(metric))
  }

  private func metric(_ id: MetricID) -> Coverage.Metric {
    let plan = library.metrics[id]
    let clauses = plan.coverageClauses.map { word -> Coverage.Clause in
      let own = zip(conditions[id], outcomes[id]).filter { $0.0.clause == word }.map { condition, outcome in
        Coverage.Condition(
          text: library.text(of: condition.expression), wasTrue: outcome.wasTrue, wasFalse: outcome.wasFalse)
      }
      let named = stageNames(of: plan, word).map { name, needsFalse in
        let outcome = stages[id]?[name] ?? Outcomes()
        return Coverage.Condition(
          text: name, wasTrue: outcome.wasTrue, wasFalse: outcome.wasFalse || !needsFalse)
      }
      return Coverage.Clause(word: word, isReached: isReached(id, word), conditions: own + named)
    }
    return Coverage.Metric(name: plan.name, isReached: reached.contains(id), clauses: clauses)
  }

  /// A target is examined where its parts are, a rest where a window was not complete.
  private func isReached(_ id: MetricID, _ word: String) -> Bool {
    guard reached.contains(id) else { return false }
    if word == "target" {
      return !(parts[id] ?? []).isDisjoint(with: [PartRole.target.name, PartRole.fraction.name])
    }
    guard word == "rest when" else { return true }
    return zip(conditions[id], outcomes[id]).contains {
      $0.clause == word && ($1.wasTrue || $1.wasFalse)
    }
  }

  /// The stages of a clause, and whether not reaching one is an outcome of its own.
  private func stageNames(of plan: Metric, _ word: String) -> [(String, Bool)] {
    if case .level(let level) = plan.body { return level.thresholds.map { ("`\($0)` is reached", true) } }
    if case .retention(let retention) = plan.body, word == "after" {
      return retention.after.map { (retention.stage($0), true) }
    }
    guard case .funnel(let funnel) = plan.body else { return [] }
    // Who did not take the first step made no attempt.
    return funnel.steps.enumerated().filter { "step \($0.element.name)" == word }
      .map { ("`\($0.element.name)` is reached", $0.offset > 0) }
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

extension Retention {
  /// What a row shows of some days after day 0.
  fileprivate func stage(_ days: DaysAfter) -> String {
    value == nil ? "somebody returns on `\(days.name)`" : "`\(days.name).value` is not 0"
  }
}
