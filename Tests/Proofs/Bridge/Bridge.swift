import MetricValues

@testable import MetricPlan

/// Prints random expressions and metrics, each with its behaviour as the checker computes it:
/// `metricc-bridge COUNT SEED`. `Tests/Proofs/Bridge/compare.ml` reads them.
@main struct Bridge {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
    let count = arguments.first ?? 1000
    var expressions = RandomExpressions(seed: arguments.dropFirst().first ?? 1)
    for place in 0..<count {
      if place % 4 == 3 {
        let metric = RandomMetrics.next(&expressions)
        print(metric.text + "\t" + text(metric.behaviour))
        continue
      }
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

  /// - Parameter over: the period of aggregates without one.
  static func text(_ expression: Expression, over: Period = .allTime) -> String {
    func form(_ name: String, _ operands: Expression...) -> String {
      "(" + ([name] + operands.map { text($0, over: over) }).joined(separator: " ") + ")"
    }
    if let test = expression.truthTest {
      if case .not(let operand) = test { return form("is false", operand) }
      return form("is true", test)
    }
    switch expression {
    case .literal(.day(let day)): return "(lit dayKey \(Int64(day.number) * FixedDecimal.scale))"
    case .literal(let literal): return "(lit \(name(literal.type)) \(literal.millionths ?? 0))"
    case .field(let path): return text(path)
    case .day: return "(day)"
    case .aggregate(let aggregate): return text(aggregate, over: over)
    case .arithmetic(.add, let left, let right): return form("add", left, right)
    case .arithmetic(.subtract, let left, let right): return form("sub", left, right)
    case .arithmetic(.multiply, let left, let right): return form("mul", left, right)
    case .arithmetic(.divide, let left, let right): return form("div", left, right)
    case .negated(let operand): return form("neg", operand)
    case .comparison(let operation, let left, let right): return form(operation.rawValue, left, right)
    case .isNone(let operand, false): return form("none", operand)
    case .membership(let operand, let members, let negated):
      let list = members.compactMap(\.millionths).map { " \($0)" }.joined()
      let membership = "(in (members\(list)) \(text(operand, over: over)))"
      return negated ? "(not \(membership))" : membership
    case .and(let left, let right): return form("and", left, right)
    case .or(let left, let right): return form("or", left, right)
    case .not(let operand): return form("not", operand)
    case .conditional(let condition, let then, let otherwise): return form("if", condition, then, otherwise)
    case .function(.least, let operands): return form("least", operands[0], operands[1])
    case .function(.greatest, let operands): return form("greatest", operands[0], operands[1])
    case .function(.floor, let operands): return form("floor", operands[0])
    case .function(.daysBetween, let operands): return form("between", operands[0], operands[1])
    case .widened(let operand): return form("widen", operand)
    case .metric, .completions, .subjects, .isNone, .function: return "(outside)"
    }
  }

  /// A field of the subject: of an entity that may have no record.
  static func text(_ path: FieldPath) -> String {
    let minimum = RandomExpressions.library[path.field].minimum?.millionths
    let (low, high) =
      path.type == .bool ? (0, Values.one) : (minimum ?? -Values.limit, Values.limit)
    return "(field \(name(path.type)) \(low) \(high))"
  }

  static func text(_ aggregate: Aggregate, over: Period) -> String {
    var (low, high) = (Values.one, Values.one)
    if case .field(let path)? = aggregate.argument {
      let field = RandomExpressions.library[path.field]
      (low, high) = (field.minimum?.millionths ?? -Values.limit, Values.limit)
      if path.type == .bool { (low, high) = (0, Values.one) }
    }
    if aggregate.function == .contribution { (low, high) = (min(low, Values.one), max(high, Values.one)) }
    var function = "\(aggregate.function)"
    if case .percentile(let rank) = aggregate.function { function = "(percentile \(rank))" }
    if aggregate.argument != nil, [.first, .last].contains(aggregate.function) { function += "Of" }
    let period = aggregate.period ?? over
    func bound(_ days: Int?) -> String { days.map { "\($0)" } ?? "-" }
    let isSetting = RandomExpressions.library.records[aggregate.record].isSetting
    return "(agg \(function) \(isSetting) \(period == .allTime) \(bound(period.mostDays)) "
      + "\(bound(period.mostDaysBack)) \(low) \(high) \(name(aggregate.type)))"
  }

  static func name(_ type: ValueType) -> String { "\(type)" }
}
