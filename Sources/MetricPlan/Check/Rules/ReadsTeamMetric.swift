/// The fourth question does not bind team metrics, so no user metric may rest on one.
enum ReadsTeamMetric: MetricRule {
  static let page = Page.checklist("C404")
  static let audience: Audience? = .user

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    scope.library.metricsRead(by: metric).filter { $0.audience == .team }.map { read in
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
