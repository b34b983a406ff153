/// A small group points at people.
enum UngatedGroups: SingleFindingRule {
  static let page = Page.checklist("W004")
  static let audience: Audience? = .team

  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic? {
    let library = scope.library
    let hasRows = metric.kind == .measure && metric.subject.entity != nil && scope.ofSeveralUsers.contains(id)
    guard !metric.grouping.isEmpty || hasRows, metric.body.atLeast == nil else { return nil }
    // Where no fact that it reads itself leads to a user, `at least` can count none.
    let facts = library.facts(of: metric)
    guard facts.isEmpty || facts.contains(where: library.reachesUser) else { return nil }
    return metric.warning(
      page.code, "`\(metric.name)` shows groups of any size, also of one person", at: "by", "for",
      notes: ["add `at least 5 users` to hide small groups"])
  }
}
