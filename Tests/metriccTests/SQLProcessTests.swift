import Foundation
import Testing

/// `metricc sql` as a process.
@Suite struct SQLProcessTests {
  private let source = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done }

    """

  private func run(_ arguments: [String], _ source: String? = nil) throws -> Run {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source ?? self.source)
    return try runMetricc(["sql", "a.metric"] + arguments, in: folder.path)
  }

  @Test(arguments: ["duckdb", "postgres", "sqlite", "spark"])
  func aStatementForEachDialect(dialect: String) throws {
    let run = try run(["--dialect", dialect, "--at", "2026-06-30"])
    #expect(run.exit == 0)
    #expect(run.err == "")
    #expect(run.out.contains("'2026-06-30'"))
    #expect(run.out.hasSuffix(";\n"))
  }

  @Test func theSchemaNamesTablesAndColumns() throws {
    let run = try run([
      "--dialect", "sqlite", "--schema", "--table", "HabitEntry=app.\"my entries\"", "--column",
      "HabitEntry.dayKey=day_key",
    ])
    #expect(run.exit == 0)
    #expect(run.out.contains("CREATE TABLE app.\"my entries\" ("))
    #expect(run.out.contains("  day_key TEXT NOT NULL"))
  }

  @Test func withoutADayTheLastOneOfTheFacts() throws {
    let run = try run(["--dialect", "sqlite"])
    #expect(run.exit == 0)
    #expect(
      run.err.contains("--at is not given; the statement takes the last DayKey of the facts that it reads"))
  }

  @Test func theDayAsAParameter() throws {
    #expect(try run(["--dialect", "postgres", "--at-parameter"]).out.contains("CAST($1 AS date)"))
  }

  @Test func aView() throws {
    let view = try run(["--dialect", "duckdb", "--at", "2026-06-30", "--as", "view", "--metric", "run"])
    #expect(view.out.hasPrefix("CREATE VIEW run AS\n"))
  }

  @Test func aDbtProject() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    let arguments = ["sql", "a.metric", "--dialect", "duckdb", "--at-parameter", "--layout", "dbt", "out"]
    let run = try runMetricc(arguments, in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "")
    let model = try String(contentsOfFile: folder.path + "/out/models/run.sql", encoding: .utf8)
    #expect(model.contains("{{ ref('int_"))
    #expect(!model.contains(";"))
    // Its own files are replaced, those of somebody else are not.
    #expect(try runMetricc(arguments, in: folder.path).exit == 0)
    try folder.write("mine.txt", "mine")
    let elsewhere = try runMetricc(Array(arguments.dropLast()) + ["."], in: folder.path)
    #expect(elsewhere.exit == 2)
    #expect(elsewhere.err.contains("holds files and no dbt project of metricc"), "\(elsewhere.err)")
  }

  @Test(arguments: [
    (["--layout", "dbt"], "--layout takes `script`, `tables`, or `dbt` and a folder"),
    (["--layout", "dbt", "out", "--schema"], "--layout and --schema exclude each other"),
    (["--table", "Habits=x"], "no record is named `Habits`; did you mean `Habit`?"),
    (["--table", "Habit="], "names no table"), (["--table", "Habit"], "--table takes Record=name"),
    (["--column", "Habit.nam=x"], "`Habit` has no stored field `nam`; did you mean `name`?"),
    (["--metric", "runs"], "no metric is named `runs`; did you mean `run`?"),
    (["--from", "2026-01-01"], "--from needs --to"),
    (["--at", "2026-01-01", "--at-parameter"], "exclude each other"),
  ])
  func wrongUsage(arguments: [String], message: String) throws {
    let run = try run(["--dialect", "sqlite"] + arguments)
    #expect(run.exit == 64)
    #expect(run.err.contains(message), "\(run.err)")
    #expect(run.out == "")
  }

  @Test func onlyWhatIsAccepted() throws {
    let run = try run(["--dialect", "sqlite", "--at", "2026-01-01"], "streak run { of nothing }\n")
    #expect(run.exit == 1)
    #expect(run.out == "")
    #expect(run.err.contains("no SQL was written"))
  }
}
