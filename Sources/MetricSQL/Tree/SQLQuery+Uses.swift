extension SQLQuery {
  /// Whether it only takes rows and columns of one other relation as they are: cheaper done again than kept.
  var isRenaming: Bool {
    guard isRowByRow, case .select(let select) = self else { return false }
    return select.columns.allSatisfy { column in
      switch column.expression {
      case .column, .integer, .text, .bool: true
      default: false
      }
    }
  }

  /// Whether each row comes from one row of one other relation.
  var isRowByRow: Bool {
    guard case .select(let select) = self, select.from != nil, select.joins.isEmpty, select.groups.isEmpty,
      !select.isDistinct
    else { return false }
    return select.columns.allSatisfy { !$0.expression.readsOtherRows }
  }

  var isOrdered: Bool { if case .select(let select) = self { !select.order.isEmpty } else { false } }

  /// The query with other ones in place of those that it selects.
  func mappingSelects(_ transform: (SQLSelect) -> SQLSelect) -> SQLQuery {
    switch self {
    case .select(let select): .select(transform(select))
    case .union(let queries, let isDistinct):
      .union(queries.map { $0.mappingSelects(transform) }, isDistinct: isDistinct)
    case .values, .series, .chainEnds: self
    }
  }

  /// The relations that a query reads, each as often as it is named; those inside its expressions too.
  var relations: [String] {
    switch self {
    case .select(let select):
      let joined = select.sources.map(\.path).filter { $0.count == 1 }.joined()
      let expressions = select.columns.map(\.expression) + select.conditions + select.joins.flatMap(\.on)
      return joined + expressions.flatMap(\.relations)
    case .union(let queries, _): return queries.flatMap(\.relations)
    case .values: return []
    case .series(let bound): return bound.relations
    case .chainEnds(let links): return [links]
    }
  }
}

extension SQLExpression {
  fileprivate var readsOtherRows: Bool {
    switch self {
    case .aggregate, .window, .subquery, .exists: true
    default: operands.contains(where: \.readsOtherRows)
    }
  }

  /// The relations that the queries inside an expression read.
  fileprivate var relations: [String] {
    switch self {
    case .subquery(let query), .exists(let query): query.relations
    default: operands.flatMap(\.relations)
    }
  }
}
