import MetricDiagnostics

/// A metric that means something else than was approved (MET-08). Whoever knows meanings compares them.
package enum VoidedApproval {
  static let page = Page.checklist("W026")

  /// - Parameter meaning: the hash of what the metric means now.
  /// - Returns: nil where it has no approval, or one that holds.
  package static func finding(_ metric: Metric, meaning: String) -> Diagnostic? {
    guard let approval = metric.approval, approval.meaning != meaning else { return nil }
    return .warning(
      page.code,
      "`\(metric.name)` means something else than \(quoted(approval.who)) approved on \(approval.day)",
      at: metric.clauseSpans["approved"] ?? metric.span, metric: metric.name,
      notes: [Note("`metricc approve \(metric.name)` approves what it means now")])
  }
}
