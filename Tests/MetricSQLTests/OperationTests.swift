import Testing

@testable import MetricSQL

/// Every engine has a spelling of every operation: one that lacks it would end the run where it is first needed.
@Suite struct OperationTests {
  /// All operations; a new one stops the build in `argumentCount`.
  private static let all: [SQLOperation] =
    [
      .quotient, .remainder, .add, .subtract, .multiply, .multiplyMillionths, .divideMillionths,
      .floorMillionths, .element([1, 20]), .least, .greatest, .dayNumber, .dayText, .date, .startOfMonth,
      .endOfMonth, .monthNumber, .startOfLaterMonth, .addMonths, .replace, .character, .piece(0, of: 2),
      .piece(1, of: 2), .numberText, .millionthsText, .checked(1000), .fail, .lower, .higher,
    ] + [SQLStoredType.text, .int, .decimal, .bool, .day, .instant, .date].map { .cast($0) }

  private func argumentCount(_ operation: SQLOperation) -> Int {
    switch operation {
    case .quotient, .remainder, .add, .subtract, .multiply, .multiplyMillionths, .divideMillionths, .least,
      .greatest, .startOfLaterMonth, .addMonths, .lower, .higher:
      2
    case .floorMillionths, .element, .dayNumber, .dayText, .date, .cast, .startOfMonth, .endOfMonth,
      .monthNumber, .character, .piece, .numberText, .millionthsText, .checked, .fail:
      1
    case .replace: 3
    }
  }

  @Test(arguments: SQLDialect.allCases)
  func everyOperationIsSpelled(dialect: SQLDialect) throws {
    for operation in OperationTests.all {
      let arguments = (1...argumentCount(operation)).map { "argument_\($0)" }
      let text = dialect.dialect.call(operation, arguments)
      for argument in arguments {
        #expect(text.contains(argument), "\(dialect.rawValue) leaves out \(argument) of \(operation)")
      }
      _ = try SupportCheck.checked(text, for: dialect)
    }
  }
}
