import MetricDiagnostics
import MetricPlan

/// A metric says what it means in a doc comment.
enum MissingDoc: Rule {
  static let code = DiagnosticCode("W006", "missing-doc")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.filter { $0.doc == nil }.map { metric in
      .warning(
        code, "`\(metric.name)` has no doc comment", at: metric.span, metric: metric.name,
        notes: [Note("say above it in a `///` line what it means to the person who reads the number")])
    }
  }
}
