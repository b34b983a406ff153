import MetricDiagnostics
import MetricPlan

/// A metric whose facts come from several users is a team metric, whatever its subject is called.
enum SeveralPeople: Rule {
  static let page = Page(
    "C407", "several-people", "A number for one person rests on what several people did",
    what: """
      The subject is no person and belongs to none, and what is counted leads to users; or it leads to the subject
      by way of a user.
      """,
    why: """
      What others did compares a person with them, or prints them by name. Such a number speaks of many people, so
      it is for the team.
      """,
    wrong: """
      entity Club { id : ID }
      extend User { clubId : Club? }
      measure club_visits { for club  value count(Event)  by userId }
      """,
    right: """
      entity Club { id : ID }
      extend User { clubId : Club? }
      measure visits { for user  value count(Event) }
      measure club_visits { for club  audience team  value count(Event) }
      """,
    seeAlso: ["C404", "W015"])
  static let pages = [page]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    guard let user = library.entity(named: "User") else { return [] }
    return scope.metrics.compactMap { metric in
      guard metric.audience == .user, let entity = metric.subject.entity, entity != user,
        let source = severalPeople(metric, entity, user, library)
      else { return nil }
      let subject = library.records[entity].subjectName
      return .error(
        page.code, "`\(metric.name)` counts what several users did: many of them lead to one `\(subject)`",
        at: metric.clauseSpans["value"] ?? metric.clauseSpans["when"] ?? metric.span, metric: metric.name,
        notes: [
          Note(
            "`\(library.records[source].name)` leads to users, and a `\(subject)` is none of theirs alone"),
          Note(
            "no number for a person compares that person with others; say `audience team`, or count `for user`"
          ),
        ])
    }
  }

  /// The record by which several users stand behind one subject.
  private static func severalPeople(
    _ metric: Metric, _ entity: RecordID, _ user: RecordID, _ library: Library
  ) -> RecordID? {
    let isOwned = library.isPersonal(entity)
    var found: RecordID?
    func leads(_ record: RecordID) -> Bool { record == user || library.reaches(record, entityNamed: "User") }
    func visit(_ part: Expression) {
      switch part {
      case .aggregate(let aggregate):
        let hops = aggregate.route.references.dropLast().map { library[$0].type }
        if hops.contains(.reference(user)) || (!isOwned && leads(aggregate.record)) {
          found = aggregate.record
        }
      case .subjects(let aggregate):
        if !isOwned, leads(aggregate.entity) { found = aggregate.entity }
      default: break
      }
    }
    for expression in metric.body.expressions { expression.visit(visit) }
    return found
  }
}

extension Route {
  /// All references on the way from a fact to the subject.
  fileprivate var references: [FieldReference] {
    switch self {
    case .whole: []
    case .references(let references): references
    case .link(let link): link.fromFact + link.toSubject
    }
  }
}
