import MetricDiagnostics

/// A small group points at people.
enum UngatedGroups: Rule {
  static let page = Page.checklist("W004")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let several = scope.ofSeveralUsers
    return scope.ids.compactMap { id in
      let metric = library.metrics[id]
      let hasRows = metric.kind == .measure && metric.subject.entity != nil && several.contains(id)
      guard metric.audience == .team, !metric.grouping.isEmpty || hasRows, metric.body.atLeast == nil,
        speaksOfUsers(metric, library)
      else { return nil }
      return metric.warning(
        page.code, "`\(metric.name)` shows groups of any size, also of one person", at: "by", "for",
        notes: [Note("add `at least 5 users` to hide small groups")])
    }
  }

  /// Whether a fact that it reads itself leads to a user; only then can `at least` count any.
  private static func speaksOfUsers(_ metric: Metric, _ library: Library) -> Bool {
    library.facts(of: metric).isEmpty
      || library.facts(of: metric).contains { library.reaches($0, entityNamed: "User") }
  }
}
