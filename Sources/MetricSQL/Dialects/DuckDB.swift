/// DuckDB. Its `/` of decimals and its `avg` are floating point, so whole numbers of 128 bits are used.
struct DuckDB: EngineDialect {
  let name = "duckdb"
  let reservedWords = commonReservedWords
  let dayParameter = "$at"

  /// Left to itself, the engine computes some shared relations again for each reader.
  let marksShared = true
  let streamsShared = true
  let aggregatesPercentiles = true

  func literal(_ text: String) -> String {
    // A constant holds no NUL; it is put in between.
    text.split(separator: "\0", omittingEmptySubsequences: false).map { doublingQuotes(String($0), "'") }
      .joined(separator: " || chr(0) || ")
  }

  let types = SQLTypeNames(
    text: "VARCHAR", int: "BIGINT", bool: "BOOLEAN", decimal: "DECIMAL(19, 6)", day: "DATE",
    instant: "TIMESTAMP WITH TIME ZONE")

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "NULLIF(CAST(\(column) AS VARCHAR), '')"
    case .int, .bool, .date: "CAST(\(column) AS \(name(of: type) as String))"
    case .decimal:
      // Below a million the product has at most 18 digits, which are 64 bits: ten times as fast as 128.
      "COALESCE(CAST(TRY_CAST(\(column) AS DECIMAL(12, 6)) * 1000000 AS BIGINT),"
        + " CAST(CAST(\(column) AS DECIMAL(19, 6)) * 1000000 AS BIGINT))"
    case .day: "(CAST(\(column) AS DATE) - DATE '1970-01-01')"
    case .instant: "EPOCH_US(CAST(\(column) AS TIMESTAMP WITH TIME ZONE))"
    }
  }

  // MARK: Files

  /// Columns are found by name; those that a file does not have are null.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? {
    let path = literal(file.pattern)
    let none = fields.map { "NULL AS \(quoted($0.name))" }.joined(separator: ", ")
    let columns = fields.map { "\(literal($0.name)): 'VARCHAR'" }.joined(separator: ", ")
    let rows: String
    switch file.format {
    case .csv:
      rows =
        "SELECT * FROM read_csv(\(path), all_varchar = true, header = true, delim = ',', quote = '\"', "
        + "escape = '\"', nullstr = '', union_by_name = true)"
    case .ndjson, .json:
      let format = file.format == .json ? "array" : "newline_delimited"
      let read = fields.map { $0.type == .decimal ? exactNumber($0.name) : quoted($0.name) }
      rows =
        "SELECT \(read.joined(separator: ", ")) FROM read_json(\(path), format = '\(format)', columns = {\(columns)})"
    case .parquet:
      rows = "SELECT * FROM read_parquet(\(path), union_by_name = true, hive_partitioning = true)"
    }
    return "SELECT \(none) WHERE FALSE\nUNION ALL BY NAME\n\(rows)"
  }

  /// Fractions in JSON are read as floating point, which holds six digits after the point up to 2⁵³ millionths.
  private func exactNumber(_ name: String) -> String {
    let column = quoted(name)
    let isInexact = "\(column) LIKE '%.%' AND ABS(CAST(\(column) AS DOUBLE)) > 9007199254"
    let message = literal(
      "\(name): DuckDB does not read so long a number from JSON exactly; use CSV or Parquet")
    return "CASE WHEN \(isInexact) THEN error(\(message)) ELSE \(column) END AS \(column)"
  }

  // MARK: Numbers

  func quotient(_ dividend: String, _ divisor: String) -> String { "(\(dividend) // \(divisor))" }

  func productOfMillionths(_ left: String, _ right: String) -> String {
    let product = "CAST(CAST(\(left) AS HUGEINT) * \(right) AS DECIMAL(32, 0))"
    return "CAST(ROUND(\(product) * 0.000001, 0) AS BIGINT)"
  }

  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String {
    half("(\(wide(dividend)) * 2000000) // NULLIF(\(divisor), 0)")
  }

  func floorOfMillionths(_ value: String) -> String {
    "CAST(FLOOR(CAST(\(value) AS DECIMAL(19, 0)) * 0.000001) AS BIGINT)"
  }

  func averageOfMillionths(_ value: String) -> String {
    half("(\(wide("SUM(\(value))")) * 2) // NULLIF(COUNT(\(value)), 0)")
  }

  func checked(_ value: String, _ limit: Int64) -> String {
    checkedByCast(value, limit)
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "LIST_TRANSFORM([\(value)], lambda \(name): \(body))[1]"
  }

  /// In one structure: the engine fails if an aggregate with a lambda of its own stands in the body of another.
  func namingAggregates(_ values: [(name: String, value: String)], in body: String) -> String {
    let fields = values.map { "'\($0.name)': \($0.value)" }.joined(separator: ", ")
    let named = values.reversed().reduce(body) { naming("g.\($1.name)", $1.name, in: $0) }
    return naming("{\(fields)}", "g", in: named)
  }

  func wide(_ value: String) -> String { "CAST(\(value) AS HUGEINT)" }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "(\(dividend) // \(divisor))" }

  /// Half of a whole number, rounded away from zero: what is left of a division of the double.
  private func half(_ double: String) -> String {
    "CAST(ROUND(CAST(\(double) AS DECIMAL(37, 0)) * 0.5, 0) AS BIGINT)"
  }

  // MARK: Days

  private func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS INTEGER))" }

  private func number(ofDate date: String) -> String { "(CAST(\(date) AS DATE) - DATE '1970-01-01')" }

  func dayNumber(ofText text: String) -> String { number(ofDate: text) }

  func dayText(_ number: String) -> String { "CAST(\(date(number)) AS VARCHAR)" }

  func startOfMonth(_ day: String) -> String { number(ofDate: "DATE_TRUNC('month', \(date(day)))") }

  func endOfMonth(_ day: String) -> String { number(ofDate: "LAST_DAY(\(date(day)))") }

  func monthNumber(_ day: String) -> String { "DATE_DIFF('month', DATE '1899-12-01', \(date(day)))" }

  func addMonths(_ day: String, _ months: String) -> String {
    number(ofDate: "\(date(day)) + TO_MONTHS(CAST(\(months) AS INTEGER))")
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT UNNEST(RANGE(0, \(bound) + 1)) AS \(column)"
  }
}
