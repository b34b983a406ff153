/// Ranges through operators, with the evaluator's own rounding. A bound at ±`limit` stays there: a
/// result beyond it is an error and no value.
extension Values {
  private static func clamp(_ value: Int128) -> Int64 {
    Int64(Swift.max(Int128(-limit), Swift.min(Int128(limit), value)))
  }

  /// None if either is none.
  func with(_ other: Values, _ low: Int64, _ high: Int64) -> Values {
    Values(
      mayBeNone: mayBeNone || other.mayBeNone, mayBePresent: mayBePresent && other.mayBePresent, low: low,
      high: high)
  }

  func adding(_ other: Values) -> Values {
    let (isOpenBelow, isOpenAbove) = (
      [low, other.low].contains(-Values.limit), [high, other.high].contains(Values.limit)
    )
    return with(
      other, isOpenBelow ? -Values.limit : Values.clamp(Int128(low) + Int128(other.low)),
      isOpenAbove ? Values.limit : Values.clamp(Int128(high) + Int128(other.high)))
  }

  var negated: Values { within(-high, -low) }

  func multiplied(by other: Values) -> Values {
    let corners = [low, high].flatMap { one in
      [other.low, other.high].map { another -> Int64 in
        // Both kinds are held in millionths; an Int product is exact there.
        Values.clamp(FixedDecimal.divideRounding(Int128(one) * Int128(another), by: Int128(Values.one)))
      }
    }
    return with(other, corners.min() ?? 0, corners.max() ?? 0)
  }

  /// - Parameter step: the smallest magnitude of a divisor that is not 0.
  func divided(by other: Values, step: Int64) -> Values {
    var divisors: [Int64] = []
    if other.high > 0 { divisors += [Swift.max(other.low, step), other.high] }
    if other.low < 0 { divisors += [other.low, Swift.min(other.high, -step)] }
    let corners = [low, high].flatMap { one in
      divisors.map {
        Values.clamp(FixedDecimal.divideRounding(Int128(one) * Int128(Values.one), by: Int128($0)))
      }
    }
    var result = with(other, corners.min() ?? 0, corners.max() ?? 0)
    if other.mayBeZero { result.mayBeNone = true }
    if divisors.isEmpty { result.mayBePresent = false }
    // A bound that is none can be any number, also a small one.
    if low == -Values.limit, other.mayBePositive { result.low = -Values.limit }
    if low == -Values.limit, other.mayBeNegative { result.high = Values.limit }
    if high == Values.limit, other.mayBePositive { result.high = Values.limit }
    if high == Values.limit, other.mayBeNegative { result.low = -Values.limit }
    return result
  }

  var floored: Values {
    func floor(_ value: Int64) -> Int64 { value.isUnbounded ? value : value.rounded(downTo: Values.one) }
    return within(floor(low), floor(high))
  }

  /// `nearest N`: a bound between two multiples is rounded too, and may get higher.
  func rounded(toNearest step: Int64) -> Values {
    func rounded(_ bound: Int64) -> Int64 {
      Values.clamp(FixedDecimal.divideRounding(Int128(bound), by: Int128(step)) * Int128(step))
    }
    return within(low == -Values.limit ? low : rounded(low), high == Values.limit ? high : rounded(high))
  }

  func least(_ other: Values) -> Values {
    with(other, Swift.min(low, other.low), Swift.min(high, other.high))
  }
  func greatest(_ other: Values) -> Values {
    with(other, Swift.max(low, other.low), Swift.max(high, other.high))
  }

  /// A comparison: a Bool that is fixed where the ranges decide it.
  func compared(_ operation: ComparisonOperator, _ other: Values) -> Values {
    with(
      other, canHold(operation.negation, other) ? 0 : Values.one,
      canHold(operation, other) ? Values.one : 0)
  }

  private func canHold(_ operation: ComparisonOperator, _ other: Values) -> Bool {
    switch operation {
    case .less: low < other.high
    case .lessOrEqual: low <= other.high
    case .greater: high > other.low
    case .greaterOrEqual: high >= other.low
    case .equal: low <= other.high && high >= other.low
    case .notEqual: !(low == high && other.low == other.high && low == other.low)
    }
  }

  /// As in SQL: false decides, then none.
  func and(_ other: Values) -> Values { logic(other, decides: 0) { Swift.min($0, $1) } }
  func or(_ other: Values) -> Values { logic(other, decides: Values.one) { Swift.max($0, $1) } }

  private func logic(_ other: Values, decides: Int64, _ combine: (Int64, Int64) -> Int64) -> Values {
    let decided = [self, other].contains { !$0.mayBeNone && $0.low == decides && $0.high == decides }
    if decided { return .exactly(decides) }
    // Where one is none, the other decides or the result is none.
    let (low, high) = (combine(self.low, other.low), combine(self.high, other.high))
    guard mayBeNone || other.mayBeNone else { return .range(low, high) }
    return .range(Swift.min(low, decides), Swift.max(high, decides), mayBeNone: true)
  }

  var not: Values { within(Values.one - high, Values.one - low) }

  /// Whether a condition holds, where that is certain: none counts as false.
  var certainty: Bool? {
    if !mayBePresent || high == 0 { return false }
    return !mayBeNone && low == Values.one ? true : nil
  }
}
