import MetricLanguage
import MetricSQL

/// A real engine, asked through a client that is installed on this machine.
protocol EngineClient {
  /// The answers to questions, in their order. Each has tables of its own.
  ///
  /// - Parameter progress: is told how many questions are answered.
  /// - Throws: where the engine cannot be reached at all.
  func answers(
    _ questions: [EngineQuestion], progress: (Int) -> Void
  ) throws(CommandFailure) -> [[EngineAnswer]]
}

/// Which clients an engine is looked for with, in this order.
enum EngineClients {
  static func found(for dialect: SQLDialect) throws(CommandFailure) -> any EngineClient {
    switch dialect {
    case .sqlite: if let client = ShellClient.sqlite { return client }
    case .postgres: if let client = ShellClient.postgres { return client }
    case .duckdb:
      if let client: any EngineClient = ShellClient.duckdb ?? PythonClient.with(.duckdb) { return client }
    case .spark: if let client = PythonClient.with(.spark) { return client }
    }
    throw .unreadable("\(dialect.rawValue) cannot be asked: \(missing(dialect))")
  }

  private static func missing(_ dialect: SQLDialect) -> String {
    switch dialect {
    case .sqlite: "`sqlite3` is not on the path; install SQLite's command line"
    case .postgres: "`psql` is not on the path; install PostgreSQL's client, and name a server with PGHOST"
    case .duckdb:
      "neither `duckdb` nor a `python3` that has the module `duckdb` is on the path; install one of them"
    case .spark:
      "neither a `python3` that has the module `pyspark` nor `spark-submit` is on the path; install one of them"
    }
  }
}
