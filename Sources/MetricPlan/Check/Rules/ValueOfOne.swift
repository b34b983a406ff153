/// The greatest, first or last value is that of one person, however many others there are (PRIV-11).
enum ValueOfOne: MetricRule {
  static let page = Page.checklist("C411")
  static let audience: Audience? = .team

  static func findings(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> [Diagnostic] {
    guard scope.ofSeveralUsers.contains(id) else { return [] }
    let library = scope.library
    var found: [Expression] = []
    for part in metric.body.parts where isOfOne(part, library) && !found.contains(part) {
      found.append(part)
    }
    return found.map { part in
      metric.error(
        page.code, "`\(library.text(of: part))` is the value of one person, whatever the size of the group",
        at: "value", "when",
        notes: [
          part.type.isNumber
            ? "write an `average`, or a `percentile` with `at least K users`"
            : "count those who have a value, or group `by` it with `at least K users`"
        ])
    }
  }

  private static func isOfOne(_ part: Expression, _ library: Library) -> Bool {
    switch part {
    case .aggregate(let aggregate):
      aggregate.function.isOfOne && library.leadsToUser(aggregate.record)
    case .subjects(let aggregate):
      aggregate.function.isOfOne && library.leadsToUser(aggregate.entity)
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function, .widened:
      false
    }
  }
}
