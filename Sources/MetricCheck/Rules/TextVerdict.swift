import MetricDiagnostics
import MetricPlan

/// A text or a day that a person sees comes from a record; one that a condition selects is a score in words.
enum TextVerdict: Rule {
  static let page = Page(
    """
    C408 text-verdict: A text judges the person who reads it
    The value of a user metric is a text or a day written in the definition, or selected by a condition that a
    logged fact can end. `"gold"` and `"loser"` are a score, and no order of texts says which is lower.
    See: C401
    -measure often { for habit  value if count(HabitEntry) >= 3 then "good" else "poor" }
    +measure often { for habit  value count(HabitEntry) >= 3 }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.compactMap { metric in
      guard metric.audience == .user, case .measure(let measure) = metric.body,
        measure.value.type == .text || measure.value.type == .dayKey
      else { return nil }
      let inner = scope.directions.scope(over: measure.over)
      guard let verdict = verdict(measure.value, inner) else { return nil }
      let text = library.text(of: verdict)
      let isLiteral = verdict.operands.isEmpty
      return metric.error(
        page.code,
        isLiteral
          ? "`\(metric.name)` can be `\(text)`, a verdict written in the definition, not in a record"
          : "logging a fact can end `\(text)`, which selects the value of `\(metric.name)`", at: "value",
        notes: [Note("show the condition itself as a Bool, or the number; a text is read from a record")])
    }
  }

  /// The literal that is shown, or the condition that may end.
  private static func verdict(_ expression: Expression, _ scope: ExpressionAnalysis) -> Expression? {
    switch expression {
    case .literal(.none): nil
    case .literal: expression
    case .conditional(let condition, let then, let otherwise):
      verdict(then, scope) ?? verdict(otherwise, scope)
        ?? (scope.behaviour(of: condition).added.contains(.falls) ? condition : nil)
    default: nil
    }
  }
}
