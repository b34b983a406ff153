/// A metric whose facts come from several users is a team metric, whatever it says (PRIV-09).
enum SeveralPeople: Rule {
  static let page = Page.checklist("C407")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.metricsOfSeveralUsers(.user).compactMap { metric in
      guard let entity = metric.subject.entity else { return nil }
      let subject = library.records[entity].subjectName
      return metric.error(
        page.code, "`\(metric.name)` counts what several users did, and is shown to one person",
        at: "audience",
        notes: [
          "the facts lead to users other than the one behind a `\(subject)`",
          "remove `audience user`, as such a metric is for the team; or count `for user`",
        ])
    }
  }
}
