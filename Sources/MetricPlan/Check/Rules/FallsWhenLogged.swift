/// The fourth question: logging a fact lowers no part of a number that a person is shown.
enum FallsWhenLogged: Rule {
  static let page = Page.checklist("C401")
  static let belowZeroPage = Page.checklist("C405")
  static let levelFallsPage = Page.checklist("C406")
  static let pages = [page, belowZeroPage, levelFallsPage]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let analysis = scope.directions
    var rejected: Set<MetricID> = []
    return scope.ids.flatMap { id -> [Diagnostic] in
      let metric = scope.library.metrics[id]
      guard metric.audience == .user else {
        // A level has been reached, whoever looks at it.
        return levelThatFalls(metric, analysis.behaviours(of: id)[0], analysis).map { [$0] } ?? []
      }
      // A reading may fall; nothing may rest on it (RDG-02). A metric that is read has its own finding.
      let mayFall = metric.readingReason != nil || !rejected.isDisjoint(with: scope.library.reads(metric))
      let own = mayFall ? [] : findings(id, metric, analysis)
      if mayFall || !own.isEmpty { rejected.insert(id) }
      return own
    }
  }

  private static func findings(
    _ id: MetricID, _ metric: Metric, _ analysis: DirectionAnalysis
  ) -> [Diagnostic] {
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
    let conditions = analysis.conditions(of: completion)
    let scope = analysis.scope(over: completion.window.period)
    var findings: [Diagnostic] = []
    if conditions.whenMayFall {
      findings.append(
        metric.error(
          page.code, "logging a fact can make a complete window of `\(metric.name)` incomplete", at: "when",
          notes: Blame(scope: scope).notes(completion.when)))
    }
    if conditions.restMayFall, let rest = completion.rest {
      findings.append(
        metric.error(
          page.code, "logging a fact can end a rest of `\(metric.name)`, and with it a streak",
          at: "rest when", notes: Blame(scope: scope).notes(rest)))
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
      let (word, notes) = blame(metric, part, analysis)
      return metric.error(page.code, "logging a fact can \(what)", at: word, notes: notes)
    }
    if part.type.isNumber, behaviour.values.mayBePresent, behaviour.values.low < 0 {
      let low = behaviour.values.low
      let bound = low == -Values.limit ? "below 0" : "down to \(FixedDecimal(millionths: low))"
      return metric.error(
        belowZeroPage.code, "`\(name)` can go \(bound)", at: blame(metric, part, analysis).word,
        notes: [
          "a number that a person sees starts at 0 or above and never goes below",
          "declare `min 0` on the field, or write `greatest(0, …)`",
        ])
    }
    return levelThatFalls(metric, behaviour, analysis)
  }

  private static func levelThatFalls(
    _ metric: Metric, _ behaviour: Behaviour, _ analysis: DirectionAnalysis
  ) -> Diagnostic? {
    guard case .level(let level) = metric.body else { return nil }
    // A group that is hidden for its size says nothing of what was reached.
    if metric.audience == .team, analysis.library.metrics[level.metric].body.atLeast != nil { return nil }
    guard !behaviour.passing.isDisjoint(with: [.falls, .vanishes]) else { return nil }
    return metric.error(
      levelFallsPage.code, "the level `\(metric.name)` rests on a number that can fall as days pass",
      at: "of",
      notes: ["rest it on a `best` streak or on a count over all time"])
  }

  /// The clause in which the part is written, and what in it is to blame.
  private static func blame(
    _ metric: Metric, _ part: Part, _ analysis: DirectionAnalysis
  ) -> (word: String, notes: [Note]) {
    if case .level = metric.body { return ("of", []) }
    guard let over = metric.body.over else { return ("", []) }
    let word = part.name.isEmpty ? "value" : part.name
    if let expression = metric.body.clauses.first(where: { $0.word == word })?.expression {
      return (word, Blame(scope: analysis.scope(over: over)).notes(expression))
    }
    return (
      "target",
      ["the fraction divides by the target, which must not change when a fact is logged, nor be below 0"]
    )
  }
}
