/// What a person does is a fact. As an entity or a setting it would escape the promise that logging never lowers.
enum BehaviourAsRecord: Rule {
  static let page = Page.checklist("C414")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    // A metric that shows a declared number is refused for that.
    let shown = Set(scope.declaredAsValue.compactMap(\.metric))
    return scope.metrics.filter {
      $0.audience == .user && $0.readingReason == nil && !shown.contains($0.name)
    }.compactMap { metric in
      guard let (word, expression) = metric.body.clauses.first, let period = metric.body.period else {
        return nil
      }
      // `count(habit where done) == count(habit)` asks whether all are done; one more has to be done, too.
      guard scope.directions.loses(expression, over: period, expression.type == .bool ? .settings : .records)
      else { return nil }
      return metric.error(
        page.code, "`\(metric.name)` can fall when an entity or a setting is added", at: word,
        notes: [
          "what a person does is a fact, and logging one never lowers a number",
          "count what was done; read a setting with `last`",
        ])
    }
  }
}
