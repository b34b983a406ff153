/// A metric whose facts come from several users is a team metric, whatever it says (PRIV-09).
enum SeveralPeople: SingleFindingRule {
  static let page = Page.checklist("C407")
  static let audience: Audience? = .user

  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic? {
    guard let entity = metric.subject.entity, scope.ofSeveralUsers.contains(id) else { return nil }
    let subject = scope.library.records[entity].subjectName
    return metric.error(
      page.code, "`\(metric.name)` counts what several users did, and is shown to one person",
      at: "audience",
      notes: [
        "the facts lead to users other than the one behind a `\(subject)`",
        "remove `audience user`, as such a metric is for the team; or count `for user`",
      ])
  }
}
