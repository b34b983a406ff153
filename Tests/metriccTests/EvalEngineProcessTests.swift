import Foundation
import Testing

/// `metricc eval --engine` as a process: what `eval` says, on the engines that are installed.
@Suite struct EvalEngineProcessTests {
  private let definitions = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done }
    measure total { for habit  value sum(HabitEntry.value) }
    measure entries { for app  value count(HabitEntry) }
    measure named { for user  value last(Event.name)  audience team }
    """

  private let entries = """
    id,habitId,dayKey,value
    e1,read,2026-01-01,1000000.5
    e2,read,2026-01-02,
    e3,"run, far",2199-12-31,8999999999999.999999

    """
  private let events = """
    {"id":"1","userId":"ada","name":"it's \\"quoted\\"","dayKey":"2026-01-02","value":1.5}
    {"id":"2","userId":"bob","name":"b","dayKey":"2026-01-03","value":null}

    """

  /// Where programs are found: Python with its modules first.
  private var path: String {
    let python = ProcessInfo.processInfo.environment["METRICC_PYTHON"].flatMap { $0.contains("/") ? $0 : nil }
    let folders = python.map { [URL(fileURLWithPath: $0).deletingLastPathComponent().path] } ?? []
    return (folders + ["/usr/local/bin", "/usr/bin", "/bin"]).joined(separator: ":")
  }

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", definitions)
    try folder.write("Data/HabitEntry.csv", entries)
    try folder.write("Data/Event.ndjson", events)
    return folder
  }

  private func eval(_ arguments: [String], in folder: TemporaryFolder, path: String? = nil) throws -> Run {
    try runMetricc(
      ["eval", "a.metric"] + arguments, environment: ["PATH": path ?? self.path], in: folder.path)
  }

  /// Runs commands on `app.db`, and gives the lines of `rows.csv`.
  private func sqlite3(_ commands: String..., in folder: TemporaryFolder) throws -> [String] {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", "app.db"] + commands
    process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
    try process.run()
    process.waitUntilExit()
    let rows = (try? folder.read("rows.csv")) ?? ""
    return rows.replacing("\"\"", with: "").split(whereSeparator: \.isNewline).map(String.init)
  }

  private func isInstalled(_ engine: String, _ run: Run) -> Bool {
    guard run.exit == 2, run.err.contains("on the path") else { return true }
    print("SKIPPED: \(engine) is not installed, so eval is not compared on it")
    return false
  }

  @Test(arguments: ["duckdb", "clickhouse"])
  func whatEvalSays(engine: String) throws {
    let folder = try folder()
    for options in [
      [], ["--format", "csv"], ["--format", "json", "--at", "2026-01-02"],
      ["--from", "2026-01-01", "--to", "2026-01-03", "--format", "ndjson"],
      ["--subject", "run, far", "--subject", "nobody", "--at", "2199-12-31"],
    ] {
      let own = try eval(["--data", "Data"] + options, in: folder)
      let run = try eval(["--data", "Data", "--engine", engine] + options, in: folder)
      guard isInstalled(engine, run) else { return }
      #expect(own.exit == 0)
      #expect(run.out == own.out, "\(options)")
      #expect(run.err == own.err, "\(options)")
      #expect(run.exit == own.exit, "\(options)")
    }
  }

  /// What `eval` refuses in a file, an engine would round or take: it never sees it.
  @Test(arguments: [
    "e4,read,2026-01-02,1.1234567", "e4,read,2026-02-30,1", "e4,,2026-01-02,1", "e4,read,2026-01-02,-1",
    "e4,read,2026-01-02,x",
  ])
  func whatEvalRefuses(record: String) throws {
    let folder = try folder()
    try folder.write("Data/HabitEntry.csv", entries + record + "\n")
    let own = try eval(["--data", "Data"], in: folder)
    #expect(own.exit == 2)
    for engine in ["duckdb", "clickhouse"] {
      let run = try eval(["--data", "Data", "--engine", engine], in: folder)
      guard isInstalled(engine, run) else { continue }
      #expect(run.exit == 2)
      #expect(run.out.isEmpty)
      #expect(run.err == own.err)
    }
  }

  /// Spaces and `\\N` are texts like others.
  @Test(arguments: ["duckdb", "clickhouse"])
  func textsAreTakenAsTheyAre(engine: String) throws {
    let folder = try folder()
    try folder.write(
      "Data/HabitEntry.csv",
      "id,habitId,dayKey,value\n1,a,2026-01-01,1\n2, a,2026-01-01,10\n3,a ,2026-01-01,100\n4,\\N,2026-01-01,5\n"
    )
    let options = ["--data", "Data", "--metric", "total", "--at", "2026-01-01", "--format", "csv"]
    let own = try eval(options, in: folder)
    let run = try eval(options + ["--engine", engine], in: folder)
    guard isInstalled(engine, run) else { return }
    #expect(own.out.split(separator: "\n").count == 5)
    #expect(run.out == own.out, "\(run.err)")
  }

  @Test func packedFilesAndPatterns() throws {
    let folder = try folder()
    let own = try eval(["--data", "Data", "--format", "csv"], in: folder)
    let lines = entries.split(separator: "\n")
    for (index, line) in lines.dropFirst().enumerated() {
      try folder.write("Parts/\(index).csv", "\(lines[0])\n\(line)\n")
    }
    let run = try eval(
      [
        "--engine", "duckdb", "--data", "HabitEntry=Parts/*.csv", "--data", "Event=Data/Event.ndjson",
        "--format",
        "csv", "--output", "rows.csv",
      ], in: folder)
    guard isInstalled("duckdb", run) else { return }
    #expect(run.exit == 0, "\(run.err)")
    #expect(run.out.isEmpty)
    #expect(try folder.read("rows.csv") == own.out)
    #expect(run.err.contains("not checked, as only DuckDB reads it: `Parts/*.csv`"), "\(run.err)")
  }

  @Test func tablesOfADatabase() throws {
    let folder = try folder()
    let own = try eval(
      ["--data", "Data", "--format", "csv", "--metric", "run", "--metric", "total"], in: folder)
    try folder.write(
      "make.sql",
      """
      CREATE TABLE log (id, habit, dayKey, timestampUtc, value, deletedAt);
      CREATE TABLE Habit (id, userId, name, cadence, kind, weeklyTarget, unit);
      CREATE TABLE file (id, habitId, dayKey, value);
      .import --csv --skip 1 Data/HabitEntry.csv file
      INSERT INTO log SELECT id, habitId, dayKey, NULL, value, NULL FROM file;

      """)
    _ = try sqlite3(".read make.sql", in: folder)
    let run = try eval(
      [
        "--engine", "sqlite", "--connect", "app.db", "--table", "HabitEntry=log", "--column",
        "HabitEntry.habitId=habit", "--format", "csv", "--metric", "run", "--metric", "total",
      ], in: folder)
    guard isInstalled("sqlite", run) else { return }
    #expect(run.out == own.out)
    #expect(run.err == own.err)
    let script = try runMetricc(
      [
        "sql", "a.metric", "--dialect", "sqlite", "--table", "HabitEntry=log", "--column",
        "HabitEntry.habitId=habit", "--metric", "run", "--metric", "total", "--at", "2199-12-31", "--layout",
        "script",
      ], in: folder.path)
    try folder.write("script.sql", script.out)
    #expect(script.out.contains("CREATE TEMPORARY TABLE habit_values AS"))
    let rows = try sqlite3(".mode csv", ".output rows.csv", ".read script.sql", in: folder)
    #expect(rows == own.out.split(separator: "\n").dropFirst().map(String.init))
  }

  /// What is missing is said, with what to do.
  @Test func whatCannotBe() throws {
    let folder = try folder()
    let missing = try eval(["--data", "Data", "--engine", "clickhouse"], in: folder, path: "/nowhere")
    #expect(missing.exit == 2)
    #expect(missing.err.contains("pip install chdb"))
    let address = ["--engine", "clickhouse", "--connect", "clickhouse://db:9000"]
    let server = try eval(address, in: folder, path: "/nowhere")
    #expect(server.exit == 2)
    #expect(server.err.contains("put `clickhouse-client` or `clickhouse` on the path"))
    let parquet = try eval(["--data", "HabitEntry=a.parquet"], in: folder)
    #expect(parquet.exit == 64)
    #expect(parquet.err.contains("`eval --engine duckdb` reads Parquet"))
    #expect(try eval([], in: folder).exit == 64)
    #expect(try eval(["--data", "Data", "--table", "HabitEntry=log"], in: folder).exit == 64)
    #expect(try eval(["--engine", "sqlite"], in: folder).exit == 64)
    #expect(try eval(["--engine", "postgres", "--data", "Data"], in: folder).exit == 64)
    let unknown = try eval(["--engine", "duckdb", "--data", "HabitEntry=nowhere.csv"], in: folder)
    guard isInstalled("duckdb", unknown) else { return }
    #expect(unknown.exit == 2)
    #expect(unknown.err.contains("DuckDB says: "))
  }

  /// A number that DuckDB reads from JSON as floating point is an error where that would change it.
  @Test func longFractionsInJSON() throws {
    let folder = try folder()
    try folder.write(
      "Data/HabitEntry.ndjson",
      "{\"id\":\"1\",\"habitId\":\"a\",\"dayKey\":\"2026-01-01\",\"value\":8999999999999.999999}\n")
    let run = try eval(
      ["--engine", "duckdb", "--data", "HabitEntry=Data/HabitEntry.ndjson", "--metric", "total"], in: folder)
    guard isInstalled("duckdb", run) else { return }
    #expect(run.exit == 2)
    #expect(run.err.contains("use CSV or Parquet"))
  }
}
