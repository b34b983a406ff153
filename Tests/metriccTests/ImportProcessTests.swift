import Foundation
import MetricTestSupport
import MetricValues
import Testing

/// `metricc import` as a process: what it writes, and that the dataset can be used.
@Suite(.serialized)
struct ImportProcessTests {
  private struct Kind {
    var arguments: [String]
    var definitions = "Habits"
    /// Whether the definitions have something to say about the records.
    var hasResults = true
  }

  private static func export(_ name: String) -> String { Repository.path("Tests/Exports/\(name)") }

  private static let kinds = [
    Kind(arguments: ["loop", export("loop")]), Kind(arguments: ["loop", export("loop.db")]),
    Kind(arguments: ["habitbull", export("habitbull.csv")]),
    Kind(arguments: ["mhabit", export("mhabit.json")]),
    Kind(arguments: ["apple-health", export("apple-health.xml"), "--zone", "Europe/Berlin"]),
    Kind(
      arguments: ["cloudkit", export("cloudkit.json"), "--zone", "Europe/Berlin"], definitions: "StoryReading"
    ),
    Kind(
      arguments: [
        "csv", export("log.csv"), "--mapping", export("log.mapping.json"), "--zone", "Pacific/Apia",
      ]),
    Kind(
      arguments: [
        "ndjson", export("events.ndjson"), "--mapping", export("events.mapping.json"), "--zone", "UTC",
      ], hasResults: false),
    Kind(
      arguments: [
        "firebase", export("firebase.ndjson"), "--definitions", Repository.path("Definitions/KnowledgeApp"),
      ],
      definitions: "KnowledgeApp"),
  ]

  /// All files of a folder, by name.
  private func contents(_ folder: TemporaryFolder, _ name: String) throws -> [String: String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path(name))
    return try Dictionary(uniqueKeysWithValues: names.map { ($0, try folder.read("\(name)/\($0)")) })
  }

  @Test(arguments: kinds.indices)
  func theDatasetIsTheSameEachTimePassesTheCheckAndEvaluates(_ index: Int) throws {
    let kind = Self.kinds[index]
    let folder = try TemporaryFolder()
    let first = try runMetricc(["import"] + kind.arguments + ["--output", "one"], in: folder.path)
    #expect(first.exit == 0, "\(first.err)")
    #expect(first.err == "")
    #expect(first.out.contains("left out:\n"))
    // Nothing of the machine decides: neither its zone nor its language.
    let again = try runMetricc(
      ["import"] + kind.arguments + ["--output", "two"],
      environment: ["TZ": "Asia/Tokyo", "LC_ALL": "de_DE.UTF-8"], in: folder.path)
    #expect(again.out == first.out)
    #expect(try contents(folder, "one") == contents(folder, "two"))
    let definitions = Repository.path("Definitions/\(kind.definitions)")
    let check = try runMetricc(["check", definitions, "--data", "one"], in: folder.path)
    #expect(check.exit == 0, "\(check.out)")
    let eval = try runMetricc(["eval", definitions, "--data", "one", "--format", "csv"], in: folder.path)
    #expect(eval.exit == 0, "\(eval.err)")
    #expect(eval.out.split(separator: "\n").count > 1 || !kind.hasResults)
  }

  @Test func filesThatAreThereStayUnlessForced() throws {
    let folder = try TemporaryFolder()
    let arguments = ["import", "habitbull", Self.export("habitbull.csv"), "--output", "data"]
    try folder.write("data/HabitEntry.csv", "mine")
    let refused = try runMetricc(arguments, in: folder.path)
    #expect(refused.exit == 2)
    #expect(
      refused.err == "metricc: error: `data/HabitEntry.csv` already exists; pass --force to overwrite it\n")
    #expect(try contents(folder, "data") == ["HabitEntry.csv": "mine"])
    #expect(try runMetricc(arguments + ["--force"], in: folder.path).exit == 0)
    #expect(try contents(folder, "data").keys.sorted() == ["Habit.csv", "HabitEntry.csv"])
    try folder.write("other/Habit.ndjson", "{}")
    let double = try runMetricc(
      ["import", "habitbull", Self.export("habitbull.csv"), "--output", "other", "--force"], in: folder.path)
    #expect(double.exit == 2)
    #expect(try contents(folder, "other") == ["Habit.ndjson": "{}"])
  }

  @Test func aFailureLeavesNothingBehind() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.csv",
      "HabitName,HabitDescription,HabitCategory,CalendarDate,Value\nx,,,2026-01-01,1\nx,,,2026-01-32,1\n")
    let run = try runMetricc(["import", "habitbull", "a.csv", "--output", "data"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(run.err.hasPrefix("metricc: error: a.csv:3:5: `CalendarDate` is `2026-01-32`, expected a date"))
    #expect(folder.names == ["a.csv"])
  }

  /// The strength of habits with days of rest, as Loop computes it: a skipped day leaves it as it is.
  @Test func strengthIsThatOfLoop() throws {
    let folder = try TemporaryFolder()
    let names = ["Read", "Swim", "Rest"]
    let first = try #require(DayKey("2026-01-01"))
    var lines: [String] = []
    var scores: [String: Double] = [:]
    var last = [0.0, 0.0, 0.0]
    let factor = pow(0.5, 1.0 / 13)
    for index in 0..<120 {
      let marks = [index % 7 == 3 ? 0 : 2, [2, 3, 2, -1, 3][index % 5], index < 40 ? 2 : 3]
      let day = first.advanced(by: index)
      lines.append("\(day)," + marks.map { "\($0)," }.joined())
      for habit in names.indices where marks[habit] != 3 {
        last[habit] = last[habit] * factor + (marks[habit] == 2 ? 1 - factor : 0)
      }
      for habit in names.indices { scores["\(names[habit]) \(day)"] = last[habit] }
    }
    let text = (["Date,Read,Swim,Rest,"] + lines.reversed()).joined(separator: "\n") + "\n"
    try folder.write("loop/Checkmarks.csv", text)
    let imported = try runMetricc(["import", "loop", "loop", "--output", "data"], in: folder.path)
    #expect(imported.exit == 0, "\(imported.err)")
    let eval = try runMetricc(
      [
        "eval", Repository.path("Definitions/Habits"), "--data", "data", "--metric", "strength", "--from",
        "\(first)", "--format", "csv",
      ], in: folder.path)
    let rows = eval.out.split(separator: "\n").dropFirst()
    #expect(rows.count == 360)
    for row in rows {
      let cells = row.split(separator: ",", omittingEmptySubsequences: false)
      let score = try #require(scores["\(cells[1]) \(cells[4])"])
      #expect(abs(try #require(Double(cells[5])) - score) < 5e-5, "\(row)")
    }
  }

  @Test func anImportWithoutEntriesIsSaid() throws {
    let folder = try TemporaryFolder()
    try folder.write("none.csv", "Date,Read\n2026-01-01,0\n")
    let none = try runMetricc(["import", "loop", "none.csv", "--output", "data"], in: folder.path)
    #expect(none.exit == 0)
    #expect(none.err.contains("the export makes no HabitEntry"), "\(none.err)")
    try folder.write("map.json", #"{"records":[{"record":"Habit","fields":{"id":{"column":"id"}}}]}"#)
    try folder.write("empty.csv", "id\n")
    let empty = try runMetricc(
      ["import", "csv", "empty.csv", "--mapping", "map.json", "--output", "out"], in: folder.path)
    #expect(empty.exit == 2)
    #expect(empty.err.contains("found nothing to import in `empty.csv`; nothing was written"), "\(empty.err)")
    #expect(!folder.names.contains("out"))
  }

  /// Records of the user's own are checked where the definitions are given, built-in ones always.
  @Test func aMappingIsCheckedAgainstTheRecords() throws {
    let folder = try TemporaryFolder()
    try folder.write("log.csv", "nr,day\n1,today\n")
    try folder.write("own.metric", "fact Walk {\n  id : ID\n  dayKey : DayKey\n}\n")
    func run(_ record: String, _ options: String) throws -> Run {
      try folder.write(
        "map.json",
        #"{"records":[{"record":"\#(record)","fields":{"id":{"column":"nr"},"dayKey":{"column":"day"}}}]}"#)
      return try runShell(
        "$metricc import csv log.csv --mapping map.json --output data --force \(options)", in: folder)
    }
    #expect(try run("Walk", "").exit == 0)
    let own = try run("Walk", "--definitions own.metric")
    #expect(own.exit == 2)
    #expect(own.err.contains("log.csv:2:3: Walk: `dayKey` is `today`, expected a day"), "\(own.err)")
    let builtIn = try run("HabitEntry", "")
    #expect(builtIn.exit == 2)
    #expect(builtIn.err.contains("map.json:1:13: found no field `habitId`"), "\(builtIn.err)")
  }

  @Test func usage() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.csv", "a\n1\n")
    let wrong = [
      ["csv", "a.csv"], ["loop", "a.csv", "--zone", "UTC"], ["loop", "a.csv", "--definitions", "."],
      ["habitbull", "a.csv", "--mapping", "m.json"],
      ["apple-health", "a.csv", "--zone", "CET"], ["mhabit", "a.csv", "--dates", "day-month"],
      ["excel", "a.csv"],
      ["habitbull", "."],
    ]
    for arguments in wrong {
      let run = try runMetricc(["import"] + arguments + ["--output", "data"], in: folder.path)
      #expect(run.exit == 64, "\(arguments): \(run.err)")
    }
    #expect(
      try runMetricc(["import", "habitbull", "none.csv", "--output", "data"], in: folder.path).exit == 2)
    #expect(try runMetricc(["import", "habitbull", "a.csv", "--output", "a.csv"], in: folder.path).exit == 2)
    #expect(folder.names == ["a.csv"])
    try folder.write("b.zip", "PK\u{3}\u{4}")
    let zip = try runMetricc(["import", "loop", "b.zip", "--output", "data"], in: folder.path)
    #expect(zip.exit == 2)
    #expect(zip.err.contains("b.zip: is a zip archive; unpack it first (`unzip -d folder b.zip`)"))
    try folder.write("c.db", "SQLite format 3\u{0}")
    try folder.write("c.db-wal", "changes")
    let busy = try runMetricc(["import", "loop", "c.db", "--output", "data"], in: folder.path)
    #expect(busy.exit == 2)
    #expect(busy.err.contains("`c.db` has changes beside it, in `c.db-wal`, that are not in it yet"))
  }

  @Test func aDatabaseIsReadByTheClient() throws {
    let folder = try TemporaryFolder()
    let without = try runShell(
      "PATH=/nowhere $metricc import loop '\(Self.export("loop.db"))' --output data", in: folder)
    #expect(without.exit == 2)
    #expect(without.err.contains("needs the client `sqlite3`"), "\(without.err)")
    #expect(without.err.contains("export as CSV in Loop, unpack the archive and import its folder"))
    try folder.write("-odd'name.db", "SQLite format 3\u{0}and no more")
    let damaged = try runMetricc(
      ["import", "loop", "--output", "data", "--", "-odd'name.db"], in: folder.path)
    #expect(damaged.exit == 2)
    #expect(
      damaged.err.contains("-odd'name.db: found a database that `sqlite3` cannot read")
        || damaged.err.contains("needs the client `sqlite3`"), "\(damaged.err)")
    #expect(folder.names == ["-odd'name.db"])
  }
}
