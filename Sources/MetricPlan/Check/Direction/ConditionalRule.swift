/// `if C then A else B`: A under C, B where C is not true, and what a crossing between them does.
struct ConditionalRule {
  let outer: ExpressionAnalysis
  /// What is known of a branch where its condition is left out.
  private let free: ExpressionAnalysis
  /// Inside so many others an `if` is judged by its branches' ranges; or the work would double with each.
  private static let mostNested = 3
  private var isDeep: Bool { outer.conditionals >= ConditionalRule.mostNested }

  init(_ outer: ExpressionAnalysis) {
    self.outer = outer
    var free = outer
    free.conditionals += 1
    self.free = free
  }

  func behaviour(_ condition: Expression, _ then: Expression, _ otherwise: Expression) -> Behaviour {
    if then == otherwise { return outer.behaviour(of: then) }
    let test = outer.behaviour(of: condition)
    let thenScope = refined(condition, .isTrue)
    let elseScope = refined(condition, .notTrue)
    let (first, second) = (thenScope.behaviour(of: then), elseScope.behaviour(of: otherwise))
    // A branch that is never taken says nothing.
    if let isTaken = test.values.certainty { return isTaken ? first : second }
    let isBool = then.type == .bool
    let up = Branch(
      expression: then, behaviour: first, scope: thenScope,
      order: Pointwise(scope: free, orders: Pointwise.orders(condition, holds: true)))
    let down = Branch(
      expression: otherwise, behaviour: second, scope: elseScope,
      order: Pointwise(scope: free, orders: Pointwise.orders(condition, holds: false)))
    // After `else` where the condition is none.
    lazy var open = isDeep ? down : down.within(refined(condition, .isNone))
    func moves(_ axis: KeyPath<Behaviour, Moves>) -> Moves {
      var moves = first[keyPath: axis].union(second[keyPath: axis])
      if test[keyPath: axis].contains(.rises) {
        // Without a false that ends it was none before.
        let wasNone = !test[keyPath: axis].contains(.vanishes)
        let (new, old) = beside(condition, axis, rises: true, up, wasNone ? open : down)
        moves.formUnion(crossing(from: old, to: new, axis, isBool: isBool))
      }
      if test[keyPath: axis].contains(.falls) {
        let (old, new) = beside(condition, axis, rises: false, up, down)
        moves.formUnion(crossing(from: old, to: new, axis, isBool: isBool))
      }
      return moves
    }
    return Behaviour(
      values: choose(test.values, first.values, second.values),
      onNoData: choose(test.onNoData, first.onNoData, second.onNoData), added: moves(\.added),
      passing: moves(\.passing))
  }

  private func refined(_ condition: Expression, _ outcome: ConditionOutcome) -> ExpressionAnalysis {
    var scope = outer.knowing(condition, outcome)
    scope.conditionals += 1
    return scope
  }

  /// Both branches, the one where two numbers differ on the side on which they meet or part.
  private func beside(
    _ condition: Expression, _ axis: KeyPath<Behaviour, Moves>, rises: Bool, _ up: Branch, _ down: Branch
  ) -> (up: Branch, down: Branch) {
    guard !isDeep, let equality = EqualityCrossing(condition),
      let (difference, outcome) = equality.difference(outer, axis, rises: rises)
    else { return (up, down) }
    func narrowed(_ branch: Branch) -> Branch { branch.within(branch.scope.knowing(difference, outcome)) }
    return equality.isEqual ? (up, narrowed(down)) : (narrowed(up), down)
  }

  private func choose(_ test: Values, _ then: Values, _ otherwise: Values) -> Values {
    test.certainty.map { $0 ? then : otherwise } ?? then.union(otherwise)
  }

  /// One branch, with what is known and how expressions are ordered where it is taken.
  private struct Branch {
    var expression: Expression
    var behaviour: Behaviour
    var scope: ExpressionAnalysis
    var order: Pointwise

    /// The branch where more is known.
    func within(_ scope: ExpressionAnalysis) -> Branch {
      Branch(
        expression: expression, behaviour: scope.behaviour(of: expression), scope: scope, order: order)
    }

    /// Whether another branch's value is present wherever this branch is taken.
    func holdsPresent(_ other: Branch) -> Bool { !scope.values(of: other.expression).mayBeNone }
  }

  /// What a branch does without the condition.
  private func free(_ branch: Branch, _ axis: KeyPath<Behaviour, Moves>) -> Moves {
    isDeep ? .all : free.behaviour(of: branch.expression)[keyPath: axis]
  }

  /// What may happen when the value leaves one branch for the other.
  private func crossing(
    from old: Branch, to new: Branch, _ axis: KeyPath<Behaviour, Moves>, isBool: Bool
  ) -> Moves {
    if isBool { return boolCrossing(from: old.behaviour.values, to: new.behaviour.values) }
    var moves: Moves = []
    let (from, to) = (old.behaviour.values, new.behaviour.values)
    if from.mayBePresent, to.mayBePresent {
      if !never(.falls, old, new, axis) { moves.insert(.falls) }
      if !never(.rises, old, new, axis) { moves.insert(.rises) }
    }
    if from.mayBeNone, to.mayBePresent, free(old, axis).contains(.appears) || !new.holdsPresent(old) {
      moves.insert(.appears)
    }
    if from.mayBePresent, to.mayBeNone, free(new, axis).contains(.vanishes) || !old.holdsPresent(new) {
      moves.insert(.vanishes)
    }
    return moves
  }

  /// To never fall is old ≤ new by their ranges; or point by point, after the crossing where the old one has been moved
  /// along, or before it where the new one is. The moves are those without the condition, as a crossing
  /// leaves it.
  private func never(
    _ move: Moves, _ old: Branch, _ new: Branch, _ axis: KeyPath<Behaviour, Moves>
  ) -> Bool {
    let (low, high) = move == .falls ? (old, new) : (new, old)
    let isNumber = old.expression.type.isNumber
    if isNumber, low.behaviour.values.high <= high.behaviour.values.low { return true }
    return free(old, axis).isDisjoint(with: [move, .vanishes])
      && new.order.isAtMost(low.expression, high.expression)
      || free(new, axis).isDisjoint(with: [move, .appears])
        && old.order.isAtMost(low.expression, high.expression)
  }

  /// Truth and falsity, from any value of one branch to any of the other.
  private func boolCrossing(from old: Values, to new: Values) -> Moves {
    func canBe(_ values: Values, _ truth: Int64) -> Bool {
      values.mayBePresent && values.low <= truth && values.high >= truth
    }
    func canMiss(_ values: Values, _ truth: Int64) -> Bool {
      values.mayBeNone || !values.mayBePresent || values.low != truth || values.high != truth
    }
    var moves: Moves = []
    if canMiss(old, Values.one), canBe(new, Values.one) { moves.insert(.rises) }
    if canBe(old, Values.one), canMiss(new, Values.one) { moves.insert(.falls) }
    if canMiss(old, 0), canBe(new, 0) { moves.insert(.appears) }
    if canBe(old, 0), canMiss(new, 0) { moves.insert(.vanishes) }
    return moves
  }
}
