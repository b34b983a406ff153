/// Whether one expression is never above another where both are present, seen from their form. A `default` proves nothing,
/// which is always right.
struct Pointwise {
  /// What is known at the place.
  let scope: ExpressionAnalysis
  /// What a condition says there.
  var orders: [Order] = []

  /// A pair of expressions that a condition puts in order, where both are present.
  struct Order: Hashable {
    var low: Expression
    var high: Expression
  }

  /// What a condition says where it is true (`holds`), or where it is not.
  static func orders(_ condition: Expression, holds: Bool) -> [Order] {
    switch condition {
    case .comparison(.greaterOrEqual, let left, let right), .comparison(.greater, let left, let right):
      [holds ? Order(low: right, high: left) : Order(low: left, high: right)]
    case .comparison(.lessOrEqual, let left, let right), .comparison(.less, let left, let right):
      [holds ? Order(low: left, high: right) : Order(low: right, high: left)]
    case .not(let operand): orders(operand, holds: !holds)
    case .and(let left, let right) where holds: orders(left, holds: true) + orders(right, holds: true)
    case .or(let left, let right) where !holds: orders(left, holds: false) + orders(right, holds: false)
    default: []
    }
  }

  private func values(_ expression: Expression) -> Values { scope.values(of: expression) }

  /// Whether no fact that the sum adds is below 0, whatever a condition says of the sum itself.
  func addsNothingNegative(_ sum: Aggregate) -> Bool {
    ExpressionAnalysis(scope.analysis, over: scope.over).behaviour(of: sum).values.low >= 0
  }

  func isAtMost(_ left: Expression, _ right: Expression) -> Bool {
    if left == right || orders.contains(Order(low: left, high: right)) { return true }
    guard scope.analysis.budget > 0 else { return false }
    let (low, high) = (values(left), values(right))
    if low.high <= high.low, left.type != .dayKey, left.type != .text { return true }
    if fromLeft(left, right) || fromRight(left, right) || leaves(left, right) { return true }
    // The right day is `day` itself, or cannot lie before it.
    return scope.isAtMostDay(left) && scope.daysBack(right) == 0
  }

  private func fromLeft(_ left: Expression, _ right: Expression) -> Bool {
    switch left {
    case .function(.least, let operands): operands.contains { isAtMost($0, right) }
    case .function(.greatest, let operands): operands.allSatisfy { isAtMost($0, right) }
    case .arithmetic(.subtract, let whole, let part): values(part).low >= 0 && isAtMost(whole, right)
    case .widened(.function(.floor, let operands)), .function(.floor, let operands):
      isAtMost(operands[0], right)
    case .conditional(_, let then, let otherwise): isAtMost(then, right) && isAtMost(otherwise, right)
    default: false
    }
  }

  private func fromRight(_ left: Expression, _ right: Expression) -> Bool {
    switch right {
    case .function(.greatest, let operands): return operands.contains { isAtMost(left, $0) }
    case .function(.least, let operands): return operands.allSatisfy { isAtMost(left, $0) }
    case .conditional(_, let then, let otherwise): return isAtMost(left, then) && isAtMost(left, otherwise)
    case .arithmetic(.add, let one, let other):
      if values(other).low >= 0, isAtMost(left, one) { return true }
      if values(one).low >= 0, isAtMost(left, other) { return true }
      guard case .arithmetic(.add, let first, let second) = left else { return false }
      return (isAtMost(first, one) && isAtMost(second, other))
        || (isAtMost(first, other) && isAtMost(second, one))
    default: return false
    }
  }

  private func leaves(_ left: Expression, _ right: Expression) -> Bool {
    switch (left, right) {
    case (.widened(let one), .widened(let other)): isAtMost(one, other)
    case (
      .comparison(let operation, let one, .literal(let low)),
      .comparison(let other, let two, .literal(let high))
    )
    where operation == other && one == two:
      // `e >= 5` holds only where `e >= 3` does.
      switch operation {
      case .greaterOrEqual, .greater:
        low.millionths.flatMap { one in high.millionths.map { one >= $0 } } ?? false
      case .lessOrEqual, .less: low.millionths.flatMap { one in high.millionths.map { one <= $0 } } ?? false
      case .equal, .notEqual: false
      }
    case (.aggregate(let one), .aggregate(let other)): isNeverAbove(one, other)
    case (.subjects(let one), .subjects(let other)):
      one.function == .count && other.function == .count && one.entity == other.entity
        && one.relation == other.relation && (other.filter == nil || one.filter == other.filter)
    case (.completions(let one), .completions(let other)):
      one.root == other.root && one.completion == other.completion && isAtMost(one, other)
    default: false
    }
  }

  func isNeverAbove(_ left: Aggregate, _ right: Aggregate) -> Bool {
    let (isInside, isOutside) = (isWithin(left, right), isWithin(right, left))
    let isSame = left.argument == right.argument
    switch (left.function, right.function) {
    case (.count, .count), (.days, .days), (.days, .count), (.distinct, .count): return isInside
    case (.distinct, .distinct): return isInside && isSame
    case (.sum, .sum), (.contribution, .contribution), (.min, .sum), (.max, .sum),
      (.percentile(100), .sum):
      return isInside && isSame && addsNothingNegative(right)
    case (.first, .last): return (isInside || isOutside) && isDays(left, right)
    case (.last, .last): return isInside && isDays(left, right)
    case (.first, .first): return isOutside && isDays(left, right)
    default: break
    }
    switch (left.function.traits.form, right.function.traits.form) {
    case (.greatest, .greatest): return isInside && isSame
    case (.mixes, .greatest): return isInside && isSame && left.function.traits.liesWithin
    case (.least, .least): return isOutside && isSame
    case (.least, .mixes): return isOutside && isSame && right.function.traits.liesWithin
    // Where both are present, the smaller of the two sets is not empty, and its facts are in both.
    case (.least, .greatest): return (isInside || isOutside) && isSame
    default: return false
    }
  }

  /// Of one completion: fewer windows lie in a shorter period, and the first day when it held is not after the last.
  private func isAtMost(_ left: CompletionAggregate, _ right: CompletionAggregate) -> Bool {
    let (period, other) = (left.period ?? .allTime, right.period ?? .allTime)
    switch (left.function, right.function) {
    case (.count, .count), (.last, .last): return period.isWithin(other)
    case (.first, .first): return other.isWithin(period)
    case (.first, .last): return period.isWithin(other) || other.isWithin(period)
    default: return false
    }
  }

  private func isDays(_ left: Aggregate, _ right: Aggregate) -> Bool {
    left.argument == nil && right.argument == nil
  }

  /// Whether every fact that one aggregate looks at is among those of the other.
  func isWithin(_ inner: Aggregate, _ outer: Aggregate) -> Bool {
    inner.record == outer.record && inner.route == outer.route
      && (outer.filter == nil || inner.filter == outer.filter)
      && isShorter(inner.period ?? scope.over, outer.period ?? scope.over)
  }

  private func isShorter(_ left: Period?, _ right: Period?) -> Bool {
    guard let left, let right else { return left == right }
    return left.isWithin(right)
  }
}

extension Period {
  /// Whether its days are among those of another at the same reference day.
  func isWithin(_ other: Period) -> Bool {
    switch (self, other) {
    case (_, .allTime): true
    case (.lastDays(let short), .lastDays(let long)): short <= long
    case (.calendar, .lastDays(let days)), (.previous, .lastDays(let days)):
      (mostDaysBack ?? .max) < days
    case (.calendar(let short), .calendar(let long)): short.isWithin(long)
    case (.lastDays(1), _): other.holdsReferenceDay
    default: self == other
    }
  }
}

extension CalendarUnit {
  /// Whether each unit lies in one of the other.
  fileprivate func isWithin(_ other: CalendarUnit) -> Bool {
    switch (self, other) {
    case (.day, _): true
    case (.months(let short, let first), .months(let long, let start)):
      long % short == 0 && (start - first) % short == 0
    case (.week, _), (.months, _): self == other
    }
  }
}
