import MetricData
import MetricPlan

/// How far a condition is from coming out as it is wanted: 0 where it does, and less the closer the
/// numbers are that it compares.
indirect enum ConditionDistance {
  /// Numbers are places in the list of the values that are looked at.
  case compare(ComparisonOperator, Int, Int)
  case member(Int, [Double], negated: Bool)
  case none(Int, negated: Bool)
  case truth(Int)
  case both(ConditionDistance, ConditionDistance)
  case either(ConditionDistance, ConditionDistance)
  case not(ConditionDistance)
  case choice(ConditionDistance, ConditionDistance, ConditionDistance)

  /// - Parameter place: the place of an expression's value.
  init(_ condition: Expression, place: (Expression) -> Int) {
    func inner(_ condition: Expression) -> ConditionDistance { .init(condition, place: place) }
    switch condition {
    case .and(let left, let right): self = .both(inner(left), inner(right))
    case .or(let left, let right): self = .either(inner(left), inner(right))
    case .not(let operand): self = .not(inner(operand))
    case .conditional(let test, let then, let otherwise):
      self = .choice(inner(test), inner(then), inner(otherwise))
    case .comparison(let operation, let left, let right):
      self = .compare(operation, place(left), place(right))
    case .membership(let operand, let members, let negated) where operand.type.isNumber:
      self = .member(place(operand), members.compactMap(\.size), negated: negated)
    case .isNone(let operand, let negated): self = .none(place(operand), negated: negated)
    default: self = .truth(place(condition))
    }
  }

  /// Where there is no number to compare: farther than any.
  private static let missing = 9.0

  func from(_ holds: Bool, _ values: [Value]) -> Double {
    switch self {
    case .both(let left, let right):
      holds
        ? left.from(true, values) + right.from(true, values)
        : min(left.from(false, values), right.from(false, values))
    case .either(let left, let right):
      holds
        ? min(left.from(true, values), right.from(true, values))
        : left.from(false, values) + right.from(false, values)
    case .not(let operand): operand.from(!holds, values)
    case .choice(let test, let then, let otherwise):
      min(
        test.from(true, values) + then.from(holds, values),
        test.from(false, values) + otherwise.from(holds, values))
    case .truth(let place): (values[place] == .bool(true)) == holds ? 0 : 1
    case .none(let place, let negated): ((values[place] == .none) != negated) == holds ? 0 : 1
    case .member(let place, let members, let negated):
      ConditionDistance.member(values[place], members, wanted: holds != negated)
    case .compare(let operation, let left, let right):
      ConditionDistance.compare(operation, values[left], values[right], holds)
    }
  }

  /// How far apart the numbers are that it compares, from 0 to 1; 0 where it compares none.
  func gap(_ values: [Value]) -> Double {
    func scaled(_ gap: Double) -> Double { gap / (gap + 8) }
    switch self {
    case .not(let operand): return operand.gap(values)
    case .compare(_, let left, let right):
      guard let one = values[left].size, let other = values[right].size else { return 0 }
      return scaled(abs(one - other))
    case .member(let place, let members, _):
      guard let size = values[place].size else { return 0 }
      return scaled(members.map { abs($0 - size) }.min() ?? 0)
    case .none, .truth, .both, .either, .choice: return 0
    }
  }

  private static func member(_ value: Value, _ members: [Double], wanted: Bool) -> Double {
    guard let size = value.size else { return missing }
    let gap = members.map { abs($0 - size) }.min() ?? 0
    return wanted ? (gap == 0 ? 0 : scaled(gap)) : (gap == 0 ? 0.5 : 0)
  }

  private static func compare(
    _ operation: ComparisonOperator, _ left: Value, _ right: Value, _ holds: Bool
  ) -> Double {
    if left == .none || right == .none { return holds ? missing : 0 }
    guard let one = left.size, let other = right.size else {
      let isEqual = left == right
      return (operation == .equal ? isEqual : !isEqual) == holds ? 0 : 1
    }
    let gap = abs(one - other)
    switch (operation, holds) {
    case (.equal, true), (.notEqual, false): return gap == 0 ? 0 : scaled(gap)
    case (.equal, false), (.notEqual, true): return gap == 0 ? 0.5 : 0
    case (.less, true), (.greaterOrEqual, false): return one < other ? 0 : scaled(gap)
    case (.lessOrEqual, true), (.greater, false): return one <= other ? 0 : scaled(gap)
    case (.greater, true), (.lessOrEqual, false): return one > other ? 0 : scaled(gap)
    case (.greaterOrEqual, true), (.less, false): return one >= other ? 0 : scaled(gap)
    }
  }

  /// Less than `missing`, and more than what a truth that is not wanted counts for next to nothing.
  private static func scaled(_ gap: Double) -> Double { 0.25 + 8 * gap / (gap + 8) }
}

extension Value {
  /// Numbers and days on one line; nil for the rest.
  var size: Double? {
    switch self {
    case .int(let value): Double(value)
    case .decimal(let value): Double(value.millionths) / Double(FixedDecimal.scale)
    case .day(let day): Double(day.number)
    case .none, .bool, .text: nil
    }
  }
}

extension Literal {
  fileprivate var size: Double? {
    switch self {
    case .int(let value): Double(value)
    case .decimal(let value): Double(value.millionths) / Double(FixedDecimal.scale)
    case .day(let day): Double(day.number)
    case .none, .bool, .text: nil
    }
  }
}
