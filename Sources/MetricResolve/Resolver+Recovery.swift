import MetricDiagnostics
import MetricPlan

/// What is still examined where it is not known whose number a metric is: one mistake hides no other.
extension Resolver {
  /// Reports what is wrong with the other clauses of a metric without a subject.
  ///
  ///     measure minutes { for usr  value summ(Session.minuts) }
  ///
  /// The rest is resolved for the subject that was probably meant, and what names nothing is reported. What
  /// else is found might follow from the guess, and is dropped; but words of the checklist have no place anywhere.
  func reportRest(of kind: MetricKind, _ clauses: ClauseTable) {
    if kind == .level { _ = thresholds(clauses) }
    guard !kind.clauses.contains(.of) else { return }
    let meant = meantSubject(clauses)
    var reliable: Set<DiagnosticCode> = [.unknownRecord, .unknownField]
    if meant != nil { reliable.insert(.unknownName) }
    let before = diagnostics.count
    _ = resolveBody(kind, clauses, subject: meant ?? Subject(entity: nil))
    // Metrics that were resolved on the way have findings of their own.
    let rest = diagnostics[before...].filter {
      $0.metric != currentMetric || reliable.contains($0.code) || $0.code.id.hasPrefix("C")
    }
    diagnostics.replaceSubrange(before..., with: rest)
  }

  /// The entity whose name is nearest to that of an unknown one.
  private func meantSubject(_ clauses: ClauseTable) -> Subject? {
    guard case .subject(let name, _) = clauses[.subject]?.content, !name.isMissing, name.text != "app" else {
      return nil
    }
    if let entity = subjectIDs[name.text] { return Subject(entity: entity) }
    return nearest(name.text, subjectIDs.keys).flatMap { subjectIDs[$0] }.map { Subject(entity: $0) }
  }
}
