import MetricDiagnostics
import MetricPlan

/// A deprecated metric is on its way out; nothing new should rest on it.
enum ReadsDeprecated: Rule {
  static let code = DiagnosticCode("W012", "reads-deprecated")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.flatMap { metric in
      library.reads(metric).sorted().compactMap { id in
        let read = library.metrics[id]
        guard let advice = read.deprecated else { return nil }
        return .warning(
          code, "`\(metric.name)` reads `\(read.name)`, which is deprecated: \(advice)", at: metric.span,
          metric: metric.name)
      }
    }
  }
}
