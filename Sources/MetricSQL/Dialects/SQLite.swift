/// SQLite. Its integers have 64 bits and turn into floating point where they overflow, so products and
/// quotients of decimals are computed in pieces that fit.
struct SQLite: Dialect {
  let name = "sqlite"
  let reservedWords = commonReservedWords
  let dayParameter = ":at"
  let withKeyword = "WITH RECURSIVE"

  func quoted(_ identifier: String) -> String { doublingQuotes(identifier, "\"") }

  func literal(_ text: String) -> String {
    text.split(separator: "\0", omittingEmptySubsequences: false).map { doublingQuotes(String($0), "'") }
      .joined(separator: " || CHAR(0) || ")
  }

  func literal(_ number: Int64) -> String { number < 0 ? "(\(number))" : String(number) }

  /// Missing values come first without saying so.
  func nullOrder(isDescending: Bool) -> String { "" }

  func name(of type: SQLType) -> String {
    switch type {
    case .number: "INTEGER"
    case .text: "TEXT"
    case .bool: "INTEGER"
    }
  }

  /// Decimals are texts: a column of numbers would make floating point of them.
  func name(of type: SQLStoredType) -> String {
    switch type {
    case .int: "INTEGER"
    case .text, .decimal, .bool, .day, .instant: "TEXT"
    }
  }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: return text(column)
    case .day: return number(text(column), [])
    case .int: return "CAST(\(text(column)) AS INTEGER)"
    case .decimal: return SQLiteReading.decimal(text(column))
    case .bool:
      return "CASE LOWER(\(text(column))) WHEN 'true' THEN 1 WHEN '1' THEN 1"
        + " WHEN 'false' THEN 0 WHEN '0' THEN 0 END"
    case .instant: return SQLiteReading.instant(text(column))
    }
  }

  func presence(of column: String, _ type: SQLStoredType) -> String { text(column) }

  private func text(_ column: String) -> String { "NULLIF(CAST(\(column) AS TEXT), '')" }

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let first = arguments[0]
    let second = arguments.count > 1 ? arguments[1] : ""
    switch operation {
    case .quotient: return "(\(first) / \(second))"
    case .remainder: return "(\(first) % \(second))"
    case .multiply: return "(\(first) * \(second))"
    case .multiplyMillionths: return SQLiteArithmetic.product(first, second)
    case .divideMillionths: return SQLiteArithmetic.quotient(first, second)
    case .floorMillionths: return "(\(first) / 1000000 - (\(first) % 1000000 < 0))"
    case .least, .lower: return "MIN(\(first), \(second))"
    case .greatest, .higher: return "MAX(\(first), \(second))"
    case .dayNumber: return number(first, [])
    case .dayText: return "DATE(\(first) * 86400, 'unixepoch')"
    case .startOfMonth: return number("\(first) * 86400", ["'unixepoch'", "'start of month'"])
    case .endOfMonth:
      return number("\(first) * 86400", ["'unixepoch'", "'start of month'", "'+1 month'", "'-1 day'"])
    case .monthNumber:
      return "(STRFTIME('%Y', \(first) * 86400, 'unixepoch') * 12"
        + " + STRFTIME('%m', \(first) * 86400, 'unixepoch'))"
    case .addMonths: return addMonths(first, second)
    case .numberText: return "CAST(\(first) AS TEXT)"
    case .millionthsText:
      return millionthsText(first, quotient: "\(first) / 1000000", remainder: "\(first) % 1000000") {
        "RTRIM(\($0), '0')"
      }
    case .checked(let limit):
      return checked(first, limit)
    case .fail: return "JSON(\(first))"
    }
  }

  /// An overflow is floating point, and so is all that is computed from it. `json` of what is no JSON is an
  /// error, and nothing else is one. The parser is not deep: what is nested deeply is left to the check of what
  /// it is part of.
  private func checked(_ value: String, _ limit: Int64) -> String {
    func body(_ value: String) -> String {
      "CASE WHEN TYPEOF(\(value)) = 'integer' AND \(value) BETWEEN -\(limit) AND \(limit) THEN \(value)"
        + " WHEN \(value) IS NOT NULL THEN JSON('out of range: ' || \(value)) END"
    }
    if value.utf8.count <= 60 { return "(\(body(value)))" }
    return SupportCheck.depth(of: value) > 8 ? value : "(SELECT \(body("v")) FROM (SELECT \(value) AS v))"
  }

  func call(_ aggregate: SQLAggregate, _ argument: String) -> String {
    switch aggregate {
    case .count: "COUNT(\(argument))"
    case .countDistinct: "COUNT(DISTINCT \(argument))"
    case .min: "MIN(\(argument))"
    case .max: "MAX(\(argument))"
    case .sum: "SUM(\(argument))"
    // Whole units and fractions apart: their sums fit where that of the millionths may not yet.
    case .sumMillionths: "(SUM((\(argument)) / 1000000) * 1000000 + SUM((\(argument)) % 1000000))"
    case .averageMillionths: SQLiteArithmetic.average(argument)
    case .countTrue: "COUNT(CASE WHEN \(argument) THEN 1 END)"
    }
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT 0 WHERE \(bound) >= 0 UNION ALL SELECT \(column) + 1 FROM \(name) WHERE \(column) < \(bound)"
  }

  private func number(_ time: String, _ modifiers: [String]) -> String {
    let arguments = (["'%s'", time] + modifiers).joined(separator: ", ")
    return "(CAST(STRFTIME(\(arguments)) AS INTEGER) / 86400)"
  }

  /// SQLite's own months run over the end of a short one.
  private func addMonths(_ day: String, _ months: String) -> String {
    let first = "'unixepoch', 'start of month', (\(months)) || ' months'"
    let start = "STRFTIME('%s', \(day) * 86400, \(first)) / 86400"
    let length = "STRFTIME('%d', \(day) * 86400, \(first), '+1 month', '-1 day')"
    let dayOfMonth = "STRFTIME('%d', \(day) * 86400, 'unixepoch')"
    return "(\(start) + MIN(CAST(\(dayOfMonth) AS INTEGER), CAST(\(length) AS INTEGER)) - 1)"
  }
}
