/// Whether, when a fact is added, one expression rises by no more than another does. A `default` proves nothing.
extension ExpressionAnalysis {
  /// Whether Δlow ≤ Δhigh for each fact that is added, where both are present before and after.
  func isHeld(_ low: Expression, by high: Expression) -> Bool {
    if low == high { return true }
    guard analysis.budget > 0 else { return false }
    if neverRises(low), neverFalls(high) { return true }
    return fromLow(low, high) || fromHigh(low, high) || leavesGrow(low, high)
  }

  private func neverRises(_ expression: Expression) -> Bool {
    !behaviour(of: expression).added.contains(.rises)
  }

  private func neverFalls(_ expression: Expression) -> Bool {
    !behaviour(of: expression).added.contains(.falls)
  }

  private func fromLow(_ low: Expression, _ high: Expression) -> Bool {
    switch low {
    case .widened(let inner): return isHeld(inner, by: high)
    case .function(.least, let operands), .function(.greatest, let operands):
      return operands.allSatisfy { isHeld($0, by: high) }
    // A whole step of x takes the next whole number at most once.
    case .function(.floor, let operands):
      return high.isWhole && isHeld(operands[0], by: high)
    case .arithmetic(.add, let one, let other):
      return (neverRises(other) && isHeld(one, by: high)) || (neverRises(one) && isHeld(other, by: high))
    case .arithmetic(.subtract, let whole, let part): return neverFalls(part) && isHeld(whole, by: high)
    // A part of x rises by no more than x, also where both are rounded: the steps of x are whole millionths.
    case .arithmetic(.divide, let whole, let divisor):
      return isConstant(divisor) { $0 >= Values.one } && neverFalls(high) && isHeld(whole, by: high)
    case .arithmetic(.multiply, let whole, let factor):
      return isConstant(factor) { (0...Values.one).contains($0) } && neverFalls(high)
        && isHeld(whole, by: high)
    default: return false
    }
  }

  private func fromHigh(_ low: Expression, _ high: Expression) -> Bool {
    switch high {
    case .widened(let inner): return isHeld(low, by: inner)
    case .function(.least, let operands), .function(.greatest, let operands):
      return operands.allSatisfy { isHeld(low, by: $0) }
    case .arithmetic(.add, let one, let other):
      return (neverFalls(other) && isHeld(low, by: one)) || (neverFalls(one) && isHeld(low, by: other))
    case .arithmetic(.subtract, let whole, let part): return neverRises(part) && isHeld(low, by: whole)
    case .arithmetic(.multiply, let whole, let factor):
      return isConstant(factor) { $0 >= Values.one } && neverFalls(whole) && isHeld(low, by: whole)
    default: return false
    }
  }

  private func leavesGrow(_ low: Expression, _ high: Expression) -> Bool {
    guard case .aggregate(let one) = low, case .aggregate(let other) = high else { return false }
    guard order.isWithin(one, other) else { return false }
    switch (one.function, other.function) {
    // A fact brings at most one new day, or one new value.
    case (_, .count) where one.function.traits.form == .counts: return true
    case (_, .sum) where one.function.traits.form == .counts:
      let taken = elements(other)
      return taken.low >= Values.one && !taken.mayBeNone
    case (.sum, .sum): return one.argument == other.argument && order.addsNothingNegative(other)
    default: return false
    }
  }

  private func isConstant(_ expression: Expression, _ fits: (Int64) -> Bool) -> Bool {
    let values = values(of: expression)
    return values.low == values.high && !values.mayBeNone && fits(values.low)
  }
}
