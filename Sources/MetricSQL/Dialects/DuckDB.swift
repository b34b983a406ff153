/// DuckDB. Its `/` of decimals and its `avg` are floating point, so whole numbers of 128 bits are used.
struct DuckDB: Dialect {
  let traits = DialectTraits(
    dayParameter: "$at",
    types: SQLTypeNames(
      text: "VARCHAR", int: "BIGINT", bool: "BOOLEAN", decimal: "DECIMAL(19, 6)", day: "DATE",
      instant: "TIMESTAMP WITH TIME ZONE"),
    aggregatesPercentiles: true,
    // Left to itself, the engine computes some shared relations again for each reader.
    marksShared: true, streamsShared: true)

  /// A constant holds no NUL; it is put in between.
  func literal(_ text: String) -> String { text.quoted("'", ["'": "''", "\0": "' || chr(0) || '"]) }

  /// Below a million the product has at most 18 digits, which are 64 bits: ten times as fast as 128.
  func millionths(_ column: String) -> String {
    "COALESCE(CAST(TRY_CAST(\(column) AS DECIMAL(12, 6)) * 1000000 AS BIGINT),"
      + " CAST(CAST(\(column) AS DECIMAL(19, 6)) * 1000000 AS BIGINT))"
  }

  func microseconds(_ instant: String) -> String { "EPOCH_US(\(instant))" }

  func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS INTEGER))" }

  func number(ofDate date: String) -> String { "(\(date) - DATE '1970-01-01')" }

  /// Columns are found by name; those that a file does not have are null.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? {
    let path = literal(file.pattern)
    let none = fields.map { "NULL AS \(quoted($0.name))" }.joined(separator: ", ")
    let columns = fields.map { "\(literal($0.name)): 'VARCHAR'" }.joined(separator: ", ")
    let read = fields.map { $0.type == .decimal ? exactNumber($0.name) : quoted($0.name) }
      .joined(separator: ", ")
    let format = file.format == .json ? "array" : "newline_delimited"
    let rows =
      switch file.format {
      case .csv:
        "SELECT * FROM read_csv(\(path), all_varchar = true, header = true, delim = ',', quote = '\"', "
          + "escape = '\"', nullstr = '', union_by_name = true)"
      case .ndjson, .json:
        "SELECT \(read) FROM read_json(\(path), format = '\(format)', columns = {\(columns)})"
      case .parquet: "SELECT * FROM read_parquet(\(path), union_by_name = true, hive_partitioning = true)"
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

  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String? {
    switch operation {
    case .quotient: wideQuotient(first, second)
    case .multiplyMillionths:
      "CAST(ROUND(CAST(\(wide(first)) * \(second) AS DECIMAL(32, 0)) * 0.000001, 0) AS BIGINT)"
    case .divideMillionths: half("(\(wide(first)) * 2000000) // NULLIF(\(second), 0)")
    case .floorMillionths: "CAST(FLOOR(CAST(\(first) AS DECIMAL(19, 0)) * 0.000001) AS BIGINT)"
    case .startOfMonth: number(ofDate: "CAST(DATE_TRUNC('month', \(date(first))) AS DATE)")
    case .endOfMonth: number(ofDate: "CAST(LAST_DAY(\(date(first))) AS DATE)")
    case .monthNumber: "DATE_DIFF('month', DATE '1899-12-01', \(date(first)))"
    case .addMonths:
      number(ofDate: "CAST(\(date(first)) + TO_MONTHS(CAST(\(second) AS INTEGER)) AS DATE)")
    // The rest is spelled as most engines do.
    default: nil
    }
  }

  func averageOfMillionths(_ value: String) -> String {
    half("(\(wide("SUM(\(value))")) * 2) // NULLIF(COUNT(\(value)), 0)")
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

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT UNNEST(RANGE(0, \(bound) + 1)) AS \(column)"
  }
}
