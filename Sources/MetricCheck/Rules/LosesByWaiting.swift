import MetricDiagnostics

/// A user number may fall as days pass because facts leave a window, never because `day` is compared.
enum LosesByWaiting: Rule {
  static let page = Page(
    """
    C409 loses-by-waiting: A number falls because a day has passed
    A comparison with `day` or with `weekday(day)` can lower the value while nothing happens and no fact leaves
    a window.
    See: C403, C406
    -measure recent { for habit  value if day - last(HabitEntry) <= 7 then count(HabitEntry) else 0 }
    +measure recent { for habit  value count(HabitEntry over last 7 days) }
    """)

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.filter { $0.audience == .user }.compactMap { metric in
      metric.body.clauses.compactMap { word, expression -> Diagnostic? in
        guard let over = metric.body.over, expression.type.isNumber || expression.type == .bool else {
          return nil
        }
        var inner = scope.directions.scope(over: over)
        inner.onlyDayPasses = true
        let losses: Moves = expression.type == .bool ? .falls : [.falls, .vanishes]
        guard !inner.behaviour(of: expression).passing.isDisjoint(with: losses) else { return nil }
        return metric.error(
          page.code, "`\(metric.name)` can fall from one day to the next because `day` is compared", at: word,
          notes: [
            Note("no fact leaves a window and nothing is logged: only the date changes"),
            Note("count over a period, such as `over last 7 days`, or remove the condition"),
          ])
      }.first
    }
  }
}
