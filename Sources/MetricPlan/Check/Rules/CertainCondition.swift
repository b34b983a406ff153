/// A condition that is proved never true, or always true, decides nothing: a streak of it is always 0.
enum CertainCondition: MetricRule {
  static let page = Page.checklist("W020")
  static let alwaysPage = Page.checklist("W021")
  static let pages = [page, alwaysPage]

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    let free = scope.directions.scope(over: metric.body.period ?? .allTime)
    if case .completion(let completion) = metric.body,
      free.values(of: completion.when).certainty != false,
      scope.directions.conditions(of: completion).isNeverComplete
    {
      let finding = metric.warning(
        page.code, "`\(metric.name)` can never be true: a window without a fact is never complete",
        at: "when",
        notes: [
          "where its facts are there, the condition is false (WIN-06)",
          "name what was done instead: a fact for each day on which it was",
          "to do less of something, write `limit count(…) == 0 \"why\"` beside a `when` that holds",
        ])
      return [finding]
    }
    return metric.body.clauses.flatMap { inner($1, $0, metric, free) }
  }

  /// The conditions of an expression: itself, of `if`, and of aggregates.
  private static func inner(
    _ expression: Expression, _ word: String, _ metric: Metric, _ scope: ExpressionAnalysis
  ) -> [Diagnostic] {
    if metric.kind == .completion, let finding = finding(expression, word, metric, scope) { return [finding] }
    return expression.parts.compactMap { part in
      if case .conditional(let condition, _, _) = part { return finding(condition, word, metric, scope) }
      return part.aggregate?.filter.flatMap { finding($0, word, metric, scope) }
    }
  }

  /// Both sides of an `and` where the other one is true: nothing is above 5 and below 3.
  private static func certainty(_ condition: Expression, _ scope: ExpressionAnalysis) -> Bool? {
    guard case .and(let left, let right) = condition else { return scope.values(of: condition).certainty }
    let (one, other) = (certainty(left, scope), certainty(right, scope.knowing(left, .isTrue)))
    if one == false || other == false { return false }
    return one == true && certainty(right, scope) == true ? true : nil
  }

  private static func finding(
    _ condition: Expression, _ word: String, _ metric: Metric, _ scope: ExpressionAnalysis
  ) -> Diagnostic? {
    // What stands there as `true` is meant.
    guard condition.parts.contains(where: { $0.operands.isEmpty && !$0.isLiteral }),
      let holds = certainty(condition, scope)
    else { return nil }
    let text = scope.library.text(of: condition)
    return metric.warning(
      holds ? alwaysPage.code : page.code, "`\(text)` is \(holds ? "always" : "never") true", at: word,
      notes: [
        holds
          ? "it leaves nothing out; remove it, or write the comparison that is meant"
          : "what it is for is never there; write the comparison that is meant"
      ])
  }
}
