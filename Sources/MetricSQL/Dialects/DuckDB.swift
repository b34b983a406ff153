/// DuckDB. Its `/` of decimals and its `avg` are floating point, so whole numbers of 128 bits are used.
struct DuckDB: Dialect {
  let name = "duckdb"
  let reservedWords = commonReservedWords
  let dayParameter = "$at"
  /// Left to itself, the engine computes some shared relations anew for each reader.
  let sharedRelation = "MATERIALIZED "

  func quoted(_ identifier: String) -> String { doublingQuotes(identifier, "\"") }

  func literal(_ text: String) -> String {
    // A constant holds no NUL; it is put in between.
    text.split(separator: "\0", omittingEmptySubsequences: false).map { doublingQuotes(String($0), "'") }
      .joined(separator: " || chr(0) || ")
  }

  func name(of type: SQLType) -> String {
    switch type {
    case .number: "BIGINT"
    case .text: "VARCHAR"
    case .bool: "BOOLEAN"
    }
  }

  func name(of type: SQLStoredType) -> String {
    switch type {
    case .text: "VARCHAR"
    case .int: "BIGINT"
    case .decimal: "DECIMAL(19, 6)"
    case .bool: "BOOLEAN"
    case .day: "DATE"
    case .instant: "TIMESTAMP WITH TIME ZONE"
    }
  }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "NULLIF(CAST(\(column) AS VARCHAR), '')"
    case .int: "CAST(\(column) AS BIGINT)"
    case .decimal:
      // Decimals of up to 18 digits are numbers of 64 bits, ten times as fast as those of 19.
      "COALESCE(CAST(TRY_CAST(\(column) AS DECIMAL(18, 6)) * 1000000 AS BIGINT),"
        + " CAST(CAST(\(column) AS DECIMAL(19, 6)) * 1000000 AS BIGINT))"
    case .bool: "CAST(\(column) AS BOOLEAN)"
    case .day: "(CAST(\(column) AS DATE) - DATE '1970-01-01')"
    case .instant: "EPOCH_US(CAST(\(column) AS TIMESTAMP WITH TIME ZONE))"
    }
  }

  func call(_ operation: SQLOperation, _ arguments: [String]) -> String {
    let first = arguments[0]
    let second = arguments.count > 1 ? arguments[1] : ""
    switch operation {
    case .quotient: return "(\(first) // \(second))"
    case .remainder: return "(\(first) % \(second))"
    case .multiply: return "(CAST(\(first) AS BIGINT) * \(second))"
    case .multiplyMillionths:
      let product = "CAST(CAST(\(first) AS HUGEINT) * \(second) AS DECIMAL(32, 0))"
      return "CAST(ROUND(\(product) * 0.000001, 0) AS BIGINT)"
    case .divideMillionths:
      return half("(CAST(\(first) AS HUGEINT) * 2000000) // NULLIF(\(second), 0)")
    case .floorMillionths: return "CAST(FLOOR(CAST(\(first) AS DECIMAL(19, 0)) * 0.000001) AS BIGINT)"
    case .least, .greatest:
      return "CASE WHEN \(first) IS NOT NULL AND \(second) IS NOT NULL THEN"
        + " \(operation == .least ? "LEAST" : "GREATEST")(\(first), \(second)) END"
    case .lower: return "LEAST(\(first), \(second))"
    case .higher: return "GREATEST(\(first), \(second))"
    case .dayNumber: return "(CAST(\(first) AS DATE) - DATE '1970-01-01')"
    case .dayText: return "CAST(\(date(first)) AS VARCHAR)"
    case .startOfMonth: return number("DATE_TRUNC('month', \(date(first)))")
    case .endOfMonth: return number("LAST_DAY(\(date(first)))")
    case .monthNumber: return "DATE_DIFF('month', DATE '0001-01-01', \(date(first)))"
    case .addMonths: return number("\(date(first)) + TO_MONTHS(CAST(\(second) AS INTEGER))")
    case .numberText: return "CAST(\(first) AS VARCHAR)"
    case .millionthsText:
      return millionthsText(first, quotient: "\(first) // 1000000", remainder: "\(first) % 1000000") {
        "RTRIM(\($0), '0')"
      }
    case .checked(let limit):
      return checked(
        first, limit, fail: { "CAST(\($0) AS BIGINT)" },
        named: { "LIST_TRANSFORM([\($0)], lambda v: \($1))[1]" })
    case .fail: return "CAST(CAST(\(first) AS BIGINT) AS VARCHAR)"
    }
  }

  func call(_ aggregate: SQLAggregate, _ argument: String) -> String {
    switch aggregate {
    case .count: "COUNT(\(argument))"
    case .countDistinct: "COUNT(DISTINCT \(argument))"
    case .min: "MIN(\(argument))"
    case .max: "MAX(\(argument))"
    case .sum, .sumMillionths: "CAST(SUM(\(argument)) AS BIGINT)"
    case .averageMillionths:
      half("(CAST(SUM(\(argument)) AS HUGEINT) * 2) // NULLIF(COUNT(\(argument)), 0)")
    case .countTrue: "COUNT(CASE WHEN \(argument) THEN 1 END)"
    }
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT UNNEST(RANGE(0, \(bound) + 1)) AS \(column)"
  }

  /// Half of a whole number, rounded away from zero: what is left of a division of the double.
  private func half(_ double: String) -> String {
    "CAST(ROUND(CAST(\(double) AS DECIMAL(37, 0)) * 0.5, 0) AS BIGINT)"
  }

  private func date(_ number: String) -> String { "(DATE '1970-01-01' + CAST(\(number) AS INTEGER))" }

  private func number(_ date: String) -> String { "(CAST(\(date) AS DATE) - DATE '1970-01-01')" }
}
