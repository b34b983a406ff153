import MetricDiagnostics
import MetricPlan

/// One fact may serve two steps of a funnel; that is rarely meant.
enum OverlappingSteps: Rule {
  static let page = Page(
    """
    W011 overlapping-steps: One fact may serve two steps of a funnel
    The conditions of two steps do not exclude each other. One act may reach both, and the conversion between
    them means nothing.
    See: T032
     funnel start {
       for user
    -  step opened Event
    +  step opened Event where name == "opened"
       step read   Event where name == "read"
     }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.flatMap { metric -> [Diagnostic] in
      guard case .funnel(let funnel) = metric.body else { return [] }
      var findings: [Diagnostic] = []
      for (index, step) in funnel.steps.enumerated() {
        for other in funnel.steps[(index + 1)...] where mayOverlap(step.source, other.source) {
          findings.append(
            metric.warning(
              page.code, "one fact may serve both `\(step.name)` and `\(other.name)`",
              notes: [Note("compare one field with a different value in each, such as `name == \"…\"`")]))
        }
      }
      return findings
    }
  }

  private static func mayOverlap(_ one: EventSource, _ other: EventSource) -> Bool {
    guard case .fact(let record, _, let filter) = one, case .fact(record, _, let otherFilter) = other else {
      return false
    }
    return !StepCondition(filter).excludes(StepCondition(otherFilter))
  }
}
