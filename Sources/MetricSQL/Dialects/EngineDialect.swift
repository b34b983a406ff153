/// The dialect of an engine. What most engines spell alike is here; a dialect's own file has what is
/// different there. Arguments are SQL that may stand as an operand.
protocol EngineDialect: Dialect {
  var types: SQLTypeNames { get }
  /// Whole division towards zero.
  func quotient(_ dividend: String, _ divisor: String) -> String
  /// A sum and a difference of numbers, in which what 64 bits do not hold is kept or an error.
  func sum(_ left: String, _ right: String) -> String
  func difference(_ left: String, _ right: String) -> String
  /// Int times Int, an error where 64 bits do not hold it.
  func product(_ left: String, _ right: String) -> String
  /// Decimal times Decimal in millionths, rounded half away from zero.
  func productOfMillionths(_ left: String, _ right: String) -> String
  /// A quotient in millionths, rounded half away from zero; null by zero.
  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String
  func floorOfMillionths(_ value: String) -> String
  /// The number at a place of a list, counted from 0; null at no place.
  func element(of list: [Int64], _ place: String) -> String
  /// The engine's least and greatest of two numbers of which none is null.
  func lower(_ left: String, _ right: String) -> String
  func higher(_ left: String, _ right: String) -> String
  /// `choice` of two values; null where one of them is.
  func ofBoth(_ left: String, _ right: String, _ choice: String) -> String

  func dayNumber(ofText text: String) -> String
  func dayText(_ number: String) -> String
  func date(ofText text: String) -> String
  func cast(_ text: String, _ type: SQLStoredType) -> String
  func startOfMonth(_ day: String) -> String
  func endOfMonth(_ day: String) -> String
  func monthNumber(_ day: String) -> String
  func addMonths(_ day: String, _ months: String) -> String
  func startOfMonth(_ day: String, monthsLater months: String) -> String

  func numberText(_ number: String) -> String
  func character(_ code: String) -> String
  /// Of a text the piece at a place of as many between the characters of code 1.
  func piece(_ place: Int, of count: Int, _ text: String) -> String
  func millionthsText(_ value: String) -> String
  /// A text without the zeros at its end.
  func withoutZeros(_ text: String) -> String
  /// A number, or an error of the engine where its magnitude is greater than a limit.
  func checked(_ value: String, _ limit: Int64) -> String
  /// An error of the engine that shows a text.
  func failure(_ text: String) -> String

  /// A value that has a name in what follows.
  func naming(_ value: String, _ name: String, in body: String) -> String
  /// Aggregates that have names in what follows.
  func namingAggregates(_ values: [(name: String, value: String)], in body: String) -> String
  /// A number as an integer of more than 64 bits, and the quotient of two such numbers, towards zero.
  func wide(_ value: String) -> String
  func wideQuotient(_ dividend: String, _ divisor: String) -> String
  /// Such a number in 64 bits, or an error.
  func narrow(_ value: String) -> String
  /// Of how many digits these numbers may be.
  var wideDigits: Int { get }

  func sum(_ value: String) -> String
  /// The exact sum of millionths.
  func sumOfMillionths(_ value: String) -> String
  /// The average of millionths in millionths, rounded half away from zero.
  func averageOfMillionths(_ value: String) -> String
}

/// What an engine calls its types.
struct SQLTypeNames {
  var text, int, bool, decimal, day, instant: String

  subscript(_ type: SQLStoredType) -> String {
    switch type {
    case .text: text
    case .int: int
    case .decimal: decimal
    case .bool: bool
    case .day, .date: day
    case .instant: instant
    }
  }
}

extension EngineDialect {
  var wideDigits: Int { 37 }

  func name(of type: SQLStoredType) -> String { types[type] }

  func name(of type: SQLType) -> String {
    switch type {
    case .number: name(of: SQLStoredType.int)
    case .text: name(of: SQLStoredType.text)
    case .bool: name(of: SQLStoredType.bool)
    }
  }

  func series(throughRowOf query: String, column: String) -> String? { nil }

  func namingAggregates(_ values: [(name: String, value: String)], in body: String) -> String {
    values.reversed().reduce(body) { naming($1.value, $1.name, in: $0) }
  }

  func narrow(_ value: String) -> String { "CAST(\(value) AS \(name(of: SQLType.number)))" }

  func quoted(_ identifier: String) -> String { doublingQuotes(identifier, "\"") }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    let cast = "CAST(\(column) AS \(name(of: type) as String))"
    return type == .text ? "NULLIF(\(cast), '')" : cast
  }

  func presence(of column: String, _ type: SQLStoredType) -> String {
    type == .text ? reading(column, as: .text) : "CAST(\(column) AS \(name(of: type) as String))"
  }

  // MARK: Operations

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let first = arguments[0]
    let second = arguments.count > 1 ? arguments[1] : ""
    return switch operation {
    case .quotient: quotient(first, second)
    case .remainder: "(\(first) % \(second))"
    case .add: sum(first, second)
    case .subtract: difference(first, second)
    case .multiply: product(first, second)
    case .multiplyMillionths: productOfMillionths(first, second)
    case .divideMillionths: quotientInMillionths(first, second)
    case .floorMillionths: floorOfMillionths(first)
    case .element(let list): element(of: list, first)
    case .least: ofBoth(first, second, lower(first, second))
    case .greatest: ofBoth(first, second, higher(first, second))
    case .lower: lower(first, second)
    case .higher: higher(first, second)
    case .dayNumber: dayNumber(ofText: first)
    case .dayText: dayText(first)
    case .date: date(ofText: first)
    case .cast(let type): cast(first, type)
    case .startOfMonth: startOfMonth(first)
    case .endOfMonth: endOfMonth(first)
    case .monthNumber: monthNumber(first)
    case .addMonths: addMonths(first, second)
    case .startOfLaterMonth: startOfMonth(first, monthsLater: second)
    case .numberText: numberText(first)
    case .replace: "REPLACE(\(first), \(second), \(arguments[2]))"
    case .character: character(first)
    case .piece(let place, let count): piece(place, of: count, first)
    case .millionthsText: millionthsText(first)
    case .checked(let limit): checked(first, limit)
    case .fail: failure(first)
    }
  }

  func startOfMonth(_ day: String, monthsLater months: String) -> String {
    startOfMonth(addMonths(day, months))
  }

  func quotient(_ dividend: String, _ divisor: String) -> String { "(\(dividend) / \(divisor))" }

  func cast(_ text: String, _ type: SQLStoredType) -> String {
    "CAST(\(text) AS \(name(of: type) as String))"
  }

  func date(ofText text: String) -> String {
    text.hasPrefix("'") ? "DATE \(text)" : "CAST(\(text) AS DATE)"
  }

  func sum(_ left: String, _ right: String) -> String { "(\(left) + \(right))" }

  func difference(_ left: String, _ right: String) -> String { "(\(left) - \(right))" }

  func product(_ left: String, _ right: String) -> String {
    "(CAST(\(left) AS \(name(of: SQLType.number))) * \(right))"
  }

  func element(of list: [Int64], _ place: String) -> String {
    "\(list)[CAST(\(place) + 1 AS \(name(of: SQLType.number)))]"
  }

  func lower(_ left: String, _ right: String) -> String { "LEAST(\(left), \(right))" }

  func higher(_ left: String, _ right: String) -> String { "GREATEST(\(left), \(right))" }

  /// The engines' own functions skip nulls.
  func ofBoth(_ left: String, _ right: String, _ choice: String) -> String {
    "CASE WHEN \(left) IS NOT NULL AND \(right) IS NOT NULL THEN \(choice) END"
  }

  func character(_ code: String) -> String { "CHR(\(code))" }

  func piece(_ place: Int, of count: Int, _ text: String) -> String {
    "SPLIT_PART(\(text), CHR(1), \(place + 1))"
  }

  func numberText(_ number: String) -> String { "CAST(\(number) AS \(name(of: SQLType.text)))" }

  /// Decimal notation without zeros at the end.
  func millionthsText(_ value: String) -> String {
    let (units, fraction) = (quotient(value, "1000000"), "(\(value) % 1000000)")
    let digits = withoutZeros("SUBSTR(\(numberText("(1000000 + ABS(\(fraction)))")), 2)")
    return "(CASE WHEN \(value) < 0 THEN '-' ELSE '' END || \(numberText("ABS(\(units))"))"
      + " || CASE WHEN \(fraction) = 0 THEN '' ELSE '.' || \(digits) END)"
  }

  func withoutZeros(_ text: String) -> String { "RTRIM(\(text), '0')" }

  func failure(_ text: String) -> String {
    "CAST(CAST(\(text) AS \(name(of: SQLType.number))) AS \(name(of: SQLType.text)))"
  }

  /// A number, or what fails with the text `out of range: …` where its magnitude is beyond a limit.
  ///
  /// A long value gets a name, so that nested values are written once.
  func checkedByCast(_ value: String, _ limit: Int64) -> String {
    func body(_ value: String) -> String {
      "CASE WHEN \(value) BETWEEN -\(limit) AND \(limit) THEN \(value)"
        + " WHEN \(value) IS NOT NULL THEN CAST('out of range: ' || \(value) AS \(name(of: SQLType.number))) END"
    }
    return value.utf8.count <= 60 ? "(\(body(value)))" : naming(value, "v", in: body("v"))
  }

  // MARK: Aggregates

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

  func sum(_ value: String) -> String { "CAST(SUM(\(value)) AS \(name(of: SQLType.number)))" }

  func sumOfMillionths(_ value: String) -> String { sum(value) }

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
    let limit = "1\(String(repeating: "0", count: wideDigits - 18))"
    let isInRange = checked(narrow(wideQuotient("q", wide("'\(limit)'"))), 1_000_000_000_000_000_000)
    let body = "\(narrow(wideQuotient("(r + 1)", "2"))) + 0 * \(isInRange)"
    return namingAggregates(aggregates, in: names.reversed().reduce(body) { naming($1.1, $1.0, in: $0) })
  }
}
