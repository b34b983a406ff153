/// ClickHouse 26. Its whole numbers overflow in silence, so that what may leave 64 bits is computed in 256 and
/// cast with a check; its counts have no sign, so that they are made numbers like all others.
struct ClickHouse: Dialect {
  let traits = DialectTraits(
    dayParameter: "{at:String}",
    types: SQLTypeNames(
      text: "String", int: "Int64", bool: "Bool", decimal: "Decimal(19, 6)", day: "Date32",
      instant: "DateTime64(6, 'UTC')"),
    reservedWords: commonReservedWords.union([
      "final", "format", "global", "prewhere", "sample", "settings",
    ]),
    // A column of several joined relations has the relation's name before its own elsewhere.
    namesEveryColumn: true,
    // Left to itself, the engine puts a shared relation into each of its readers.
    marksShared: true,
    // Standard SQL where the engine has another way of its own, and CSV as it is written: a blank belongs to a text, and
    // `\N` is one.
    settings: """

      SETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1, union_default_mode = 'DISTINCT',
        cast_string_to_date_time_mode = 'best_effort', short_circuit_function_evaluation = 'force_enable',
        enable_materialized_cte = 1, input_format_csv_trim_whitespaces = 0, format_csv_null_representation = ''
      """,
    tableEnd: " ENGINE = MergeTree ORDER BY tuple()",
    resultTableEnd: " ENGINE = MergeTree ORDER BY tuple()",
    temporaryTable: "OR REPLACE TEMPORARY TABLE")

  func quoted(_ identifier: String) -> String { escaping(identifier, "\"") }
  func literal(_ text: String) -> String { escaping(text, "'") }

  private func escaping(_ text: String, _ quote: Unicode.Scalar) -> String {
    text.quoted("\(quote)", [quote: "\\\(quote)", "\\": "\\\\", "\0": "\\0"])
  }

  func rows(_ rows: [String]) -> String {
    rows.map { "SELECT \($0)" }.joined(separator: "\n  UNION ALL ")
  }

  func name(of type: SQLStoredType) -> String { "Nullable(\(types[type]))" }

  func declaration(of type: SQLStoredType, isRequired: Bool) -> String {
    isRequired ? types[type] : name(of: type)
  }

  func millionths(_ column: String) -> String {
    "CAST(CAST(\(column) AS Nullable(Decimal(38, 6))) * 1000000 AS Nullable(Int64))"
  }

  func microseconds(_ instant: String) -> String { "toUnixTimestamp64Micro(\(instant))" }

  func presence(of column: String, _ type: SQLStoredType) -> String {
    type == .text ? reading(column, as: .text) : column
  }

  func cast(_ value: String, _ type: SQLStoredType) -> String {
    "accurateCast(\(value), '\(name(of: type))')"
  }

  func date(_ number: String) -> String { "addDays(toDate32('1970-01-01'), \(number))" }

  func number(ofDate date: String) -> String { "toInt64(\(date))" }

  /// Columns are found by name; those that a file does not have are null.
  func query(of file: SQLFile, _ fields: [SQLField]) -> String? {
    let columns = fields.map { "\(quoted($0.name)) \(name(of: $0.typeInFiles))" }.joined(separator: ", ")
    let format =
      switch file.format {
      case .csv: "CSVWithNames"
      case .ndjson, .json: "JSONEachRow"
      case .parquet: "Parquet"
      }
    return "SELECT * FROM file(\(literal(file.pattern)), '\(format)', \(literal(columns)))"
  }

  func signed(_ count: String) -> String { "toInt64(\(count))" }
  func neighbour(_ value: String) -> String { "toNullable(\(value))" }

  func own(_ operation: SQLOperation, _ first: String, _ second: String) -> String? {
    switch operation {
    case .quotient: wideQuotient(first, second)
    case .add: "(\(wide(first)) + \(second))"
    case .subtract: "(\(wide(first)) - \(second))"
    case .multiply: "(\(wide(first)) * \(second))"
    case .multiplyMillionths: half(wideQuotient("\(wide(first)) * \(second)", "500000"))
    case .divideMillionths: half(wideQuotient("\(wide(first)) * 2000000", "NULLIF(\(second), 0)"))
    case .floorMillionths: naming(first, "v", in: "intDiv(v, 1000000) - (v % 1000000 < 0)")
    case .character: "char(\(first))"
    case .piece(let place, _): "splitByChar(char(1), assumeNotNull(\(first)))[\(place + 1)]"
    case .checked(let limit): checked(first, limit)
    case .fail: "toString(toInt64(assumeNotNull(\(first))))"
    case .dayNumber: number(ofDate: "toDate32(\(first))")
    case .date: "toDate32(\(first))"
    case .dayText: "toString(\(date(first)))"
    case .startOfMonth: startOfMonth(first)
    case .endOfMonth: "(toInt64(addMonths(\(date(startOfMonth(first))), 1)) - 1)"
    case .monthNumber: "toInt64(toYear(\(date(first))) * 12 + toMonth(\(date(first))))"
    case .addMonths: "toInt64(addMonths(\(date(first)), \(second)))"
    // The rest is spelled as most engines do.
    default: nil
    }
  }

  private func startOfMonth(_ day: String) -> String { "(\(day) - toDayOfMonth(\(date(day))) + 1)" }

  /// What lies between the limit and that of 64 bits is added and subtracted, as on PostgreSQL.
  private func checked(_ value: String, _ limit: Int64) -> String {
    let room = Int64.max - limit
    let above = narrow("\(wide(value)) + \(room)")
    let below = narrow("\(wide(above)) - \(room) - \(room + 1)")
    return "(\(below) + \(room + 1))"
  }

  func averageOfMillionths(_ value: String) -> String {
    half(wideQuotient("SUM(\(wide("(\(value))"))) * 2", "NULLIF(COUNT(\(value)), 0)"))
  }

  func sum(_ value: String) -> String { narrow("SUM(\(wide("(\(value))")))") }

  func wide(_ value: String) -> String { "toInt256(\(value))" }

  func wideQuotient(_ dividend: String, _ divisor: String) -> String { "intDiv(\(dividend), \(divisor))" }

  func naming(_ value: String, _ name: String, in body: String) -> String {
    "arrayMap(\(name) -> \(body), [\(value)])[1]"
  }

  /// Half of a whole number, rounded away from zero: what is left of a division of the double.
  private func half(_ double: String) -> String {
    naming(double, "v", in: "intDiv(v + if(v < 0, -1, 1), 2)")
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
