import MetricDiagnostics
import MetricPlan

/// A user metric may use `day` only in comparisons: a number of days since something grows worse by
/// doing nothing.
enum DayAsScore: Rule {
  static let code = DiagnosticCode("C403", "day-as-score")
  static let codes = [code]

  static func findings(in library: Library) -> [Diagnostic] {
    library.metrics.filter { $0.audience == .user }.flatMap { metric in
      metric.body.expressions.filter(usesDayAsValue).prefix(1).map { _ in
        .error(
          code, "`\(metric.name)` uses `day` as a value; a metric shown to a person may only compare it",
          at: metric.clauseSpans["value"] ?? metric.clauseSpans["when"] ?? metric.span, metric: metric.name,
          notes: [Note("days that pass are no score: count what was done in a period instead")])
      }
    }
  }

  /// Whether `day` reaches the value other than through a comparison.
  private static func usesDayAsValue(_ expression: Expression) -> Bool {
    switch expression {
    case .day: true
    case .comparison, .membership, .isNone: false
    default: expression.operands.contains(where: usesDayAsValue)
    }
  }
}
