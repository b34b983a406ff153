/// Walking through expressions. Queries inside of them are left alone.
extension SQLExpression {
  /// What an expression is made of; a constant or a column is made of nothing.
  var operands: [SQLExpression] {
    var operands: [SQLExpression] = []
    _ = mapping {
      operands.append($0)
      return $0
    }
    return operands
  }

  /// The same expression of other operands, as many as it has.
  func with(operands: [SQLExpression]) -> SQLExpression {
    var rest = operands[...]
    return mapping { _ in rest.removeFirst() }
  }

  /// The expression with other operands in place of each, in their order.
  private func mapping(_ change: (SQLExpression) -> SQLExpression) -> SQLExpression {
    switch self {
    case .column, .stored, .integer, .number, .text, .bool, .null, .parameter, .subquery, .exists: self
    case .infix(let infix, let left, let right): .infix(infix, change(left), change(right))
    case .not(let inner): .not(change(inner))
    case .negated(let inner): .negated(change(inner))
    case .isNull(let inner, let negated): .isNull(change(inner), negated: negated)
    case .oneOf(let inner, let list, let negated): .oneOf(change(inner), list, negated: negated)
    case .conditional(let branches, let otherwise):
      .conditional(
        branches.map { SQLBranch(condition: change($0.condition), value: change($0.value)) },
        otherwise: otherwise.map(change))
    case .coalesce(let items): .coalesce(items.map(change))
    case .operation(let operation, let items): .operation(operation, items.map(change))
    case .aggregate(let aggregate, let argument): .aggregate(aggregate, argument.map(change))
    case .window(let function, let argument, let window):
      .window(
        function, argument.map(change),
        SQLWindow(
          partition: window.partition.map(change),
          order: window.order.map { SQLOrder(change($0.expression), isDescending: $0.isDescending) },
          frame: window.frame))
    }
  }

  /// The columns that it names, and the queries inside.
  var leaves: [SQLExpression] {
    switch self {
    case .column, .stored: [self]
    default: operands.flatMap(\.leaves)
    }
  }

  /// Whether it is the same in every row.
  var isConstant: Bool {
    switch self {
    case .column, .stored, .aggregate, .window, .subquery, .exists: false
    default: operands.allSatisfy(\.isConstant)
    }
  }

  /// The expression with others in place of some of its columns.
  func replacing(_ leaf: (SQLExpression) -> SQLExpression?) -> SQLExpression {
    switch self {
    case .column, .stored: leaf(self) ?? self
    default: mapping { $0.replacing(leaf) }
    }
  }
}

extension SQLSelect {
  /// What it computes of its rows; the conditions of joins and the order are not among them.
  var allExpressions: [SQLExpression] { columns.map(\.expression) + conditions + groups }

  var sources: [SQLRelation] { [from].compactMap { $0 } + joins.map(\.relation) }
}
