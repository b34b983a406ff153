/// Relations without the columns that nothing reads: engines that keep a relation keep all of it, and Spark 4 fails if
/// it takes columns away from relations that are kept one inside the other.
enum Pruning {
  /// - Parameter queries: what reads the definitions in the end.
  static func pruned(_ definitions: [SQLDefinition], for queries: [SQLQuery]) -> [SQLDefinition] {
    var reads = Reads()
    for query in queries { reads.add(query) }
    var kept: [SQLDefinition] = []
    // Each comes after those that it reads.
    for var definition in definitions.reversed() {
      guard reads.contains(definition.name) else { continue }
      if definition.columns == nil, let names = reads.columns(of: definition.name) {
        definition.query = definition.query.with(columns: names)
      }
      reads.add(definition.query)
      kept.append(definition)
    }
    return kept.reversed()
  }

  /// By relation: the columns that are read.
  private struct Reads {
    private var named: [String: Set<String>] = [:]
    private var whole: Set<String> = []
    private var read: Set<String> = []

    func contains(_ relation: String) -> Bool { read.contains(relation) }

    /// Nil if all are.
    func columns(of relation: String) -> Set<String>? {
      whole.contains(relation) ? nil : named[relation, default: []]
    }

    mutating func add(_ query: SQLQuery) {
      read.formUnion(query.relations)
      switch query {
      case .select(let select): add(select, outer: [:])
      case .union(let queries, _): for query in queries { add(query) }
      case .values: break
      case .series(let bound): add(bound, [:])
      case .chainEnds(let links, _): whole.insert(links)
      }
    }

    private mutating func add(_ select: SQLSelect, outer: [String: String]) {
      var relations = outer
      for relation in ([select.from].compactMap { $0 } + select.joins.map(\.relation)) {
        relations[relation.alias] = relation.path.last
        if select.columns.isEmpty, let name = relation.path.last { whole.insert(name) }
      }
      let expressions =
        select.allExpressions + select.order.map(\.expression) + select.joins.flatMap(\.on)
      for expression in expressions { add(expression, relations) }
    }

    /// - Parameter relations: what each alias stands for.
    private mutating func add(_ expression: SQLExpression, _ relations: [String: String]) {
      switch expression {
      case .column(let alias, let name):
        if let relation = relations[alias] { named[relation, default: []].insert(name) }
      case .subquery(.select(let select)), .exists(.select(let select)): add(select, outer: relations)
      case .subquery(let query), .exists(let query): add(query)
      default: for operand in expression.operands { add(operand, relations) }
      }
    }
  }
}

extension SQLQuery {
  /// The query with some of its columns; with all of them where distinct rows are requested, since fewer columns
  /// have fewer of these.
  fileprivate func with(columns names: Set<String>) -> SQLQuery {
    switch self {
    case .select(let select):
      let places = select.columns.indices.filter { names.contains(select.columns[$0].name) }
      return with(places: places)
    case .union(let queries, isDistinct: false):
      guard case .select(let first)? = queries.first, queries.allSatisfy(\.canLoseColumns) else {
        return self
      }
      let places = first.columns.indices.filter { names.contains(first.columns[$0].name) }
      return .union(queries.map { $0.with(places: places) }, isDistinct: false)
    case .union, .values, .series, .chainEnds: return self
    }
  }

  private var canLoseColumns: Bool {
    guard case .select(let select) = self, !select.isDistinct, !select.columns.isEmpty else { return false }
    // Without groups it is the aggregates that make one row of all.
    return !select.groups.isEmpty || !select.columns.contains(where: \.expression.hasAggregate)
  }

  private func with(places: [Int]) -> SQLQuery {
    guard case .select(var select) = self, canLoseColumns else { return self }
    // A relation has a column at least.
    select.columns = (places.isEmpty ? [0] : places).map { select.columns[$0] }
    return .select(select)
  }
}

extension SQLExpression {
  var hasAggregate: Bool {
    if case .aggregate = self { true } else { operands.contains(where: \.hasAggregate) }
  }
}
