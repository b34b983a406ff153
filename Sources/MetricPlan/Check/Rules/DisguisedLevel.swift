import MetricDiagnostics

/// Thresholds that are counted by hand are a level, and a level never falls (C406).
enum DisguisedLevel: Rule {
  static let page = FallsWhenLogged.levelFallsPage
  /// The page is next to `level`.
  static let pages: [Page] = []

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.compactMap { metric in
      guard metric.audience == .user, case .measure(let measure) = metric.body, measure.value.type.isNumber,
        let steps = steps(measure.value), steps >= 2
      else { return nil }
      let behaviour = scope.directions.scope(over: measure.over).behaviour(of: measure.value)
      guard !behaviour.passing.isDisjoint(with: [.falls, .vanishes]) else { return nil }
      return metric.error(
        FallsWhenLogged.levelFalls,
        "`\(metric.name)` counts thresholds like a level, and can fall as days pass", at: "value",
        notes: [Note("write a `level` on a `best` streak or on a count over all time")])
    }
  }

  /// How many conditions select between numbers that stand in the definition; nil where anything else is
  /// part of the value.
  private static func steps(_ expression: Expression) -> Int? {
    switch expression {
    case .literal: return 0
    case .widened(let operand): return steps(operand)
    case .conditional(_, let then, let otherwise):
      guard let one = steps(then), let other = steps(otherwise) else { return nil }
      return 1 + one + other
    case .arithmetic(_, let left, let right):
      guard let one = steps(left), let other = steps(right) else { return nil }
      return one + other
    case .function(_, let operands):
      return operands.reduce(0) { sum, operand in
        guard let sum, let own = steps(operand) else { return nil }
        return sum + own
      }
    default: return nil
    }
  }
}
