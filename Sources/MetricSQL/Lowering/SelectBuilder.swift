/// A relation under its name in a query.
struct Alias: Hashable, ExpressibleByStringLiteral {
  let name: String

  init(_ name: String) { self.name = name }
  init(stringLiteral name: String) { self.name = name }

  subscript(_ column: String) -> SQLExpression { .column(relation: name, name: column) }

  /// Some of its columns, under their own names.
  func columns(_ names: [String]) -> [SQLColumn] { names.map { SQLColumn(self[$0], $0) } }
}

/// A query while it is put together: relations get names of their own, and the same join twice is one.
final class SelectBuilder {
  private(set) var from: SQLRelation?
  private(set) var joins: [SQLJoin] = []
  var conditions: [SQLExpression] = []
  /// Where the rows are the pairs of these anchors, called `a`, which have the columns of metrics that are read there.
  var anchors: Anchors?

  /// What the relation is called that the rows are taken from.
  let own: Alias
  private var aliases: Set<String> = []
  private var known: [SQLJoin: Alias] = [:]

  convenience init(from relation: String, as alias: String) { self.init(table: [relation], as: alias) }

  init(table path: [String], as alias: String) {
    from = SQLRelation(path: path, alias: alias)
    own = Alias(alias)
    aliases.insert(alias)
  }

  subscript(_ column: String) -> SQLExpression { own[column] }

  /// Some of its columns as they are, and values under their names.
  func columns(
    _ names: [String] = ["subject", "r"], _ values: KeyValuePairs<String, SQLExpression> = [:]
  ) -> [SQLColumn] { own.columns(names) + values.map { SQLColumn($1, $0) } }

  func columns(_ values: KeyValuePairs<String, SQLExpression>) -> [SQLColumn] { columns([], values) }

  /// Leaves out the rows of which these do not hold.
  @discardableResult
  func `where`(_ conditions: SQLExpression...) -> SelectBuilder {
    self.conditions += conditions
    return self
  }

  /// Joins a relation; `on` receives its name. The same join twice is one.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String, on condition: (Alias) -> [SQLExpression]
  ) -> Alias {
    // It is compared under a name that stands for whatever the relation will be called.
    var join = SQLJoin(
      kind: kind, relation: SQLRelation(path: [relation], alias: "?"), on: condition("?"))
    if let alias = known[join] { return alias }
    var name = hint
    var number = 1
    while !aliases.insert(name).inserted {
      number += 1
      name = "\(hint)\(number)"
    }
    let alias = Alias(name)
    known[join] = alias
    join.relation.alias = name
    join.on = condition(alias)
    joins.append(join)
    return alias
  }

  /// Joins the rows that have some values in their columns, and of which the rest holds.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String,
    on values: KeyValuePairs<String, SQLExpression>,
    and rest: (Alias) -> [SQLExpression] = { _ in [] }
  ) -> Alias {
    join(kind, relation, as: hint) { alias in values.map { alias[$0].equals($1) } + rest(alias) }
  }

  /// Joins the rows that have the same values in some columns as those of another relation, or of the first.
  @discardableResult
  func join(
    _ kind: SQLJoin.Kind, _ relation: String, as hint: String, same names: [String], of other: Alias? = nil,
    and rest: (Alias) -> [SQLExpression] = { _ in [] }
  ) -> Alias {
    join(kind, relation, as: hint) { alias in
      names.map { alias[$0].equals((other ?? own)[$0]) } + rest(alias)
    }
  }

  /// A row for each of some keys, with aggregates of the rows that have them.
  func grouped(_ aggregates: [SQLColumn], by keys: [SQLColumn]) -> SQLQuery {
    select(keys + aggregates, groupedBy: keys.map(\.expression))
  }

  func grouped(_ aggregates: KeyValuePairs<String, SQLExpression>, by keys: [SQLColumn]) -> SQLQuery {
    grouped(columns(aggregates), by: keys)
  }

  /// A `value` for each anchor.
  func grouped(_ value: SQLExpression) -> SQLQuery { grouped(["value": value], by: columns()) }

  func select(_ values: KeyValuePairs<String, SQLExpression>, isDistinct: Bool = false) -> SQLQuery {
    select([], values, isDistinct: isDistinct)
  }

  /// The columns that `columns` gives.
  func select(
    _ names: [String], _ values: KeyValuePairs<String, SQLExpression> = [:], isDistinct: Bool = false
  ) -> SQLQuery { select(columns(names, values), isDistinct: isDistinct) }

  func select(
    _ columns: [SQLColumn], groupedBy groups: [SQLExpression] = [], isDistinct: Bool = false,
    order: [SQLOrder] = [], where others: [SQLExpression] = [], from other: String? = nil
  ) -> SQLQuery {
    // A constant makes no groups, and some engines take a number for a place.
    let varying = groups.filter { !$0.isConstant }
    var relation = from
    if let other { relation?.path = [other] }
    return .select(
      SQLSelect(
        isDistinct: isDistinct, columns: columns, from: relation, joins: joins,
        conditions: conditions + others, groups: varying.isEmpty ? groups : varying, order: order))
  }
}
