/// ClickHouse 26. Its whole numbers overflow in silence, so that what may leave 64 bits is computed in 256 and
/// cast with a check; its counts have no sign, so that they are made numbers like all others.
struct ClickHouse: EngineDialect {
  let name = "clickhouse"
  let reservedWords = commonReservedWords.union([
    "final", "format", "global", "prewhere", "sample", "settings",
  ])
  let dayParameter = "{at:String}"

  func quoted(_ identifier: String) -> String { escaping(identifier, "\"") }
  func literal(_ text: String) -> String { escaping(text, "'") }

  private func escaping(_ text: String, _ quote: Unicode.Scalar) -> String {
    var quoted = String(quote)
    for scalar in text.unicodeScalars {
      switch scalar {
      case quote, "\\": quoted += "\\\(scalar)"
      case "\0": quoted += "\\0"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + String(quote)
  }

  // MARK: Statements

  /// Standard SQL where the engine has another way of its own, and CSV as it is written: a blank belongs to a text, and
  /// `\N` is one.
  let settings = """

    SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, union_default_mode = 'DISTINCT',
      cast_string_to_date_time_mode = 'best_effort', short_circuit_function_evaluation = 'force_enable',
      enable_materialized_cte = 1, input_format_csv_trim_whitespaces = 0, format_csv_null_representation = ''
    """
  let tableEnd = " ENGINE = MergeTree ORDER BY tuple()"
  let temporaryTable = "OR REPLACE TEMPORARY TABLE"

  /// A column of several joined relations has the relation's name before its own elsewhere.
  let namesEveryColumn = true

  /// Left to itself, the engine puts a shared relation into each of its readers.
  let marksShared = true

  func rows(_ rows: [String]) -> String {
    rows.map { "SELECT \($0)" }.joined(separator: "\n  UNION ALL ")
  }

  // MARK: Types

  let types = SQLTypeNames(
    text: "String", int: "Int64", bool: "Bool", decimal: "Decimal(19, 6)", day: "Date32",
    instant: "DateTime64(6, 'UTC')")

  func name(of type: SQLStoredType) -> String { "Nullable(\(types[type]))" }

  func declaration(of type: SQLStoredType, isRequired: Bool) -> String {
    isRequired ? types[type] : name(of: type)
  }

  func reading(_ column: String, as type: SQLStoredType) -> String {
    switch type {
    case .text: "NULLIF(CAST(\(column) AS Nullable(String)), '')"
    case .int, .bool: "accurateCast(\(column), '\(name(of: type) as String)')"
    case .decimal:
      "CAST(CAST(\(column) AS Nullable(Decimal(38, 6))) * 1000000 AS Nullable(Int64))"
    case .date: "CAST(\(column) AS Nullable(Date32))"
    case .day: "toInt64(CAST(\(column) AS Nullable(Date32)))"
    case .instant: "toUnixTimestamp64Micro(CAST(\(column) AS Nullable(DateTime64(6, 'UTC'))))"
    }
  }

  func presence(of column: String, _ type: SQLStoredType) -> String {
    type == .text ? reading(column, as: .text) : column
  }

  /// Columns are found by name; those that a file does not have are null.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? {
    let columns = fields.map { field in
      let type: SQLStoredType = field.type == .decimal ? .decimal : .text
      return "\(quoted(field.name)) \(name(of: type) as String)"
    }
    let format =
      switch file.format {
      case .csv: "CSVWithNames"
      case .ndjson, .json: "JSONEachRow"
      case .parquet: "Parquet"
      }
    return
      "SELECT * FROM file(\(literal(file.pattern)), '\(format)', \(literal(columns.joined(separator: ", "))))"
  }

  // MARK: Numbers

  func character(_ code: String) -> String { "char(\(code))" }

  func piece(_ place: Int, of count: Int, _ text: String) -> String {
    "splitByChar(char(1), assumeNotNull(\(text)))[\(place + 1)]"
  }

  func signed(_ count: String) -> String { "toInt64(\(count))" }
  func neighbour(_ value: String) -> String { "toNullable(\(value))" }

  func quotient(_ dividend: String, _ divisor: String) -> String { "intDiv(\(dividend), \(divisor))" }
  func sum(_ left: String, _ right: String) -> String { "(\(wide(left)) + \(right))" }
  func difference(_ left: String, _ right: String) -> String { "(\(wide(left)) - \(right))" }
  func product(_ left: String, _ right: String) -> String { "(\(wide(left)) * \(right))" }

  func productOfMillionths(_ left: String, _ right: String) -> String {
    half("intDiv(\(wide(left)) * \(right), 500000)")
  }

  func quotientInMillionths(_ dividend: String, _ divisor: String) -> String {
    half("intDiv(\(wide(dividend)) * 2000000, NULLIF(\(divisor), 0))")
  }

  func floorOfMillionths(_ value: String) -> String {
    naming(value, "v", in: "intDiv(v, 1000000) - (v % 1000000 < 0)")
  }

  func averageOfMillionths(_ value: String) -> String {
    half("intDiv(SUM(\(wide("(\(value))"))) * 2, NULLIF(COUNT(\(value)), 0))")
  }

  func sum(_ value: String) -> String { narrow("SUM(\(wide("(\(value))")))") }

  /// What lies between the limit and that of 64 bits is added and subtracted, as on PostgreSQL.
  func checked(_ value: String, _ limit: Int64) -> String {
    let room = Int64.max - limit
    let above = narrow("\(wide(value)) + \(room)")
    let below = narrow("\(wide(above)) - \(room) - \(room + 1)")
    return "(\(below) + \(room + 1))"
  }

  func failure(_ text: String) -> String { "toString(toInt64(assumeNotNull(\(text))))" }

  func wide(_ value: String) -> String { "toInt256(\(value))" }

  func narrow(_ value: String) -> String { "accurateCast(\(value), 'Nullable(Int64)')" }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "intDiv(\(dividend), \(divisor))" }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "arrayMap(\(name) -> \(body), [\(value)])[1]"
  }

  /// Half of a whole number, rounded away from zero: what is left of a division of the double.
  private func half(_ double: String) -> String {
    naming(double, "v", in: "intDiv(v + if(v < 0, -1, 1), 2)")
  }

  // MARK: Days

  private func date(_ number: String) -> String { "addDays(toDate32('1970-01-01'), \(number))" }
  private func dayOfMonth(_ day: String) -> String { "toDayOfMonth(\(date(day)))" }

  func dayNumber(ofText text: String) -> String { "toInt64(toDate32(\(text)))" }
  func cast(_ text: String, _ type: SQLStoredType) -> String {
    "accurateCast(\(text), '\(name(of: type) as String)')"
  }
  let resultTableEnd = " ENGINE = MergeTree ORDER BY tuple()"
  func date(ofText text: String) -> String { "toDate32(\(text))" }
  func dayText(_ number: String) -> String { "toString(\(date(number)))" }
  func startOfMonth(_ day: String) -> String { "(\(day) - \(dayOfMonth(day)) + 1)" }

  func endOfMonth(_ day: String) -> String {
    "(toInt64(addMonths(\(date(startOfMonth(day))), 1)) - 1)"
  }

  func monthNumber(_ day: String) -> String {
    "toInt64(toYear(\(date(day))) * 12 + toMonth(\(date(day))))"
  }

  func addMonths(_ day: String, _ months: String) -> String {
    "toInt64(addMonths(\(date(day)), \(months)))"
  }

  func series(through bound: String, relation name: String, column: String) -> String {
    "SELECT toInt64(arrayJoin(range(toUInt64(GREATEST(COALESCE(\(bound), -1) + 1, 0))))) AS \(column)"
  }

  /// A scalar query is computed ahead of the statement, and then does not wait for the materialized relations that it
  /// reads (`DelayedPortsProcessor gate is missing`).
  func series(throughRowOf query: String, column: String) -> String? {
    series(through: "b.n", relation: "", column: column) + " FROM (\(query)) AS b"
  }
}
