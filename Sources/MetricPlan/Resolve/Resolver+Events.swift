import MetricSyntax

/// Funnels and retention.
extension Resolver {
  /// A fact, or a day-window completion of the same subject in its place.
  private func eventSource(_ pattern: FactPattern, _ subject: Subject) -> EventSource? {
    let name = pattern.source
    guard !name.isMissing else { return nil }
    if let record = recordIDs[name.text] {
      note(name, .record(record))
      guard records[record].kind == .fact else {
        return fail(
          .wrongArguments,
          "`\(name.text)` is \(records[record].kind == .entity ? "an entity" : "a link"); a fact was expected",
          at: name.span)
      }
      let scope = Scope(kind: .fact(record), subject: subject)
      let route = route(from: record, through: nil, span: name.span, in: scope)
      let filter = Optionally(pattern.condition) { resolveBool($0, in: scope, what: "`where`") }
      guard let route, !filter.failed else { return nil }
      return .fact(record, route: route, filter: filter.value?.expression)
    }
    guard metricSyntax[name.text] != nil else {
      if reportAntiPattern(name) { return nil }
      return fail(
        .unknownRecord, "no fact or completion is called `\(name.text)`", at: name.span,
        notes: [
          didYouMean(name.text, records.map(\.name) + metricSyntax.keys),
          "a fact comes before its condition: `Event where name == \"opened\"`",
        ])
    }
    if let condition = pattern.condition {
      return fail(
        .wrongArguments, "a completion in place of a fact takes no `where`", at: condition.span)
    }
    let scope = Scope(kind: .metric, subject: subject)
    guard let typed = resolveMetricOperand([name], span: name.span, in: scope, offset: nil),
      case .metric(let reference) = typed.expression
    else { return nil }
    guard case .completion(let completion) = metrics[reference.metric].body,
      completion.window == .rolling(days: 1)
    else {
      return fail(
        .wrongArguments, "only a completion `every day` can replace a fact", at: name.span)
    }
    return .completion(reference.metric)
  }

  private func record(of source: EventSource) -> [RecordID] {
    if case .fact(let record, _, _) = source { [record] } else { [] }
  }

  /// Whose users `at least` counts: those of the fact, or of the subject that completes.
  private func contributors(_ source: EventSource) -> [RecordID] {
    switch source {
    case .fact(let record, _, _): [record]
    case .completion(let id): metrics[id].subject.entity.map { [$0] } ?? []
    }
  }

  func funnel(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    var steps: [FunnelStep] = []
    var isSound = true
    for case .step(let name, let pattern) in clauses.steps.map(\.content) {
      if steps.contains(where: { $0.name == name.text }) {
        fail(.duplicateName, "two steps are called `\(name.text)`", at: name.span)
        isSound = false
      }
      guard let source = eventSource(pattern, subject) else {
        isSound = false
        continue
      }
      if let equal = steps.first(where: { $0.source == source }) {
        fail(.equalSteps, "the steps `\(equal.name)` and `\(name.text)` are the same", at: pattern.span)
        isSound = false
      }
      steps.append(FunnelStep(name: name.text, source: source))
    }
    // What lies between no two steps takes the place of one.
    if steps.count > Funnel.mostSteps - (clauses[.without] == nil ? 0 : 1) {
      return fail(
        .tooManySteps, "a funnel has at most \(Funnel.mostSteps) steps, found \(steps.count)",
        at: clauses.steps[steps.count - 1].keyword,
        notes: ["make two funnels; the second starts with the last step of the first"])
    }
    let within = Optionally(clauses[.within]?.content.length, days)
    var order: FunnelOrder? = .inOrder
    if let word = clauses[.order]?.content.name { order = FunnelOrder(rawValue: word.text) }
    let percentiles = percentiles(clauses, order)
    var without = Optionally<EventSource>()
    if let pattern = clauses[.without]?.content.fact, isInOrder(clauses, .without, order) {
      without = Optionally(pattern) { eventSource($0, subject) }
    }
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    guard isSound else { return nil }
    guard steps.count >= 2 else {
      guard let first = clauses.steps.first, !clauses.hasBroken else { return nil }
      return fail(
        .missingClause, "a funnel has two steps or more, found one", at: first.keyword,
        notes: ["write for example `step finished Event where name == \"finished\"`"])
    }
    checkContributors(clauses, contributors(steps[0].source))
    guard !within.failed, !without.failed, let order, let percentiles, let over, let atLeast,
      // In any order each step's fact may begin the attempt, and has the group.
      let grouping = grouping(
        clauses, sources: record(of: steps[0].source),
        others: order == .any ? steps.dropFirst().flatMap { record(of: $0.source) } : [], allowsCohort: true)
    else { return nil }
    var plan = Funnel(
      steps: steps, within: within.value, order: order, over: over, grouping: grouping.fields,
      atLeast: atLeast.count)
    (plan.percentiles, plan.without, plan.slices) = (percentiles, without.value, grouping.slices)
    return (.funnel(plan), roles(of: plan).map { Part($0, type: .int) })
  }

  private func roles(of funnel: Funnel) -> [PartRole] {
    let counts: [PartRole] =
      funnel.order == .any
      ? funnel.steps.indices.map { .anySteps($0 + 1) } : funnel.steps.map { .step($0.name) }
    return counts
      + funnel.steps.dropFirst().flatMap { step in
        funnel.percentiles.map { .stepDays(step.name, percentile: $0) }
      }
  }

  /// The percentiles of `days 50, 90`, each once.
  private func percentiles(_ clauses: ClauseTable, _ order: FunnelOrder?) -> [Int]? {
    guard case .stepDays(let numbers) = clauses[.days]?.content else { return [] }
    guard isInOrder(clauses, .days, order) else { return nil }
    var found: [Int] = []
    for number in numbers {
      guard let percentile = positiveInt(number, what: "a percentile", most: 100, code: .wrongArguments)
      else { return nil }
      if found.contains(percentile) {
        return fail(.duplicateName, "the percentile \(percentile) is listed twice", at: number.span)
      }
      found.append(percentile)
    }
    return found
  }

  /// Whether the steps have an order, without which a clause means nothing.
  private func isInOrder(_ clauses: ClauseTable, _ word: ClauseWord, _ order: FunnelOrder?) -> Bool {
    guard order == .any, let clause = clauses[word] else { return true }
    return fail(
      .misplacedClause, "with `order any` no step comes after another, so `\(word.rawValue)` means nothing",
      at: clause.keyword)
  }

  func retention(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    guard case .start(let mode, let startPattern) = clauses[.start]?.content,
      case .after(let written, let unit, let orLater) = clauses[.after]?.content
    else { return nil }
    let start = eventSource(startPattern, subject)
    let returned = returned(clauses, subject, orLater: orLater)
    let after = retentionDays(written, unit: unit)
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    if let start { checkContributors(clauses, contributors(start)) }
    guard let start, let returned, let after, let over, let atLeast,
      let grouping = grouping(clauses, sources: record(of: start), allowsCohort: true)
    else { return nil }
    var plan = Retention(
      start: start, startsEachDay: mode == .each, returns: returned.source, value: returned.value,
      after: after,
      orLater: orLater, over: over, grouping: grouping.fields, atLeast: atLeast.count)
    plan.slices = grouping.slices
    return (.retention(plan), plan.parts)
  }

  /// What `return` names, or the facts that add to what `value` asks for.
  private func returned(
    _ clauses: ClauseTable, _ subject: Subject, orLater: Bool
  ) -> (source: EventSource, value: Aggregate?)? {
    guard let clause = clauses[.value], let syntax = clause.content.expression else {
      return clauses[.returns]?.content.fact.flatMap { eventSource($0, subject) }.map { ($0, nil) }
    }
    if clauses[.returns] != nil {
      return fail(.misplacedClause, "a retention has `return` or `value`, not both", at: clause.keyword)
    }
    guard let typed = resolve(syntax, in: Scope(kind: .metric, subject: subject)) else { return nil }
    guard case .aggregate(let value) = typed.expression, value.period == nil,
      value.function == .sum || value.function == .count
    else {
      return fail(
        .wrongArguments, "the value of a retention is one `sum` or `count` of facts, without a period",
        at: typed.span, notes: ["write `\(ClauseWord.value.example(in: .retention))`; `dN.mean` divides it"])
    }
    if case .link = value.route {
      return fail(.wrongArguments, "the value of a retention takes no link", at: typed.span)
    }
    if orLater {
      return fail(
        .misplacedClause, "a value adds up from day 0, so `or later` means nothing",
        at: clauses[.after]?.span ?? typed.span)
    }
    return (.fact(value.record, route: value.route, filter: value.supporting().filter), value)
  }

  private func retentionDays(_ written: [AfterSyntax], unit: Name) -> [DaysAfter]? {
    var after: [DaysAfter] = []
    for syntax in written {
      let from = Optionally(syntax.from) { days(count: $0, unit: unit) }
      guard let through = days(count: syntax.through, unit: unit), !from.failed else { return nil }
      let own = DaysAfter(from: from.value, through: through)
      if let first = from.value, first > through {
        return fail(.badLength, "the bracket `\(own.asWritten)` ends before it begins", at: syntax.span)
      }
      if after.contains(own) {
        return fail(
          .duplicateName, "\(own.from == nil ? "day" : "days") \(own.asWritten) is listed twice",
          at: syntax.span)
      }
      after.append(own)
    }
    return after.isEmpty ? nil : after
  }
}
