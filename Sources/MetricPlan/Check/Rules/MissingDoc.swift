/// A metric says what it means in a doc comment.
enum MissingDoc: SingleFindingRule {
  static let page = Page.checklist("W006")

  static func message(about metrics: String) -> String { "no doc comment above \(metrics)" }

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard metric.doc == nil else { return nil }
    return metric.warning(
      page.code, message(about: "`\(metric.name)`"),
      notes: ["write a `///` line above it that says what it means to the person who reads the number"])
  }
}
