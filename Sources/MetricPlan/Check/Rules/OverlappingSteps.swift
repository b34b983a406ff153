/// One fact may serve two steps of a funnel; that is rarely meant.
enum OverlappingSteps: MetricRule {
  static let page = Page.checklist("W011")

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    guard case .funnel(let funnel) = metric.body else { return [] }
    var findings: [Diagnostic] = []
    for (index, step) in funnel.steps.enumerated() {
      for other in funnel.steps[(index + 1)...] where mayOverlap(step.source, other.source) {
        findings.append(
          metric.warning(
            page.code, "one fact may serve both `\(step.name)` and `\(other.name)`",
            notes: ["compare one field with a different value in each, such as `name == \"…\"`"]))
      }
    }
    return findings
  }

  private static func mayOverlap(_ one: EventSource, _ other: EventSource) -> Bool {
    guard case .fact(let record, _, let filter) = one, case .fact(record, _, let otherFilter) = other else {
      return false
    }
    return !StepCondition(filter).excludes(StepCondition(otherFilter))
  }
}
