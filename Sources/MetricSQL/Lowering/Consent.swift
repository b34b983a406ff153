import MetricPlan

/// Consent (PRIV-01).
extension Translation {
  /// Whether everybody a fact speaks of agreed to a level, and somebody did.
  func consent(to level: ConsentLevel, of fact: Row, _ builder: SelectBuilder) -> SQLExpression {
    let users = users(behind: fact, builder)
    guard let somebody = SQLExpression.any(users.map(\.isPresent)) else { return .bool(false) }
    return users.reduce(somebody) { condition, user in
      let alias = builder.join(.left, consents(), as: "c") {
        [.column(relation: $0, name: "user_id").equals(user)]
      }
      let given = builder.column("level", of: alias).or(0).isAtLeast(.integer(rank(level)))
      return condition.and(users.count == 1 ? given : user.isMissing.or(given))
    }
  }

  /// The ids of the users behind a fact, one for each shortest chain of references to one.
  func users(behind fact: Row, _ builder: SelectBuilder) -> [SQLExpression] {
    library.userPaths(of: fact.record).map { follow($0, from: fact, builder) }
  }

  /// `user_id`, `level`: the latest choice of each user, of several on one day the lowest.
  private func consents() -> String {
    relation(.consents, named: "consents", "What each user agreed to last.") {
      guard let record = library.record(named: "Consent"),
        let user = library.records[record].field(named: "userId"),
        let level = library.records[record].field(named: "level"),
        let dayField = library.records[record].dayKeyField
      else { return .values([]) }
      let builder = SelectBuilder(from: live(record), as: "c")
      func own(_ field: Int) -> SQLExpression {
        column(FieldReference(record: record, field: field), of: "c")
      }
      let rank = SQLExpression.conditional(
        ConsentLevel.allCases.map {
          SQLBranch(condition: own(level).equals(.text($0.rawValue)), value: .integer(self.rank($0)))
        }, otherwise: .integer(0))
      builder.conditions.append(own(user).isPresent)
      let place = SQLExpression.window(
        .rowNumber,
        SQLWindow(
          partition: [own(user)], order: [SQLOrder(own(dayField), isDescending: true), SQLOrder(rank)]))
      let ranked = define(
        "consent_history",
        builder.select([SQLColumn(own(user), "user_id"), SQLColumn(rank, "level"), SQLColumn(place, "place")])
      )
      let last = SelectBuilder(from: ranked, as: "h")
      last.conditions.append(last.column("place", of: "h").equals(.integer(1)))
      return last.select(["user_id", "level"].map { SQLColumn(last.column($0, of: "h"), $0) })
    }
  }

  private func rank(_ level: ConsentLevel) -> Int { ConsentLevel.allCases.firstIndex(of: level) ?? 0 }
}
