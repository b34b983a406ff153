/// A calendar window drops to zero on its first day, whatever was done the day before.
enum CalendarWindow: SingleFindingRule {
  static let page = Page.checklist("W002")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _: MetricID, in scope: CheckScope) -> Diagnostic? {
    let isCompletion = metric.kind == .completion
    for case (.calendar(let unit), let word) in periods(of: metric) {
      let days = isCompletion && unit.usualDays == 7 ? "week" : "\(unit.usualDays) days"
      let length = "\(isCompletion ? "every" : "over last") \(days)"
      let what =
        isCompletion
        ? "counts calendar windows, which are empty on their first day"
        : "reads a calendar period, which is empty on its first day"
      return metric.warning(
        page.code, "`\(metric.name)` \(what)", at: word,
        notes: ["`\(length)` looks back from the reference day; or write `allow \(page.code.id) \"why\"`"])
    }
    return nil
  }

  /// The window of a completion; of another metric its period and those of its aggregates. Each with its clause.
  private static func periods(of metric: Metric) -> [(period: Period, word: String)] {
    if case .completion(let completion) = metric.body { return [(completion.window.period, "every")] }
    return (metric.body.over.map { [($0, "over")] } ?? [])
      + metric.body.parts.compactMap(\.ownPeriod).map { ($0, "value") }
  }
}
