/// How far a condition is from coming out as it is wanted: 0 where it does, and less the closer the
/// numbers are that it compares.
indirect enum ConditionDistance {
  /// Numbers are places in the list of the values that are examined.
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
      let sizes = members.spread(Vocabulary.mostMembers).compactMap(\.value.size)
      self = .member(place(operand), sizes, negated: negated)
    case .isNone(let operand, let negated): self = .none(place(operand), negated: negated)
    // What the search has no measure for is near or not.
    default: self = .truth(place(condition))
    }
  }

  /// Where there is no number to compare: farther than any.
  private static let missing = 9.0

  func from(_ wanted: ConditionOutcome, _ values: [Value]) -> Double {
    switch self {
    case .both(let left, let right):
      let (one, other) = (left.from(wanted, values), right.from(wanted, values))
      return wanted.truth ? one + other : min(one, other)
    case .either(let left, let right):
      let (one, other) = (left.from(wanted, values), right.from(wanted, values))
      return wanted.truth ? min(one, other) : one + other
    case .not(let operand): return operand.from(wanted.ofNegation, values)
    case .choice(let test, let then, let otherwise):
      return min(
        test.from(.isTrue, values) + then.from(wanted, values),
        test.from(.notTrue, values) + otherwise.from(wanted, values))
    case .truth(let place):
      if values[place] == .none { return wanted.takesNone ? 0 : 1 }
      return values[place] == .bool(wanted.truth) ? 0 : 1
    case .none(let place, let negated):
      return ((values[place] == .none) != negated) == wanted.truth ? 0 : 1
    case .member(let place, let members, let negated):
      if values[place] == .none, wanted.takesNone { return 0 }
      return ConditionDistance.member(values[place], members, wanted: wanted.truth != negated)
    case .compare(let operation, let left, let right):
      if values[left] == .none || values[right] == .none {
        return wanted.takesNone ? 0 : ConditionDistance.missing
      }
      return ConditionDistance.compare(operation, values[left], values[right], wanted.truth)
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

  /// By how much the numbers miss each other that it compares, in millionths.
  func gaps(_ values: [Value]) -> [Int64] {
    func gap(_ value: Value, _ target: Double) -> [Int64] {
      if case .day = value { return [] }
      guard let size = value.size else { return [] }
      return Int64(exactly: ((target - size) * Double(FixedDecimal.scale)).rounded()).map { [$0] } ?? []
    }
    switch self {
    case .compare(_, let left, let right): return values[right].size.map { gap(values[left], $0) } ?? []
    case .member(let place, let members, _): return members.flatMap { gap(values[place], $0) }
    case .not(let operand): return operand.gaps(values)
    case .both(let left, let right), .either(let left, let right):
      return left.gaps(values) + right.gaps(values)
    case .choice(let test, let then, let otherwise):
      return test.gaps(values) + then.gaps(values) + otherwise.gaps(values)
    case .none, .truth: return []
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
