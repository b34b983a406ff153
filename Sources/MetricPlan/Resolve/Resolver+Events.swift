import MetricSyntax

/// Funnels and retention.
extension Resolver {
  /// A fact, or a day-window completion of the same subject in its place.
  private func eventSource(_ pattern: FactPattern, _ subject: Subject) throws -> EventSource {
    let name = pattern.source
    guard !name.isMissing else { throw Reported() }
    if let record = recordIDs[name.text] {
      note(name, .record(record))
      let kind = records[record].kind
      try require(
        kind == .fact, .wrongArguments,
        "`\(name.text)` is \(kind == .entity ? "an entity" : "a link"); a fact was expected", at: name.span)
      let scope = Scope(kind: .fact(record), subject: subject)
      let route = Result { try self.route(from: record, through: nil, span: name.span, in: scope) }
      let filter = try pattern.condition.map { try resolveBool($0, in: scope, what: "`where`") }
      return try .fact(record, route: route.get(), filter: filter?.expression)
    }
    guard metricSyntax[name.text] != nil else {
      try refuseForbidden(name)
      throw fail(
        .unknownRecord, "no fact or completion is called `\(name.text)`", at: name.span,
        notes: [
          didYouMean(name.text, records.map(\.name) + metricSyntax.keys),
          "a fact comes before its condition: `Event where name == \"opened\"`",
        ])
    }
    if let condition = pattern.condition {
      throw fail(.wrongArguments, "a completion in place of a fact takes no `where`", at: condition.span)
    }
    let scope = Scope(kind: .metric, subject: subject)
    let typed = try resolveMetricOperand([name], span: name.span, in: scope)
    guard case .metric(let reference) = typed.expression else { throw Reported() }
    guard case .completion(let completion) = metrics[reference.metric].body,
      completion.window == .rolling(days: 1)
    else {
      throw fail(.wrongArguments, "only a completion `every day` can replace a fact", at: name.span)
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

  func funnel(_ clauses: ClauseTable, _ subject: Subject) throws -> BodyAndParts {
    var steps: [FunnelStep] = []
    var isSound = true
    for case .step(let name, let pattern) in clauses.steps.map(\.content) {
      if steps.contains(where: { $0.name == name.text }) {
        fail(.duplicateName, "two steps are called `\(name.text)`", at: name.span)
        isSound = false
      }
      guard let source = try? eventSource(pattern, subject) else {
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
    try require(
      steps.count <= Funnel.mostSteps - (clauses[.without] == nil ? 0 : 1), .tooManySteps,
      "a funnel has at most \(Funnel.mostSteps) steps, found \(steps.count)",
      at: clauses.steps[steps.count - 1].keyword,
      notes: ["make two funnels; the second starts with the last step of the first"])
    let within = Result { try clauses[.within]?.content.length.map(days) }
    let order = clauses[.order]?.content.name.map { FunnelOrder(rawValue: $0.text) } ?? .inOrder
    let percentiles = Result { try self.percentiles(clauses, order) }
    let between = isInOrder(clauses, .without, order) ? clauses[.without]?.content.fact : nil
    let without = Result { try between.map { try eventSource($0, subject) } }
    let over = Result { try self.over(clauses) }
    let atLeast = Result { try self.atLeast(clauses) }
    guard isSound else { throw Reported() }
    guard steps.count >= 2 else {
      guard let first = clauses.steps.first, !clauses.hasBroken else { throw Reported() }
      throw fail(
        .missingClause, "a funnel has two steps or more, found one", at: first.keyword,
        notes: ["write for example `step finished Event where name == \"finished\"`"])
    }
    checkContributors(clauses, contributors(steps[0].source))
    guard let order else { throw Reported() }
    var plan = try Funnel(
      steps: steps, within: within.get(), order: order, percentiles: percentiles.get(),
      without: without.get(), over: over.get(), grouping: [], atLeast: atLeast.get())
    // In any order each step's fact may begin the attempt, and has the group.
    (plan.grouping, plan.slices) = try grouping(
      clauses,
      of: GroupSources(
        facts: record(of: steps[0].source),
        others: order == .any ? steps.dropFirst().flatMap { record(of: $0.source) } : [],
        allowsCohort: true))
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
  private func percentiles(_ clauses: ClauseTable, _ order: FunnelOrder?) throws -> [Int] {
    guard case .stepDays(let numbers) = clauses[.days]?.content else { return [] }
    guard isInOrder(clauses, .days, order) else { throw Reported() }
    var found: [Int] = []
    for number in numbers {
      let percentile = try positiveInt(number, what: "a percentile", most: 100, code: .wrongArguments)
      try require(
        !found.contains(percentile), .duplicateName, "the percentile \(percentile) is listed twice",
        at: number.span)
      found.append(percentile)
    }
    return found
  }

  /// Whether the steps have an order, without which a clause means nothing.
  private func isInOrder(_ clauses: ClauseTable, _ word: ClauseWord, _ order: FunnelOrder?) -> Bool {
    guard order == .any, let clause = clauses[word] else { return true }
    fail(
      .misplacedClause, "with `order any` no step comes after another, so `\(word.rawValue)` means nothing",
      at: clause.keyword)
    return false
  }

  func retention(_ clauses: ClauseTable, _ subject: Subject) throws -> BodyAndParts {
    guard case .start(let mode, let startPattern) = clauses[.start]?.content,
      case .after(let written, let unit, let orLater) = clauses[.after]?.content
    else { throw Reported() }
    let start = Result { try eventSource(startPattern, subject) }
    let returned = Result { try self.returned(clauses, subject, orLater: orLater) }
    let after = Result { try retentionDays(written, unit: unit) }
    let over = Result { try self.over(clauses) }
    let atLeast = Result { try self.atLeast(clauses) }
    try checkContributors(clauses, contributors(start.get()))
    var plan = try Retention(
      start: start.get(), startsEachDay: mode == .each, returns: returned.get().source,
      value: returned.get().value, after: after.get(), orLater: orLater, over: over.get(), grouping: [],
      atLeast: atLeast.get())
    (plan.grouping, plan.slices) = try grouping(
      clauses, of: GroupSources(facts: record(of: plan.start), allowsCohort: true))
    return (.retention(plan), plan.parts)
  }

  /// What `return` names, or the facts that add to what `value` asks for.
  private func returned(
    _ clauses: ClauseTable, _ subject: Subject, orLater: Bool
  ) throws -> (source: EventSource, value: Aggregate?) {
    guard let clause = clauses[.value], let syntax = clause.content.expression else {
      guard let fact = clauses[.returns]?.content.fact else { throw Reported() }
      return (try eventSource(fact, subject), nil)
    }
    try require(
      clauses[.returns] == nil, .misplacedClause, "a retention has `return` or `value`, not both",
      at: clause.keyword)
    let typed = try resolve(syntax, in: Scope(kind: .metric, subject: subject))
    guard case .aggregate(let value) = typed.expression, value.period == nil,
      value.function == .sum || value.function == .count
    else {
      throw fail(
        .wrongArguments, "the value of a retention is one `sum` or `count` of facts, without a period",
        at: typed.span, notes: ["write `\(ClauseWord.value.example(in: .retention))`; `dN.mean` divides it"])
    }
    if case .link = value.route {
      throw fail(.wrongArguments, "the value of a retention takes no link", at: typed.span)
    }
    try require(
      !orLater, .misplacedClause, "a value adds up from day 0, so `or later` means nothing",
      at: clauses[.after]?.span ?? typed.span)
    return (.fact(value.record, route: value.route, filter: value.supporting().filter), value)
  }

  private func retentionDays(_ written: [AfterSyntax], unit: Name) throws -> [DaysAfter] {
    var after: [DaysAfter] = []
    for syntax in written {
      let from = Result { try syntax.from.map { try days(count: $0, unit: unit) } }
      let through = try days(count: syntax.through, unit: unit)
      let own = try DaysAfter(from: from.get(), through: through)
      try require(
        own.from ?? 0 <= through, .badLength, "the bracket `\(own.asWritten)` ends before it begins",
        at: syntax.span)
      try require(
        !after.contains(own), .duplicateName,
        "\(own.from == nil ? "day" : "days") \(own.asWritten) is listed twice", at: syntax.span)
      after.append(own)
    }
    guard !after.isEmpty else { throw Reported() }
    return after
  }
}
