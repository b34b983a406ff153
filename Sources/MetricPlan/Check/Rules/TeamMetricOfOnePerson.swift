/// A team metric whose rows are about single people prints them by name, and the fourth question does not bind it.
enum TeamMetricOfOnePerson: SingleFindingRule {
  static let page = Page.checklist("W015")
  static let audience: Audience? = .team

  static func finding(of metric: Metric, _ id: MetricID, in scope: CheckScope) -> Diagnostic? {
    let library = scope.library
    guard let entity = metric.subject.entity, !metric.kind.countsSubjects,
      library.isPerson(entity)
        || !scope.ofSeveralUsers.contains(id) && library.reachesUser(entity)
    else { return nil }
    let subject = library.records[entity].subjectName
    return metric.warning(
      page.code, "`\(metric.name)` has a row for each `\(subject)`, and `audience team` shows them by name",
      at: "audience",
      notes: [
        "write one number about all of them: `\(aggregate(metric, subject))`",
        "if the rows are never listed, write `allow \(page.code.id) \"why\"`",
      ])
  }

  private static func aggregate(_ metric: Metric, _ subject: String) -> String {
    if metric.parts.first?.type == .text {
      return
        "measure \(subject)s_by_\(metric.name) { for app  value count(\(subject))  by \(metric.name)  at least 5 users }"
    }
    let value =
      switch metric.parts.first?.type {
      case .bool: "count(\(subject) where \(metric.name))"
      case .int, .decimal: "average(\(subject).\(metric.name))"
      case .dayKey, .text, .instant, nil: "count(\(subject) where \(metric.name) is not none)"
      }
    return "measure \(metric.name)_of_all { for app  value \(value)  at least 5 users }"
  }
}

extension Library {
  private static let people: Set<String> = [
    "user", "person", "people", "child", "kid", "member", "student", "pupil", "learner", "patient", "player",
    "profile", "account", "customer", "employee", "teacher", "parent", "subscriber",
  ]

  func isPerson(_ entity: RecordID) -> Bool {
    !Library.people.isDisjoint(with: Words.split(records[entity].name))
  }
}
