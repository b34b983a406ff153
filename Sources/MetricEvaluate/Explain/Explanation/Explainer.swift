/// Explains values of a library over a dataset.
///
///     let explainer = Explainer(library: library, tables: tables, pool: pool)
///     let explanation = try explainer.explain(streak, subject: "read", at: day)
///
/// Values, windows and attempts come from the evaluator (`Prober`); what is added here is how they fit together, with
/// links and records.
package final class Explainer {
  let library: Library
  let prober: Prober
  /// Facts that aggregates look at, as they are asked for again and again.
  var knownFacts: [FactsKey: FactsFound] = [:]
  /// Metrics that have been explained on the way.
  private var seen: Set<Visit> = []

  /// The most records that are listed, and windows that are examined.
  static let mostRecords = 10_000
  static let mostWindows = 3_000
  static let mostDaysBefore: Int32 = 28
  /// The most metrics that are explained below one.
  static let mostReads = 64

  private struct Visit: Hashable {
    var metric: MetricID
    var subject: ByteKey
    var day: DayKey
  }

  var dataset: Dataset { prober.dataset }

  /// - Throws: if identities cannot be resolved.
  package init(library: Library, tables: [String: Table], pool: StringPool) throws(EvaluationError) {
    self.library = library.withTeamReadings(of: library.metrics.indices)
    prober = Prober(library: self.library, tables: tables, pool: pool)
    try dataset.merge()
  }

  /// - Parameters:
  ///   - subject: its id, or another name of it; of a funnel or a retention the counted one or empty; empty for `app`.
  ///   - group: nil if none was requested.
  /// - Throws: what makes the result itself meaningless.
  package func explain(
    _ metric: MetricID, subject: String, group: GroupKey? = nil, at day: DayKey
  ) throws(EvaluationError) -> Explanation {
    seen = []
    let isMerged = library.identity.map { $0.entity == library.metrics[metric].subject.entity } ?? false
    let subject = isMerged ? dataset.person(subject) : subject
    return try explain(metric, subject: subject, group: group, on: day)
  }

  /// Explains a metric that another one reads, unless it has been explained already. Gives why it has no value.
  @discardableResult
  func read(
    _ metric: MetricID, group: GroupKey? = nil, at day: DayKey, _ work: inout Work
  ) throws(EvaluationError) -> Reason? {
    let visit = Visit(metric: metric, subject: ByteKey(work.subject), day: day)
    guard seen.count < Explainer.mostReads, seen.insert(visit).inserted else { return nil }
    let speaksOfMany = library.metrics[metric].subject.entity == nil || isWhole(metric)
    let read = try explain(metric, subject: speaksOfMany ? "" : work.subject, group: group, on: day)
    work.explanation.reads.append(read)
    return read.absence
  }

  /// Whether it has one row for all subjects.
  func isWhole(_ metric: MetricID) -> Bool {
    library.metrics[metric].isOfMany(library)
  }

  private func explain(
    _ metric: MetricID, subject: String, group: GroupKey?, on day: DayKey
  ) throws(EvaluationError) -> Explanation {
    let plan = library.metrics[metric]
    let rows = try prober.rows(of: metric, subject: isWhole(metric) ? "" : subject, at: [day])
    var work = Work(
      metric: metric, plan: plan, subject: subject, day: day,
      explanation: Explanation(
        metric: plan.name, kind: plan.kind.rawValue, subject: subject, group: group ?? GroupKey(), at: day))
    let asked = isWhole(metric) && !subject.isEmpty && group == nil ? try groupOf(work) : nil
    let wanted = group ?? asked ?? rows.first?.group ?? GroupKey()
    work.explanation.group = wanted
    work.explanation.parts = rows.filter { $0.group == wanted }.map {
      Explanation.Part(name: $0.part, value: $0.value)
    }
    if work.explanation.parts.isEmpty {
      work.explanation.absence = try whyNoRow(work, groups: Set(rows.map(\.group)))
    } else if let reason = try hiding(work) {
      // What is hidden stays hidden.
      work.explanation.absence = reason
    } else {
      switch plan.body {
      case .completion(let completion): try explain(completion, &work)
      case .windows(let metric): try explain(metric, &work)
      case .measure(let measure): try explainValue(over: measure.over, &work)
      case .level(let level): try explain(level, &work)
      case .funnel(let funnel): try explain(funnel, &work)
      case .retention(let retention): try explain(retention, &work)
      }
    }
    let records = work.records.sorted { $0.precedes($1) }
    work.explanation.records = Array(records.prefix(Explainer.mostRecords))
    work.explanation.recordCount = records.count + work.unlistedCount
    return work.explanation
  }

  private func explainValue(over: Period, _ work: inout Work) throws(EvaluationError) {
    var scope = work.scope(over: over)
    if !work.plan.grouping.isEmpty { scope.group = work.explanation.group }
    for (word, value) in work.plan.body.clauses { try add(word, value, scope, at: work.day, to: &work) }
    if work.explanation.parts.first?.value == Value.none {
      work.explanation.absence = work.explanation.clauses.first?.expression.reason
    }
  }

  /// The tree of a clause, its records and links, and the metrics that it reads.
  func add(
    _ word: String, _ expression: Expression, _ scope: Prober.Scope, at day: DayKey, to work: inout Work
  ) throws(EvaluationError) {
    let tree = try explain(expression, scope, at: day, &work)
    work.explanation.clauses.append(Explanation.Clause(word: word, at: day, expression: tree))
  }

  private func explain(_ level: Level, _ work: inout Work) throws(EvaluationError) {
    let base = library.metrics[level.metric]
    let subject = isWhole(level.metric) ? "" : work.subject
    let rows = try prober.rows(of: level.metric, subject: subject, at: [work.day])
    let row = rows.first { $0.part == level.part && $0.group == work.explanation.group }
    let value = row?.value.millionths ?? .min
    let days = work.explanation.parts.dropFirst().map(\.value)
    work.explanation.thresholds = level.thresholds.enumerated().map { place, threshold in
      let day: DayKey? = if level.hasDays, case .day(let day) = days[place] { day } else { nil }
      return Explanation.Threshold(value: threshold, isReached: value >= threshold.millionths, on: day)
    }
    let group = base.grouping.isEmpty && base.kind != .level ? nil : work.explanation.group
    let read = try explain(level.metric, subject: work.subject, group: group, on: work.day)
    work.explanation.reads.append(read)
  }

  private func whyNoRow(_ work: Work, groups: Set<GroupKey>) throws(EvaluationError) -> Reason {
    let plan = work.plan
    if !groups.isEmpty {
      let shown = groups.sorted().prefix(10).map { "`\($0)`" }.joined(separator: ", ")
      return Reason(
        .unknownGroup, "`\(plan.name)` has no group `\(work.explanation.group)` here, but \(shown)")
    }
    let noGroup = Reason(.nothingToLookAt, "no fact that it reads makes a group")
    guard let entity = plan.subject.entity, !isWhole(work.metric) else { return noGroup }
    let name = library.records[entity].subjectName
    if let reason = try whyLeftOut(name, work, note: ": it is \(condition(work).literalText)") {
      return reason
    }
    return if !plan.grouping.isEmpty, try exists(work) { noGroup } else { try whyUnknown(name, work) }
  }

  /// `at least K users` where it takes the value away.
  private func hiding(_ work: Work) throws(EvaluationError) -> Reason? {
    guard let atLeast = work.plan.body.atLeast, work.explanation.parts.contains(where: { $0.value == .none })
    else { return nil }
    return try ownReason(work)
      ?? Reason(
        .hidden,
        "`at least \(atLeast) users`: the number is based on fewer, or would reveal one that is; hidden values are not explained"
      )
  }

  /// Why a measure would have no value without `at least` either. Only the reason is given, never how few there are.
  private func ownReason(_ work: Work) throws(EvaluationError) -> Reason? {
    guard case .measure(var measure) = work.plan.body else { return nil }
    measure.atLeast = nil
    let rows = try prober.rows(
      of: work.metric, body: .measure(measure), subject: work.subject, at: [work.day])
    let own = rows.first { $0.group == work.explanation.group }
    guard own?.value == Value.none else { return nil }
    var scratch = work
    try explainValue(over: measure.over, &scratch)
    return scratch.explanation.absence
  }
}
