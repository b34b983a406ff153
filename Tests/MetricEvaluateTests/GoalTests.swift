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

  private func requirement(_ condition: Expression, _ holds: Bool) -> Requirement {
    Requirement(condition: condition, holds: holds)
  }

  @Test func bothSidesOfAndAreTrueBefore() {
    let goals = GoalFinder(.and(Self.one, Self.other)).goals
    #expect(goals.first == [requirement(Self.other, true), requirement(Self.one, true)])
    #expect(goals.contains([requirement(Self.one, true), requirement(Self.other, true)]))
  }

  @Test func theOtherSideOfOrIsNotTrue() {
    let goals = GoalFinder(.or(Self.one, Self.other)).goals
    #expect(goals.first == [requirement(Self.other, false), requirement(Self.one, true)])
  }

  @Test func whatIsNegatedIsNotTrueBefore() {
    #expect(GoalFinder(.not(Self.one)).goals.first == [requirement(Self.one, false)])
  }

  @Test func aBranchCountsWhereItIsTaken() {
    let choice = Expression.conditional(condition: Self.one, then: Self.number(1), else: Self.number(2))
    let goals = GoalFinder(choice).goals
    #expect(goals.contains([requirement(Self.one, true)]))
    #expect(goals.contains([requirement(Self.one, false)]))
  }

  @Test func theSmallerOperandOfLeastCounts() {
    let (first, second) = (Self.number(4), Self.number(5))
    let isFirst = Expression.comparison(.lessOrEqual, first, second)
    let goals = GoalFinder(.function(.least, [first, second])).goals
    #expect(goals == [[requirement(isFirst, true)], [requirement(isFirst, false)]])
  }

  @Test func whatIsBesidesIsInEveryGoal() {
    let besides = [Requirement(condition: Self.other, holds: true, isEarlier: true)]
    #expect(GoalFinder(Self.one, besides: besides).goals.allSatisfy { $0.first == besides[0] })
  }

  /// The distance of `left OP right`, whose values are given.
  private func distance(
    _ operation: ComparisonOperator, _ left: Value, _ right: Value, holds: Bool
  ) -> Double {
    let condition = Expression.comparison(operation, Self.number(0), Self.number(1))
    let distance = ConditionDistance(condition) { $0 == Self.number(0) ? 0 : 1 }
    return distance.from(holds, [left, right])
  }

  @Test func nearerIsLess() {
    #expect(distance(.greaterOrEqual, .int(3), .int(3), holds: true) == 0)
    #expect(distance(.greater, .int(3), .int(3), holds: true) > 0)
    #expect(distance(.equal, .int(3), .int(3), holds: false) > 0)
    #expect(distance(.equal, .int(4), .int(3), holds: false) == 0)
    let far = distance(.less, .int(30), .int(3), holds: true)
    let near = distance(.less, .int(4), .int(3), holds: true)
    #expect(near < far && far < distance(.less, .none, .int(3), holds: true))
    // What is none is not true.
    #expect(distance(.less, .none, .int(3), holds: false) == 0)
  }

  @Test func conditionsAddUpOrChoose() {
    let places: (Expression) -> Int = { _ in 0 }
    let both = ConditionDistance(.and(.day, .day), place: places)
    let either = ConditionDistance(.or(.day, .day), place: places)
    #expect(both.from(true, [.bool(false)]) == 2)
    #expect(either.from(true, [.bool(false)]) == 1)
    #expect(both.from(false, [.bool(true)]) == 1)
    #expect(ConditionDistance(.not(.day), place: places).from(true, [.bool(false)]) == 0)
  }
}
