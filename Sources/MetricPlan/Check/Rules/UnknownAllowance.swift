/// An `allow` that names no warning silences nothing.
enum UnknownAllowance: MetricRule {
  static let page = Page.checklist("W013")

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    metric.allowed.keys.sorted().filter { !Rules.known.contains($0) }.map { unknown in
      metric.warning(page.code, "`\(metric.name)` allows `\(unknown)`, and there is no such warning")
    }
  }
}
