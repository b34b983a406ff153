import MetricDiagnostics
import MetricPlan

/// The canonical streak of a habit shows 0 where window 0 is incomplete, the canonical momentum
/// counts windows. `grace` and `half life` are fine where they are meant.
enum DepartsFromCanon: Rule {
  static let code = DiagnosticCode("W003", "departs-from-canon")
  static let codes = [code]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metrics.compactMap { metric in
      guard let entity = metric.subject.entity, library.records[entity].name == "Habit" else { return nil }
      let word: String
      switch metric.body {
      case .streak(let streak):
        guard case .grace = streak.reading else { return nil }
        word = "grace"
      case .momentum(let momentum):
        guard case .halfLife = momentum.reading else { return nil }
        word = "half life"
      case .completion, .progress, .measure, .level, .funnel, .retention: return nil
      }
      return .warning(
        code, "`\(word)` departs from the canonical rule for habits",
        at: metric.clauseSpans[word] ?? metric.span,
        metric: metric.name, notes: [Note("where it is meant, say `allow \(code.id) \"why\"`")])
    }
  }
}
