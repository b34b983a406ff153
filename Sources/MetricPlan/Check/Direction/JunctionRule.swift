/// `A and B`, `A or B`: Kleene's minimum and maximum of truth.
///
/// A move of one side is a move of the whole where the other side leaves it open before and after; where it
/// does not do so at both ends, both sides move at once.
struct JunctionRule {
  let outer: ExpressionAnalysis
  let isAnd: Bool

  /// Sides are examined under the other one only so deep, or the work would double with each level.
  private static let mostNested = 2

  func behaviour(_ left: Expression, _ right: Expression) -> Behaviour {
    let (one, other) = (outer.behaviour(of: left), outer.behaviour(of: right))
    var result = Operators.combine(
      one, other, values: { isAnd ? $0.and($1) : $0.or($1) }, moves: { $0.union($1) })
    guard outer.nested < JunctionRule.mostNested else { return result }
    let (truth, falsity): (Moves, Moves) = ([.rises, .falls], [.appears, .vanishes])
    // What rises alone, or falls alone, gains nothing.
    if result.added.isSuperset(of: truth) {
      let (first, second) = sides(left, right, isAnd ? .isTrue : .notTrue)
      keep(truth, of: &result, one, other, first, second)
      bound(&result.values, first.values)
      bound(&result.values, second.values)
    }
    if result.added.isSuperset(of: falsity) {
      let (first, second) = sides(left, right, isAnd ? .notFalse : .isFalse)
      keep(falsity, of: &result, one, other, first, second)
    }
    return result
  }

  /// Each side where the other one comes out so.
  private func sides(_ left: Expression, _ right: Expression, _ outcome: ConditionOutcome) -> (
    Behaviour, Behaviour
  ) {
    func side(_ side: Expression, where other: Expression) -> Behaviour {
      var scope = outer.knowing(other, outcome)
      scope.nested += 1
      return scope.behaviour(of: side)
    }
    return (side(left, where: right), side(right, where: left))
  }

  /// Leaves out the moves among `bits` that neither side has under the other, nor both have at once.
  private func keep(
    _ bits: Moves, of result: inout Behaviour, _ one: Behaviour, _ other: Behaviour, _ first: Behaviour,
    _ second: Behaviour
  ) {
    for axis in [\Behaviour.added, \Behaviour.passing] {
      let seen = first[keyPath: axis].union(second[keyPath: axis])
        .union(one[keyPath: axis].intersection(other[keyPath: axis]))
      result[keyPath: axis].subtract(bits.subtracting(seen))
    }
  }

  /// Both are true, or one is true if the other is not: what a side cannot be there decides the whole.
  private func bound(_ values: inout Values, _ side: Values) {
    if isAnd, side.certainty == false {
      values.high = 0
    } else if !isAnd, side.certainty == true {
      values = .exactly(Values.one)
    }
  }
}
