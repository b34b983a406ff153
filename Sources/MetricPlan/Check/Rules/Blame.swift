/// A note on what makes an expression fall, and how to fix it.
struct Blame {
  let scope: ExpressionAnalysis

  func notes(_ expression: Expression) -> [Note] {
    let source = source(of: expression, falls: true)
    let text = scope.library.text(of: source)
    return ["`\(text)` \(reason(source))", mend(source), door(expression)].compactMap { $0.map { Note($0) } }
  }

  /// The smallest part that causes the move.
  private func source(of expression: Expression, falls: Bool) -> Expression {
    switch expression {
    case .arithmetic(.subtract, let left, _):
      return moves(left, falls) ? source(of: left, falls: falls) : expression
    case .not(let operand), .negated(let operand): return source(of: operand, falls: !falls)
    case .comparison(let operation, let left, let right) where operation != .equal && operation != .notEqual:
      let leftFalls = falls != (operation == .less || operation == .lessOrEqual)
      // A leaf says less than the comparison around it when it moves the harmless way.
      if moves(left, leftFalls) { return leftFalls ? source(of: left, falls: true) : expression }
      if moves(right, !leftFalls) { return leftFalls ? expression : source(of: right, falls: true) }
      return expression
    case .arithmetic(.divide, let left, let right) where right.operands.isEmpty && moves(left, falls):
      return source(of: left, falls: falls)
    case .comparison, .conditional, .arithmetic(.divide, _, _): return expression
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .membership,
      .isNone, .and, .or, .function, .widened:
      return expression.operands.first { moves($0, falls) }.map { source(of: $0, falls: falls) } ?? expression
    }
  }

  private func moves(_ expression: Expression, _ falls: Bool) -> Bool {
    let added = scope.behaviour(of: expression).added
    // Of a Bool the other two bits are about falsity.
    guard expression.type != .bool else { return added.contains(falls ? .falls : .rises) }
    return !added.isDisjoint(with: falls ? [.falls, .vanishes] : [.rises, .appears])
  }

  private func reason(_ expression: Expression) -> String {
    switch expression {
    case .aggregate(let aggregate): aggregate.function.traits.falls
    case .metric(let reference) where reference.days != nil:
      "falls when a day with a lower value comes to count"
    case .arithmetic(.subtract, _, _): "falls when what is subtracted rises"
    case .arithmetic(.divide, _, _): "falls when the divisor rises"
    case .arithmetic(.multiply, _, _): "falls when a factor is negative"
    case .conditional: "can go to its lower branch when a fact is logged"
    case .comparison: "can stop being true when a fact is logged"
    case .subjects(let aggregate):
      switch aggregate.function.traits.form {
      case .mixes, .least: "falls when one more of them has a smaller value"
      case .counts, .adds, .greatest, .picks: "falls when one of them stops counting"
      }
    case .literal, .field, .day, .metric, .completions, .arithmetic, .negated, .membership, .isNone, .and,
      .or, .not, .function, .widened:
      "can fall when a fact is logged"
    }
  }

  private func mend(_ expression: Expression) -> String {
    switch expression {
    case .aggregate(let aggregate) where aggregate.function.traits.form == .adds:
      "declare `min 0` on the field, or count only values above 0"
    case .aggregate: "use a sum, a count or a greatest value"
    case .metric(let reference) where reference.days != nil:
      "take a `sum`, or a period on each day of which the metric has a value"
    case .arithmetic(.divide, _, _): "divide by a number that no fact changes"
    case .literal, .field, .day, .metric, .completions, .subjects, .arithmetic, .negated, .comparison,
      .membership, .isNone, .and, .or, .not, .conditional, .function, .widened:
      "count what was done: doing more must never give less"
    }
  }

  /// What else may be meant: an honest number that may fall.
  private func door(_ expression: Expression) -> String? {
    let inner = expression.withoutWidening
    if let aggregate = inner.aggregate, aggregate.argument != nil, aggregate.function != .sum {
      return "for an observed number that may fall, write `reading \"why\"`"
    }
    guard case .arithmetic(.divide, _, _) = inner else { return nil }
    return "a quotient of two counts may be a `reading \"why\"`, which may fall and is not a score"
  }
}
