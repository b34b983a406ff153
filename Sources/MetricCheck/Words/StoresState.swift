import MetricDiagnostics

/// A metric that is to be kept.
enum StoresState: WordRule {
  static let page = Page(
    "C201", "stores-state", "A metric would be stored",
    what: "`stored`, `persist`, `cache`, `save` and the like ask for a metric to be written down.",
    why: "If all metrics are deleted, truth remains in the facts. A copy would be a second truth.",
    wrong: "measure visits { for user  value count(Event)  cached }",
    right: "measure visits { for user  value count(Event) }")

  static let reason = "a metric is recomputed on request and never kept"
  static let fix = "delete the clause; if something happened, log it as a fact and derive the metric"
}
