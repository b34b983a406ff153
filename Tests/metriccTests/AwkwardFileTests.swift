import Foundation
import Testing

@testable import metricc

/// Files as other programs leave them: each is read, or refused with what it is and how to convert it. None of them
/// is a table without records and exit status 0.
@Suite(.serialized)
struct AwkwardFileTests {
  private static let rows = "id,habitId,dayKey\n1,read,2026-01-01\n2,read,2026-01-02\n"

  @Test(arguments: [
    ("tr '\\n' '\\r'", "D008 wrong-separator", "`tr '\\r' '\\n' < FILE > NEW`"),
    ("tr ',' ';'", "found semicolons between the names of the header", "`tr ';' ',' < FILE > NEW`"),
    ("tr ',' '\\t'", "found tabs between the names of the header", "`tr '\\t' ',' < FILE > NEW`"),
    ("tr ',' '|'", "found bars between the names of the header", "decimal points"),
    ("iconv -f UTF-8 -t UTF-16", "found text in UTF-16", "`iconv -f UTF-16 -t UTF-8 FILE > NEW`"),
    ("iconv -f UTF-8 -t UTF-16BE", "found text in UTF-16", "`iconv"),
    (
      #"sed 's/read/f\xFCr/'"#, "D007 not-utf8",
      "`iconv -f LATIN1 -t UTF-8 FILE > NEW`"
    ),
    ("gzip -c", "found a file packed with gzip", "`gunzip`"),
    ("sed s/habitId/habit_id/", "`habit_id`", "`--column HabitEntry.habitId=habit_id` reads it"),
    ("sed s/habitId/HABITID/", "did you mean `HABITID`", "`--column HabitEntry.habitId=HABITID` reads it"),
  ])
  func anotherFormIsNamed(_ filter: String, _ message: String, _ advice: String) throws {
    let folder = try Example.folder()
    try folder.write("rows.csv", Self.rows)
    _ = try runShell("\(filter) < rows.csv > data/HabitEntry.csv", in: folder)
    let eval = try runShell("$metricc eval defs --data data --metric done --at 2026-01-03", in: folder)
    #expect(eval.exit == 2)
    #expect(eval.err.contains(message) && eval.err.contains(advice), "\(eval.err)")
    let check = try runShell("$metricc check defs --data data", in: folder)
    #expect(check.exit == 2)
    #expect(check.out.contains(message) && check.out.contains(advice), "\(check.out)")
  }

  /// An optional field that is written otherwise would be lost in silence.
  @Test(arguments: [
    ("HabitEntry.csv", "id,habitId,dayKey,Value\n1,read,2026-01-01,5\n", "the header"),
    (
      "HabitEntry.ndjson", #"{"id":"1","habitId":"read","dayKey":"2026-01-01","Value":5}"#, "the first record"
    ),
    (
      "HabitEntry.json", #"[{"id":"1","habitId":"read","dayKey":"2026-01-01","Value":5}]"#, "the first record"
    ),
  ])
  func anOptionalFieldThatIsWrittenOtherwise(_ file: String, _ text: String, _ place: String) throws {
    let folder = try Example.folder()
    try FileManager.default.removeItem(atPath: folder.path("data/HabitEntry.csv"))
    try folder.write("data/\(file)", text)
    try folder.write(
      "defs/sum.metric", "/// All amounts.\nmeasure amount { for habit  value sum(HabitEntry.value) }\n")
    let eval = "$metricc eval defs --data data --metric amount --at 2026-01-03 --format csv"
    let run = try runShell(eval, in: folder)
    #expect(run.exit == 2)
    #expect(
      run.err.contains("found no `value` in \(place), but `Value`, which no field is called"), "\(run.err)")
    let mapped = try runShell("\(eval) --column HabitEntry.value=Value", in: folder)
    #expect(mapped.exit == 0)
    #expect(mapped.out.contains("amount,read,,,2026-01-03,5"), "\(mapped.out)")
  }

  /// The same numbers, explanations and findings as under the fields' own names.
  @Test func columnsHaveOtherNames() throws {
    let folder = try Example.folder()
    let commands = [
      "check defs --data data", "eval defs --data data --at 2026-01-03 --format csv",
      "why daily_streak defs --data data --subject read --at 2026-01-03",
    ]
    let plain = try commands.map { try runShell("$metricc \($0)", in: folder) }
    try folder.write(
      "data/HabitEntry.csv",
      Example.entries.replacing("habitId", with: "habit_id").replacing("dayKey", with: "day"))
    let columns = "--column HabitEntry.habitId=habit_id --column HabitEntry.dayKey=day"
    for (command, expected) in zip(commands, plain) {
      let run = try runShell("$metricc \(command) \(columns)", in: folder)
      #expect(run.exit == 0, "\(command): \(run.err)")
      #expect(run.out == expected.out, "\(command)")
    }
    let doc = try runShell(
      "$metricc doc defs --data data --at 2026-01-03 --output pages \(columns)", in: folder)
    #expect(doc.exit == 0, "\(doc.err)")
    let watch = try Background(
      [
        "watch", "defs", "--data", "data", "--at", "2026-01-03", "--column", "HabitEntry.habitId=habit_id",
        "--column",
        "HabitEntry.dayKey=day",
      ], in: folder.path)
    #expect(try watch.waits(for: "daily_streak"))
    #expect(watch.interrupt() == 0)
    // The places of what is wrong are found under the other name.
    try folder.write("data/HabitEntry.csv", "id,day,habit_id\n1,2026-01-01,reed\n")
    try folder.write("data/Habit.csv", "id\nread\n")
    let check = try runShell("$metricc check defs --data data \(columns)", in: folder)
    #expect(check.exit == 2)
    #expect(check.out.contains("data/HabitEntry.csv:2:14: "), "\(check.out)")
  }

  // MARK: Output

  @Test(arguments: [
    "eval defs --data data --at 2026-01-03 --output data/HabitEntry.csv",
    "eval defs --data data --at 2026-01-03 --output link.csv",
    "eval defs --data data --at 2026-01-03 --output defs/habits.metric",
    "eval defs --data data --at 2026-01-03 --rejects ./data/../data/HabitEntry.csv",
    "check defs --stamp defs/habits.metric",
    "import csv data/HabitEntry.csv --mapping map.json --output data --force",
    "import csv data/HabitEntry.csv --mapping map.json --output . --force",
  ])
  func anInputIsNotWrittenOver(_ command: String) throws {
    let folder = try Example.folder()
    try folder.link("link.csv", to: folder.path("data/HabitEntry.csv"))
    try folder.link("Map.csv", to: folder.path("map.json"))
    let record = command.contains("--output .") ? "Map" : "HabitEntry"
    try folder.write(
      "map.json",
      #"{"records":[{"record":"\#(record)","fields":{"id":{"column":"id"},"habitId":{"column":"habitId"},"dayKey":{"column":"dayKey"}}}]}"#
    )
    let files = ["data/HabitEntry.csv", "defs/habits.metric", "map.json"]
    let before = try files.map { try folder.read($0) }
    let run = try runShell("$metricc \(command)", in: folder)
    #expect(run.exit == 64, "\(run.err)")
    #expect(run.err.contains("would be overwritten, and this run reads it"), "\(run.err)")
    #expect(try files.map { try folder.read($0) } == before)
  }

  @Test func whatIsOpenAlreadyIsAppendedTo() throws {
    let folder = try Example.folder()
    let eval = "$metricc eval defs --data data --at 2026-01-03 --metric entries --format csv"
    let rows = try runShell(eval, in: folder).out
    try folder.link("out", to: "/dev/stdout")
    for (target, redirection) in [
      ("/dev/stdout", ">>"), ("/dev/fd/1", ">>"), ("/proc/self/fd/1", ">>"), ("/dev/fd/3", "3>>"),
      ("/dev/stderr", "2>>"), ("out", ">>"),
    ] {
      try folder.write("log", "kept\n")
      let run = try runShell("\(eval) --output \(target) \(redirection) log", in: folder)
      #expect(run.exit == 0, "\(target): \(run.err)")
      #expect(try folder.read("log") == "kept\n" + rows, "\(target)")
    }
    let closed = try runShell("\(eval) --output /dev/fd/999", in: folder)
    #expect(closed.exit == 2)
    #expect(closed.err.contains("cannot write `/dev/fd/999`: Bad file descriptor"), "\(closed.err)")
  }
}
