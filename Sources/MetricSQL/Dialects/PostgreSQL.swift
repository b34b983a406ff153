/// PostgreSQL 15. Texts are compared in the collation `C`, by bytes; `numeric` is exact.
struct PostgreSQL: Dialect {
  let traits = DialectTraits(
    dayParameter: "$1",
    types: SQLTypeNames(
      text: "text", int: "bigint", bool: "boolean", decimal: "numeric(19, 6)", day: "date",
      instant: "timestamp with time zone"),
    aggregatesPercentiles: true,
    // Compiling the expressions of so long a statement takes longer than running it.
    sessionSettings: "SET jit = off;\n")

  /// The engine knows nothing of a new table's size by itself.
  func behindCreation(of table: String) -> String { "ANALYZE \(table);\n" }

  func literal(_ text: String) -> String { byBytes("CAST(\(text.quoted("'", ["'": "''"])) AS text)") }

  func millionths(_ column: String) -> String { "CAST(\(wide(column)) * 1000000 AS bigint)" }

  func microseconds(_ instant: String) -> String {
    "CAST(EXTRACT(EPOCH FROM \(instant)) * 1000000 AS bigint)"
  }

  func byBytes(_ text: String) -> String { "(\(text) COLLATE \"C\")" }

  func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS integer))" }

  func number(ofDate date: String) -> String { "CAST(\(date) - DATE '1970-01-01' AS bigint)" }

  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String? {
    switch operation {
    case .multiplyMillionths: "CAST(ROUND(\(wide(first)) * \(second) * 0.000001) AS bigint)"
    case .divideMillionths: half(wideQuotient("\(wide(first)) * 2000000", "NULLIF(\(second), 0)"))
    case .floorMillionths: "CAST(FLOOR(\(wide(first)) * 0.000001) AS bigint)"
    case .element(let list): "(ARRAY\(list))[CAST(\(first) + 1 AS integer)]"
    case .checked(let limit): checked(first, limit)
    case .dayText: byBytes("TO_CHAR(\(date(first)), 'YYYY-MM-DD')")
    case .startOfMonth: number(ofDate: "CAST(\(month(of: first)) AS date)")
    case .endOfMonth: number(ofDate: "CAST(\(month(of: first)) + INTERVAL '1 month' AS date) - 1")
    case .monthNumber:
      "CAST(EXTRACT(YEAR FROM \(date(first))) * 12 + EXTRACT(MONTH FROM \(date(first))) AS bigint)"
    case .addMonths:
      number(ofDate: "CAST(\(date(first)) + CAST(\(second) AS integer) * INTERVAL '1 month' AS date)")
    // The rest is spelled as most engines do.
    default: nil
    }
  }

  /// What lies between the limit and that of 64 bits is added and subtracted, on both sides of zero: beyond the
  /// limit that overflows, and the engine moves no constants.
  private func checked(_ value: String, _ limit: Int64) -> String {
    let room = Int64.max - limit
    let (above, below) = (literal(room), literal(room + 1))
    return "(\(value) + \(above) - \(above) - \(below) + \(below))"
  }

  func averageOfMillionths(_ value: String) -> String {
    half(wideQuotient("\(wide("SUM(\(value))")) * 2", "NULLIF(COUNT(\(value)), 0)"))
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "(SELECT \(body) FROM (SELECT \(value) AS \(name)) AS named_\(name))"
  }

  func wide(_ value: String) -> String { "CAST(\(value) AS numeric)" }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "DIV(\(dividend), \(divisor))" }

  /// Half of a whole number, rounded away from zero.
  private func half(_ double: String) -> String { "CAST(ROUND(\(double) * 0.5) AS bigint)" }

  private func month(of day: String) -> String { "DATE_TRUNC('month', CAST(\(date(day)) AS timestamp))" }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT s.\(column) FROM GENERATE_SERIES(CAST(0 AS bigint), CAST(\(bound) AS bigint)) AS s(\(column))"
  }
}
