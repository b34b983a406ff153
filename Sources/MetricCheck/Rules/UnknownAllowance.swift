import MetricDiagnostics
import MetricPlan

/// An `allow` that names no warning silences nothing.
enum UnknownAllowance: Rule {
  static let code = DiagnosticCode("W013", "unknown-allowance")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let known = Rules.parserWarnings.union(Rules.codes.map(\.id))
    return scope.metrics.flatMap { metric in
      metric.allowed.keys.sorted().filter { !known.contains($0) }.map { unknown in
        .warning(
          code, "`\(metric.name)` allows `\(unknown)`, and there is no such warning", at: metric.span,
          metric: metric.name)
      }
    }
  }
}
