import MetricDiagnostics

/// A metric that is to be kept.
enum StoresState: WordRule {
  static let page = Page(
    """
    C201 stores-state: A metric would be stored
    `stored`, `persist`, `cache`, `save` and the like ask for a metric to be written down. A copy would be a
    second truth beside the facts.
    -measure visits { for user  value count(Event)  cached }
    +measure visits { for user  value count(Event) }
    """)

  static let reason = "a metric is recomputed on request and never kept"
  static let fix = "delete the clause; if something happened, log it as a fact and derive the metric"
}
