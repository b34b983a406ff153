/// A missed window takes away only what belongs to it: a streak may fall, and nothing built on it may.
enum LosesAtOnce: SingleFindingRule {
  static let page = Page.checklist("C413")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard metric.readingReason == nil, let (word, expression) = metric.body.clauses.first else { return nil }
    if case .completion(let completion) = metric.body {
      return scope.directions.loses(expression, over: completion.window.period, .streaks)
        ? finding(metric, word, "stops being true when a streak ends") : nil
    }
    guard let over = metric.body.over else { return nil }
    // A metric shown as it is.
    if case .metric(let reference) = expression.withoutWidening, reference.days == nil { return nil }
    if scope.directions.loses(expression, over: over, .streaks) {
      return finding(metric, word, "falls at once when a streak ends, and is not that streak")
    }
    // Bools of completions say that something was done, and nothing else.
    let isEarned = expression.type.isNumber && terms(expression).contains { losesMore($0, over, scope) }
    return isEarned ? finding(metric, word, "is there only while a completion holds") : nil
  }

  private static func finding(_ metric: Metric, _ word: String, _ what: String) -> Diagnostic {
    metric.error(
      page.code, "`\(metric.name)` \(what)", at: word,
      notes: [
        "one missed window takes away what many have earned",
        "build on a `best` streak, a momentum or a count over a period; show a streak as it is",
      ])
  }

  /// What is added up: each may lose what belongs to its window.
  private static func terms(_ expression: Expression) -> [Expression] {
    let plain = expression.withoutWidening
    guard case .arithmetic(.add, let left, let right) = plain else { return [plain] }
    return terms(left) + terms(right)
  }

  private static func losesMore(_ term: Expression, _ over: Period, _ scope: CheckScope) -> Bool {
    guard scope.directions.loses(term, over: over, .windows) else { return false }
    let windows = term.parts.compactMap { part -> Period? in
      guard case .metric(let reference) = part,
        case .completion(let completion) = scope.library.metrics[reference.metric].body
      else { return nil }
      return completion.window.period
    }
    return term.parts.contains { part in
      switch part {
      case .aggregate(let aggregate): !windows.contains { (aggregate.period ?? over).isWithin($0) }
      case .completions: true
      case .metric(let reference): scope.library.metrics[reference.metric].kind != .completion
      case .literal, .field, .day, .subjects, .arithmetic, .negated, .comparison, .membership, .isNone, .and,
        .or, .not, .conditional, .function, .widened:
        false
      }
    }
  }
}
