/// Consent (PRIV-01, PRIV-02, PRIV-14).
extension Translation {
  /// Whether everybody behind something agreed to all that is asked, on a day and since.
  func consent(
    to asked: [AskedConsent], of users: [SQLExpression], on day: SQLExpression, _ builder: SelectBuilder
  ) -> SQLExpression {
    let conditions = asked.flatMap { asked in
      users.map { user in
        let alias = builder.join(.left, consents(asked), as: "c", on: ["user_id": user])
        let standing = asked.standing >= asked.level ? Translation.always : Translation.never
        return user.isMissing.or(alias["since"].or(standing).isAtMost(day))
      }
    }
    return SQLExpression.all(conditions) ?? .bool(true)
  }

  /// Whether all users that a fact leads to have agreed.
  func consent(to asked: AskedConsent, for fact: Row, _ builder: SelectBuilder) -> SQLExpression {
    let day = day(of: fact) ?? impossible("a fact has a day")
    let users = users(behind: fact, builder)
    guard let somebody = SQLExpression.any(users.map(\.isPresent)) else { return .bool(false) }
    return somebody.and(consent(to: [asked], of: users, on: day, builder))
  }

  /// The ids of the users behind a fact, one for each shortest chain of references to one.
  func users(behind fact: Row, _ builder: SelectBuilder) -> [SQLExpression] {
    library.userPaths(of: fact.record).map { follow($0, from: fact, builder) }
  }

  /// The same for a subject with an id.
  func users(
    behind subject: SQLExpression, of entity: RecordID, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    if library.records[entity].name == "User" { return [subject] }
    guard library.leadsToUser(entity) else { return [] }
    return row(of: entity, id: subject, builder).map { users(behind: $0, builder) } ?? []
  }

  /// Whether a metric counts a subject on a day, or without one on any; nil if consent does not concern it.
  func agrees(
    _ subject: SQLExpression, _ scope: SubjectScope, on day: SQLExpression = .integer(Translation.never - 1),
    _ builder: SelectBuilder
  ) -> SQLExpression? {
    guard !scope.consents.isEmpty else { return nil }
    let users = users(behind: subject, of: scope.entity, builder)
    return users.isEmpty ? nil : consent(to: scope.consents, of: users, on: day, builder)
  }

  private static let always = -1_000_000_000
  private static let never = 1_000_000_000

  /// `user_id`, `since`: the day since which the level has held without a break; on a day the lowest holds.
  private func consents(_ asked: AskedConsent) -> String {
    relation(.consents(asked), named: "consents", "Since when each user has agreed to \(asked.text).") {
      let record = library.record(named: "Consent") ?? impossible("`Consent` is built in")
      let builder = SelectBuilder(from: live(record), as: "c")
      let (user, changed) = (builder["userId"], builder["dayKey"])
      builder.where(user.isPresent)
      if library.hasPurposes {
        builder.where(.coalesce([builder["purpose"], ""]).equals(.text(asked.purpose)))
      }
      let tooLow = ConsentLevel.allCases.filter { $0 < asked.level }.map { SQLExpression.text($0.rawValue) }
      let withdrawn = changed.when(.oneOf(builder["level"], tooLow, negated: false))
      let history = define(
        "consent_history",
        builder.select([
          "user_id": user, "day": changed, "withdrawn": .window(.max, withdrawn, of: [user]),
        ]))
      let last = SelectBuilder(from: history, as: "h")
      let (day, end) = (last["day"], last["withdrawn"])
      var since = SQLExpression.aggregate(.min, day.when(end.isMissing.or(day.isAbove(end)))).or(
        Translation.never)
      if asked.standing >= asked.level {
        since = .integer(Translation.always).when(
          SQLExpression.aggregate(.max, end).isMissing, otherwise: since)
      }
      return last.grouped(["since": since], by: last.columns(["user_id"]))
    }
  }
}
