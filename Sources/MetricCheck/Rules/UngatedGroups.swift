import MetricDiagnostics
import MetricPlan

/// A small group points at people.
enum UngatedGroups: Rule {
  static let code = DiagnosticCode("W004", "ungated-groups")
  static let codes = [code]

  static func findings(in library: Library) -> [Diagnostic] {
    library.metrics.compactMap { metric in
      guard metric.audience == .team, metric.grouping != nil, metric.clauseSpans["at least"] == nil else {
        return nil
      }
      return .warning(
        code, "`\(metric.name)` shows groups of any size, also of one person",
        at: metric.clauseSpans["by"] ?? metric.span, metric: metric.name,
        notes: [Note("add `at least 5 users` to hide small groups")])
    }
  }
}
