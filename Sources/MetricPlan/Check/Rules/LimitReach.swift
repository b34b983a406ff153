/// A limit takes away its own window and nothing else: it looks at the facts of that window, and no score rests on it.
enum LimitReach: SingleFindingRule {
  static let page = Page.checklist("C418")
  static let restingPage = Page.checklist("C419")
  static let pages = [page, restingPage]

  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic? {
    if case .completion(let completion) = metric.body, let limit = completion.limit,
      let part = limit.condition.parts.first(where: { reachesFurther($0, scope.library) })
    {
      return metric.error(
        page.code, "`\(scope.library.text(of: part))` looks beyond the window of `\(metric.name)`",
        at: "limit",
        notes: ["a limit counts the facts of its own window, like `limit count(Smoke) == 0 \"why\"`"])
    }
    return metric.audience == .user ? resting(id, metric, scope) : nil
  }

  private static func reachesFurther(_ part: Expression, _ library: Library) -> Bool {
    switch part {
    case .metric, .completions, .subjects: true
    case .aggregate(let aggregate): aggregate.period != nil && !library.records[aggregate.record].isSetting
    case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      false
    }
  }

  private static func resting(_ id: MetricID, _ metric: Metric, _ scope: CheckScope) -> Diagnostic? {
    let limits = scope.library.limits(behind: id)
    guard let limit = limits.first(where: { $0.completion != id }) else { return nil }
    let isScore =
      switch metric.body {
      case .windows: false
      case .completion: true
      case .measure, .level, .funnel, .retention:
        scope.directions.behaviours(of: id).contains { !$0.passing.isDisjoint(with: [.falls, .vanishes]) }
      }
    guard isScore else { return nil }
    let name = scope.library.metrics[limit.completion].name
    return metric.error(
      restingPage.code, "`\(metric.name)` rests on the limit of `\(name)`, and does not only rise",
      at: metric.body.clauses.first?.word ?? "of",
      notes: ["build on a `best` streak, or on `count(\(name))`, the windows kept so far"])
  }
}
