/// A user number may fall as days pass because facts leave a window, never because `day` is compared.
enum LosesByWaiting: SingleFindingRule {
  static let page = Page.checklist("C409")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    // A current streak or a momentum is shown as it stands.
    if case .windows(let windows) = metric.body, windows.reading.isRunning {
      return finding(metric, of: windows.completion, scope)
    }
    guard let over = metric.body.over,
      let word = metric.body.clauses.first(where: { _, expression in
        (expression.type.isNumber || expression.type == .bool)
          && scope.directions.loses(expression, over: over, .day)
      })?.word
    else { return nil }
    return metric.error(
      page.code, "`\(metric.name)` can fall from one day to the next because `day` is compared", at: word,
      notes: [
        "no fact leaves a window and nothing is logged: only the date changes",
        "count over a period, such as `over last 7 days`, or remove the condition",
      ])
  }

  /// A run that ends on a date, whatever was done.
  private static func finding(_ metric: Metric, of completion: MetricID, _ scope: CheckScope) -> Diagnostic? {
    guard !Passing.day.moves(of: completion, scope.directions).isEmpty else { return nil }
    let read = scope.library.metrics[completion]
    return metric.error(
      page.code, "`\(metric.name)` ends because `day` is compared in `\(read.name)`", at: "of",
      notes: [
        Note(
          "this window cannot be complete on such a day", at: .source(read.clauseSpans["when"] ?? read.span)),
        "let it rest there: `rest when` with the days that do not count",
      ])
  }
}
