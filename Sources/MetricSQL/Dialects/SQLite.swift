/// SQLite. Its 64 bits overflow into floating point, so that decimals are computed in pieces that fit.
struct SQLite: Dialect {
  let traits = DialectTraits(
    dayParameter: ":at",
    // Decimals are texts: a column of numbers would make floating point of them.
    types: SQLTypeNames(
      text: "TEXT", int: "INTEGER", bool: "TEXT", decimal: "TEXT", day: "TEXT", instant: "TEXT"),
    // The engine's parser holds a hundred symbols; the rest is for what surrounds an expression.
    deepestExpression: 60, ordersNulls: true, withKeyword: "WITH RECURSIVE")

  func literal(_ text: String) -> String { text.quoted("'", ["'": "''", "\0": "' || CHAR(0) || '"]) }

  func literal(_ number: Int64) -> String { number < 0 ? "(\(number))" : String(number) }

  func null(_ type: SQLStoredType) -> String { "CAST(NULL AS \(type == .text ? "TEXT" : "INTEGER"))" }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    let text = text(column)
    return switch type {
    case .text: text
    case .day: number(ofDate: text)
    case .date: column
    case .int: "CAST(\(text) AS INTEGER)"
    case .decimal: millionths(text)
    case .bool:
      "CASE LOWER(\(text)) WHEN 'true' THEN 1 WHEN '1' THEN 1"
        + " WHEN 'false' THEN 0 WHEN '0' THEN 0 END"
    case .instant: microseconds(text)
    }
  }

  func presence(of column: String, _ type: SQLStoredType) -> String { text(column) }

  private func text(_ column: String) -> String { "NULLIF(CAST(\(column) AS TEXT), '')" }

  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String? {
    switch operation {
    case .multiply: "(\(first) * \(second))"
    case .multiplyMillionths: product(first, second)
    case .divideMillionths: quotient(first, second)
    case .floorMillionths: "(\(first) / 1000000 - (\(first) % 1000000 < 0))"
    case .element(let list): element(of: list, first)
    // They are null where one of their arguments is.
    case .lower, .least: "MIN(\(first), \(second))"
    case .higher, .greatest: "MAX(\(first), \(second))"
    case .character: "CHAR(\(first))"
    case .piece(let place, let count): piece(place, of: count, first)
    case .fail: failing(first)
    case .dayNumber: number(ofDate: first)
    case .dayText: date(first)
    case .date: first
    case .startOfMonth: startOfMonth(first)
    // Without `addMonths`, which names the day so often that SQLite's parser runs over.
    case .startOfLaterMonth: startOfMonth(first, ["(\(second)) || ' months'"])
    case .endOfMonth: startOfMonth(first, ["'+1 month'", "'-1 day'"])
    case .monthNumber:
      "(STRFTIME('%Y', \(first) * 86400, 'unixepoch') * 12 + STRFTIME('%m', \(first) * 86400, 'unixepoch'))"
    case .addMonths: addMonths(first, second)
    // The rest is spelled as most engines do.
    default: nil
    }
  }

  /// There are no lists: the numbers are digits of one width in a text.
  private func element(of list: [Int64], _ place: String) -> String {
    let digits = list.map(String.init)
    let width = digits.map(\.count).max() ?? 1
    let text = digits.map { String(repeating: "0", count: width - $0.count) + $0 }.joined()
    return "CAST(SUBSTR('\(text)', \(place) * \(width) + 1, \(width)) AS INTEGER)"
  }

  /// An overflow is floating point, and so is all that is computed from it.
  func isInRange(_ value: String, _ limit: Int64) -> String {
    "TYPEOF(\(value)) = 'integer' AND \(value) BETWEEN -\(limit) AND \(limit)"
  }

  /// `json` of what is not JSON is an error, and nothing else is one.
  func failing(_ text: String) -> String { "JSON(\(text))" }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "(SELECT \(body) FROM (SELECT \(value) AS \(name)))"
  }

  /// There is no wider type, and a floating-point number would only be near the right one.
  func wide(_ value: String) -> String {
    SupportCheck.missing("the squares of `stddev`, which leave its 64 bits")
  }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "(\(dividend) / \(divisor))" }

  private func piece(_ place: Int, of count: Int, _ text: String) -> String {
    let end = "INSTR(t, CHAR(1))"
    if place > 0 { return naming(text, "t", in: piece(place - 1, of: count - 1, "SUBSTR(t, \(end) + 1)")) }
    return count == 1 ? text : naming(text, "t", in: "SUBSTR(t, 1, \(end) - 1)")
  }

  func sum(_ value: String) -> String { "SUM(\(value))" }

  /// Whole units and fractions apart: their sums fit where that of the millionths may not yet.
  func sumOfMillionths(_ value: String) -> String {
    "(SUM((\(value)) / 1000000) * 1000000 + SUM((\(value)) % 1000000))"
  }

  func date(_ number: String) -> String { "DATE(\(number) * 86400, 'unixepoch')" }

  func number(ofDate date: String) -> String { number(date, []) }

  private func startOfMonth(_ day: String, _ modifiers: [String] = []) -> String {
    number("\(day) * 86400", ["'unixepoch'", "'start of month'"] + modifiers)
  }

  private func number(_ time: String, _ modifiers: [String]) -> String {
    "(CAST(STRFTIME(\((["'%s'", time] + modifiers).joined(separator: ", "))) AS INTEGER) / 86400)"
  }

  /// SQLite's own months run over the end of a short one.
  private func addMonths(_ day: String, _ months: String) -> String {
    let first = "'unixepoch', 'start of month', (\(months)) || ' months'"
    let start = "STRFTIME('%s', \(day) * 86400, \(first)) / 86400"
    let length = "STRFTIME('%d', \(day) * 86400, \(first), '+1 month', '-1 day')"
    let dayOfMonth = "STRFTIME('%d', \(day) * 86400, 'unixepoch')"
    return "(\(start) + MIN(CAST(\(dayOfMonth) AS INTEGER), CAST(\(length) AS INTEGER)) - 1)"
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT 0 WHERE \(bound) >= 0 UNION ALL SELECT \(column) + 1 FROM \(name) WHERE \(column) < \(bound)"
  }

  func chainEnds(of links: String) -> String? {
    let most = IdentityLink.longestChain
    return """
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
