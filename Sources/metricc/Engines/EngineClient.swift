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
    // A server has an address; a folder is chdb's.
    let isServer = address?.hasPrefix("clickhouse://") == true
    let client: (any EngineClient)? =
      switch dialect {
      case .sqlite: ShellClient.file("sqlite3", at: address)
      case .postgres: ShellClient.postgres(at: address)
      case .duckdb: ShellClient.file("duckdb", at: address) ?? PythonClient.with(.duckdb, at: address)
      case .spark: PythonClient.with(.spark, at: address)
      case .clickhouse where isServer: ShellClient.clickhouse(at: address)
      case .clickhouse: PythonClient.with(.clickhouse, at: address)
      }
    guard let client else { throw .unreadable("\(dialect.rawValue) cannot be used: \(missing(dialect))") }
    return client
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

  static func answers(_ bytes: [UInt8]) -> [EngineAnswer] {
    let parts = rows(bytes).split(omittingEmptySubsequences: false) { $0 == [query] }.dropFirst()
    return parts.map { rows in
      guard let message = rows.last(where: { $0.count == 2 && $0[0] == error })?[1] else {
        return .rows(Array(rows))
      }
      // The first line of a message says what is wrong; a trace may follow.
      return .error(message.split(whereSeparator: \.isNewline).first.map(String.init) ?? message)
    }
  }

  /// Rows of CSV as the command lines of engines write them (RFC 4180; lines end with `\n` or `\r\n`).
  private static func rows(_ bytes: [UInt8]) -> [[String]] {
    bytes.withUnsafeBufferPointer { buffer in
      guard let base = buffer.baseAddress else { return [] }
      var scanner = CSVScanner(Input(base, end: buffer.count, start: 0))
      var rows: [[String]] = []
      var row: [String] = []
      while scanner.cursor < buffer.count || !row.isEmpty {
        let cell = scanner.nextCell()
        row.append(String(decoding: cell.bytes, as: UTF8.self))
        if cell.endsRow {
          rows.append(row)
          row = []
        }
      }
      return rows
    }
  }
}
