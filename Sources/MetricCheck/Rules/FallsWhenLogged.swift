import MetricData
import MetricDiagnostics
import MetricPlan

/// The fourth question: logging a fact lowers no part of a number that a person is shown.
enum FallsWhenLogged: Rule {
  static let code = DiagnosticCode("C401", "falls-when-logged")
  static let belowZero = DiagnosticCode("C405", "below-zero")
  static let levelFalls = DiagnosticCode("C406", "level-can-fall")
  static let codes = [code, belowZero, levelFalls]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let analysis = DirectionAnalysis(library: library)
    var rejected: Set<MetricID> = []
    var findings: [Diagnostic] = []
    for id in scope.ids {
      let metric = library.metrics[id]
      guard metric.audience == .user else { continue }
      // What is wrong with a metric that is read is said there, once.
      if !rejected.isDisjoint(with: library.reads(metric)) {
        rejected.insert(id)
        continue
      }
      let own = self.findings(id, metric, analysis)
      if !own.isEmpty { rejected.insert(id) }
      findings += own
    }
    return findings
  }

  private static func findings(_ id: MetricID, _ metric: Metric, _ analysis: DirectionAnalysis)
    -> [Diagnostic]
  {
    if case .completion(let completion) = metric.body { return conditions(completion, metric, analysis) }
    let behaviours = analysis.behaviours(of: id)
    for (part, behaviour) in zip(metric.parts, behaviours) where part.type != .dayKey && part.type != .text {
      if let finding = finding(metric, part, behaviour, analysis) { return [finding] }
    }
    return []
  }

  private static func conditions(
    _ completion: Completion, _ metric: Metric, _ analysis: DirectionAnalysis
  ) -> [Diagnostic] {
    let (whenMayFall, restMayFall) = analysis.conditions(of: completion)
    let scope = ExpressionAnalysis(analysis, over: completion.window.period)
    var findings: [Diagnostic] = []
    if whenMayFall {
      findings.append(
        .error(
          code, "logging a fact can make a complete window of `\(metric.name)` incomplete",
          at: metric.clauseSpans["when"] ?? metric.span, metric: metric.name,
          notes: Blame(scope).notes(completion.when)))
    }
    if restMayFall, let rest = completion.rest {
      findings.append(
        .error(
          code, "logging a fact can end a rest of `\(metric.name)`, and with it a streak",
          at: metric.clauseSpans["rest when"] ?? metric.span, metric: metric.name,
          notes: Blame(scope).notes(rest)))
    }
    return findings
  }

  private static func finding(
    _ metric: Metric, _ part: Part, _ behaviour: Behaviour, _ analysis: DirectionAnalysis
  ) -> Diagnostic? {
    let name = part.name.isEmpty ? metric.name : "\(metric.name).\(part.name)"
    let losses: Moves = part.type == .bool ? .falls : [.falls, .vanishes]
    if !behaviour.added.isDisjoint(with: losses) {
      let what = behaviour.added.contains(.falls) ? "lower `\(name)`" : "take the value of `\(name)` away"
      let (span, notes) = blame(metric, part, analysis)
      return .error(code, "logging a fact can \(what)", at: span, metric: metric.name, notes: notes)
    }
    if part.type.isNumber, behaviour.values.mayBePresent, behaviour.values.low < 0 {
      let low = behaviour.values.low
      let bound = low == -Values.limit ? "below 0" : "down to \(FixedDecimal(millionths: low))"
      return .error(
        belowZero, "`\(name)` can go \(bound)", at: blame(metric, part, analysis).0, metric: metric.name,
        notes: [
          Note("a number that a person is shown starts at 0 or above and never goes below"),
          Note("declare `min 0` on the field, or write `greatest(0, …)`"),
        ])
    }
    if metric.kind == .level, !behaviour.passing.isDisjoint(with: losses) {
      return .error(
        levelFalls, "the level `\(metric.name)` rests on a number that can fall as days pass",
        at: blame(metric, part, analysis).0, metric: metric.name,
        notes: [Note("rest it on a `best` streak or on a count over all time")])
    }
    return nil
  }

  /// Where the part is written, and what in it is to blame.
  private static func blame(_ metric: Metric, _ part: Part, _ analysis: DirectionAnalysis) -> (Span, [Note]) {
    func at(_ word: String) -> Span { metric.clauseSpans[word] ?? metric.span }
    switch metric.body {
    case .progress(let progress):
      let scope = ExpressionAnalysis(analysis, over: progress.over)
      switch part.name {
      case "": return (at("value"), Blame(scope).notes(progress.value))
      case "target": return (at("target"), progress.target.map(Blame(scope).notes) ?? [])
      default:
        return (
          at("target"),
          [
            Note(
              "the fraction is the value by the target, which must not change when a fact is logged, nor be below 0"
            )
          ]
        )
      }
    case .measure(let measure):
      return (at("value"), Blame(ExpressionAnalysis(analysis, over: measure.over)).notes(measure.value))
    case .level: return (at("of"), [])
    case .completion, .streak, .momentum, .funnel, .retention: return (metric.span, [])
    }
  }
}
