import MetricLanguage

/// A real engine, asked through a client that is installed on this machine: for the blocks of `test --engine` and
/// for the rows of `eval --engine`.
protocol EngineClient {
  /// The answers to questions, in their order. Each has tables of its own.
  ///
  /// - Parameter progress: receives how many questions are answered.
  /// - Throws: if the engine cannot be reached at all.
  func answers(
    _ questions: [EngineQuestion], progress: (Int) -> Void
  ) throws(CommandFailure) -> [[EngineAnswer]]
}

/// The clients to try for an engine, in this order.
enum EngineClients {
  /// - Parameter address: a database file, a connection string, a folder or a master; nil for an empty database, or
  ///   what the environment says.
  static func found(
    for dialect: SQLDialect, at address: String? = nil
  ) throws(CommandFailure) -> any EngineClient {
    switch dialect {
    case .sqlite: if let client = ShellClient.sqlite(at: address) { return client }
    case .postgres: if let client = ShellClient.postgres(at: address) { return client }
    case .duckdb:
      if let client: any EngineClient = ShellClient.duckdb(at: address)
        ?? PythonClient.with(.duckdb, at: address)
      {
        return client
      }
    case .spark: if let client = PythonClient.with(.spark, at: address) { return client }
    case .clickhouse:
      // A server has an address; a folder is chdb's.
      let isServer = address?.hasPrefix("clickhouse://") == true
      if isServer, let client = ShellClient.clickhouse(at: address) { return client }
      if !isServer, let client = PythonClient.with(.clickhouse, at: address) { return client }
    }
    throw .unreadable("\(dialect.rawValue) cannot be used: \(missing(dialect))")
  }

  private static func missing(_ dialect: SQLDialect) -> String {
    switch dialect {
    case .sqlite: "`sqlite3` is not on the path; install SQLite's command line"
    case .postgres: "`psql` is not on the path; install PostgreSQL's client, and name a server with PGHOST"
    case .duckdb:
      "neither `duckdb` nor a `python3` that has the module `duckdb` is on the path; install one of them (`pip install duckdb`)"
    case .spark:
      "neither a `python3` that has the module `pyspark` nor `spark-submit` is on the path; install one of them (`pip install pyspark`, and Java 17)"
    case .clickhouse:
      "for a server (`--connect clickhouse://…`), put `clickhouse-client` or `clickhouse` on the path; otherwise a `python3` that has the module `chdb` (`pip install chdb`)"
    }
  }
}

/// The answers of a client as it writes them: CSV, in which a line of one cell begins the rows of the next query and
/// one of two cells says why a query failed.
enum EngineTranscript {
  static let query = "metricc-query"
  static let error = "metricc-error"

  /// The answer to each query.
  static func answers(_ rows: [[String]]) -> [EngineAnswer] {
    var answers: [EngineAnswer] = []
    var part: [[String?]] = []
    var failure: String?
    func answer() -> EngineAnswer { failure.map { .error($0) } ?? .rows(part) }
    var isOpen = false
    for row in rows {
      if row == [query] {
        if isOpen { answers.append(answer()) }
        (part, failure, isOpen) = ([], nil, true)
      } else if row.count == 2, row[0] == error {
        // The first line of a message says what is wrong; a trace may follow.
        failure = row[1].split(whereSeparator: \.isNewline).first.map(String.init) ?? row[1]
      } else if isOpen {
        part.append(row)
      }
    }
    return isOpen ? answers + [answer()] : answers
  }
}
