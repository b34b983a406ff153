/// A metric that means something else than was approved (MET-08). The caller, which knows meanings, compares them.
package enum VoidedApproval {
  static let page = Page.checklist("W026")

  /// - Parameter meaning: of what the metric means now.
  /// - Returns: nil if it has no approval, or one that holds.
  package static func finding(_ metric: Metric, meaning: MeaningHash) -> Diagnostic? {
    guard let approval = metric.approval, approval.hash != meaning else { return nil }
    let (who, form) = (quoted(approval.who), approval.hash.form)
    let age = form < meaning.form ? "an older" : "a newer"
    let message =
      form == meaning.form
      ? "`\(metric.name)` means something else than \(who) approved on \(approval.day)"
      : "\(who) approved `\(metric.name)` on \(approval.day) under \(age) form of meanings"
    return .warning(
      page.code, message, at: metric.clauseSpans["approved"] ?? metric.span, metric: metric.name,
      notes: ["`metricc approve \(metric.name)` approves what it means now"])
  }
}
