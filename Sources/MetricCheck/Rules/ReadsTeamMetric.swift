import MetricDiagnostics
import MetricPlan

/// The fourth question does not bind team metrics, so no user metric may rest on one.
enum ReadsTeamMetric: Rule {
  static let code = DiagnosticCode("C404", "reads-team-metric")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.filter { $0.audience == .user }.flatMap { metric in
      library.reads(metric).sorted().map { library.metrics[$0] }.filter { $0.audience == .team }.map { read in
        .error(
          code, "`\(metric.name)` is shown to a person and rests on `\(read.name)`, a metric for the team",
          at: metric.span, metric: metric.name,
          notes: [
            Note("`\(read.name)` is declared here", at: .source(read.span)),
            Note("say `audience team` here too, or derive the number from facts"),
          ])
      }
    }
  }
}
