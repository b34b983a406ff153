import MetricCheck
import MetricDiagnostics
import MetricPlan
import MetricSyntax
import MetricValues

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

  private func own(_ type: ValueType) -> [Part] { [Part(name: "", type: type)] }

  // MARK: Windows

  private func completion(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    let scope = Scope(kind: .condition, subject: subject)
    var window: Window?
    var when: Typed?
    var rest = Optionally<Typed>()
    if case .every(let syntax) = clauses[.every]?.content { window = self.window(syntax) }
    if case .when(let syntax) = clauses[.when]?.content {
      when = resolveBool(syntax, in: scope, what: "`when`")
    }
    if case .rest(let syntax) = clauses[.rest]?.content {
      rest = Optionally(syntax) { resolveBool($0, in: scope, what: "`rest when`") }
    }
    guard let window, let when, !rest.failed else { return nil }
    guard readsFact(when.expression) else {
      return fail(
        .readsNoFact, "`when` reads no fact: a window without a fact is never complete", at: when.span,
        notes: [Note("presence is completion: write for example `count(HabitEntry) >= 1`")])
    }
    let plan = Completion(window: window, when: when.expression, rest: rest.value?.expression)
    return (.completion(plan), own(.bool))
  }

  /// Whether a metric reads a fact, itself or through metrics.
  func readsFact(_ body: Body) -> Bool {
    switch body {
    case .completion, .streak, .momentum, .funnel, .retention: true
    case .progress, .measure: body.expressions.contains(where: readsFact)
    case .level(let level): factReaders.contains(level.metric)
    }
  }

  /// Whether an expression reads a fact, itself or through metrics.
  private func readsFact(_ expression: Expression) -> Bool {
    switch expression {
    case .aggregate, .completions: true
    case .metric(let reference): factReaders.contains(reference.metric)
    case .subjects(let aggregate):
      [aggregate.filter, aggregate.argument].compactMap { $0 }.contains(where: readsFact)
    default: expression.operands.contains(where: readsFact)
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
    var reading = StreakReading.current
    if clauses[.best] != nil { reading = .best }
    if let clause = clauses[.grace], case .grace(let length) = clause.content {
      guard clauses[.best] == nil else {
        return fail(
          .misplacedClause, "a streak has `best` or `grace`, not both: the best streak needs no grace",
          at: clause.keyword)
      }
      guard let windows = windows(length, of: window) else { return nil }
      reading = .grace(windows: windows)
    }
    return (.streak(Streak(completion: id, reading: reading)), own(.int))
  }

  private func momentum(_ clauses: ClauseTable) -> BodyAndParts? {
    guard let (id, window) = ofCompletion(clauses, kind: .momentum) else { return nil }
    switch (clauses[.over], clauses[.halfLife]) {
    case (let over?, nil):
      guard case .over(.last(let length)) = over.content else {
        return fail(
          .badLength, "a momentum looks at the last windows", at: over.span,
          notes: [Note("write `over last 7 days` or `over last 4 windows`")])
      }
      guard let count = windows(length, of: window) else { return nil }
      return (.momentum(Momentum(completion: id, reading: .last(windows: count))), own(.int))
    case (nil, let half?):
      guard case .halfLife(let length) = half.content, let count = windows(length, of: window) else {
        return nil
      }
      return (.momentum(Momentum(completion: id, reading: .halfLife(windows: count))), own(.decimal))
    case (_?, let half?):
      return fail(
        .misplacedClause, "a momentum has `over` or `half life`, not both", at: half.keyword)
    case (nil, nil):
      guard let of = clauses[.of], !clauses.hasBroken else { return nil }
      return fail(
        .missingClause, "the momentum has neither `over` nor `half life`", at: of.span,
        notes: [Note("write `over last 7 days` or `half life 7 days`")])
    }
  }

  // MARK: Values

  private func over(_ clauses: ClauseTable) -> Period? {
    guard case .over(let syntax) = clauses[.over]?.content else { return .allTime }
    return period(syntax)
  }

  private func progress(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    let scope = Scope(kind: .metric, subject: subject)
    let over = over(clauses)
    var value: Typed?
    var target = Optionally<Typed>()
    if case .value(let syntax) = clauses[.value]?.content {
      value = numberValue(syntax, in: scope, what: "a progress")
    }
    if case .target(let syntax) = clauses[.target]?.content {
      target = Optionally(syntax) { numberValue($0, in: scope, what: "a target") }
    }
    guard let over, let value, !target.failed else { return nil }
    var parts = own(value.type)
    if let target = target.value {
      parts.append(Part(name: "target", type: target.type))
      parts.append(Part(name: "fraction", type: .decimal))
    }
    let plan = Progress(value: value.expression, target: target.value?.expression, over: over)
    return (.progress(plan), parts)
  }

  private func numberValue(_ syntax: ExpressionSyntax, in scope: Scope, what: String) -> Typed? {
    guard let typed = resolve(syntax, in: scope) else { return nil }
    guard typed.type.isNumber, !typed.isNone else {
      return fail(.typeMismatch, "\(what) is a number, found \(article(typed.typeName))", at: typed.span)
    }
    return typed
  }

  private func measure(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    let scope = Scope(kind: .metric, subject: subject)
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    guard case .value(let syntax) = clauses[.value]?.content else { return nil }
    guard let value = resolve(syntax, in: scope), let over, let atLeast else { return nil }
    guard !value.isNone else {
      return fail(.typeMismatch, "the value is always `none`", at: value.span)
    }
    let sources = aggregateSources(value.expression)
    checkContributors(clauses, sources + countedEntities(value.expression))
    guard checkGroupedSubjects(clauses, value.expression),
      let grouping = grouping(clauses, sources: sources)
    else { return nil }
    let plan = Measure(
      value: value.expression, over: over, grouping: grouping.grouping, atLeast: atLeast.count)
    return (.measure(plan), own(value.type))
  }

  /// A group of facts has no subjects of its own: each would be measured against all of them (GRP-06).
  private func checkGroupedSubjects(_ clauses: ClauseTable, _ value: Expression) -> Bool {
    guard let clause = clauses[.by], let entity = countedEntities(value).first else { return true }
    let subject = records[entity].subjectName
    report(
      .error(
        .badGroup,
        "each group of facts would be measured against every `\(subject)`, also those of other groups",
        at: clause.span,
        notes: [
          Note("count those that the facts of a group name, such as `distinct(\(example(entity)))`"),
          Note("or leave `by` out"),
        ]))
    return false
  }

  /// A reference by which facts name an entity: `Event.userId`.
  private func example(_ entity: RecordID) -> String {
    for record in records where record.kind == .fact {
      if let field = record.fields.first(where: { $0.type == .reference(entity) }) {
        return "\(record.name).\(field.name)"
      }
    }
    return "Event.userId"
  }

  /// The record types whose facts an expression aggregates itself.
  private func aggregateSources(_ expression: Expression) -> [RecordID] {
    var sources: Set<RecordID> = []
    func visit(_ part: Expression) {
      if case .aggregate(let aggregate) = part { sources.insert(aggregate.record) }
    }
    expression.visit(visit)
    return sources.sorted()
  }

  /// The entities whose subjects an expression aggregates itself.
  private func countedEntities(_ expression: Expression) -> [RecordID] {
    var entities: Set<RecordID> = []
    func visit(_ part: Expression) {
      if case .subjects(let aggregate) = part { entities.insert(aggregate.entity) }
    }
    expression.visit(visit)
    return entities.sorted()
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
        .typeMismatch, "a level is of a number, and `\(metric.name)` gives \(article(part.type.name))",
        at: path.span)
    }
    return thresholds(clauses).map { (.level(Level(metric: id, part: part.name, thresholds: $0)), own(.int)) }
  }

  /// The rising numbers of a level.
  func thresholds(_ clauses: ClauseTable) -> [FixedDecimal]? {
    guard case .thresholds(let literals) = clauses[.at]?.content else { return nil }
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

  // MARK: Groups

  private func atLeast(_ clauses: ClauseTable) -> (count: Int?, Void)? {
    guard case .atLeast(let count, let unit) = clauses[.atLeast]?.content else { return (nil, ()) }
    guard !unit.isMissing else { return nil }
    return positiveInt(count, what: "a number of users", most: Int(FixedDecimal.intLimit)).map { ($0, ()) }
  }

  /// `at least K users` counts the users behind facts: one of the records has to lead to a user.
  private func checkContributors(_ clauses: ClauseTable, _ records: [RecordID]) {
    guard let clause = clauses[.atLeast], let user = recordIDs["User"] else { return }
    if records.isEmpty {
      report(
        .error(
          .readsNoFact, "`at least` counts the users behind facts, and none is read here", at: clause.keyword,
          notes: [
            Note("write it in the metrics that read the facts; a hidden value is none to what reads it")
          ]))
    } else if !records.contains(where: { $0 == user || !shortestPaths(from: $0, to: user).isEmpty }) {
      report(
        .error(
          .noPath,
          "`at least` counts the users behind facts, and \(quoted(records.map(recordName))) leads to none",
          at: clause.keyword))
    }
  }

  /// `by FIELD` over these records, or `by cohort …` where `allowsCohort`.
  ///
  /// - Parameter others: records that need not have the field; those that have it are grouped by it.
  private func grouping(
    _ clauses: ClauseTable, sources: [RecordID], others: [RecordID] = [], allowsCohort: Bool = false
  ) -> (grouping: Grouping?, Void)? {
    guard let clause = clauses[.by] else { return (nil, ()) }
    switch clause.content {
    case .byCohort(let unit):
      guard allowsCohort else {
        return fail(.badGroup, "cohorts are of funnels and retentions", at: clause.span)
      }
      return CohortUnit(rawValue: unit.text).map { (.cohort($0), ()) }
    case .by(let names):
      guard !sources.isEmpty else {
        return fail(
          .badGroup, "there is nothing to group: no fact is read here that could have the field",
          at: clause.span)
      }
      return fieldGrouping(names, sources: sources, others: others, span: clause.span).map { ($0, ()) }
    default: return (nil, ())
    }
  }

  private func fieldGrouping(
    _ names: [Name], sources: [RecordID], others: [RecordID], span: Span
  ) -> Grouping? {
    var paths: [RecordID: FieldPath] = [:]
    var types: Set<ValueType> = []
    for record in sources {
      guard let typed = fieldPath(names[...], from: record, root: .row, allowOpaque: false),
        case .field(let path) = typed.expression
      else { return nil }
      paths[record] = path
      types.insert(path.type)
    }
    guard types.count == 1, let type = types.first else {
      return fail(
        .badGroup,
        "`\(names.map(\.text).joined(separator: "."))` has different types in \(quoted(sources.map(recordName)))",
        at: span)
    }
    for record in others where paths[record] == nil && hasReadableField(names, of: record) {
      if let typed = fieldPath(names[...], from: record, root: .row, allowOpaque: false),
        case .field(let path) = typed.expression, path.type == type
      {
        paths[record] = path
      }
    }
    return .field(paths, type: type)
  }

  /// Whether a record has a field along references that a group can be made of; reports nothing.
  private func hasReadableField(_ names: [Name], of record: RecordID) -> Bool {
    guard let last = names.last else { return false }
    var current = record
    for name in names.dropLast() {
      guard let next = reference(named: name.text, of: current) else { return false }
      current = next.target
    }
    guard
      let index = records[current].field(named: last.text) ?? reference(named: last.text, of: current)?.field
    else { return false }
    let field = records[current].fields[index]
    return !field.isStored && !field.isPersonal && field.type != .instant
  }

  // MARK: Funnels and retention

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
        notes: didYouMean(name.text, records.map(\.name) + metricSyntax.keys))
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
        .wrongArguments, "only a completion `every day` can stand in place of a fact", at: name.span)
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

  private func funnel(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    var steps: [FunnelStep] = []
    var isSound = true
    for case .step(let name, let pattern) in clauses.steps.map(\.content) {
      if steps.contains(where: { $0.name == name.text }) {
        report(.error(.duplicateName, "two steps are called `\(name.text)`", at: name.span))
        isSound = false
      }
      guard let source = eventSource(pattern, subject) else {
        isSound = false
        continue
      }
      if let equal = steps.first(where: { $0.source == source }) {
        report(
          .error(.equalSteps, "the steps `\(equal.name)` and `\(name.text)` are the same", at: pattern.span))
        isSound = false
      }
      steps.append(FunnelStep(name: name.text, source: source))
    }
    if steps.count > Funnel.mostSteps {
      return fail(
        .tooManySteps, "a funnel has at most \(Funnel.mostSteps) steps, found \(steps.count)",
        at: clauses.steps[Funnel.mostSteps].keyword,
        notes: [Note("make two funnels; the second starts with the last step of the first")])
    }
    var within = Optionally<Int>()
    if case .within(let length) = clauses[.within]?.content { within = Optionally(length, days) }
    let order = funnelOrder(clauses)
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    guard isSound else { return nil }
    guard steps.count >= 2 else {
      guard let first = clauses.steps.first, !clauses.hasBroken else { return nil }
      return fail(
        .missingClause, "a funnel has two steps or more, found one", at: first.keyword,
        notes: [Note("write for example `step finished Event where name == \"finished\"`")])
    }
    checkContributors(clauses, contributors(steps[0].source))
    guard !within.failed, let order, let over, let atLeast,
      // In any order each step's fact may begin the attempt, and has the group.
      let grouping = grouping(
        clauses, sources: record(of: steps[0].source),
        others: order == .any ? steps.dropFirst().flatMap { record(of: $0.source) } : [], allowsCohort: true)
    else { return nil }
    let plan = Funnel(
      steps: steps, within: within.value, order: order, over: over, grouping: grouping.grouping,
      atLeast: atLeast.count)
    let names = order == .any ? steps.indices.map { "any\($0 + 1)" } : steps.map(\.name)
    return (.funnel(plan), names.map { Part(name: $0, type: .int) })
  }

  private func funnelOrder(_ clauses: ClauseTable) -> FunnelOrder? {
    guard case .order(let word) = clauses[.order]?.content else { return .inOrder }
    return FunnelOrder(rawValue: word.text)
  }

  private func retention(_ clauses: ClauseTable, _ subject: Subject) -> BodyAndParts? {
    guard case .start(let mode, let startPattern) = clauses[.start]?.content,
      case .returns(let returnPattern) = clauses[.returns]?.content,
      case .after(let numbers, let unit, let orLater) = clauses[.after]?.content
    else { return nil }
    let start = eventSource(startPattern, subject)
    let returns = eventSource(returnPattern, subject)
    let after = retentionDays(numbers, unit: unit)
    let over = over(clauses)
    let atLeast = atLeast(clauses)
    if let start { checkContributors(clauses, contributors(start)) }
    guard let start, let returns, let after, let over, let atLeast,
      let grouping = grouping(clauses, sources: record(of: start), allowsCohort: true)
    else { return nil }
    let plan = Retention(
      start: start, startsEachDay: mode == .each, returns: returns, after: after, orLater: orLater,
      over: over,
      grouping: grouping.grouping, atLeast: atLeast.count)
    let parts = after.flatMap { days in
      [
        Part(name: "d\(days).eligible", type: .int), Part(name: "d\(days).returned", type: .int),
        Part(name: "d\(days).rate", type: .decimal),
      ]
    }
    return (.retention(plan), parts)
  }

  private func retentionDays(_ numbers: [NumberSyntax], unit: Name) -> [Int]? {
    var after: [Int] = []
    for number in numbers {
      guard let days = days(LengthSyntax(count: number, unit: unit)) else { return nil }
      if after.contains(days) {
        return fail(.duplicateName, "day \(days) is listed twice", at: number.span)
      }
      after.append(days)
    }
    return after.isEmpty ? nil : after
  }
}
