import MetricData
import MetricPlan
import Testing

@Suite struct ExpressionTests {
  let one = Expression.literal(.int(1))

  @Test func typesFollowTheOperators() {
    #expect(Expression.arithmetic(.add, one, one).type == .int)
    #expect(Expression.arithmetic(.divide, .widened(one), .widened(one)).type == .decimal)
    #expect(Expression.comparison(.less, one, one).type == .bool)
    #expect(Expression.function(.weekday, [.day]).type == .text)
    #expect(Expression.function(.daysBetween, [.day, .day]).type == .int)
    #expect(Expression.conditional(condition: .literal(.bool(true)), then: .day, else: .day).type == .dayKey)
  }

  @Test func aVisitStaysInItsScope() {
    let inner = Expression.comparison(.equal, .day, .day)
    let aggregate = Aggregate(.count, of: 0, .whole, where: inner)
    var kinds: [String] = []
    Expression.arithmetic(.add, .aggregate(aggregate), one).visit { part in
      switch part {
      case .arithmetic: kinds.append("+")
      case .aggregate: kinds.append("count")
      case .literal: kinds.append("1")
      default: kinds.append("?")
      }
    }
    #expect(kinds == ["+", "count", "1"])
  }

  @Test func levelsOfConsentRise() {
    #expect(ConsentLevel.none < .essential)
    #expect(ConsentLevel.standard < .detailed)
    #expect(ConsentLevel.allCases.sorted() == [.none, .essential, .standard, .detailed])
  }
}

@Suite struct PathTests {
  private func reference(_ name: String, _ target: RecordID) -> Field {
    Field(name: name, type: .reference(target), isOptional: true, span: .init(file: 0, start: 0, end: 0))
  }

  private func record(_ name: String, _ kind: RecordKind, _ fields: [Field]) -> Record {
    Record(name: name, kind: kind, fields: fields, span: .init(file: 0, start: 0, end: 0))
  }

  @Test func theShortestChainsAreFound() {
    let library = Library(
      records: [
        record("User", .entity, []),
        record("Habit", .entity, [reference("userId", 0)]),
        record("Entry", .fact, [reference("habitId", 1)]),
        record("Gift", .fact, [reference("fromId", 0), reference("toId", 0), reference("habitId", 1)]),
      ], metrics: [], tests: [])
    #expect(library.records.shortestPaths(from: 2, to: 0).map { $0.map(\.record) } == [[2, 1]])
    #expect(library.records.shortestPaths(from: 3, to: 0).map { $0.map(\.field) } == [[0], [1]])
    #expect(library.records.shortestPaths(from: 0, to: 2).isEmpty)
    #expect(library.records.shortestPaths(from: 1, to: 1) == [[]])
  }
}
