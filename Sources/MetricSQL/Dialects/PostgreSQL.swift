/// PostgreSQL 15. Texts are compared in the collation `C`, by bytes; `numeric` is exact.
struct PostgreSQL: EngineDialect {
  let name = "postgres"
  let reservedWords = commonReservedWords
  let dayParameter = "$1"
  let aggregatesPercentiles = true

  /// Compiling the expressions of so long a statement takes longer than running it.
  let sessionSettings = "SET jit = off;\n"
  /// The engine knows nothing of a new table's size by itself.
  func behindCreation(of table: String) -> String { "ANALYZE \(table);\n" }

  func literal(_ text: String) -> String { byBytes("CAST(\(doublingQuotes(text, "'")) AS text)") }

  let types = SQLTypeNames(
    text: "text", int: "bigint", bool: "boolean", decimal: "numeric(19, 6)", day: "date",
    instant: "timestamp with time zone")

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: byBytes("NULLIF(CAST(\(column) AS text), '')")
    case .int, .bool, .date: "CAST(\(column) AS \(name(of: type) as String))"
    case .decimal: "CAST(CAST(\(column) AS numeric) * 1000000 AS bigint)"
    case .day: number(ofDate: "CAST(\(column) AS date)")
    case .instant:
      "CAST(EXTRACT(EPOCH FROM CAST(\(column) AS timestamp with time zone)) * 1000000 AS bigint)"
    }
  }

  private func byBytes(_ text: String) -> String { "(\(text) COLLATE \"C\")" }

  // MARK: Numbers

  func productOfMillionths(_ left: String, _ right: String) -> String {
    "CAST(ROUND(CAST(\(left) AS numeric) * \(right) * 0.000001) AS bigint)"
  }

  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String {
    half("DIV(\(wide(dividend)) * 2000000, NULLIF(\(divisor), 0))")
  }

  func floorOfMillionths(_ value: String) -> String {
    "CAST(FLOOR(CAST(\(value) AS numeric) * 0.000001) AS bigint)"
  }

  func element(of list: [Int64], _ place: String) -> String {
    "(ARRAY\(list))[CAST(\(place) + 1 AS integer)]"
  }

  func averageOfMillionths(_ value: String) -> String {
    half("DIV(\(wide("SUM(\(value))")) * 2, NULLIF(COUNT(\(value)), 0))")
  }

  /// What lies between the limit and that of 64 bits is added and subtracted, on both sides of zero: beyond the
  /// limit that overflows, and the engine moves no constants.
  func checked(_ value: String, _ limit: Int64) -> String {
    let room = Int64.max - limit
    let (above, below) = (literal(room), literal(room + 1))
    return "(\(value) + \(above) - \(above) - \(below) + \(below))"
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "(SELECT \(body) FROM (SELECT \(value) AS \(name)) AS named_\(name))"
  }

  func wide(_ value: String) -> String { "CAST(\(value) AS numeric)" }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "DIV(\(dividend), \(divisor))" }

  /// Half of a whole number, rounded away from zero.
  private func half(_ double: String) -> String { "CAST(ROUND(\(double) * 0.5) AS bigint)" }

  func numberText(_ number: String) -> String { byBytes("CAST(\(number) AS text)") }

  // MARK: Days

  private func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS integer))" }

  private func number(ofDate date: String) -> String { "CAST(\(date) - DATE '1970-01-01' AS bigint)" }

  func dayNumber(ofText text: String) -> String { number(ofDate: "CAST(\(text) AS date)") }

  func dayText(_ number: String) -> String { byBytes("TO_CHAR(\(date(number)), 'YYYY-MM-DD')") }

  func startOfMonth(_ day: String) -> String { number(ofDate: "CAST(\(month(of: day)) AS date)") }

  func endOfMonth(_ day: String) -> String {
    number(ofDate: "CAST(\(month(of: day)) + INTERVAL '1 month' AS date) - 1")
  }

  private func month(of day: String) -> String { "DATE_TRUNC('month', CAST(\(date(day)) AS timestamp))" }

  func monthNumber(_ day: String) -> String {
    "CAST(EXTRACT(YEAR FROM \(date(day))) * 12 + EXTRACT(MONTH FROM \(date(day))) AS bigint)"
  }

  func addMonths(_ day: String, _ months: String) -> String {
    number(ofDate: "CAST(\(date(day)) + CAST(\(months) AS integer) * INTERVAL '1 month' AS date)")
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT s.\(column) FROM GENERATE_SERIES(CAST(0 AS bigint), CAST(\(bound) AS bigint)) AS s(\(column))"
  }
}
