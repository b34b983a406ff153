/// A condition that compares two numbers for equality, and what is known of them where it turns: a side
/// that moves one way only comes to the other from one side, and leaves it on the opposite one.
struct EqualityCrossing {
  private let left: Expression
  private let right: Expression
  /// Whether the condition is true if they are equal, and not where they differ.
  let isEqual: Bool

  /// Nil if the condition is none, or compares no numbers.
  init?(_ condition: Expression) {
    var (inner, negated) = (condition, false)
    while case .not(let operand) = inner { (inner, negated) = (operand, !negated) }
    guard case .comparison(let operation, let left, let right) = inner, left.type.isNumber,
      operation == .equal || operation == .notEqual
    else { return nil }
    (self.left, self.right) = (left, right)
    isEqual = (operation == .equal) != negated
  }

  /// What holds where they differ, just before they become equal or after they were; nil if nothing is known.
  ///
  /// - Parameter rises: whether the condition becomes true, or stops being so.
  func difference(
    _ scope: ExpressionAnalysis, _ axis: KeyPath<Behaviour, Moves>, rises: Bool
  ) -> (condition: Expression, outcome: ConditionOutcome)? {
    let (one, other) = (scope.behaviour(of: left)[keyPath: axis], scope.behaviour(of: right)[keyPath: axis])
    let neverFalls = !one.contains(.falls) && !other.contains(.rises)
    let neverRises = !one.contains(.rises) && !other.contains(.falls)
    guard neverFalls || neverRises else { return nil }
    let becomesEqual = rises == isEqual
    let isBelow = neverFalls == becomesEqual
    // Where the two differ, one of them may be none.
    if isEqual { return (.comparison(isBelow ? .greaterOrEqual : .lessOrEqual, left, right), .notTrue) }
    // Where they are not said to differ one may be none, and then come from anywhere, or go.
    guard !one.union(other).contains(rises ? .appears : .vanishes) else { return nil }
    return (.comparison(isBelow ? .less : .greater, left, right), .isTrue)
  }
}
