import MetricPlan

/// The engines whose SQL can be written.
public enum SQLDialect: String, CaseIterable, Sendable {
  case duckdb, postgres, sqlite, spark

  /// What the engine is called: `PostgreSQL`.
  public var title: String {
    switch self {
    case .duckdb: "DuckDB"
    case .postgres: "PostgreSQL"
    case .sqlite: "SQLite"
    case .spark: "Spark SQL"
    }
  }

  /// How a statement names the day that its caller gives: `$at`.
  public var dayParameter: String { dialect.dayParameter }

  var dialect: any Dialect {
    switch self {
    case .duckdb: DuckDB()
    case .postgres: PostgreSQL()
    case .sqlite: SQLite()
    case .spark: Spark()
    }
  }
}

/// One statement whose rows are those of the evaluator: `metric`, `subject`, `group`, `part`, `at`, `value`,
/// in its order; `value` is text as in CSV, and null for no value.
///
/// - Parameter view: the name of a view to create; nil for a query.
/// - Throws: where the dialect cannot express a construct exactly.
package func sql(
  _ request: SQLRequest, of library: Library, in dialect: SQLDialect, view: String? = nil
) throws(SQLUnsupported) -> String {
  let translation = Translation(library: library, request: request)
  let query = translation.results()
  let renderer = Renderer(dialect: dialect.dialect)
  let statement: SQLStatement =
    view.map { .view(name: $0, translation.definitions, query) } ?? .query(translation.definitions, query)
  let text = renderer.text(statement)
  try SupportCheck(dialect: dialect).check(text)
  return text
}

/// The `CREATE TABLE` statements of the records that some metrics read, with every stored field.
package func sqlSchema(_ request: SQLRequest, of library: Library, in dialect: SQLDialect) -> String {
  let translation = Translation(library: library, request: request)
  let renderer = Renderer(dialect: dialect.dialect)
  return translation.needs.fields.keys.sorted().map { record in
    let fields = library.records[record].fields.enumerated().filter { $0.element.computed == nil }.map {
      SQLField(
        name: request.columns[FieldReference(record: record, field: $0.offset)] ?? $0.element.name,
        type: $0.element.type.storedType, isRequired: !$0.element.isOptional)
    }
    return renderer.text(.table(path: translation.path(of: record), fields: fields))
  }.joined(separator: "\n")
}
