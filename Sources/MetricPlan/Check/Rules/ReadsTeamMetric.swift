/// The fourth question does not bind team metrics, so no user metric may rest on one.
enum ReadsTeamMetric: Rule {
  static let page = Page.checklist("C404")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.filter { $0.audience == .user }.flatMap { metric in
      library.metricsRead(by: metric).filter { $0.audience == .team }.map { read in
        metric.error(
          page.code,
          "`\(metric.name)` is shown to a person and rests on `\(read.name)`, a metric for the team",
          notes: [
            Note("`\(read.name)` is declared here", at: .source(read.span)),
            "no number for a person compares that person with others; derive it from what this person did",
          ])
      }
    }
  }
}
