import Foundation
import Testing

@testable import metricc

/// A number out of range costs the rows of its metric, and no others.
@Suite(.serialized)
struct OutOfRangeTests {
  private static let definitions = """
    /// All amounts.
    measure total { for habit  value sum(HabitEntry.value) }

    /// Twice as much.
    measure twice { for habit  value total * 2 }

    /// How often.
    measure often { for habit  value count(HabitEntry) }

    /// Entries of everybody.
    measure all { for app  audience team  value count(HabitEntry) }
    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("defs/a.metric", Self.definitions)
    // The first file by its name is not the one at fault.
    try folder.write("data/Habit.csv", "id,weeklyTarget\nrun,3\nswim,8999999999999\n")
    try folder.write(
      "data/HabitEntry.csv",
      """
      id,habitId,value,dayKey
      1,swim,8000000000000,2026-01-01
      2,run,5,2026-01-01
      3,run,7000000000000,2026-01-02
      4,run,6000000000000,2026-01-02

      """)
    return folder
  }

  private static let rows = """
    all,,,,2026-01-02,4
    often,run,,,2026-01-02,3
    often,swim,,,2026-01-02,1

    """

  @Test(arguments: [
    "", "--output rows.csv", "--threads 1", "--subject run --subject ''", "--output /dev/stdout",
  ])
  func theOtherMetricsHaveTheirRows(_ options: String) throws {
    let folder = try folder()
    let run = try runShell(
      "$metricc eval defs --data data --at 2026-01-02 --format csv \(options)", in: folder)
    #expect(run.exit == 2)
    let rows = options.contains("rows.csv") ? try folder.read("rows.csv") : run.out
    let expected = "metric,subject,group,part,at,value\n" + Self.rows
    #expect(
      rows
        == (options.contains("subject")
          ? expected.replacing("often,swim,,,2026-01-02,1\n", with: "") : expected))
    #expect(
      run.err.contains(
        "data/HabitEntry.csv:4:7: error: a result of `total` for `run` at 2026-01-02 is outside the range of numbers"
      ),
      "\(run.err)")
    #expect(run.err.contains("a result of `twice` for `run`"))
    #expect(
      run.err.contains("2 metrics out of range: no rows; those of the others are complete"), "\(run.err)")
  }

  @Test func aMetricAlone() throws {
    let folder = try folder()
    let eval = try runShell("$metricc eval defs --data data --at 2026-01-02 --metric total", in: folder)
    #expect(eval.exit == 2)
    #expect(eval.err.contains("data/HabitEntry.csv:4:7: error"), "\(eval.err)")
    let why = try runShell("$metricc why total defs --data data --at 2026-01-02 --subject run", in: folder)
    #expect(why.exit == 2)
    #expect(why.err.contains("data/HabitEntry.csv:4:7: error"), "\(why.err)")
    // Where a day has all numbers in range nothing is said.
    let before = try runShell("$metricc eval defs --data data --at 2026-01-01 --format csv", in: folder)
    #expect(before.exit == 2, "\(before.err)")
    #expect(before.err.contains("`twice` for `swim`") && !before.err.contains("`total`"), "\(before.err)")
    #expect(before.out.contains("total,run,,,2026-01-01,5\n"))
  }

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"), "there is no sqlite3"))
  func anEngineAnswersForTheOthersToo() throws {
    let folder = try folder()
    let script = """
      sqlite3 app.db "$($metricc sql defs --dialect sqlite --schema)"
      sqlite3 app.db "insert into Habit(id) values ('run'), ('swim'); insert into HabitEntry(id, habitId, value, dayKey)
        values ('1', 'swim', '8000000000000', '2026-01-01'), ('2', 'run', '5', '2026-01-01'),
        ('3', 'run', '7000000000000', '2026-01-02'), ('4', 'run', '6000000000000', '2026-01-02')"
      """
    #expect(try runShell(script, in: folder).exit == 0)
    let run = try runShell(
      "$metricc eval defs --engine sqlite --connect app.db --at 2026-01-02 --format csv", in: folder)
    #expect(run.exit == 2)
    #expect(run.out == "metric,subject,group,part,at,value\n" + Self.rows, "\(run.err)")
    #expect(run.err.contains("`total`: ") && run.err.contains("`twice`: "), "\(run.err)")
    #expect(!run.err.contains("`often`: "))
  }
}
