/// Spark SQL 4, with ANSI mode on, as it is by default: an overflow is an error.
struct Spark: Dialect {
  let traits = DialectTraits(
    dayParameter: "'${at}'",
    types: SQLTypeNames(
      text: "STRING", int: "BIGINT", bool: "BOOLEAN", decimal: "DECIMAL(19, 6)", day: "DATE",
      instant: "TIMESTAMP"),
    // A quotient keeps six digits for fractions.
    wideDigits: 31, scansTwice: true, resultTableEnd: " USING parquet PARTITIONED BY (`at`)",
    // Spark has no temporary tables. A view takes the place of one of an earlier question.
    temporaryTable: "OR REPLACE TEMPORARY VIEW",
    dbtReplacement: "incremental_strategy='insert_overwrite', partition_by=['r'], file_format='parquet'")

  func quoted(_ identifier: String) -> String { identifier.quoted("`", ["`": "``"]) }

  /// Backslashes escape inside Spark's constants.
  func literal(_ text: String) -> String { text.quoted("'", ["'": "\\'", "\\": "\\\\", "\0": "\\u0000"]) }

  /// Tables of the current database: only they end the plan of what reads them.
  func creation(of table: String) -> String {
    "DROP TABLE IF EXISTS \(table);\n\nCREATE TABLE \(table) USING parquet AS"
  }
  func removal(of table: String) -> String { "DROP TABLE \(table);\n" }

  func millionths(_ column: String) -> String { "CAST(\(cast(column, .decimal)) * 1000000 AS BIGINT)" }

  func microseconds(_ instant: String) -> String { "UNIX_MICROS(\(instant))" }

  func date(_ number: String) -> String { "DATE_ADD(DATE '1970-01-01', CAST(\(number) AS INT))" }

  func number(ofDate date: String) -> String { "CAST(DATEDIFF(\(date), DATE '1970-01-01') AS BIGINT)" }

  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String? {
    switch operation {
    case .quotient: "(\(first) DIV \(second))"
    case .multiplyMillionths:
      "CAST(ROUND(CAST(\(wide(first, 19)) * \(wide(second, 19)) AS DECIMAL(32, 0)) * 0.000001BD, 0) AS BIGINT)"
    case .divideMillionths:
      rounded("\(wide(first, 19)) * 1000000", by: "NULLIF(CAST(\(second) AS BIGINT), 0)")
    case .floorMillionths: "CAST(FLOOR(\(wide(first, 19)) * 0.000001BD) AS BIGINT)"
    case .element(let list):
      "GET(ARRAY(\(list.map(String.init).joined(separator: ", "))), CAST(\(first) AS INT))"
    case .startOfMonth: number(ofDate: "TRUNC(\(date(first)), 'MM')")
    case .endOfMonth: number(ofDate: "LAST_DAY(\(date(first)))")
    case .monthNumber: "CAST(YEAR(\(date(first))) * 12 + MONTH(\(date(first))) AS BIGINT)"
    case .addMonths: number(ofDate: "ADD_MONTHS(\(date(first)), CAST(\(second) AS INT))")
    // The rest is spelled as most engines do.
    default: nil
    }
  }

  func sum(_ value: String) -> String { "CAST(SUM(\(wide("(\(value))", 28))) AS BIGINT)" }

  func averageOfMillionths(_ value: String) -> String {
    rounded("SUM(\(wide("(\(value))", 28)))", by: "NULLIF(COUNT(\(value)), 0)")
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "TRANSFORM(ARRAY(\(value)), \(name) -> \(body))[0]"
  }

  func wide(_ value: String) -> String { wide(value, 38) }

  /// `DIV` would give 64 bits; what is left is taken off first, so that the quotient of decimals is whole.
  func wideQuotient(_ dividend: String, _ divisor: String) -> String {
    wide("(\(dividend) - \(dividend) % \(divisor)) / \(divisor)")
  }

  /// A quotient rounded half away from zero: Spark's decimal `/` would round twice.
  private func rounded(_ numerator: String, by denominator: String) -> String {
    let parts =
      "NAMED_STRUCT('n', CAST(\(numerator) AS DECIMAL(37, 0)), 'd', CAST(\(denominator) AS DECIMAL(19, 0)))"
    let away = "CASE WHEN ABS(s.n % s.d) * 2 >= ABS(s.d) THEN SIGN(s.n) * SIGN(s.d) ELSE 0 END"
    return "TRANSFORM(ARRAY(\(parts)), s -> s.n DIV s.d + CAST(\(away) AS BIGINT))[0]"
  }

  private func wide(_ value: String, _ digits: Int) -> String { "CAST(\(value) AS DECIMAL(\(digits), 0))" }

  func withoutZeros(_ text: String) -> String { "TRIM(TRAILING '0' FROM \(text))" }

  func series(through bound: String, relation name: String, column: String) -> String {
    let numbers = "SEQUENCE(CAST(0 AS BIGINT), CAST(\(bound) AS BIGINT))"
    return "SELECT EXPLODE(CASE WHEN \(bound) >= 0 THEN \(numbers) END) AS \(column)"
  }
}
