/// One fact may serve two steps of a funnel; that is rarely meant.
enum OverlappingSteps: MetricRule {
  static let page = Page.checklist("W011")

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    guard case .funnel(let funnel) = metric.body else { return [] }
    return funnel.steps.enumerated().flatMap { index, step in
      funnel.steps[(index + 1)...].filter { mayOverlap(step.source, $0.source) }.map { other in
        metric.warning(
          page.code, "one fact may serve both `\(step.name)` and `\(other.name)`",
          notes: ["compare one field with a different value in each, such as `name == \"…\"`"])
      }
    }
  }

  private static func mayOverlap(_ one: EventSource, _ other: EventSource) -> Bool {
    guard case .fact(let id, _, let one) = one, case .fact(id, _, let other) = other else { return false }
    return !StepCondition(one).excludes(StepCondition(other))
  }
}
