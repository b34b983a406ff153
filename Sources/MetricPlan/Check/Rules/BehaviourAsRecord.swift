/// What a person does is a fact. As an entity or a setting it would escape the promise that logging never lowers.
enum BehaviourAsRecord: SingleFindingRule {
  static let page = Page.checklist("C414")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    // A metric that shows a declared number is refused for that.
    guard metric.readingReason == nil, !scope.shown.contains(metric.name),
      let (word, expression) = metric.body.clauses.first, let period = metric.body.period,
      // `count(habit where done) == count(habit)` asks whether all are done; one more has to be done, too.
      scope.directions.loses(expression, over: period, expression.type == .bool ? .settings : .records)
    else { return nil }
    return metric.error(
      page.code, "`\(metric.name)` can fall when an entity or a setting is added", at: word,
      notes: [
        "what a person does is a fact, and logging one never lowers a number",
        "count what was done; read a setting with `last`",
      ])
  }
}
