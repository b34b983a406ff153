/// A query while it is put together: its relations get names of their own, and a relation that is needed
/// twice on the same condition is joined once.
final class SelectBuilder {
  private(set) var from: SQLRelation?
  private(set) var joins: [SQLJoin] = []
  var conditions: [SQLExpression] = []
  /// Where the rows are the pairs of these anchors, called `a`, which have the columns of metrics that are read there.
  var anchors: Anchors?

  private var aliases: Set<String> = []
  private var known: [JoinKey: String] = [:]

  private struct JoinKey: Hashable {
    var relation: [String]
    var on: [SQLExpression]
  }

  /// - Parameter alias: what the relation is called in this query.
  init(from relation: String, as alias: String) {
    from = SQLRelation(path: [relation], alias: alias)
    aliases.insert(alias)
  }

  init(table path: [String], as alias: String) {
    from = SQLRelation(path: path, alias: alias)
    aliases.insert(alias)
  }

  func column(_ name: String, of alias: String) -> SQLExpression { .column(relation: alias, name: name) }

  /// Joins a relation; `on` receives its name. The same join twice is one.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String, on condition: (String) -> [SQLExpression]
  ) -> String {
    // The condition is compared under a name that stands for whatever the relation will be called.
    let key = JoinKey(relation: [relation, "\(kind)"], on: condition("?"))
    if let alias = known[key] { return alias }
    var alias = hint
    var number = 1
    while aliases.contains(alias) {
      number += 1
      alias = "\(hint)\(number)"
    }
    aliases.insert(alias)
    known[key] = alias
    joins.append(
      SQLJoin(kind: kind, relation: SQLRelation(path: [relation], alias: alias), on: condition(alias)))
    return alias
  }

  /// Joins the rows that have some values in their columns, and of which the rest holds.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String,
    on values: KeyValuePairs<String, SQLExpression>,
    and rest: (String) -> [SQLExpression] = { _ in [] }
  ) -> String {
    join(kind, relation, as: hint) { alias in
      values.map { column($0, of: alias).equals($1) } + rest(alias)
    }
  }

  /// Joins the rows that have the same values in some columns as those of another relation.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String, same names: [String], of other: String,
    and rest: (String) -> [SQLExpression] = { _ in [] }
  ) -> String {
    join(kind, relation, as: hint) { alias in
      names.map { column($0, of: alias).equals(column($0, of: other)) } + rest(alias)
    }
  }

  func select(
    _ columns: [SQLColumn], groupedBy groups: [SQLExpression] = [], isDistinct: Bool = false,
    where others: [SQLExpression] = [], from other: String? = nil
  ) -> SQLQuery {
    // A constant makes no groups, and some engines take a number for a place.
    let varying = groups.filter { !$0.isConstant }
    var relation = from
    if let other { relation?.path = [other] }
    return .select(
      SQLSelect(
        isDistinct: isDistinct, columns: columns, from: relation, joins: joins,
        conditions: conditions + others, groups: varying.isEmpty ? groups : varying))
  }
}
