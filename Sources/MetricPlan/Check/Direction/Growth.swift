/// Whether, when a fact is added, one expression rises by no more than another does. A `default` proves nothing.
struct Growth {
  let scope: ExpressionAnalysis

  /// Whether Δlow ≤ Δhigh for each fact that is added, where both are present before and after.
  func holds(_ low: Expression, by high: Expression) -> Bool {
    if low == high { return true }
    guard scope.analysis.budget > 0 else { return false }
    if neverRises(low), neverFalls(high) { return true }
    return fromLow(low, high) || fromHigh(low, high) || leaves(low, high)
  }

  private func neverRises(_ expression: Expression) -> Bool {
    !scope.behaviour(of: expression).added.contains(.rises)
  }

  private func neverFalls(_ expression: Expression) -> Bool {
    !scope.behaviour(of: expression).added.contains(.falls)
  }

  private func fromLow(_ low: Expression, _ high: Expression) -> Bool {
    switch low {
    case .widened(let inner): return holds(inner, by: high)
    case .function(.least, let operands), .function(.greatest, let operands):
      return operands.allSatisfy { holds($0, by: high) }
    // A whole step of x takes the next whole number at most once.
    case .function(.floor, let operands):
      return high.isWhole && holds(operands[0], by: high)
    case .arithmetic(.add, let one, let other):
      return (neverRises(other) && holds(one, by: high)) || (neverRises(one) && holds(other, by: high))
    case .arithmetic(.subtract, let whole, let part): return neverFalls(part) && holds(whole, by: high)
    // A part of x rises by no more than x, also where both are rounded: the steps of x are whole millionths.
    case .arithmetic(.divide, let whole, let divisor):
      return isConstant(divisor) { $0 >= Values.one } && neverFalls(high) && holds(whole, by: high)
    case .arithmetic(.multiply, let whole, let factor):
      return isConstant(factor) { (0...Values.one).contains($0) } && neverFalls(high)
        && holds(whole, by: high)
    default: return false
    }
  }

  private func fromHigh(_ low: Expression, _ high: Expression) -> Bool {
    switch high {
    case .widened(let inner): return holds(low, by: inner)
    case .function(.least, let operands), .function(.greatest, let operands):
      return operands.allSatisfy { holds(low, by: $0) }
    case .arithmetic(.add, let one, let other):
      return (neverFalls(other) && holds(low, by: one)) || (neverFalls(one) && holds(low, by: other))
    case .arithmetic(.subtract, let whole, let part): return neverRises(part) && holds(low, by: whole)
    case .arithmetic(.multiply, let whole, let factor):
      return isConstant(factor) { $0 >= Values.one } && neverFalls(whole) && holds(low, by: whole)
    default: return false
    }
  }

  private func leaves(_ low: Expression, _ high: Expression) -> Bool {
    guard case .aggregate(let one) = low, case .aggregate(let other) = high else { return false }
    let order = Pointwise(scope: scope)
    guard order.isWithin(one, other) else { return false }
    switch (one.function, other.function) {
    // A fact brings at most one new day, or one new value.
    case (_, .count) where one.function.traits.form == .counts: return true
    case (_, .sum) where one.function.traits.form == .counts:
      let elements = AggregateRules(outer: scope).elements(other)
      return elements.low >= Values.one && !elements.mayBeNone
    case (.sum, .sum): return one.argument == other.argument && order.addsNothingNegative(other)
    default: return false
    }
  }

  private func isConstant(_ expression: Expression, _ fits: (Int64) -> Bool) -> Bool {
    let values = scope.values(of: expression)
    return values.low == values.high && !values.mayBeNone && fits(values.low)
  }
}
