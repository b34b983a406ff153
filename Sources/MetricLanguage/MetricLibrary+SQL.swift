import MetricSQL

/// What a database calls records and fields, where it is not their own name.
public struct DatabaseNames: Hashable, Sendable {
  /// By record: the names of schema and table, or of the table alone.
  public var tables: [String: [String]]
  /// By record, by field: the column.
  public var columns: [String: [String: String]]

  public init(tables: [String: [String]] = [:], columns: [String: [String: String]] = [:]) {
    (self.tables, self.columns) = (tables, columns)
  }
}

extension MetricLibrary {
  /// One SQL statement whose rows are those that `evaluate` gives over the same records: `metric`, `subject`, `group`,
  /// `part`, `at`, `value` as texts, in the same order; null means no value. Where the last day is open, `open`.
  ///
  ///     let text = try library.sql(metrics: ["daily_streak"], days: .list([day]), dialect: .duckdb)
  ///
  /// No names of metrics stand for all. `view` makes a `CREATE VIEW` of this name; the days must be a list then.
  ///
  /// - Throws: if the dialect cannot express a construct exactly.
  public func sql(
    metrics names: [String], days: SQLDays, dialect: SQLDialect,
    names database: DatabaseNames = DatabaseNames(), view: String? = nil
  ) throws(SQLUnsupported) -> String {
    try MetricSQL.sql(request(names, days, database), of: plan, in: dialect, view: view)
  }

  /// The same as a script: a table for what several metrics read, then a statement for each metric, in their order.
  ///
  /// - Parameters:
  ///   - names: the metrics; empty for all that are accepted.
  ///   - database: the names of tables and columns where they differ from records and fields.
  ///   - makesTables: instead of rows, makes a table for each subject with a typed column for each metric.
  public func sqlScript(
    metrics names: [String], days: SQLDays, dialect: SQLDialect,
    names database: DatabaseNames = DatabaseNames(), makesTables: Bool = false
  ) throws(SQLUnsupported) -> String {
    try MetricSQL.sqlScript(request(names, days, database), of: plan, in: dialect, makesTables: makesTables)
  }

  /// The `CREATE TABLE` statements of the records that some metrics (all where empty) read.
  public func sqlSchema(
    metrics names: [String], dialect: SQLDialect, names database: DatabaseNames = DatabaseNames()
  ) -> String {
    MetricSQL.sqlSchema(request(names, .parameter, database), of: plan, in: dialect)
  }

  /// The files of a dbt project with a model for each metric (all where none is named); with the day as a
  /// parameter, it is dbt's variable `at`.
  public func dbtProject(
    metrics names: [String], days: SQLDays, dialect: SQLDialect,
    names database: DatabaseNames = DatabaseNames()
  ) -> [ProjectFile] {
    MetricSQL.dbtProject(request(names, days, database), of: plan, in: dialect)
  }

  func request(
    _ names: [String], subjects: [String] = [], _ days: SQLDays, _ database: DatabaseNames
  ) -> SQLRequest {
    var request = SQLRequest(metrics: ids(names), subjects: subjects, days: days)
    for (name, path) in database.tables {
      if let record = plan.record(named: name) { request.tables[record] = path }
    }
    for (name, columns) in database.columns {
      guard let record = plan.record(named: name) else { continue }
      for (field, column) in columns {
        guard let index = plan.records[record].field(named: field) else { continue }
        request.columns[FieldReference(record: record, field: index)] = column
      }
    }
    return request
  }

  /// The names of a record's fields that are stored; nil if there is no such record.
  package func storedFields(of name: String) -> [String]? {
    plan.record(named: name).map { plan.records[$0].fields.filter { $0.computed == nil }.map(\.name) }
  }
}
