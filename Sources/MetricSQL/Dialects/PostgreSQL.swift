/// PostgreSQL 15. Texts are compared in the collation `C`, by bytes; `numeric` is exact.
struct PostgreSQL: Dialect {
  let name = "postgres"
  let reservedWords = commonReservedWords
  let dayParameter = "$1"

  func quoted(_ identifier: String) -> String { doublingQuotes(identifier, "\"") }

  func literal(_ text: String) -> String {
    "(CAST(\(doublingQuotes(text, "'")) AS text) COLLATE \"C\")"
  }

  func name(of type: SQLType) -> String {
    switch type {
    case .number: "bigint"
    case .text: "text"
    case .bool: "boolean"
    }
  }

  func name(of type: SQLStoredType) -> String {
    switch type {
    case .text: "text"
    case .int: "bigint"
    case .decimal: "numeric(19, 6)"
    case .bool: "boolean"
    case .day: "date"
    case .instant: "timestamp with time zone"
    }
  }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "(NULLIF(CAST(\(column) AS text), '') COLLATE \"C\")"
    case .int: "CAST(\(column) AS bigint)"
    case .decimal: "CAST(CAST(\(column) AS numeric) * 1000000 AS bigint)"
    case .bool: "CAST(\(column) AS boolean)"
    case .day: "CAST(CAST(\(column) AS date) - DATE '1970-01-01' AS bigint)"
    case .instant:
      "CAST(EXTRACT(EPOCH FROM CAST(\(column) AS timestamp with time zone)) * 1000000 AS bigint)"
    }
  }

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let first = arguments[0]
    let second = arguments.count > 1 ? arguments[1] : ""
    switch operation {
    case .quotient: return "(\(first) / \(second))"
    case .remainder: return "(\(first) % \(second))"
    case .multiply: return "(CAST(\(first) AS bigint) * \(second))"
    case .multiplyMillionths:
      return "CAST(ROUND(CAST(\(first) AS numeric) * \(second) * 0.000001) AS bigint)"
    case .divideMillionths: return half("DIV(CAST(\(first) AS numeric) * 2000000, NULLIF(\(second), 0))")
    case .floorMillionths: return "CAST(FLOOR(CAST(\(first) AS numeric) * 0.000001) AS bigint)"
    case .least, .greatest:
      return "CASE WHEN \(first) IS NOT NULL AND \(second) IS NOT NULL THEN"
        + " \(operation == .least ? "LEAST" : "GREATEST")(\(first), \(second)) END"
    case .lower: return "LEAST(\(first), \(second))"
    case .higher: return "GREATEST(\(first), \(second))"
    case .dayNumber: return number("CAST(\(first) AS date)")
    case .dayText: return "(TO_CHAR(\(date(first)), 'YYYY-MM-DD') COLLATE \"C\")"
    case .startOfMonth: return number("CAST(DATE_TRUNC('month', CAST(\(date(first)) AS timestamp)) AS date)")
    case .endOfMonth:
      return number(
        "CAST(DATE_TRUNC('month', CAST(\(date(first)) AS timestamp)) + INTERVAL '1 month' AS date) - 1")
    case .monthNumber:
      return "CAST(EXTRACT(YEAR FROM \(date(first))) * 12 + EXTRACT(MONTH FROM \(date(first))) AS bigint)"
    case .addMonths:
      return number("CAST(\(date(first)) + CAST(\(second) AS integer) * INTERVAL '1 month' AS date)")
    case .numberText: return "(CAST(\(first) AS text) COLLATE \"C\")"
    case .millionthsText:
      let text = millionthsText(first, quotient: "\(first) / 1000000", remainder: "\(first) % 1000000") {
        "RTRIM(\($0), '0')"
      }
      return "(\(text) COLLATE \"C\")"
    case .checked(let limit):
      // What lies between the limit and that of 64 bits is added and subtracted, on both sides of zero: beyond
      // the limit that overflows, and the engine moves no constants.
      let room = Int64.max - limit
      let (above, below) = (literal(room), literal(room + 1))
      return "(\(first) + \(above) - \(above) - \(below) + \(below))"
    case .fail: return "CAST(CAST(\(first) AS bigint) AS text)"
    }
  }

  func call(_ aggregate: SQLAggregate, _ argument: String) -> String {
    switch aggregate {
    case .count: "COUNT(\(argument))"
    case .countDistinct: "COUNT(DISTINCT \(argument))"
    case .min: "MIN(\(argument))"
    case .max: "MAX(\(argument))"
    case .sum, .sumMillionths: "CAST(SUM(\(argument)) AS bigint)"
    case .averageMillionths:
      half("DIV(CAST(SUM(\(argument)) AS numeric) * 2, NULLIF(COUNT(\(argument)), 0))")
    case .countTrue: "COUNT(CASE WHEN \(argument) THEN 1 END)"
    }
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT s.\(column) FROM GENERATE_SERIES(CAST(0 AS bigint), CAST(\(bound) AS bigint)) AS s(\(column))"
  }

  /// Half of a whole number, rounded away from zero.
  private func half(_ double: String) -> String { "CAST(ROUND(\(double) * 0.5) AS bigint)" }

  private func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS integer))" }

  private func number(_ date: String) -> String { "CAST(\(date) - DATE '1970-01-01' AS bigint)" }
}
