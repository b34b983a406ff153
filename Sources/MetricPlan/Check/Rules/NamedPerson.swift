/// A number about many people names nobody: by no group, no condition and no threshold of one (PRIV-16).
enum NamedPerson: MetricRule {
  static let page = Page.checklist("C416")
  static let conditionPage = Page.checklist("C417")
  static let pages = [page, conditionPage]
  static let audience: Audience? = .team

  static func findings(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> [Diagnostic] {
    guard scope.ofSeveralUsers.contains(id) else { return [] }
    return [group(metric, scope.library), threshold(metric), condition(metric, scope.library)]
      .compactMap { $0 }
  }

  private static func group(_ metric: Metric, _ library: Library) -> Diagnostic? {
    for (word, fields) in [("by", metric.grouping), ("slice by", metric.slices)] {
      guard let person = fields.expressions.first(where: library.namesPerson) else { continue }
      return metric.error(
        page.code, "each group of `\(metric.name)` is one person, by `\(library.text(of: person))`", at: word,
        notes: ["group by what people share, with `at least 5 users`"])
    }
    return nil
  }

  private static func threshold(_ metric: Metric) -> Diagnostic? {
    guard metric.body.atLeast == 1 else { return nil }
    return metric.error(
      page.code, "`at least 1 users` shows the number of a single person", at: "at least",
      notes: ["write `at least 5 users`, or the number that your rules ask for"])
  }

  private static func condition(_ metric: Metric, _ library: Library) -> Diagnostic? {
    let filters = metric.body.sources.compactMap { source -> Expression? in
      if case .fact(_, _, let filter) = source { filter } else { nil }
    }
    let all = metric.body.expressions + filters + [metric.subject.condition].compactMap { $0 }
    guard let named = all.lazy.compactMap(library.personNamed).first else { return nil }
    return metric.error(
      conditionPage.code,
      "`\(library.text(of: named))` names a person in `\(metric.name)`, a number about many",
      at: metric.body.clauses.first?.word ?? "",
      notes: ["leave the condition out; `metricc eval --subject` shows one person to who may see them"])
  }
}

extension Library {
  /// Whether a text is the id of a person, under whatever name.
  fileprivate func namesPerson(_ expression: Expression) -> Bool {
    switch expression {
    case .field(let path): namesPerson(path)
    case .metric(let reference): metrics[reference.metric].body.expressions.contains(where: namesPerson)
    case .aggregate(let aggregate): aggregate.argument.map(namesPerson) ?? false
    case .conditional(_, let then, let otherwise): namesPerson(then) || namesPerson(otherwise)
    case .literal, .day, .completions, .subjects, .arithmetic, .negated, .comparison, .membership, .isNone,
      .and, .or, .not, .function, .widened:
      false
    }
  }

  private func namesPerson(_ path: FieldPath) -> Bool {
    let field = self[path.field]
    if let computed = field.computed { return namesPerson(computed) }
    switch field.type {
    case .reference(let entity): return isPerson(entity)
    case .id: return records[path.field.record].kind == .entity && isPerson(path.field.record)
    case .text, .int, .decimal, .bool, .dayKey, .instant, .choice: return false
    }
  }

  /// The comparison of a person's id with a text, also in conditions of aggregates and in computed fields.
  fileprivate func personNamed(_ expression: Expression) -> Expression? {
    switch expression {
    case .comparison(_, let operand, .literal(let literal)),
      .comparison(_, .literal(let literal), let operand):
      if case .text = literal, namesPerson(operand) { return expression }
    case .membership(let operand, _, _): if namesPerson(operand) { return expression }
    case .field(let path): return self[path.field].computed.flatMap(personNamed)
    case .aggregate(let aggregate): return aggregate.inner.lazy.compactMap(personNamed).first
    case .subjects(let aggregate): return aggregate.inner.lazy.compactMap(personNamed).first
    case .literal, .day, .metric, .completions, .arithmetic, .negated, .comparison, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      break
    }
    return expression.operands.lazy.compactMap(personNamed).first
  }
}
