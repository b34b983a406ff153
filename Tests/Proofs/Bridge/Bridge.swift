import MetricPlan

@testable import MetricCheck

/// Prints random expressions, each with its behaviour as `MetricCheck` computes it:
/// `metricc-bridge COUNT SEED`. `Tests/Proofs/Bridge/compare.ml` reads them.
@main struct Bridge {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let count = arguments.first ?? 1000
    var expressions = RandomExpressions(seed: arguments.dropFirst().first ?? 1)
    for _ in 0..<count {
      let expression = expressions.next()
      // One analysis each: nothing is remembered of those before.
      let scope = DirectionAnalysis(library: RandomExpressions.library).scope(over: .allTime)
      print(text(expression) + "\t" + text(scope.behaviour(of: expression)))
    }
  }

  static func text(_ values: Values) -> String {
    "\(values.mayBeNone ? 1 : 0) \(values.mayBePresent ? 1 : 0) \(values.low) \(values.high)"
  }

  static func text(_ behaviour: Behaviour) -> String {
    [
      text(behaviour.values), text(behaviour.onNoData), "\(behaviour.added.rawValue)",
      "\(behaviour.passing.rawValue)",
    ]
    .joined(separator: " ")
  }

  static func text(_ expression: Expression) -> String {
    func form(_ name: String, _ operands: Expression...) -> String {
      "(" + ([name] + operands.map { text($0) }).joined(separator: " ") + ")"
    }
    switch expression {
    case .literal(let literal): return "(lit \(name(literal.type)) \(literal.inMillionths ?? 0))"
    case .aggregate(let aggregate): return text(aggregate)
    case .arithmetic(.add, let left, let right): return form("add", left, right)
    case .arithmetic(.subtract, let left, let right): return form("sub", left, right)
    case .arithmetic(.multiply, let left, let right): return form("mul", left, right)
    case .arithmetic(.divide, let left, let right): return form("div", left, right)
    case .negated(let operand): return form("neg", operand)
    case .comparison(let operation, let left, let right): return form(operation.rawValue, left, right)
    case .isNone(let operand, false): return form("none", operand)
    case .and(let left, let right): return form("and", left, right)
    case .or(let left, let right): return form("or", left, right)
    case .not(let operand): return form("not", operand)
    case .conditional(let condition, let then, let otherwise): return form("if", condition, then, otherwise)
    case .function(.least, let operands): return form("least", operands[0], operands[1])
    case .function(.greatest, let operands): return form("greatest", operands[0], operands[1])
    case .function(.floor, let operands): return form("floor", operands[0])
    case .widened(let operand): return form("widen", operand)
    case .field, .day, .metric, .completions, .subjects, .membership, .isNone, .function:
      return "(outside)"
    }
  }

  static func text(_ aggregate: Aggregate) -> String {
    var (low, days) = (Values.one, "-")
    var high = Values.one
    if case .field(let path)? = aggregate.argument {
      low = RandomExpressions.library[path.field].minimum?.millionths ?? -Values.limit
      high = Values.limit
    }
    if case .lastDays(let count)? = aggregate.period { days = "\(count)" }
    return "(agg \(aggregate.function) \(days) \(low) \(high) \(name(aggregate.type)))"
  }

  static func name(_ type: ValueType) -> String { "\(type)" }
}
