/// Thresholds that are counted by hand are a level, and a level never falls (C406).
enum DisguisedLevel: SingleFindingRule {
  static let page = FallsWhenLogged.levelFallsPage
  /// The page is next to `level`.
  static let pages: [Page] = []
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard metric.kind == .measure, case .measure(let measure) = metric.body,
      measure.value.type.isNumber, let steps = steps(measure.value), steps >= 2,
      scope.directions.loses(measure.value, over: measure.over, .everything)
    else { return nil }
    return metric.error(
      page.code, "`\(metric.name)` counts thresholds like a level, and can fall as days pass", at: "value",
      notes: ["write a `level` on a `best` streak or on a count over all time"])
  }

  /// How many conditions select between numbers that are in the definition; nil if anything else is part of the value.
  private static func steps(_ expression: Expression) -> Int? {
    func sum(_ expressions: [Expression], from own: Int = 0) -> Int? {
      expressions.reduce(own) { sum, operand in sum.flatMap { sum in steps(operand).map { sum + $0 } } }
    }
    return switch expression {
    case .literal: 0
    case .conditional(_, let then, let otherwise): sum([then, otherwise], from: 1)
    case .widened, .arithmetic, .function: sum(expression.operands)
    case .field, .day, .metric, .aggregate, .completions, .subjects, .negated, .comparison, .membership,
      .isNone, .and, .or, .not:
      nil
    }
  }
}
