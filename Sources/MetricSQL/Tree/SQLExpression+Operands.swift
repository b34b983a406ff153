/// Walking through expressions. Queries inside of them are left alone.
extension SQLExpression {
  /// What an expression is made of; a constant or a column is made of nothing.
  var operands: [SQLExpression] {
    switch self {
    case .column, .stored, .integer, .number, .text, .bool, .null, .parameter, .subquery, .exists: []
    case .infix(_, let left, let right): [left, right]
    case .not(let inner), .negated(let inner), .isNull(let inner, _): [inner]
    case .oneOf(let inner, _, _): [inner]
    case .conditional(let branches, let otherwise):
      branches.flatMap { [$0.condition, $0.value] } + (otherwise.map { [$0] } ?? [])
    case .coalesce(let items), .operation(_, let items): items
    case .aggregate(_, let argument): argument.map { [$0] } ?? []
    case .window(let function, let window):
      function.operands + window.partition + window.order.map(\.expression)
    }
  }

  /// The same expression of other operands, as many as it has.
  func with(operands: [SQLExpression]) -> SQLExpression {
    switch self {
    case .column, .stored, .integer, .number, .text, .bool, .null, .parameter, .subquery, .exists:
      return self
    case .infix(let infix, _, _): return .infix(infix, operands[0], operands[1])
    case .not: return .not(operands[0])
    case .negated: return .negated(operands[0])
    case .isNull(_, let negated): return .isNull(operands[0], negated: negated)
    case .oneOf(_, let list, let negated): return .oneOf(operands[0], list, negated: negated)
    case .conditional(let branches, let otherwise):
      let changed = branches.indices.map {
        SQLBranch(condition: operands[2 * $0], value: operands[2 * $0 + 1])
      }
      return .conditional(changed, otherwise: otherwise.flatMap { _ in operands.last })
    case .coalesce: return .coalesce(operands)
    case .operation(let operation, _): return .operation(operation, operands)
    case .aggregate(let aggregate, let argument):
      return .aggregate(aggregate, argument.flatMap { _ in operands.first })
    case .window(let function, let window): return .window(function, window, operands)
    }
  }

  private static func window(
    _ function: SQLWindowFunction, _ window: SQLWindow, _ operands: [SQLExpression]
  ) -> SQLExpression {
    var (function, window, rest) = (function, window, operands[...])
    if !function.operands.isEmpty, let first = rest.popFirst() { function = function.with(operand: first) }
    window.partition = Array(rest.prefix(window.partition.count))
    rest = rest.dropFirst(window.partition.count)
    window.order = zip(window.order, rest).map { SQLOrder($1, isDescending: $0.isDescending) }
    return .window(function, window)
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
    default: with(operands: operands.map { $0.replacing(leaf) })
    }
  }
}

extension SQLWindowFunction {
  fileprivate var operands: [SQLExpression] {
    switch self {
    case .rowNumber, .rank, .aggregate(_, nil): []
    case .aggregate(_, let argument?), .lead(let argument), .lag(let argument): [argument]
    }
  }

  fileprivate func with(operand: SQLExpression) -> SQLWindowFunction {
    switch self {
    case .rowNumber, .rank, .aggregate(_, nil): self
    case .aggregate(let aggregate, _?): .aggregate(aggregate, operand)
    case .lead: .lead(operand)
    case .lag: .lag(operand)
    }
  }
}

extension SQLSelect {
  /// What it computes of its rows; the conditions of joins and the order are not among them.
  var allExpressions: [SQLExpression] { columns.map(\.expression) + conditions + groups }
}
