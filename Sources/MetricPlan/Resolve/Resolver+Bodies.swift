import MetricSyntax

/// What makes each kind of metric.
extension Resolver {
  typealias BodyAndParts = (body: Body, parts: [Part])

  func resolveBody(_ kind: MetricKind, _ clauses: ClauseTable, subject: Subject) -> BodyAndParts? {
    switch kind {
    case .completion: completion(clauses, subject)
    case .streak: streak(clauses)
    case .momentum: momentum(clauses)
    case .progress: progress(clauses, subject)
    case .measure: measure(clauses, subject)
    case .level: level(clauses)
    case .funnel: funnel(clauses, subject)
    case .retention: retention(clauses, subject)
    }
  }

  func ofValue(_ type: ValueType) -> [Part] { [Part(.value, type: type)] }

  // MARK: Windows

  private func completion(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    let scope = Scope(kind: .condition, subject: subject)
    var window: Window?
    var limit = Optionally<Typed>()
    var reason = ""
    if case .limit(let syntax, let text) = clauses[.limit]?.content {
      limit = Optionally(syntax) { resolveBool($0, in: scope, what: "`limit`") }
      reason = text.value
    }
    if case .every(let syntax) = clauses[.every]?.content { window = self.window(syntax) }
    let when = clauses[.when]?.content.expression.flatMap { resolveBool($0, in: scope, what: "`when`") }
    let rest = Optionally(clauses[.rest]?.content.expression) {
      resolveBool($0, in: scope, what: "`rest when`")
    }
    guard let window, let when, !rest.failed, !limit.failed else { return nil }
    guard readsFact(when.expression) else {
      return fail(
        .readsNoFact, "`when` reads no fact: a window without a fact is never complete", at: when.span,
        notes: ["presence is completion: write for example `count(HabitEntry) >= 1`"])
    }
    let plan = Completion(
      window: window, when: when.expression,
      limit: limit.value.map { Limit(condition: $0.expression, reason: reason) },
      rest: rest.value?.expression)
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
  private func ofCompletion(_ clauses: ClauseTable, kind: MetricKind) -> (id: MetricID, window: Window)? {
    guard case .of(let path) = clauses[.of]?.content, let head = path.names.first,
      let id = metricNamed(head, wants: kind), case .completion(let completion) = metrics[id].body
    else { return nil }
    if path.names.count > 1 {
      return fail(.unknownPart, "a completion has no parts", at: path.names[1].span)
    }
    return (id, completion.window)
  }

  private func streak(_ clauses: ClauseTable) -> BodyAndParts? {
    guard let (id, window) = ofCompletion(clauses, kind: .streak) else { return nil }
    var reading = WindowReading.current
    if clauses[.best] != nil { reading = .best }
    if clauses[.previous] != nil { reading = .previous }
    let words = [ClauseWord.best, .previous, .grace, .forgive].filter { clauses[$0] != nil }
    if words.count > 1, words != [.best, .forgive], let clause = clauses[words[1]] {
      return fail(
        .misplacedClause, "a streak has `\(words[0].rawValue)` or `\(words[1].rawValue)`, not both",
        at: clause.keyword, notes: ["declare a streak for each; none of them needs the other"])
    }
    if let length = clauses[.grace]?.content.length {
      guard let windows = windows(length, of: window) else { return nil }
      reading = .grace(windows: windows)
    }
    if case .forgive(let count, let length) = clauses[.forgive]?.content {
      guard let forgiveness = forgiveness(count, length, of: window) else { return nil }
      reading = reading == .best ? .bestForgiving(forgiveness) : .forgiving(forgiveness)
    }
    return windows(id, reading)
  }

  private func forgiveness(_ count: NumberSyntax, _ length: LengthSyntax, of window: Window) -> Forgiveness? {
    guard let open = positiveInt(count, what: "a number of windows", most: Limits.length),
      let windows = windows(length, of: window)
    else { return nil }
    guard open < windows else {
      return fail(
        .badLength, "`forgive \(open)` in \(Counting.of(windows, "window")) leaves none to complete",
        at: count.span, notes: ["forgive fewer windows than the length has"])
    }
    return Forgiveness(open: open, in: windows)
  }

  private func windows(_ completion: MetricID, _ reading: WindowReading) -> BodyAndParts {
    (.windows(WindowMetric(completion: completion, reading: reading)), reading.parts)
  }

  private func momentum(_ clauses: ClauseTable) -> BodyAndParts? {
    guard let (id, window) = ofCompletion(clauses, kind: .momentum) else { return nil }
    switch (clauses[.over], clauses[.halfLife]) {
    case (let over?, nil):
      guard case .over(.last(let length)) = over.content else {
        return fail(
          .badLength, "a momentum looks at the last windows", at: over.span,
          notes: ["write `over last 7 days` or `over last 4 windows`"])
      }
      guard let count = windows(length, of: window) else { return nil }
      return windows(id, .last(windows: count))
    case (nil, let half?):
      guard let length = half.content.length, let count = windows(length, of: window) else {
        return nil
      }
      return windows(id, .halfLife(windows: count))
    case (_?, let half?):
      return fail(
        .misplacedClause, "a momentum has `over` or `half life`, not both", at: half.keyword)
    case (nil, nil):
      guard let of = clauses[.of], !clauses.hasBroken else { return nil }
      return fail(
        .missingClause, "the momentum has neither `over` nor `half life`", at: of.span,
        notes: ["write `over last 7 days` or `half life 7 days`"])
    }
  }

  // MARK: Values

  func over(_ clauses: ClauseTable) -> Period? {
    guard case .over(let syntax) = clauses[.over]?.content else { return .allTime }
    return period(syntax)
  }

  private func progress(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    let scope = Scope(kind: .metric, subject: subject)
    let over = over(clauses)
    let value = clauses[.value]?.content.expression.flatMap {
      numberValue($0, in: scope, what: "a progress")
    }
    let target = Optionally(clauses[.target]?.content.expression) {
      numberValue($0, in: scope, what: "a target")
    }
    guard let over, let value, !target.failed else { return nil }
    var parts = ofValue(value.type)
    if let target = target.value {
      parts.append(Part(.target, type: target.type))
      parts.append(Part(.fraction, type: .decimal))
    }
    var plan = Measure(value: value.expression, over: over)
    (plan.isProgress, plan.target) = (true, target.value?.expression)
    return (.measure(plan), parts)
  }

  private func numberValue(_ syntax: ExpressionSyntax, in scope: Scope, what: String) -> Typed? {
    guard let typed = resolve(syntax, in: scope) else { return nil }
    guard typed.type.isNumber, !typed.isNone else {
      return fail(.typeMismatch, "\(what) is a number, found \(article(typed.typeName))", at: typed.span)
    }
    return typed
  }

  private func measure(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    var scope = Scope(kind: .metric, subject: subject)
    if case .by(let fields) = clauses[.by]?.content { scope.groups = fields.map(\.names.dotted) }
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    guard let syntax = clauses[.value]?.content.expression else { return nil }
    guard let value = resolve(syntax, in: scope), let over, let atLeast else { return nil }
    guard !value.isNone else {
      return fail(.typeMismatch, "the value is always `none`", at: value.span)
    }
    // The records whose facts it aggregates itself, and the entities whose subjects.
    let sources = Set(value.expression.parts.compactMap(\.aggregate?.record)).sorted()
    var entities: Set<RecordID> = []
    for case .subjects(let aggregate) in value.expression.parts { entities.insert(aggregate.entity) }
    let counted = entities.sorted()
    checkContributors(clauses, sources + counted)
    let read = readGroups(value.expression)
    guard let grouping = grouping(clauses, sources: sources, counted: counted, read: read) else { return nil }
    var plan = Measure(value: value.expression, over: over, grouping: grouping.fields, atLeast: atLeast.count)
    plan.slices = grouping.slices
    // A hidden number stays hidden in what is made of it (PRIV-10).
    plan.atLeast = Body.measure(plan).threshold(thresholds)
    return (.measure(plan), ofValue(value.type))
  }

  private func level(_ clauses: ClauseTable) -> BodyAndParts? {
    guard case .of(let path) = clauses[.of]?.content, let head = path.names.first,
      let id = metricNamed(head, wants: .level)
    else { return nil }
    let metric = metrics[id]
    if metric.kind == .level {
      report(ReadsLevel.finding(metric.name, at: path.span))
      return nil
    }
    guard let part = part(of: metric, names: path.names.dropFirst(), span: path.span) else { return nil }
    guard part.type.isNumber else {
      return fail(
        .typeMismatch, "a level needs a number, and `\(metric.name)` gives \(article(part.type.name))",
        at: path.span)
    }
    guard let clause = clauses[.at], case .thresholds(_, let hasDays) = clause.content,
      let thresholds = thresholds(clauses)
    else { return nil }
    if hasDays, !factReaders.contains(id) {
      return fail(
        .readsNoFact, "`\(metric.name)` reads no fact, so no day is the first to reach a threshold",
        at: clause.span, notes: ["write `\(ClauseWord.at.example(in: .level))` without `days`"])
    }
    let days = thresholds.indices.map { Part(.firstReached($0 + 1), type: .dayKey) }
    let level = Level(metric: id, part: part.name, thresholds: thresholds, hasDays: hasDays)
    return (.level(level), ofValue(.int) + (hasDays ? days : []))
  }

  /// The rising numbers of a level.
  func thresholds(_ clauses: ClauseTable) -> [FixedDecimal]? {
    guard case .thresholds(let literals, _) = clauses[.at]?.content else { return nil }
    let thresholds = literals.map { numberLiteral($0) }
    var values: [FixedDecimal] = []
    for (threshold, syntax) in zip(thresholds, literals) {
      guard let threshold else { return nil }
      if let last = values.last, threshold <= last {
        return fail(
          .badThresholds, "the thresholds of a level rise; `\(threshold)` comes after `\(last)`",
          at: syntax.span)
      }
      values.append(threshold)
    }
    return values
  }

  // MARK: Users

  func atLeast(_ clauses: ClauseTable) -> (count: Int?, Void)? {
    guard case .atLeast(let count, let unit) = clauses[.atLeast]?.content else { return (nil, ()) }
    guard !unit.isMissing else { return nil }
    return positiveInt(count, what: "a number of users", most: Int(FixedDecimal.intLimit)).map { ($0, ()) }
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
