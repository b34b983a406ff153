/// `Identity`: several ids of one subject (REC-13, REC-14).
extension Translation {
  /// The id that a subject with some id is counted under.
  func person(_ id: SQLExpression, _ builder: SelectBuilder) -> SQLExpression {
    .coalesce([identity(of: id, builder)["person"], id])
  }

  private func identity(of id: SQLExpression, _ builder: SelectBuilder) -> Alias {
    builder.join(.left, identities(), as: "i", on: ["alias": id])
  }

  /// Whether a subject was requested, by any of its names.
  func isAsked(_ subject: SQLExpression, _ entity: RecordID?, _ builder: SelectBuilder) -> SQLExpression {
    let names = request.subjects.map { SQLExpression.text($0) }
    let isNamed = SQLExpression.oneOf(subject, names, negated: false)
    guard let identity = library.identity, identity.entity == entity, needs.fields[identity.record] != nil
    else { return isNamed }
    let links = SelectBuilder(from: identities(), as: "i")
    links.where(.oneOf(links["alias"], names, negated: false))
    let asked = define("asked_persons", links.select(["person"], isDistinct: true))
    let person = builder.join(.left, asked, as: "p", on: ["person": subject])
    return isNamed.or(person["person"].isPresent)
  }

  /// Of the records of one subject its own, or that of the lowest other name.
  func ownRecords(_ columns: [SQLColumn], id: SQLExpression, _ builder: SelectBuilder) -> SQLQuery {
    let person = person(id, builder)
    let isAlias = identity(of: id, builder)["person"].isPresent.asNumber
    return placed(
      columns, of: builder, partition: [person], order: [SQLOrder(isAlias), SQLOrder(id)],
      named: "merged_records", as: "t")
  }

  /// `alias`, `person`: where chains of links end.
  private func identities() -> String {
    relation(.identities, named: "identities", "Which ids are other names of one subject.") {
      guard let identity = library.identity else { return impossible("nobody has other names") }
      let links = SelectBuilder(from: live(identity.record), as: "l")
      let (alias, target) = (column(identity.alias, of: "l"), column(identity.target, of: "l"))
      links.where(alias.isPresent, target.isPresent)
      let first = define(
        "identity_links", links.select(["alias": alias, "person": target], isDistinct: true))
      let level = chainEnds(of: first)
      refuse(level, "an identity leads in a circle: ", first) { builder, other in
        [other["alias"].equals(builder["person"])]
      }
      refuse(first, "one id is an alias of two others: ", first) { builder, other in
        [other["alias"].equals(builder["alias"]), .infix(.notEqual, other["person"], builder["person"])]
      }
      return SelectBuilder(from: level, as: "a").select(["alias", "person"])
    }
  }

  /// Where the chains of a relation's links end. Without recursion each step doubles the links that are followed.
  private func chainEnds(of links: String) -> String {
    if dialect.chainEnds(of: links) != nil { return define("identity_ends", .chainEnds(links: links)) }
    var (level, covered) = (links, 1)
    while covered < IdentityLink.longestChain {
      covered *= 2
      let builder = SelectBuilder(from: level, as: "a")
      let next = builder.join(.left, level, as: "b", on: ["alias": builder["person"]])
      let person = SQLExpression.coalesce([next["person"], builder["person"]])
      level = define("identity_links", builder.select(["alias"], ["person": person], isDistinct: true))
    }
    return level
  }

  /// Refuses the ids of a relation that have a row in another one.
  private func refuse(
    _ relation: String, _ text: String, _ other: String,
    on condition: (SelectBuilder, Alias) -> [SQLExpression]
  ) {
    let builder = SelectBuilder(from: relation, as: "a")
    builder.join(.inner, other, as: "b") { condition(builder, $0) }
    refuse(
      "broken_identities", "Identities that evaluation refuses; a row is an error.", builder, text, "alias")
  }
}
