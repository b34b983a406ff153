import Foundation
import MetricData
import Testing

@testable import metricc

struct DataFilesTests {
  private let records = ["Habit", "HabitEntry", "Goal"]

  private func files(_ arguments: [String], remark: @escaping (String) -> Void = { _ in }) throws
    -> [DataFile]
  {
    try DataFiles(arguments: arguments, recordNames: records, remark: remark).files
  }

  private func failure(_ arguments: [String]) throws -> CommandFailure {
    try #require(throws: CommandFailure.self) { try files(arguments) }
  }

  @Test func aFolderHoldsAFileForEachRecord() throws {
    let folder = try TemporaryFolder()
    for name in ["HabitEntry.csv", "Habit.ndjson", "Goal.JSON", ".Goal.csv", "README.md"] {
      try folder.write(name, "")
    }
    let found = try files([folder.path])
    #expect(found.map(\.record) == ["Goal", "Habit", "HabitEntry"])
    #expect(found.map(\.format) == [.json, .ndjson, .csv])
  }

  @Test func filesThatNameNoRecordAreMentioned() throws {
    let folder = try TemporaryFolder()
    try folder.write("Habit.csv", "")
    try folder.write("HabitEntries.csv", "")
    try folder.write("zebra.json", "")
    var remarks: [String] = []
    _ = try files([folder.path]) { remarks.append($0) }
    #expect(
      remarks == [
        "ignoring `\(folder.path)/HabitEntries.csv`: no record is named `HabitEntries`; "
          + "did you mean `HabitEntry`?",
        "ignoring `\(folder.path)/zebra.json`: no record is named `zebra`",
      ])
  }

  @Test func foldersAndFilesMix() throws {
    let folder = try TemporaryFolder()
    try folder.write("a=b/Habit.csv", "")
    let goal = try folder.write("goals=2026.csv", "")
    let found = try files([folder.path("a=b"), "Goal=\(goal)", "HabitEntry=/dev/null"])
    #expect(found.map(\.record) == ["Habit", "Goal", "HabitEntry"])
    #expect(found.map(\.format) == [.csv, .csv, nil])
  }

  @Test func wrongUseIsRefused() throws {
    let folder = try TemporaryFolder()
    let habit = try folder.write("Habit.csv", "")
    let text = try folder.write("Habit.txt", "")
    let cases = [
      (["Habbit=\(habit)"], "no record is named `Habbit`; did you mean `Habit`?"),
      (["Habit=\(text)"], "`\(text)` does not end in `.csv`, `.ndjson` or `.json`; export it as CSV"),
      (["Habit="], "`--data Habit=` names no file"),
      ([habit], "`\(habit)` is not a folder; say which record it holds: `--data Habit=\(habit)`"),
      ([folder.path, "Habit=\(habit)"], "Habit is given twice: `\(habit)` and `\(habit)`"),
    ]
    for (arguments, message) in cases {
      #expect(try failure(arguments) == .usage(message))
    }
  }

  @Test func whatCannotBeReadIsRefused() throws {
    let folder = try TemporaryFolder()
    try folder.write("two/Habit.csv", "")
    try folder.write("two/Habit.json", "")
    try folder.write("nested/Habit.csv/notes.txt", "")
    let (two, nested, missing) = (folder.path("two"), folder.path("nested"), folder.path("missing.csv"))
    let cases = [
      ([two], "two files hold Habit: `\(two)/Habit.csv` and `\(two)/Habit.json`"),
      ([nested], "cannot read `\(nested)/Habit.csv`: Is a directory"),
      ([missing], "cannot read `\(missing)`: No such file or directory"),
      (["Habit=\(missing)"], "cannot read `\(missing)`: No such file or directory"),
    ]
    for (arguments, message) in cases {
      #expect(try failure(arguments) == .unreadable(message))
    }
  }

  @Test(arguments: [
    (
      "habitentry.csv",
      "is not read: the record is called `HabitEntry`; rename the file, or say `--data HabitEntry="
    ),
    ("habit_entry.json", "is not read: the record is called `HabitEntry`"),
    ("HabitEntry.csv.gz", "is not read, so HabitEntry would have no records; unpack it"),
    ("HabitEntry.parquet", "so HabitEntry would have no records; `eval --engine duckdb` reads Parquet"),
    ("HabitEntry.xlsx", "so HabitEntry would have no records; export it as CSV"),
    ("habitentry.ndjson.zst", "is not read, so HabitEntry would have no records; unpack it"),
    ("HabitEntries.csv", "there is no data file like `Record.csv` in"),
    ("notes/Habit.csv", "there is no data file like `Record.csv` in"),
  ])
  func aFolderWithoutTheExpectedNamesIsRefused(_ name: String, _ message: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(name, "")
    let failure = try failure([folder.path])
    #expect(failure.status == .unreadable)
    #expect(failure.messages.count == 1)
    #expect(failure.messages.first?.contains(message) == true, "\(failure.messages)")
  }

  @Test func aFieldIsReadFromAColumnOfItsOwn() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write("Habit.csv", "")
    func columns(_ names: [String: String]) throws -> [String: String]? {
      try DataFiles(arguments: ["Habit=\(path)"], recordNames: records, columns: ["Habit": names]) { _ in }
        .files.first?.columns
    }
    #expect(try columns(["id": "habit_id"]) == ["id": "habit_id"])
    let failure = #expect(throws: CommandFailure.self) { try columns(["id": "nr", "name": "nr"]) }
    #expect(failure == .usage("--column reads `nr` of Habit into two fields"))
  }

  @Test(arguments: [("\u{FEFF} [", DataFormat.json), ("\n{\"", .ndjson), ("id,name\n", .csv), ("", .csv)])
  func theFirstCharacterTellsTheFormat(_ text: String, _ format: DataFormat) {
    #expect(Array(text.utf8).withUnsafeBytes { DataFormat(guessing: ByteSource($0)) } == format)
  }
}
