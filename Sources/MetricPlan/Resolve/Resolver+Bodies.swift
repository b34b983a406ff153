import MetricSyntax

/// What makes each kind of metric.
extension Resolver {
  typealias BodyAndParts = (body: Body, parts: [Part])

  func resolveBody(_ kind: MetricKind, _ clauses: ClauseTable, subject: Subject) throws -> BodyAndParts {
    switch kind {
    case .completion: try completion(clauses, subject)
    case .streak: try streak(clauses)
    case .momentum: try momentum(clauses)
    case .progress: try progress(clauses, subject)
    case .measure: try measure(clauses, subject)
    case .level: try level(clauses)
    case .funnel: try funnel(clauses, subject)
    case .retention: try retention(clauses, subject)
    }
  }

  func ofValue(_ type: ValueType) -> [Part] { [Part(.value, type: type)] }

  private func completion(_ clauses: ClauseTable, _ subject: Subject) throws -> BodyAndParts {
    let scope = Scope(kind: .condition, subject: subject)
    func condition(_ syntax: ExpressionSyntax, of what: String) throws -> Typed {
      try resolveBool(syntax, in: scope, what: "`\(what)`")
    }
    var limit = Result<Limit?, any Error>.success(nil)
    if case .limit(let syntax, let reason) = clauses[.limit]?.content {
      limit = Result {
        try Limit(condition: condition(syntax, of: "limit").expression, reason: reason.value)
      }
    }
    var window: Window?
    if case .every(let syntax) = clauses[.every]?.content { window = try? self.window(syntax) }
    let when = try? condition(clauses.expression(.when), of: "when")
    let rest = try clauses[.rest]?.content.expression.map { try condition($0, of: "rest when") }
    guard let window, let when else { throw Reported() }
    let plan = try Completion(
      window: window, when: when.expression, limit: limit.get(), rest: rest?.expression)
    try require(
      readsFact(plan.when), .readsNoFact,
      "`when` reads no fact: a window without a fact is never complete", at: when.span,
      notes: ["presence is completion: write for example `count(HabitEntry) >= 1`"])
    return (.completion(plan), ofValue(.bool))
  }

  /// Whether a metric reads a fact, itself or through metrics.
  func readsFact(_ body: Body) -> Bool {
    if case .level(let level) = body { return factReaders.contains(level.metric) }
    return body.over == nil || body.expressions.contains(where: readsFact)
  }

  /// Whether an expression reads a fact, itself or through metrics.
  private func readsFact(_ expression: Expression) -> Bool {
    switch expression {
    case .aggregate, .completions: true
    case .metric(let reference): factReaders.contains(reference.metric)
    case .subjects(let aggregate): aggregate.inner.contains(where: readsFact)
    case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      expression.operands.contains(where: readsFact)
    }
  }

  /// The completion that `of` names, with its window.
  private func ofCompletion(
    _ clauses: ClauseTable, kind: MetricKind
  ) throws -> (id: MetricID, window: Window) {
    let names = try clauses.path().names
    let id = try metricNamed(names[0], wants: kind)
    guard case .completion(let completion) = metrics[id].body else { throw Reported() }
    try require(
      names.count == 1, .unknownPart, "a completion has no parts", at: names[1].span)
    return (id, completion.window)
  }

  private func streak(_ clauses: ClauseTable) throws -> BodyAndParts {
    let (id, window) = try ofCompletion(clauses, kind: .streak)
    var reading = WindowReading.current
    if clauses[.best] != nil { reading = .best }
    if clauses[.previous] != nil { reading = .previous }
    let words = [ClauseWord.best, .previous, .grace, .forgive].filter { clauses[$0] != nil }
    if words.count > 1, words != [.best, .forgive], let clause = clauses[words[1]] {
      throw fail(
        .misplacedClause, "a streak has `\(words[0].rawValue)` or `\(words[1].rawValue)`, not both",
        at: clause.keyword, notes: ["declare a streak for each; none of them needs the other"])
    }
    if let length = clauses[.grace]?.content.length {
      reading = try .grace(windows: windows(length, of: window))
    }
    if case .forgive(let count, let length) = clauses[.forgive]?.content {
      let forgiveness = try forgiveness(count, length, of: window)
      reading = reading == .best ? .bestForgiving(forgiveness) : .forgiving(forgiveness)
    }
    return windows(id, reading)
  }

  private func forgiveness(
    _ count: NumberSyntax, _ length: LengthSyntax, of window: Window
  ) throws -> Forgiveness {
    let open = try positiveInt(count, what: "a number of windows", most: Limits.length)
    let windows = try windows(length, of: window)
    try require(
      open < windows, .badLength,
      "`forgive \(open)` in \(Counting.of(windows, "window")) leaves none to complete", at: count.span,
      notes: ["forgive fewer windows than the length has"])
    return Forgiveness(open: open, in: windows)
  }

  private func windows(_ completion: MetricID, _ reading: WindowReading) -> BodyAndParts {
    (.windows(WindowMetric(completion: completion, reading: reading)), reading.parts)
  }

  private func momentum(_ clauses: ClauseTable) throws -> BodyAndParts {
    let (id, window) = try ofCompletion(clauses, kind: .momentum)
    switch (clauses[.over], clauses[.halfLife]) {
    case (let over?, nil):
      guard case .over(.last(let length)) = over.content else {
        throw fail(
          .badLength, "a momentum looks at the last windows", at: over.span,
          notes: ["write `over last 7 days` or `over last 4 windows`"])
      }
      return try windows(id, .last(windows: windows(length, of: window)))
    case (nil, let half?):
      guard let length = half.content.length else { throw Reported() }
      return try windows(id, .halfLife(windows: windows(length, of: window)))
    case (_?, let half?):
      throw fail(.misplacedClause, "a momentum has `over` or `half life`, not both", at: half.keyword)
    case (nil, nil):
      guard let of = clauses[.of], !clauses.hasBroken else { throw Reported() }
      throw fail(
        .missingClause, "the momentum has neither `over` nor `half life`", at: of.span,
        notes: ["write `over last 7 days` or `half life 7 days`"])
    }
  }

  func over(_ clauses: ClauseTable) throws -> Period {
    guard case .over(let syntax) = clauses[.over]?.content else { return .allTime }
    return try period(syntax)
  }

  private func progress(_ clauses: ClauseTable, _ subject: Subject) throws -> BodyAndParts {
    func number(_ syntax: ExpressionSyntax, what: String) throws -> Typed {
      let typed = try resolve(syntax, in: Scope(kind: .metric, subject: subject))
      try expect(typed.type.isNumber && !typed.isNone, "\(what) is a number", found: typed)
      return typed
    }
    let over = Result { try self.over(clauses) }
    let value = Result { try number(clauses.expression(.value), what: "a progress") }
    let target = try clauses[.target]?.content.expression.map { try number($0, what: "a target") }
    var plan = try Measure(value: value.get().expression, over: over.get())
    (plan.isProgress, plan.target) = (true, target?.expression)
    let parts = target.map { [Part(.target, type: $0.type), Part(.fraction, type: .decimal)] } ?? []
    return (.measure(plan), ofValue(plan.value.type) + parts)
  }

  private func measure(_ clauses: ClauseTable, _ subject: Subject) throws -> BodyAndParts {
    var scope = Scope(kind: .metric, subject: subject)
    if case .by(let fields) = clauses[.by]?.content { scope.groups = fields.map(\.names.dotted) }
    let over = Result { try self.over(clauses) }
    let atLeast = Result { try self.atLeast(clauses) }
    let value = try resolve(clauses.expression(.value), in: scope)
    var plan = try Measure(value: value.expression, over: over.get(), atLeast: atLeast.get())
    try require(!value.isNone, .typeMismatch, "the value is always `none`", at: value.span)
    // The records whose facts it aggregates itself, and the entities whose subjects.
    let sources = Set(value.expression.parts.compactMap(\.aggregate?.record)).sorted()
    var entities: Set<RecordID> = []
    for case .subjects(let aggregate) in value.expression.parts { entities.insert(aggregate.entity) }
    let counted = entities.sorted()
    checkContributors(clauses, sources + counted)
    (plan.grouping, plan.slices) = try grouping(
      clauses,
      of: GroupSources(facts: sources, counted: counted, read: readGroups(value.expression)))
    // A hidden number stays hidden in what is made of it (PRIV-10).
    plan.atLeast = Body.measure(plan).threshold(thresholds)
    return (.measure(plan), ofValue(value.type))
  }

  private func level(_ clauses: ClauseTable) throws -> BodyAndParts {
    let path = try clauses.path()
    let id = try metricNamed(path.names[0], wants: .level)
    let metric = metrics[id]
    if metric.kind == .level { throw report(ReadsLevel.finding(metric.name, at: path.span)) }
    let part = try part(of: metric, names: path.names.dropFirst(), span: path.span)
    try require(
      part.type.isNumber, .typeMismatch,
      "a level needs a number, and `\(metric.name)` gives \(article(part.type.name))", at: path.span)
    guard let clause = clauses[.at], case .thresholds(_, let hasDays) = clause.content else {
      throw Reported()
    }
    let thresholds = try thresholds(clauses)
    try require(
      !hasDays || factReaders.contains(id), .readsNoFact,
      "`\(metric.name)` reads no fact, so no day is the first to reach a threshold", at: clause.span,
      notes: ["write `\(ClauseWord.at.example(in: .level))` without `days`"])
    let days = thresholds.indices.map { Part(.firstReached($0 + 1), type: .dayKey) }
    let level = Level(metric: id, part: part.name, thresholds: thresholds, hasDays: hasDays)
    return (.level(level), ofValue(.int) + (hasDays ? days : []))
  }

  /// The rising numbers of a level.
  func thresholds(_ clauses: ClauseTable) throws -> [FixedDecimal] {
    guard case .thresholds(let literals, _) = clauses[.at]?.content else { throw Reported() }
    let thresholds = literals.map { try? numberLiteral($0) }
    var values: [FixedDecimal] = []
    for (threshold, syntax) in zip(thresholds, literals) {
      guard let threshold else { throw Reported() }
      if let last = values.last, threshold <= last {
        throw fail(
          .badThresholds, "the thresholds of a level rise; `\(threshold)` comes after `\(last)`",
          at: syntax.span)
      }
      values.append(threshold)
    }
    return values
  }

  func atLeast(_ clauses: ClauseTable) throws -> Int? {
    guard case .atLeast(let count, let unit) = clauses[.atLeast]?.content else { return nil }
    guard !unit.isMissing else { throw Reported() }
    return try positiveInt(count, what: "a number of users", most: Int(FixedDecimal.intLimit))
  }

  /// `at least K users` counts the users behind facts: one of the records has to lead to a user.
  func checkContributors(_ clauses: ClauseTable, _ records: [RecordID]) {
    guard let clause = clauses[.atLeast], let user = recordIDs["User"] else { return }
    if records.isEmpty {
      fail(
        .readsNoFact, "`at least` counts the users behind facts, and none is read here", at: clause.keyword,
        notes: ["write it in the metrics that read the facts; a hidden value is none to what reads it"])
    } else if records.allSatisfy({ self.records.shortestPaths(from: $0, to: user).isEmpty }) {
      fail(
        .noPath,
        "`at least` counts the users behind facts, and \(quoted(records.map(recordName))) leads to none",
        at: clause.keyword)
    }
  }
}
