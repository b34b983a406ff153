/// Spark SQL 4, with ANSI mode on, as it is by default: an overflow is an error.
struct Spark: Dialect {
  let name = "spark"
  let reservedWords = commonReservedWords
  let dayParameter = ":at"

  func quoted(_ identifier: String) -> String { doublingQuotes(identifier, "`") }

  /// Backslashes escape inside Spark's constants.
  func literal(_ text: String) -> String {
    var quoted = "'"
    for scalar in text.unicodeScalars {
      switch scalar {
      case "'": quoted += "\\'"
      case "\\": quoted += "\\\\"
      case "\0": quoted += "\\u0000"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "'"
  }

  func name(of type: SQLType) -> String {
    switch type {
    case .number: "BIGINT"
    case .text: "STRING"
    case .bool: "BOOLEAN"
    }
  }

  func name(of type: SQLStoredType) -> String {
    switch type {
    case .text: "STRING"
    case .int: "BIGINT"
    case .decimal: "DECIMAL(19, 6)"
    case .bool: "BOOLEAN"
    case .day: "DATE"
    case .instant: "TIMESTAMP"
    }
  }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "NULLIF(CAST(\(column) AS STRING), '')"
    case .int: "CAST(\(column) AS BIGINT)"
    case .decimal: "CAST(CAST(\(column) AS DECIMAL(19, 6)) * 1000000 AS BIGINT)"
    case .bool: "CAST(\(column) AS BOOLEAN)"
    case .day: "CAST(DATEDIFF(CAST(\(column) AS DATE), DATE '1970-01-01') AS BIGINT)"
    case .instant: "UNIX_MICROS(CAST(\(column) AS TIMESTAMP))"
    }
  }

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let first = arguments[0]
    let second = arguments.count > 1 ? arguments[1] : ""
    switch operation {
    case .quotient: return "(\(first) DIV \(second))"
    case .remainder: return "(\(first) % \(second))"
    case .multiply: return "(CAST(\(first) AS BIGINT) * \(second))"
    case .multiplyMillionths:
      let product = "\(wide(first, 19)) * \(wide(second, 19))"
      return "CAST(ROUND(CAST(\(product) AS DECIMAL(32, 0)) * 0.000001BD, 0) AS BIGINT)"
    case .divideMillionths:
      return rounded("\(wide(first, 19)) * 1000000", by: "NULLIF(CAST(\(second) AS BIGINT), 0)")
    case .floorMillionths: return "CAST(FLOOR(\(wide(first, 19)) * 0.000001BD) AS BIGINT)"
    case .least, .greatest:
      return "CASE WHEN \(first) IS NOT NULL AND \(second) IS NOT NULL THEN"
        + " \(operation == .least ? "LEAST" : "GREATEST")(\(first), \(second)) END"
    case .lower: return "LEAST(\(first), \(second))"
    case .higher: return "GREATEST(\(first), \(second))"
    case .dayNumber: return number("CAST(\(first) AS DATE)")
    case .dayText: return "CAST(\(date(first)) AS STRING)"
    case .startOfMonth: return number("TRUNC(\(date(first)), 'MM')")
    case .endOfMonth: return number("LAST_DAY(\(date(first)))")
    case .monthNumber: return "CAST(YEAR(\(date(first))) * 12 + MONTH(\(date(first))) AS BIGINT)"
    case .addMonths: return number("ADD_MONTHS(\(date(first)), CAST(\(second) AS INT))")
    case .numberText: return "CAST(\(first) AS STRING)"
    case .millionthsText:
      return millionthsText(first, quotient: "\(first) DIV 1000000", remainder: "\(first) % 1000000") {
        "TRIM(TRAILING '0' FROM \($0))"
      }
    case .checked(let limit):
      return checked(
        first, limit, fail: { "CAST(\($0) AS BIGINT)" }, named: { "TRANSFORM(ARRAY(\($0)), v -> \($1))[0]" })
    case .fail: return "CAST(CAST(\(first) AS BIGINT) AS STRING)"
    }
  }

  func call(_ aggregate: SQLAggregate, _ argument: String) -> String {
    switch aggregate {
    case .count: "COUNT(\(argument))"
    case .countDistinct: "COUNT(DISTINCT \(argument))"
    case .min: "MIN(\(argument))"
    case .max: "MAX(\(argument))"
    case .sum, .sumMillionths: "CAST(SUM(\(wide("(\(argument))", 28))) AS BIGINT)"
    case .averageMillionths:
      rounded("SUM(\(wide("(\(argument))", 28)))", by: "NULLIF(COUNT(\(argument)), 0)")
    case .countTrue: "COUNT(CASE WHEN \(argument) THEN 1 END)"
    }
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    let numbers = "SEQUENCE(CAST(0 AS BIGINT), CAST(\(bound) AS BIGINT))"
    return "SELECT EXPLODE(CASE WHEN \(bound) >= 0 THEN \(numbers) END) AS \(column)"
  }

  /// A quotient rounded half away from zero: Spark's decimal `/` would round twice.
  private func rounded(_ numerator: String, by denominator: String) -> String {
    let parts =
      "NAMED_STRUCT('n', CAST(\(numerator) AS DECIMAL(37, 0)), 'd', CAST(\(denominator) AS DECIMAL(19, 0)))"
    let away = "CASE WHEN ABS(s.n % s.d) * 2 >= ABS(s.d) THEN SIGN(s.n) * SIGN(s.d) ELSE 0 END"
    return "TRANSFORM(ARRAY(\(parts)), s -> s.n DIV s.d + CAST(\(away) AS BIGINT))[0]"
  }

  private func wide(_ value: String, _ digits: Int) -> String { "CAST(\(value) AS DECIMAL(\(digits), 0))" }

  private func date(_ number: String) -> String { "DATE_ADD(DATE '1970-01-01', CAST(\(number) AS INT))" }

  private func number(_ date: String) -> String {
    "CAST(DATEDIFF(\(date), DATE '1970-01-01') AS BIGINT)"
  }
}
