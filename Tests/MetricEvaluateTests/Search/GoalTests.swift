import MetricData
import MetricPlan
import Testing

@testable import MetricEvaluate

/// Where a fall can be seen, and how far a dataset is from there.
@Suite struct GoalTests {
  private static func number(_ value: Int64) -> Expression { .literal(.int(value)) }
  /// Conditions that differ.
  private static let one = Expression.comparison(.greaterOrEqual, .negated(number(1)), number(3))
  private static let other = Expression.comparison(.less, .negated(number(2)), number(3))

  private func requirement(_ condition: Expression, _ wanted: ConditionOutcome) -> Requirement {
    Requirement(condition: condition, wanted: wanted)
  }

  @Test func bothSidesOfAndAreTrueBefore() {
    let goals = GoalFinder(.and(Self.one, Self.other)).goals
    #expect(goals.first == [requirement(Self.other, .isTrue), requirement(Self.one, .isTrue)])
    #expect(goals.contains([requirement(Self.one, .isTrue), requirement(Self.other, .isTrue)]))
  }

  @Test func theOtherSideOfOrIsNotTrue() {
    let goals = GoalFinder(.or(Self.one, Self.other)).goals
    #expect(goals.first == [requirement(Self.other, .notTrue), requirement(Self.one, .isTrue)])
  }

  @Test func whatIsNegatedIsFalseBefore() {
    #expect(GoalFinder(.not(Self.one)).goals.first == [requirement(Self.one, .isFalse)])
    // `not (A and B)` is true where one of them is false; by A alone, where B is not false.
    let goals = GoalFinder(.not(.and(Self.one, Self.other))).goals
    #expect(goals.first == [requirement(Self.other, .notFalse), requirement(Self.one, .isFalse)])
  }

  @Test func aBranchCountsWhereItIsTaken() {
    let choice = Expression.conditional(condition: Self.one, then: Self.number(1), else: Self.number(2))
    let goals = GoalFinder(choice).goals
    #expect(goals.contains([requirement(Self.one, .isTrue)]))
    #expect(goals.contains([requirement(Self.one, .notTrue)]))
  }

  @Test func theSmallerOperandOfLeastCounts() {
    let (first, second) = (Self.number(4), Self.number(5))
    let isFirst = Expression.comparison(.lessOrEqual, first, second)
    let goals = GoalFinder(.function(.least, [first, second])).goals
    #expect(goals == [[requirement(isFirst, .isTrue)], [requirement(isFirst, .notTrue)]])
  }

  @Test func whatIsBesidesIsInEveryGoal() {
    let besides = [Requirement(condition: Self.other, wanted: .isTrue, isEarlier: true)]
    #expect(GoalFinder(Self.one, besides: besides).goals.allSatisfy { $0.first == besides[0] })
  }

  /// The distance of `left OP right`, whose values are given.
  private func distance(
    _ operation: ComparisonOperator, _ left: Value, _ right: Value, _ wanted: ConditionOutcome
  ) -> Double {
    let condition = Expression.comparison(operation, Self.number(0), Self.number(1))
    return condition.distance(to: wanted) { $0 == Self.number(0) ? left : right }
  }

  @Test func nearerIsLess() {
    #expect(distance(.greaterOrEqual, .int(3), .int(3), .isTrue) == 0)
    #expect(distance(.greater, .int(3), .int(3), .isTrue) > 0)
    #expect(distance(.equal, .int(3), .int(3), .notTrue) > 0)
    #expect(distance(.equal, .int(4), .int(3), .notTrue) == 0)
    let far = distance(.less, .int(30), .int(3), .isTrue)
    let near = distance(.less, .int(4), .int(3), .isTrue)
    #expect(near < far && far < distance(.less, .none, .int(3), .isTrue))
    // What is none is neither true nor false.
    #expect(distance(.less, .none, .int(3), .notTrue) == 0)
    #expect(distance(.less, .none, .int(3), .isFalse) > far)
  }

  @Test func conditionsAddUpOrChoose() {
    func distance(_ condition: Expression, _ wanted: ConditionOutcome, _ day: Bool) -> Double {
      condition.distance(to: wanted) { _ in .bool(day) }
    }
    #expect(distance(.and(.day, .day), .isTrue, false) == 2)
    #expect(distance(.or(.day, .day), .isTrue, false) == 1)
    #expect(distance(.and(.day, .day), .notTrue, true) == 1)
    #expect(distance(.not(.day), .isTrue, false) == 0)
  }
}
