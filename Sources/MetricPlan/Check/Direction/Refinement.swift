/// What is known of expressions because a condition was met or not. A `default` learns nothing, which is always right.
struct Refinement {
  struct Bounds {
    var low: Int64 = -Values.limit
    var high: Int64 = Values.limit
    var isPresent = false
    var isNone = false
  }

  private(set) var bounds: [Expression: Bounds] = [:]

  var isEmpty: Bool { bounds.isEmpty }

  /// With an expression that is known to be present, and, for a number, to be at least `low`.
  mutating func know(_ expression: Expression, low: Int64) {
    notePresence(expression)
    if expression.type.isNumber {
      bounds[expression, default: Bounds()].low = max(bounds[expression]?.low ?? low, low)
    }
  }

  func narrowed(_ values: Values, of expression: Expression) -> Values {
    guard let bound = bounds[expression] else { return values }
    var values = values
    values.low = max(values.low, bound.low)
    values.high = min(values.high, bound.high)
    if bound.isPresent { values.mayBeNone = false }
    if bound.isNone { values.mayBePresent = false }
    if values.low > values.high { values.mayBePresent = false }
    return values
  }

  /// Adds what an outcome of a condition says; `scope` is what is known so far.
  mutating func add(_ condition: Expression, _ outcome: ConditionOutcome, _ scope: ExpressionAnalysis) {
    noteTruth(condition, outcome)
    if let opposite = condition.opposite { noteTruth(opposite, outcome.ofNegation) }
    if let test = condition.truthTest { return add(test, outcome, scope) }
    switch condition {
    case .field(let path):
      if let formula = scope.formula(of: path) { add(formula, outcome, scope) }
    case .not(let operand): add(operand, outcome.ofNegation, scope)
    case .and(let left, let right) where outcome == .isTrue || outcome == .notFalse:
      add(left, outcome, scope)
      add(right, outcome, scope)
    case .or(let left, let right) where outcome == .isFalse || outcome == .notTrue:
      add(left, outcome, scope)
      add(right, outcome, scope)
    case .comparison(_, let left, let right) where outcome == .isNone:
      // One of the sides is none.
      if !scope.values(of: right).mayBeNone { noteNone(left) }
      if !scope.values(of: left).mayBeNone { noteNone(right) }
    case .isNone where outcome == .isNone: break
    case .membership(let operand, _, _) where outcome == .isNone: noteNone(operand)
    case .comparison(let operation, let left, let right):
      let holds = outcome.truth
      let isPresent = outcome == .isTrue || outcome == .isFalse
      let effective = holds ? operation : operation.negation
      let (leftValues, rightValues) = (scope.values(of: left), scope.values(of: right))
      let decided = leftValues.compared(operation, rightValues)
      if !isPresent, left.type.isNumber, holds ? decided.high == 0 : decided.low == Values.one {
        // It would have come out the other way, so one of the sides is none.
        if !rightValues.mayBeNone { noteNone(left) }
        if !leftValues.mayBeNone { noteNone(right) }
      }
      // Where the other side may be none, a comparison that is not true bounds nothing.
      if isPresent || !rightValues.mayBeNone {
        narrow(left, leftValues, effective, by: rightValues, isPresent, scope)
      }
      if isPresent || !leftValues.mayBeNone {
        narrow(right, rightValues, effective.flipped, by: leftValues, isPresent, scope)
      }
    case .isNone(let operand, let negated):
      if outcome.truth != negated {
        bounds[operand, default: Bounds()].isNone = true
      } else {
        notePresence(operand)
      }
    case .membership(let operand, let literals, let negated):
      let holds = outcome.truth != negated
      let numbers = literals.compactMap(\.millionths)
      if outcome == .isTrue || outcome == .isFalse { notePresence(operand) }
      if holds, numbers.count == literals.count, let low = numbers.min(), let high = numbers.max() {
        narrow(operand, low: low, high: high, scope)
      }
    default: break
    }
  }

  /// The same condition comes out the same where it is again.
  private mutating func noteTruth(_ condition: Expression, _ outcome: ConditionOutcome) {
    var bound = bounds[condition, default: Bounds()]
    switch outcome {
    case .isTrue: (bound.low, bound.isPresent) = (max(bound.low, Values.one), true)
    case .isFalse: (bound.high, bound.isPresent) = (min(bound.high, 0), true)
    case .notTrue: bound.high = min(bound.high, 0)
    case .notFalse: bound.low = max(bound.low, Values.one)
    case .isNone: bound.isNone = true
    }
    bounds[condition] = bound
  }

  private mutating func noteNone(_ expression: Expression) {
    bounds[expression, default: Bounds()].isNone = true
    switch expression {
    case .widened(let inner), .negated(let inner): noteNone(inner)
    default: break
    }
  }

  /// None in, none out: what is computed is there only where its operands are.
  private mutating func notePresence(_ expression: Expression) {
    bounds[expression, default: Bounds()].isPresent = true
    switch expression {
    case .widened, .negated, .arithmetic, .function:
      for operand in expression.operands { notePresence(operand) }
    default: break
    }
  }

  private mutating func narrow(
    _ expression: Expression, _ own: Values, _ operation: ComparisonOperator, by other: Values,
    _ isPresent: Bool, _ scope: ExpressionAnalysis
  ) {
    if isPresent { notePresence(expression) }
    guard expression.type.isNumber, other.mayBePresent else { return }
    let step: Int64 = expression.step
    let (low, high) = (other.low.rounded(upTo: step), other.high.rounded(downTo: step))
    switch operation {
    case .less:
      narrow(
        expression, high: other.high.isUnbounded ? other.high : (other.high - 1).rounded(downTo: step), scope
      )
    case .lessOrEqual: narrow(expression, high: high, scope)
    case .greater:
      narrow(expression, low: other.low.isUnbounded ? other.low : (other.low + 1).rounded(upTo: step), scope)
    case .greaterOrEqual: narrow(expression, low: low, scope)
    case .equal: narrow(expression, low: low, high: high, scope)
    case .notEqual:
      // What is at least 0 and is not 0 is above 0.
      guard other.low == other.high else { return }
      if own.low == other.low { narrow(expression, low: (own.low + 1).rounded(upTo: step), scope) }
      if own.high == other.high { narrow(expression, high: (own.high - 1).rounded(downTo: step), scope) }
    }
  }

  /// - Parameter depth: how many sums and differences deep it may go, or the work would grow with their square.
  private mutating func narrow(
    _ expression: Expression, low: Int64 = -Values.limit, high: Int64 = Values.limit, depth: Int = 4,
    _ scope: ExpressionAnalysis
  ) {
    var bound = bounds[expression, default: Bounds()]
    bound.low = max(bound.low, low)
    bound.high = min(bound.high, high)
    bounds[expression] = bound
    switch expression {
    case .field(let path) where depth > 0:
      guard let formula = scope.formula(of: path) else { return }
      if bound.isPresent { notePresence(formula) }
      narrow(formula, low: low, high: high, depth: depth - 1, scope)
    // An Int beside a Decimal is in a wrapper; both are known.
    case .widened(let inner): narrow(inner, low: low, high: high, depth: depth, scope)
    case .negated(let inner): narrow(inner, low: -high, high: -low, depth: depth, scope)
    case .arithmetic(let operation, let left, let right) where depth > 0:
      let range = Values.range(low, high)
      switch operation {
      case .add:
        narrow(left, to: range.adding(scope.values(of: right).negated), beside: right, depth, scope)
        narrow(right, to: range.adding(scope.values(of: left).negated), beside: left, depth, scope)
      case .subtract:
        narrow(left, to: range.adding(scope.values(of: right)), beside: right, depth, scope)
        narrow(right, to: scope.values(of: left).adding(range.negated), beside: left, depth, scope)
      case .multiply, .divide: break
      }
    default: break
    }
  }

  /// One operand of a sum or difference whose bounds are known; the sum may be none for the other's sake.
  private mutating func narrow(
    _ operand: Expression, to range: Values, beside other: Expression, _ depth: Int,
    _ scope: ExpressionAnalysis
  ) {
    guard bounds[other]?.isPresent == true || !scope.values(of: other).mayBeNone else { return }
    let step = operand.step
    let low = range.low.isUnbounded ? range.low : range.low.rounded(upTo: step)
    let high = range.high.isUnbounded ? range.high : range.high.rounded(downTo: step)
    guard low > -Values.limit || high < Values.limit else { return }
    narrow(operand, low: low, high: high, depth: depth - 1, scope)
  }
}

extension Int64 {
  var isUnbounded: Bool { self == Values.limit || self == -Values.limit }

  /// The greatest multiple of `step` that is not above it: a whole number below 2.5 is at most 2.
  func rounded(downTo step: Int64) -> Int64 {
    let rest = self % step
    return self - (rest < 0 ? rest + step : rest)
  }

  /// The smallest multiple of `step` that is not below it.
  fileprivate func rounded(upTo step: Int64) -> Int64 { -(-self).rounded(downTo: step) }
}

extension Expression {
  /// The condition that is true if this one is false, and none where it is none.
  fileprivate var opposite: Expression? {
    switch self {
    case .comparison(let operation, let left, let right): .comparison(operation.negation, left, right)
    case .membership(let operand, let members, let negated):
      .membership(operand, members, negated: !negated)
    default: nil
    }
  }
}

extension Literal {
  /// Numbers in millionths, Bools 0 and 1 million; nil for texts, days and none.
  var millionths: Int64? {
    if case .bool(let value) = self { value ? Values.one : 0 } else { inMillionths }
  }
}
