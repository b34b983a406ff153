import MetricData
import MetricDiagnostics
import MetricPlan

/// The fourth question: logging a fact lowers no part of a number that a person is shown.
enum FallsWhenLogged: Rule {
  static let code = DiagnosticCode("C401", "falls-when-logged")
  static let belowZero = DiagnosticCode("C405", "below-zero")
  static let levelFalls = DiagnosticCode("C406", "level-can-fall")
  static let codes = [code, belowZero, levelFalls]

  static func findings(in library: Library) -> [Diagnostic] {
    let analysis = DirectionAnalysis(library: library)
    var rejected: Set<MetricID> = []
    var findings: [Diagnostic] = []
    for (id, metric) in library.metrics.enumerated() where metric.audience == .user {
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
    let scope = ExpressionAnalysis(analysis, over: nil)
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
    let (span, notes) = blame(metric, part, analysis)
    if !behaviour.added.isDisjoint(with: losses) {
      let what = behaviour.added.contains(.falls) ? "lower `\(name)`" : "take the value of `\(name)` away"
      return .error(code, "logging a fact can \(what)", at: span, metric: metric.name, notes: notes)
    }
    if part.type.isNumber, behaviour.values.mayBePresent, behaviour.values.low < 0 {
      let low = behaviour.values.low
      let bound = low == -Values.limit ? "below 0" : "down to \(FixedDecimal(millionths: low))"
      return .error(
        belowZero, "`\(name)` can go \(bound)", at: span, metric: metric.name,
        notes: [
          Note("a number that a person is shown starts at 0 or above and never goes below"),
          Note("declare `min 0` on the field, or write `greatest(0, …)`"),
        ])
    }
    if metric.kind == .level, !behaviour.passing.isDisjoint(with: losses) {
      return .error(
        levelFalls, "the level `\(metric.name)` rests on a number that can fall as days pass", at: span,
        metric: metric.name, notes: [Note("rest it on a `best` streak or on a count over all time")])
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

/// What in an expression makes it fall, in a note; and how to mend it.
struct Blame {
  private let scope: ExpressionAnalysis

  init(_ scope: ExpressionAnalysis) {
    self.scope = scope
  }

  func notes(_ expression: Expression) -> [Note] {
    let source = source(of: expression, falls: true)
    let text = scope.library.text(of: source)
    return [
      Note("`\(text)` \(reason(source))"),
      Note("say `audience team` if the number is not shown to the person; else \(mend(source))"),
    ]
  }

  /// The smallest part from which the move comes.
  private func source(of expression: Expression, falls: Bool) -> Expression {
    switch expression {
    case .arithmetic(.subtract, let left, let right):
      if moves(left, falls) { return source(of: left, falls: falls) }
      if right.operands.isEmpty { return expression }
      return moves(right, !falls) ? source(of: right, falls: !falls) : expression
    case .not(let operand), .negated(let operand): return source(of: operand, falls: !falls)
    case .comparison(let operation, let left, let right):
      let isLess = operation == .less || operation == .lessOrEqual
      if operation != .equal, operation != .notEqual {
        if moves(left, falls != isLess) { return descend(left, falls: falls != isLess, or: expression) }
        if moves(right, falls == isLess) { return descend(right, falls: falls == isLess, or: expression) }
      }
      return expression
    case .conditional, .arithmetic(.divide, _, _): return expression
    default:
      return expression.operands.first { moves($0, falls) }.map { source(of: $0, falls: falls) } ?? expression
    }
  }

  /// A leaf says less than the comparison around it when it moves the harmless way.
  private func descend(_ operand: Expression, falls: Bool, or expression: Expression) -> Expression {
    falls ? source(of: operand, falls: true) : expression
  }

  private func moves(_ expression: Expression, _ falls: Bool) -> Bool {
    let added = scope.behaviour(of: expression).added
    return !added.isDisjoint(with: falls ? [.falls, .vanishes] : [.rises, .appears])
  }

  private func reason(_ expression: Expression) -> String {
    switch expression {
    case .aggregate(let aggregate):
      switch aggregate.function {
      case .average: "falls when a value below it is logged"
      case .min, .first: "falls when a smaller or earlier one is logged"
      case .percentile: "falls when smaller values are logged"
      case .last: "falls when a smaller value is logged later"
      case .sum, .contribution: "falls when a negative value is logged, and nothing says that there is none"
      case .count, .max, .distinct, .days: "moves when a fact is logged"
      }
    case .arithmetic(.subtract, _, _): "falls when what is subtracted rises"
    case .arithmetic(.divide, _, _): "falls when the divisor rises"
    case .arithmetic(.multiply, _, _): "falls when a factor is negative"
    case .conditional: "can go to its lower branch when a fact is logged"
    case .comparison: "can stop being true when a fact is logged"
    case .subjects: "can lose a subject when a fact is logged"
    default: "can fall when a fact is logged"
    }
  }

  private func mend(_ expression: Expression) -> String {
    switch expression {
    case .aggregate(let aggregate) where aggregate.function == .sum || aggregate.function == .contribution:
      "declare `min 0` on the field, or count only values above 0"
    case .aggregate: "use a sum, a count or a greatest value"
    case .arithmetic(.divide, _, _): "divide by a number that no fact changes"
    default: "count what was done, so that more of it never gives less"
    }
  }
}
