extension Expression {
  /// The Bool that this compares with `true` or `false`, itself or negated: the two are true, false and none together.
  /// Nil for any other expression.
  var truthTest: Expression? {
    switch self {
    case .comparison(let operation, let left, let right):
      guard operation == .equal || operation == .notEqual else { return nil }
      if case .literal(.bool(let truth)) = right { return left.tested(truth == (operation == .equal)) }
      if case .literal(.bool(let truth)) = left { return right.tested(truth == (operation == .equal)) }
      return nil
    case .membership(let operand, let members, let negated):
      guard let first = members.first, case .bool(let truth) = first,
        members.allSatisfy({ $0 == first })
      else { return nil }
      return operand.tested(truth != negated)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated, .isNone,
      .and, .or, .not, .conditional, .function, .widened:
      return nil
    }
  }

  private func tested(_ truth: Bool) -> Expression { truth ? self : .not(self) }
}
