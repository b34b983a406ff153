/// `x in [..]`: never true where x can be none of the members, else a Bool that any move may turn.
extension ExpressionAnalysis {
  func membership(_ operand: Expression, _ members: [Literal]) -> Behaviour {
    if let constant = operand.constant {
      return .constant(.exactly(members.contains(constant) ? Values.one : 0))
    }
    let behaviour = behaviour(of: operand)
    let (low, high) = (behaviour.values.low, behaviour.values.high)
    let isPossible =
      !operand.type.isNumber || !behaviour.values.mayBePresent
      || members.compactMap(\.millionths).contains { $0 >= low && $0 <= high && canBe(operand, $0) }
    return behaviour.mapped {
      $0.within(0, isPossible ? Values.one : 0)
    } moves: { moves in
      moves.isDisjoint(with: isPossible ? .all : [.appears, .vanishes]) ? [] : .all
    }.tidied(isBool: true)
  }
}
