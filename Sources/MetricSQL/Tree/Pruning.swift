/// Relations without the columns that nothing reads: engines that keep a relation keep all of it, and Spark 4 fails if
/// it takes columns away from relations that are kept one inside the other.
enum Pruning {
  /// - Parameter queries: what reads the definitions in the end.
  static func pruned(_ definitions: [SQLDefinition], for queries: [SQLQuery]) -> [SQLDefinition] {
    var reads = Reads()
    for query in queries { reads.add(query) }
    var kept: [SQLDefinition] = []
    // Each comes after those that it reads.
    for var definition in definitions.reversed() where reads.relations.contains(definition.name) {
      if definition.columns == nil, !reads.whole.contains(definition.name) {
        definition.query = definition.query.with(columns: reads.columns[definition.name, default: []])
      }
      reads.add(definition.query)
      kept.append(definition)
    }
    return kept.reversed()
  }

  private struct Reads {
    var relations: Set<String> = []
    /// The relations of which all columns are read, and by relation those that are named.
    var whole: Set<String> = []
    var columns: [String: Set<String>] = [:]

    mutating func add(_ query: SQLQuery) {
      relations.formUnion(query.relations)
      switch query {
      case .select(let select): add(select, outer: [:])
      case .union(let queries, _): for query in queries { add(query) }
      case .values: break
      case .series(let bound): add(bound, [:])
      case .chainEnds(let links): whole.insert(links)
      }
    }

    private mutating func add(_ select: SQLSelect, outer: [String: String]) {
      var relations = outer
      for relation in select.sources {
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
        if let relation = relations[alias] { columns[relation, default: []].insert(name) }
      case .subquery(.select(let select)), .exists(.select(let select)): add(select, outer: relations)
      case .subquery(let query), .exists(let query): add(query)
      default: for operand in expression.operands { add(operand, relations) }
      }
    }
  }
}

extension SQLQuery {
  /// The query with some of its columns; of distinct rows with all, since fewer columns have fewer of these.
  fileprivate func with(columns names: Set<String>) -> SQLQuery {
    switch self {
    case .select(let select): return with(places: select.places(of: names))
    case .union(let queries, isDistinct: false) where queries.allSatisfy(\.canLoseColumns):
      guard case .select(let first)? = queries.first else { return self }
      return .union(queries.map { $0.with(places: first.places(of: names)) }, isDistinct: false)
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

extension SQLSelect {
  fileprivate func places(of names: Set<String>) -> [Int] {
    columns.indices.filter { names.contains(columns[$0].name) }
  }
}

extension SQLExpression {
  var hasAggregate: Bool {
    if case .aggregate = self { true } else { operands.contains(where: \.hasAggregate) }
  }
}
