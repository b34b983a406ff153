/// Operations and aggregates as most engines spell them.
extension Dialect {
  func call(_ operation: SQLOperation, _ arguments: String...) -> String { call(operation, arguments) }

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let (first, second) = (arguments[0], arguments.count > 1 ? arguments[1] : "")
    if let own = own(operation, first, second) { return own }
    return switch operation {
    case .quotient: "(\(first) / \(second))"
    case .remainder: "(\(first) % \(second))"
    case .add: "(\(first) + \(second))"
    case .subtract: "(\(first) - \(second))"
    case .multiply: "(CAST(\(first) AS \(name(of: .int))) * \(second))"
    case .element(let list): "\(list)[CAST(\(first) + 1 AS \(name(of: .int)))]"
    // The engines' own functions skip nulls.
    case .least, .greatest:
      "CASE WHEN \(first) IS NOT NULL AND \(second) IS NOT NULL"
        + " THEN \(call(operation == .least ? .lower : .higher, first, second)) END"
    case .lower: "LEAST(\(first), \(second))"
    case .higher: "GREATEST(\(first), \(second))"
    case .dayNumber: number(ofDate: "CAST(\(first) AS \(types.day))")
    case .dayText: "CAST(\(date(first)) AS \(types.text))"
    case .date: first.hasPrefix("'") ? "DATE \(first)" : "CAST(\(first) AS DATE)"
    case .cast(let type): cast(first, type)
    case .startOfLaterMonth: call(.startOfMonth, call(.addMonths, first, second))
    case .replace: "REPLACE(\(first), \(second), \(arguments[2]))"
    case .character: "CHR(\(first))"
    case .piece(let place, _): "SPLIT_PART(\(first), CHR(1), \(place + 1))"
    case .numberText: byBytes("CAST(\(first) AS \(name(of: .text)))")
    case .millionthsText: millionthsText(first)
    case .checked(let limit): checked(first, limit)
    case .fail: "CAST(\(failing(first)) AS \(name(of: .text)))"
    case .multiplyMillionths, .divideMillionths, .floorMillionths, .startOfMonth, .endOfMonth, .monthNumber,
      .addMonths:
      impossible("every engine spells it in its own way")
    }
  }

  /// Decimal notation without zeros at the end.
  private func millionthsText(_ value: String) -> String {
    let (units, fraction) = (call(.quotient, value, "1000000"), "(\(value) % 1000000)")
    let digits = withoutZeros("SUBSTR(\(call(.numberText, "(1000000 + ABS(\(fraction)))")), 2)")
    return "(CASE WHEN \(value) < 0 THEN '-' ELSE '' END || \(call(.numberText, "ABS(\(units))"))"
      + " || CASE WHEN \(fraction) = 0 THEN '' ELSE '.' || \(digits) END)"
  }

  func withoutZeros(_ text: String) -> String { "RTRIM(\(text), '0')" }

  func failing(_ text: String) -> String { "CAST(\(text) AS \(name(of: .int)))" }

  /// A number, or what fails with the text `out of range: …` where its magnitude is beyond a limit.
  ///
  /// A long value gets a name, so that nested values are written once.
  private func checked(_ value: String, _ limit: Int64) -> String {
    func body(_ value: String) -> String {
      "CASE WHEN \(isInRange(value, limit)) THEN \(value)"
        + " WHEN \(value) IS NOT NULL THEN \(failing("'out of range: ' || \(value)")) END"
    }
    return value.utf8.count <= 60 ? "(\(body(value)))" : naming(value, "v", in: body("v"))
  }

  func isInRange(_ value: String, _ limit: Int64) -> String { "\(value) BETWEEN -\(limit) AND \(limit)" }

  func call(_ aggregate: SQLAggregate, _ argument: String) -> String {
    switch aggregate {
    case .count: signed("COUNT(\(argument))")
    case .countDistinct: signed("COUNT(DISTINCT \(argument))")
    case .countTrue: signed("COUNT(CASE WHEN \(argument) THEN 1 END)")
    case .min: "MIN(\(argument))"
    case .max: "MAX(\(argument))"
    case .sum: sum(argument)
    case .sumMillionths: sumOfMillionths(argument)
    case .averageMillionths: averageOfMillionths(argument)
    case .deviationMillionths: deviationOfMillionths(argument)
    // A little less than the share, whose product with the count is not rounded up past its rank.
    case .percentile(let percent):
      "PERCENTILE_DISC(0.\(percent <= 10 ? "0" : "")\(percent - 1)99999999999) WITHIN GROUP (ORDER BY \(argument))"
    }
  }

  func sum(_ value: String) -> String { narrow("SUM(\(value))") }

  func sumOfMillionths(_ value: String) -> String { sum(value) }

  /// A number of more than 64 bits in 64, or an error.
  func narrow(_ value: String) -> String { cast(value, .int) }

  func namingAggregates(_ values: [(name: String, value: String)], in body: String) -> String {
    values.reversed().reduce(body) { naming($1.value, $1.name, in: $0) }
  }

  /// AGG-09, as the evaluator computes it: `m` is the quotient of sum and count and `t` what is left, `f` four times the
  /// variance, `e` its root or one off.
  private func deviationOfMillionths(_ value: String) -> String {
    let around = "4 * (q - m * (s + t)) - \(wideQuotient("(4 * t * t + n - 1)", "n"))"
    let aggregates = [
      ("n", wide("NULLIF(COUNT(\(value)), 0)")), ("s", wide("SUM(\(wide("(\(value))")))")),
      ("q", "SUM(\(wide("(\(value))")) * (\(value)))"),
    ]
    let names = [
      ("m", wideQuotient("s", "n")), ("t", "s - n * m"), ("f", wideQuotient("(\(around))", "n")),
      ("d", wide("FLOOR(SQRT(f))")),
      ("e", wideQuotient("(d + COALESCE(\(wideQuotient("f", "NULLIF(d, 0)")), 0))", "2")),
      ("r", "e - CASE WHEN e * e > f THEN 1 ELSE 0 END + CASE WHEN (e + 1) * (e + 1) <= f THEN 1 ELSE 0 END"),
    ]
    // Beyond its limit the sum of squares fails here; an engine may compute what no branch asks for.
    let limit = wide("'1\(String(repeating: "0", count: traits.wideDigits - 18))'")
    let isInRange = call(.checked(1_000_000_000_000_000_000), narrow(wideQuotient("q", limit)))
    let body = "\(narrow(wideQuotient("(r + 1)", "2"))) + 0 * \(isInRange)"
    return namingAggregates(aggregates, in: names.reversed().reduce(body) { naming($1.1, $1.0, in: $0) })
  }
}
