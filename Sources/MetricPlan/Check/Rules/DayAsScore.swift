/// A user metric may use `day` only in comparisons: a number of days since an event gets worse when nothing is done.
enum DayAsScore: MetricRule {
  static let page = Page.checklist("C403")
  static let audience: Audience? = .user

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    metric.body.clauses.filter { usesDayAsValue($0.expression) }.map { word, _ in
      metric.error(
        page.code, "`\(metric.name)` uses `day` as a value; a metric shown to a person may only compare it",
        at: word, notes: ["days that pass are not a score: count what was done in a period instead"])
    }
  }

  /// Whether `day` reaches the value other than through a comparison.
  private static func usesDayAsValue(_ expression: Expression) -> Bool {
    switch expression {
    case .day: true
    case .comparison, .membership, .isNone: false
    case .literal, .field, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated, .and, .or,
      .not, .conditional, .function, .widened:
      expression.operands.contains(where: usesDayAsValue)
    }
  }
}
