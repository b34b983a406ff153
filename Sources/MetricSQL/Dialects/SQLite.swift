/// SQLite. Its integers have 64 bits and turn into floating point where they overflow, so products and
/// quotients of decimals are computed in pieces that fit.
struct SQLite: EngineDialect {
  let name = "sqlite"
  let reservedWords = commonReservedWords
  let dayParameter = ":at"
  let withKeyword = "WITH RECURSIVE"
  /// The engine's parser holds a hundred symbols; the rest is for what surrounds an expression.
  let deepestExpression: Int? = 60

  func literal(_ text: String) -> String {
    text.split(separator: "\0", omittingEmptySubsequences: false).map { doublingQuotes(String($0), "'") }
      .joined(separator: " || CHAR(0) || ")
  }

  func literal(_ number: Int64) -> String { number < 0 ? "(\(number))" : String(number) }

  /// Missing values come first without saying so.
  func nullOrder(isDescending: Bool) -> String { "" }

  // MARK: Types

  func name(of type: SQLType) -> String { type == .text ? "TEXT" : "INTEGER" }

  /// Decimals are texts: a column of numbers would make floating point of them.
  let types = SQLTypeNames(
    text: "TEXT", int: "INTEGER", bool: "TEXT", decimal: "TEXT", day: "TEXT", instant: "TEXT")

  func reading(_ column: String, as type: SQLStoredType) -> String {
    let text = text(column)
    switch type {
    case .text: return text
    case .day: return number(text, [])
    case .date: return column
    case .int: return "CAST(\(text) AS INTEGER)"
    case .decimal: return SQLiteReading.decimal(text)
    case .bool:
      return "CASE LOWER(\(text)) WHEN 'true' THEN 1 WHEN '1' THEN 1"
        + " WHEN 'false' THEN 0 WHEN '0' THEN 0 END"
    case .instant: return SQLiteReading.instant(text)
    }
  }

  func presence(of column: String, _ type: SQLStoredType) -> String { text(column) }

  private func text(_ column: String) -> String { "NULLIF(CAST(\(column) AS TEXT), '')" }

  // MARK: Numbers

  func product(_ left: String, _ right: String) -> String { "(\(left) * \(right))" }

  func productOfMillionths(_ left: String, _ right: String) -> String {
    SQLiteArithmetic.product(left, right)
  }

  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String {
    SQLiteArithmetic.quotient(dividend, divisor)
  }

  func floorOfMillionths(_ value: String) -> String { "(\(value) / 1000000 - (\(value) % 1000000 < 0))" }

  /// There are no lists: the numbers are digits of one width in a text.
  func element(of list: [Int64], _ place: String) -> String {
    let digits = list.map(String.init)
    let width = digits.map(\.count).max() ?? 1
    let text = digits.map { String(repeating: "0", count: width - $0.count) + $0 }.joined()
    return "CAST(SUBSTR('\(text)', \(place) * \(width) + 1, \(width)) AS INTEGER)"
  }

  func lower(_ left: String, _ right: String) -> String { "MIN(\(left), \(right))" }

  func higher(_ left: String, _ right: String) -> String { "MAX(\(left), \(right))" }

  /// The engine's own functions are null where one of their arguments is.
  func ofBoth(_ left: String, _ right: String, _ choice: String) -> String { choice }

  /// An overflow is floating point, and so is all that is computed from it. `json` of what is not JSON is an error, and
  /// nothing else is one.
  func checked(_ value: String, _ limit: Int64) -> String {
    func body(_ value: String) -> String {
      "CASE WHEN TYPEOF(\(value)) = 'integer' AND \(value) BETWEEN -\(limit) AND \(limit) THEN \(value)"
        + " WHEN \(value) IS NOT NULL THEN JSON('out of range: ' || \(value)) END"
    }
    return value.utf8.count <= 60 ? "(\(body(value)))" : naming(value, "v", in: body("v"))
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "(SELECT \(body) FROM (SELECT \(value) AS \(name)))"
  }

  /// There is no wider type, and a floating-point number would only be near the right one.
  func wide(_ value: String) -> String {
    SupportCheck.missing("the squares of `stddev`, which leave its 64 bits")
  }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { quotient(dividend, divisor) }

  func failure(_ text: String) -> String { "JSON(\(text))" }

  func character(_ code: String) -> String { "CHAR(\(code))" }

  func piece(_ place: Int, of count: Int, _ text: String) -> String {
    let end = "INSTR(t, CHAR(1))"
    if place > 0 { return naming(text, "t", in: piece(place - 1, of: count - 1, "SUBSTR(t, \(end) + 1)")) }
    return count == 1 ? text : naming(text, "t", in: "SUBSTR(t, 1, \(end) - 1)")
  }

  func sum(_ value: String) -> String { "SUM(\(value))" }

  /// Whole units and fractions apart: their sums fit where that of the millionths may not yet.
  func sumOfMillionths(_ value: String) -> String {
    "(SUM((\(value)) / 1000000) * 1000000 + SUM((\(value)) % 1000000))"
  }

  func averageOfMillionths(_ value: String) -> String { SQLiteArithmetic.average(value) }

  // MARK: Days

  func dayNumber(ofText text: String) -> String { number(text, []) }

  func dayText(_ number: String) -> String { "DATE(\(number) * 86400, 'unixepoch')" }

  func date(ofText text: String) -> String { text }

  func startOfMonth(_ day: String) -> String {
    number("\(day) * 86400", ["'unixepoch'", "'start of month'"])
  }

  /// Without `addMonths`, which names the day so often that SQLite's parser runs over.
  func startOfMonth(_ day: String, monthsLater months: String) -> String {
    number("\(day) * 86400", ["'unixepoch'", "'start of month'", "(\(months)) || ' months'"])
  }

  func endOfMonth(_ day: String) -> String {
    number("\(day) * 86400", ["'unixepoch'", "'start of month'", "'+1 month'", "'-1 day'"])
  }

  func monthNumber(_ day: String) -> String {
    "(STRFTIME('%Y', \(day) * 86400, 'unixepoch') * 12 + STRFTIME('%m', \(day) * 86400, 'unixepoch'))"
  }

  /// SQLite's own months run over the end of a short one.
  func addMonths(_ day: String, _ months: String) -> String {
    let first = "'unixepoch', 'start of month', (\(months)) || ' months'"
    let start = "STRFTIME('%s', \(day) * 86400, \(first)) / 86400"
    let length = "STRFTIME('%d', \(day) * 86400, \(first), '+1 month', '-1 day')"
    let dayOfMonth = "STRFTIME('%d', \(day) * 86400, 'unixepoch')"
    return "(\(start) + MIN(CAST(\(dayOfMonth) AS INTEGER), CAST(\(length) AS INTEGER)) - 1)"
  }

  private func number(_ time: String, _ modifiers: [String]) -> String {
    let arguments = (["'%s'", time] + modifiers).joined(separator: ", ")
    return "(CAST(STRFTIME(\(arguments)) AS INTEGER) / 86400)"
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT 0 WHERE \(bound) >= 0 UNION ALL SELECT \(column) + 1 FROM \(name) WHERE \(column) < \(bound)"
  }

  func chainEnds(of links: String, most: Int) -> String? {
    """
    WITH RECURSIVE walk(alias, person, step) AS (
        SELECT alias, person, 1 FROM \(links)
        UNION
        SELECT w.alias, l.person, w.step + 1 FROM walk AS w JOIN \(links) AS l ON (l.alias = w.person)
        WHERE w.step < \(most)
      )
      SELECT DISTINCT w.alias, w.person
      FROM walk AS w
      LEFT JOIN \(links) AS l ON (l.alias = w.person)
      WHERE (l.person IS NULL) OR (w.step = \(most))
    """
  }
}
