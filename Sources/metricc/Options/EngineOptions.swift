import ArgumentParser

/// Where `eval` computes, if not here.
struct EngineOptions: ParsableArguments {
  @Option(
    help: "Run the statement of `metricc sql` on this engine, where the data is, instead of evaluating here.")
  var engine: SQLDialect?

  @Option(
    help: .value(
      "address",
      "Where the engine finds tables: a database file (duckdb, sqlite), a connection string (postgres), a server's clickhouse:// address or a folder of chdb (clickhouse); or the master of a cluster (spark)."
    ))
  var connect: String?

  @OptionGroup var database: DatabaseOptions

  func validate() throws {
    let isConnected = connect != nil || !database.table.isEmpty
    try refuse(engine == nil && isConnected, "--connect and --table need --engine")
    let isNameless = engine == .sqlite && connect == nil
    try refuse(isNameless, "--engine sqlite reads a database; name its file with --connect")
  }

  /// What the engine reads: the files of `--data`, and tables for what they do not hold.
  func data(_ arguments: [String], _ engine: SQLDialect, in library: MetricLibrary) throws(CommandFailure)
    -> EngineData
  {
    let isServer = engine == .postgres || connect?.hasPrefix("clickhouse://") == true
    if !arguments.isEmpty, engine == .sqlite || isServer {
      throw .usage(
        "--engine \(engine.rawValue) reads tables; name them with --table if their names are not those of the records"
      )
    }
    if let connect { RunInputs.add(connect) }
    let files = try EngineFiles(arguments: arguments, recordNames: library.recordNames)
    return EngineData(
      files: files.files, names: try database.names(in: library), isDatabase: arguments.isEmpty)
  }
}
