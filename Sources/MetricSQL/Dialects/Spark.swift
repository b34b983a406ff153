/// Spark SQL 4, with ANSI mode on, as it is by default: an overflow is an error.
struct Spark: EngineDialect {
  let name = "spark"
  let reservedWords = commonReservedWords
  let dayParameter = "'${at}'"
  let dbtReplacement = "incremental_strategy='insert_overwrite', partition_by=['r'], file_format='parquet'"

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

  // MARK: Shared relations

  /// Tables of the current database: only they end the plan of what reads them.
  func creation(of table: String) -> String {
    "DROP TABLE IF EXISTS \(table);\n\nCREATE TABLE \(table) USING parquet AS"
  }
  let scansTwice = true
  let resultTableEnd = " USING parquet PARTITIONED BY (`at`)"
  func removal(of table: String) -> String { "DROP TABLE \(table);\n" }

  /// Spark has no temporary tables. A view takes the place of one of an earlier question.
  let temporaryTable = "OR REPLACE TEMPORARY VIEW"

  // MARK: Types

  let types = SQLTypeNames(
    text: "STRING", int: "BIGINT", bool: "BOOLEAN", decimal: "DECIMAL(19, 6)", day: "DATE",
    instant: "TIMESTAMP")

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "NULLIF(CAST(\(column) AS STRING), '')"
    case .int, .bool, .date: "CAST(\(column) AS \(name(of: type) as String))"
    case .decimal: "CAST(CAST(\(column) AS DECIMAL(19, 6)) * 1000000 AS BIGINT)"
    case .day: number(ofDate: "CAST(\(column) AS DATE)")
    case .instant: "UNIX_MICROS(CAST(\(column) AS TIMESTAMP))"
    }
  }

  // MARK: Numbers

  func quotient(_ dividend: String, _ divisor: String) -> String { "(\(dividend) DIV \(divisor))" }

  func productOfMillionths(_ left: String, _ right: String) -> String {
    let product = "\(wide(left, 19)) * \(wide(right, 19))"
    return "CAST(ROUND(CAST(\(product) AS DECIMAL(32, 0)) * 0.000001BD, 0) AS BIGINT)"
  }

  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String {
    rounded("\(wide(dividend, 19)) * 1000000", by: "NULLIF(CAST(\(divisor) AS BIGINT), 0)")
  }

  func floorOfMillionths(_ value: String) -> String {
    "CAST(FLOOR(\(wide(value, 19)) * 0.000001BD) AS BIGINT)"
  }

  func element(of list: [Int64], _ place: String) -> String {
    "GET(ARRAY(\(list.map(String.init).joined(separator: ", "))), CAST(\(place) AS INT))"
  }

  func sum(_ value: String) -> String { "CAST(SUM(\(wide("(\(value))", 28))) AS BIGINT)" }

  func averageOfMillionths(_ value: String) -> String {
    rounded("SUM(\(wide("(\(value))", 28)))", by: "NULLIF(COUNT(\(value)), 0)")
  }

  func checked(_ value: String, _ limit: Int64) -> String {
    checkedByCast(value, limit)
  }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "TRANSFORM(ARRAY(\(value)), \(name) -> \(body))[0]"
  }

  func wide(_ value: String) -> String { wide(value, 38) }

  /// A quotient keeps six digits for fractions.
  var wideDigits: Int { 31 }

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

  // MARK: Days

  private func date(_ number: String) -> String { "DATE_ADD(DATE '1970-01-01', CAST(\(number) AS INT))" }

  private func number(ofDate date: String) -> String {
    "CAST(DATEDIFF(\(date), DATE '1970-01-01') AS BIGINT)"
  }

  func dayNumber(ofText text: String) -> String { number(ofDate: "CAST(\(text) AS DATE)") }

  func dayText(_ number: String) -> String { "CAST(\(date(number)) AS STRING)" }

  func startOfMonth(_ day: String) -> String { number(ofDate: "TRUNC(\(date(day)), 'MM')") }

  func endOfMonth(_ day: String) -> String { number(ofDate: "LAST_DAY(\(date(day)))") }

  func monthNumber(_ day: String) -> String {
    "CAST(YEAR(\(date(day))) * 12 + MONTH(\(date(day))) AS BIGINT)"
  }

  func addMonths(_ day: String, _ months: String) -> String {
    number(ofDate: "ADD_MONTHS(\(date(day)), CAST(\(months) AS INT))")
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    let numbers = "SEQUENCE(CAST(0 AS BIGINT), CAST(\(bound) AS BIGINT))"
    return "SELECT EXPLODE(CASE WHEN \(bound) >= 0 THEN \(numbers) END) AS \(column)"
  }
}
