/// The engines whose SQL can be written.
public enum SQLDialect: String, CaseIterable, Sendable {
  case duckdb, postgres, sqlite, spark, clickhouse

  /// What the engine is called: `PostgreSQL`.
  public var title: String {
    switch self {
    case .duckdb: "DuckDB"
    case .postgres: "PostgreSQL"
    case .sqlite: "SQLite"
    case .spark: "Spark SQL"
    case .clickhouse: "ClickHouse"
    }
  }

  /// How a statement names the day that its caller gives: `$at`.
  public var dayParameter: String { dialect.traits.dayParameter }

  var dialect: any Dialect {
    switch self {
    case .duckdb: DuckDB()
    case .postgres: PostgreSQL()
    case .sqlite: SQLite()
    case .spark: Spark()
    case .clickhouse: ClickHouse()
    }
  }
}

/// One statement whose rows are those of the evaluator: `metric`, `subject`, `group`, `part`, `at`, `value`,
/// in its order; `value` is text as in CSV, and null for no value.
///
/// - Parameter view: the name of a view to create; nil for a query.
/// - Throws: if the dialect cannot express a construct exactly.
package func sql(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect, view: String? = nil
) throws(SQLUnsupported) -> String {
  let spelling = dialect.dialect
  let translation = Translation(library: library, request: request, in: spelling)
  let query = translation.results()
  let definitions = Pruning.pruned(translation.definitions, for: [query])
  // A statement with a parameter stays one statement.
  let settings = request.days == .parameter ? "" : spelling.traits.sessionSettings
  let start = view.map { "CREATE VIEW \(spelling.identifier($0)) AS\n" } ?? settings
  return try SupportCheck.checked(
    start + Renderer(dialect: spelling).statement(definitions, query), for: dialect)
}

/// The `CREATE TABLE` statements of the records that some metrics read, with every stored field.
package func sqlSchema(_ request: SQLRequest, of library: Library, in dialect: SQLDialect) -> String {
  let translation = Translation(library: library, request: request, in: dialect.dialect)
  let renderer = Renderer(dialect: dialect.dialect)
  return translation.needs.fields.keys.sorted().map { record in
    renderer.table(translation.path(of: record), request.fields(of: record, in: library))
  }.joined(separator: "\n")
}

/// Statements that make temporary tables of the records which some metrics read, holding some rows: what
/// is in place of a database for a test. Tables and columns have the names of records and fields.
package func sqlTables(
  of rows: [TestRow], readBy request: SQLRequest, of library: Library, in dialect: SQLDialect
) throws(SQLUnsupported) -> [String] {
  let renderer = Renderer(dialect: dialect.dialect)
  var statements: [String] = []
  for record in DataNeeds(library: library, metrics: request.metrics).fields.keys.sorted() {
    let declared = library.records[record]
    let stored = declared.fields.enumerated().filter { $0.element.computed == nil }
    let texts = rows.filter { $0.record == record }.map { row in
      stored.map { row.values[$0.offset]?.storedText($0.element.type) }
    }
    let text = renderer.table(declared.name, request.fields(of: record, in: library), of: texts)
    statements.append(try SupportCheck.checked(text, for: dialect))
  }
  return statements
}

extension SQLRequest {
  func column(of reference: FieldReference, _ field: Field) -> String { columns[reference] ?? field.name }

  /// The stored fields of a record under the names of their columns.
  func fields(of record: RecordID, in library: Library) -> [SQLField] {
    library.records[record].fields.enumerated().filter { $0.element.computed == nil }.map {
      SQLField(
        name: column(of: FieldReference(record: record, field: $0.offset), $0.element),
        type: $0.element.type.storedType, isRequired: !$0.element.isOptional)
    }
  }
}

extension Literal {
  /// The value of a field as a file of data has it; nil if there is none.
  fileprivate func storedText(_ type: FieldType) -> String? {
    if type == .instant, case .int(let value) = self { return Instant(microseconds: value).description }
    let text = value.plainText
    return text.isEmpty ? nil : text
  }
}
