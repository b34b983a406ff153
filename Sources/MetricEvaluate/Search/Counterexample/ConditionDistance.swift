/// How far a condition is from coming out as it is wanted.
extension Expression {
  /// The expressions whose values decide a condition, in the order in which they are written.
  var deciding: [Expression] {
    switch self {
    case .and, .or, .not, .conditional: operands.flatMap(\.deciding)
    case .comparison, .isNone: operands
    case .membership(let operand, _, _) where operand.type.isNumber: [operand]
    // What the search has no measure for is near or not.
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .membership,
      .function, .widened:
      [self]
    }
  }

  /// 0 where it comes out so, and less the closer the numbers are that it compares; by the values of what decides it.
  func distance(to wanted: ConditionOutcome, _ value: (Expression) -> Value) -> Double {
    switch self {
    case .and(let left, let right), .or(let left, let right):
      let (one, other) = (left.distance(to: wanted, value), right.distance(to: wanted, value))
      let needsBoth = if case .and = self { wanted.truth } else { !wanted.truth }
      return needsBoth ? one + other : min(one, other)
    case .not(let operand): return operand.distance(to: wanted.ofNegation, value)
    case .conditional(let test, let then, let otherwise):
      return min(
        test.distance(to: .isTrue, value) + then.distance(to: wanted, value),
        test.distance(to: .notTrue, value) + otherwise.distance(to: wanted, value))
    case .isNone(let operand, let negated):
      return ((value(operand) == .none) != negated) == wanted.truth ? 0 : 1
    case .membership(let operand, _, let negated) where operand.type.isNumber:
      if wanted.takesNone, value(operand) == .none { return 0 }
      guard let gap = nearestGap(value) else { return Expression.missing }
      return Expression.distance(wanted.truth != negated ? .equal : .notEqual, gap, 0)
    case .comparison(let operation, let left, let right):
      let (one, other) = (value(left), value(right))
      if one == .none || other == .none { return wanted.takesNone ? 0 : Expression.missing }
      let needed = wanted.truth ? operation : operation.negation
      guard let left = one.size, let right = other.size else {
        return (one == other) == (needed == .equal) ? 0 : 1
      }
      return Expression.distance(needed, left, right)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .membership,
      .function, .widened:
      let isWanted = value(self) == .none ? wanted.takesNone : value(self) == .bool(wanted.truth)
      return isWanted ? 0 : 1
    }
  }

  /// Where there is no number to compare: farther than any.
  private static let missing = 9.0

  private static func distance(_ operation: ComparisonOperator, _ left: Double, _ right: Double) -> Double {
    if operation.holds(left, right) { return 0 }
    // Less than `missing`, and more than what a truth that is not wanted counts for next to nothing.
    let gap = abs(left - right)
    return operation == .notEqual ? 0.5 : 0.25 + 8 * gap / (gap + 8)
  }

  /// How far apart the numbers are that it compares, from 0 to 1; 0 where it compares none.
  func gap(_ value: (Expression) -> Value) -> Double {
    if case .not(let operand) = self { return operand.gap(value) }
    return nearestGap(value).map { $0 / ($0 + 8) } ?? 0
  }

  /// By how much the numbers miss each other that it compares, in millionths.
  func gaps(_ value: (Expression) -> Value) -> [Int64] {
    switch self {
    case .and, .or, .not, .conditional: return operands.flatMap { $0.gaps(value) }
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .comparison, .membership, .isNone, .function, .widened:
      guard let (own, others) = compared(value), let size = own.size else { return [] }
      if case .day = own { return [] }
      return others.compactMap { Int64(exactly: (($0 - size) * Double(FixedDecimal.scale)).rounded()) }
    }
  }

  private func nearestGap(_ value: (Expression) -> Value) -> Double? {
    compared(value).flatMap { own, others in
      own.size.map { size in others.map { abs($0 - size) }.min() ?? 0 }
    }
  }

  /// A value and the numbers with which it is compared; nil where there are none.
  private func compared(_ value: (Expression) -> Value) -> (own: Value, others: [Double])? {
    switch self {
    case .comparison(_, let left, let right): value(right).size.map { (value(left), [$0]) }
    case .membership(let operand, let members, _) where operand.type.isNumber:
      (value(operand), members.spread(Vocabulary.mostMembers).compactMap(\.value.size))
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .membership,
      .isNone, .and, .or, .not, .conditional, .function, .widened:
      nil
    }
  }
}

extension Value {
  /// Numbers and days on one line; nil for the rest.
  fileprivate var size: Double? {
    switch self {
    case .int(let value): Double(value)
    case .decimal(let value): Double(value.millionths) / Double(FixedDecimal.scale)
    case .day(let day): Double(day.number)
    case .none, .bool, .text: nil
    }
  }
}
