/// How a condition has to come out before a fact is added.
struct Requirement: Hashable {
  var condition: Expression
  var wanted: ConditionOutcome
  /// In the window before the current one.
  var isEarlier = false
}

/// Where a fall can be seen: the conditions under which one part of an expression decides the whole.
///
/// For `A and B` to stop being true by A, both are true before; for `A or B` the other one is not; a
/// branch of an `if` counts where it is taken; an operand of `least` where it is the smaller one.
struct GoalFinder {
  typealias Goal = [Requirement]

  private static let most = 48
  private(set) var goals: [Goal] = []

  /// - Parameter earlier: what has to hold besides.
  init(_ root: Expression, besides: Goal = []) {
    if root.type == .bool { lose(root, true, besides) } else { numbers(root, besides) }
    if goals.isEmpty { goals = [besides] }
  }

  private mutating func add(_ goal: Goal) {
    if goals.count < GoalFinder.most, !goals.contains(goal) { goals.append(goal) }
  }

  /// A condition that is true, or false, and stops being so.
  private mutating func lose(_ condition: Expression, _ truth: Bool, _ path: Goal) {
    guard goals.count < GoalFinder.most else { return }
    switch condition {
    case .not(let operand): lose(operand, !truth, path)
    case .and(let left, let right):
      lose(left, truth, path.when(right, truth ? .isTrue : .notFalse))
      lose(right, truth, path.when(left, truth ? .isTrue : .notFalse))
    case .or(let left, let right):
      lose(left, truth, path.when(right, truth ? .notTrue : .isFalse))
      lose(right, truth, path.when(left, truth ? .notTrue : .isFalse))
    case .conditional(let test, let then, let otherwise):
      let (here, lost): (ConditionOutcome, ConditionOutcome) =
        truth ? (.isTrue, .notTrue) : (.isFalse, .notFalse)
      lose(then, truth, path.when(test, .isTrue))
      lose(otherwise, truth, path.when(test, .notTrue))
      lose(test, true, path.when(then, here).when(otherwise, lost))
      lose(test, false, path.when(otherwise, here).when(then, lost))
    // What decides nothing between its parts.
    default:
      let own = path.when(condition, truth ? .isTrue : .isFalse)
      add(own)
      for operand in condition.operands where operand.type.isNumber { numbers(operand, own) }
    }
  }

  /// A number whose parts move it.
  private mutating func numbers(_ number: Expression, _ path: Goal) {
    guard goals.count < GoalFinder.most else { return }
    switch number {
    case .conditional(let test, let then, let otherwise):
      numbers(then, path.when(test, .isTrue))
      numbers(otherwise, path.when(test, .notTrue))
      lose(test, true, path)
      lose(test, false, path)
    case .function(let function, let operands) where function == .least || function == .greatest:
      let first = Expression.comparison(
        function == .least ? .lessOrEqual : .greaterOrEqual, operands[0], operands[1])
      numbers(operands[0], path.when(first, .isTrue))
      numbers(operands[1], path.when(first, .notTrue))
    // What chooses nothing between its parts.
    default:
      let inner = number.operands.filter(\.type.isNumber)
      if inner.isEmpty { add(path) }
      for operand in inner { numbers(operand, path) }
    }
  }
}

extension GoalFinder.Goal {
  fileprivate func when(_ condition: Expression, _ wanted: ConditionOutcome) -> Self {
    self + [Requirement(condition: condition, wanted: wanted)]
  }
}
