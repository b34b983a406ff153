/// Trees of expressions with their values.
extension Explainer {
  /// What is known about the expressions of one clause.
  private struct Answered {
    var scope: Prober.Scope
    var day: DayKey
    var answers: [Expression: Prober.Answers]
    var readReasons: [MetricReference: Reason] = [:]

    func value(_ expression: Expression) -> Value {
      answers[expression]?.value(scope.subject ?? "", day) ?? .none
    }
  }

  /// The tree of an expression at a reference day, or at a window's last day.
  func explain(
    _ expression: Expression, _ scope: Prober.Scope, at day: DayKey, _ work: inout Work
  ) throws(EvaluationError) -> ExplainedExpression {
    let parts = Array(Set(expression.parts))
    let answers = Dictionary(uniqueKeysWithValues: zip(parts, prober.ask(parts, scope, at: [day])))
    var answered = Answered(scope: scope, day: day, answers: answers)
    return try tree(expression, &answered, &work)
  }

  private func tree(
    _ expression: Expression, _ answered: inout Answered, _ work: inout Work
  ) throws(EvaluationError) -> ExplainedExpression {
    if case .widened(let inner) = expression { return try tree(inner, &answered, &work) }
    var node = ExplainedExpression(
      text: library.text(of: expression), value: answered.value(expression), isEvaluated: true)
    switch expression {
    case .conditional(let condition, let then, let otherwise):
      node.operands.append(try tree(condition, &answered, &work))
      let isThen = answered.value(condition) == .bool(true)
      node.operands.append(isThen ? try tree(then, &answered, &work) : untaken(then))
      node.operands.append(isThen ? untaken(otherwise) : try tree(otherwise, &answered, &work))
    case .aggregate(let aggregate):
      try addRecords(of: aggregate, answered, to: &node, &work)
    case .subjects(let aggregate):
      node.subjects = counted(aggregate, answered.scope, at: answered.day)
    case .metric(let reference) where reference.days != nil:
      node.subjects = days(of: reference, answered)
    case .metric(let reference) where reference.root == .subject:
      let day = reference.offset.map { DayKey(number: $0.applied(to: answered.day.number)) }
      // In a metric with groups, its value in the group of this one (GRP-03).
      let fields = work.explanation.group.fields
      let places = work.plan.grouping.places(of: library.grouping(of: library.metrics[reference.metric]))
      let group = places.isEmpty ? nil : GroupKey(places.map { fields[$0] })
      let reason = try read(reference.metric, group: group, at: day ?? answered.day, &work)
      if let reason { answered.readReasons[reference] = reason }
    case .completions(let aggregate) where aggregate.root == .subject:
      try read(aggregate.completion, at: answered.day, &work)
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .function, .widened:
      for operand in expression.operands { node.operands.append(try tree(operand, &answered, &work)) }
    }
    if node.value == .none { node.reason = reason(expression, node, answered) }
    return node
  }

  private func untaken(_ expression: Expression) -> ExplainedExpression {
    ExplainedExpression(text: library.text(of: expression), value: .none, isEvaluated: false)
  }

  private func addRecords(
    of aggregate: Aggregate, _ answered: Answered, to node: inout ExplainedExpression, _ work: inout Work
  ) throws(EvaluationError) {
    let period = aggregate.period ?? answered.scope.over
    let days = period.days(at: answered.day.number)
    let found = try facts(
      aggregate, answered.scope, in: DayKey(number: days.lowerBound)...DayKey(number: days.upperBound),
      at: answered.day)
    node.recordCount = found.count
    work.explanation.withheldCount += found.withheld
    if let listed = found.facts {
      node.records = listed.map { dataset.reference(aggregate.record, $0.row, value: $0.value) }
      work.add(node.records)
    } else {
      work.unlistedCount += found.count
    }
    guard case .link(let route) = aggregate.route else { return }
    let facts = found.facts ?? []
    let scope = answered.scope
    let trace = try prober.trace(scope.metric, at: facts.last?.day ?? .last)
    for story in try trace.links(aggregate, route, of: scope.subject, group: scope.group, facts)
    where !work.explanation.links.contains(story) {
      work.explanation.links.append(story)
      work.add([story.link])
    }
  }

  /// The subjects that an aggregate over subjects takes, with what it takes from them.
  private func counted(
    _ aggregate: SubjectAggregate, _ scope: Prober.Scope, at day: DayKey
  ) -> [CountedSubject] {
    func rebased(_ expression: Expression) -> Expression {
      let outside = expression.outsideOperands
      let values = prober.ask(outside, scope, at: [day]).map { $0.value(scope.subject ?? "", day) }
      let literals = zip(outside, values).map { ($0, Literal($1, type: $0.type)) }
      return expression.onSubject { part in
        literals.first { $0.0 == part }?.1 ?? .none(part.type)
      }
    }
    let all = Prober.Scope(metric: scope.metric, over: .allTime)
    var questions = [aggregate.argument.map(rebased) ?? .literal(.bool(true))]
    if let filter = aggregate.filter { questions.append(rebased(filter)) }
    if let last = aggregate.relation.last {
      let path = FieldPath(
        root: .subject, references: Array(aggregate.relation.dropLast()), field: last, type: .text)
      questions.append(.comparison(.equal, .field(path), .literal(.text(scope.subject ?? ""))))
    }
    let answers = prober.ask(questions, all, entity: .some(aggregate.entity), at: [day])
    let grouping = scope.group == nil ? [] : library.metrics[scope.metric].grouping
    let groups = prober.ask(
      grouping.compactMap { $0.expression(of: aggregate.entity) }.map(rebased), all,
      entity: .some(aggregate.entity), at: [day])
    return answers[0].values.keys.map(\.subject).sorted().compactMap { key in
      let id = String(decoding: key.bytes, as: UTF8.self)
      guard answers.dropFirst().allSatisfy({ $0.value(id, day) == .bool(true) }),
        groups.isEmpty || GroupKey(groups.map { $0.value(id, day).plainText }) == scope.group
      else { return nil }
      let value = aggregate.argument.map { _ in answers[0].value(id, day) }
      return value == .some(.none) ? nil : CountedSubject(id: id, value: value)
    }
  }

  /// The days on which a metric has a value, the newest first; of all time up to the longest period that is written.
  private func days(of reference: MetricReference, _ answered: Answered) -> [CountedSubject] {
    guard let aggregate = reference.days else { return [] }
    let held = (aggregate.period ?? answered.scope.over).days(at: answered.day.number)
    var daily = reference
    daily.days = nil
    daily.type = library.metrics[reference.metric].parts.first { $0.name == reference.part }?.type ?? .int
    let subject = answered.scope.subject ?? ""
    // All time begins with the first fact that the metric reads.
    let firsts = library.presence(of: reference.metric).map {
      Expression.aggregate(Aggregate(.first, of: $0.record, $0.route, over: .allTime, type: .dayKey))
    }
    let opened = prober.ask(firsts, answered.scope, at: [answered.day]).compactMap { answers in
      if case .day(let day) = answers.value(subject, answered.day) { day.number } else { nil }
    }
    let earliest = held.lowerBound == .min ? opened.min() ?? .max : held.lowerBound
    let first = max(earliest, held.upperBound - 3_660)
    guard first <= held.upperBound else { return [] }
    let days = (DayKey(number: first)...DayKey(number: held.upperBound)).days
    let answers = prober.ask([.metric(daily)], answered.scope, at: days)[0]
    return days.reversed().compactMap { day in
      let value = answers.value(subject, day)
      return value == .none ? nil : CountedSubject(id: day.description, value: value)
    }
  }

  private func reason(
    _ expression: Expression, _ node: ExplainedExpression, _ answered: Answered
  ) -> Reason? {
    if answered.answers[expression]?.isOutOfRange == true {
      return Reason(.outOfRange, "a result is outside the range of numbers, ±9,000,000,000,000")
    }
    switch expression {
    case .literal: return Reason(.writtenNone, "the definition says `none`")
    case .arithmetic(.divide, _, let right) where answered.value(right).millionths == 0:
      return Reason(.divisionByZero, "it divides by `\(library.text(of: right))`, which is 0")
    case .field(let path):
      let subject = answered.scope.subject ?? ""
      guard let entity = library.metrics[answered.scope.metric].subject.entity, path.root == .subject,
        !dataset.hasRecord(subject, of: entity)
      else { return Reason(.missingField, "`\(library.text(of: path))` is missing") }
      return Reason(
        .missingRecord,
        "there is no \(library.records[entity].name) with the id `\(subject)`, only references to it")
    case .aggregate, .subjects: return Reason(.nothingToLookAt, "`\(node.text)` has nothing to aggregate")
    case .completions(let aggregate):
      return Reason(
        .neverComplete, "`\(library.metrics[aggregate.completion].name)` was complete on no day")
    case .metric(let reference) where reference.days != nil:
      return Reason(
        .nothingToLookAt, "`\(library.metrics[reference.metric].name)` has a value on no day of the period")
    case .metric(let reference):
      let why = answered.readReasons[reference].map { ": \($0.text)" } ?? ""
      return Reason(.metricWithoutValue, "`\(node.text)` has no value\(why)")
    case .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not, .conditional,
      .function, .widened:
      return node.operands.first { $0.reason != nil }?.reason
    }
  }
}
