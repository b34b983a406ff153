/// `x in [..]`: a comparison where the members that x can reach stand together at one end of its range,
/// decided where it reaches none of them, else a Bool that any move may turn.
struct MembershipRule {
  let scope: ExpressionAnalysis

  func behaviour(_ operand: Expression, _ members: [Literal]) -> Behaviour {
    let behaviour = scope.behaviour(of: operand)
    if let constant = Constants.constant(of: operand) {
      return .constant(.exactly(members.contains(constant) ? Values.one : 0))
    }
    guard operand.type.isNumber, behaviour.values.mayBePresent else { return test(behaviour) }
    let (low, high, step) = (behaviour.values.low, behaviour.values.high, operand.step)
    let reached = Set(members.compactMap(\.millionths)).filter {
      $0 >= low && $0 <= high && scope.canBe(operand, $0)
    }.sorted()
    guard let first = reached.first, let last = reached.last else { return test(behaviour, truth: false) }
    let isWhole = last - first == Int64(reached.count - 1) * step
    func compared(_ operation: ComparisonOperator, _ bound: Int64) -> Behaviour {
      Operators.comparison(operation, behaviour, .constant(.exactly(bound)), isNumber: true)
    }
    if isWhole, first == low { return compared(.lessOrEqual, last) }
    if isWhole, last == high { return compared(.greaterOrEqual, first) }
    return test(behaviour)
  }

  /// Any move may turn it; one that reaches no member is never true.
  private func test(_ operand: Behaviour, truth: Bool? = nil) -> Behaviour {
    operand.mapped { values in
      Values(
        mayBeNone: values.mayBeNone, mayBePresent: values.mayBePresent, low: 0,
        high: truth == nil ? Values.one : 0)
    } moves: { moves in
      moves.isDisjoint(with: truth == nil ? .all : [.appears, .vanishes]) ? [] : .all
    }.tidied(isBool: true)
  }
}
