import Foundation
import Testing

/// `metricc diff` as a process.
@Suite struct DiffProcessTests {
  private let old = """
    /// Done.
    completion done { for habit  every week  when count(HabitEntry) >= 3 }
    streak run { of done }

    """

  private func folder(_ new: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("old/a.metric", old)
    try folder.write("new/a.metric", new)
    return folder
  }

  @Test func nothingChanged() throws {
    let folder = try folder(old)
    let run = try runMetricc(["diff", "old", "new"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "0 metrics changed; 2 equal\n")
  }

  @Test func fieldsMayBeCalledOtherwise() throws {
    let folder = try folder(old.replacing(">= 3", with: ">= 2"))
    try folder.write("data/HabitEntry.csv", "id,habit_id,dayKey\n1,a,2026-01-01\n2,a,2026-01-01\n")
    let diff = "$metricc diff old new --data data --at 2026-01-01"
    let without = try runShell(diff, in: folder)
    #expect(
      without.exit == 2 && without.err.contains("--column HabitEntry.habitId=habit_id"), "\(without.err)")
    let run = try runShell("\(diff) --column HabitEntry.habitId=habit_id", in: folder)
    #expect(run.exit == 1 && run.out.contains("false → true"), "\(run.out) \(run.err)")
    let wrong = try runShell("\(diff) --column HabitEntry.habit=habit_id", in: folder)
    #expect(wrong.exit == 64 && wrong.err.contains("has no stored field `habit`"), "\(wrong.err)")
    #expect(try runShell("$metricc diff old new --column HabitEntry.habitId=h", in: folder).exit == 64)
  }

  @Test func markdownIsAnotherWordForGitHub() throws {
    let folder = try folder(old.replacing("Done.", with: "Met."))
    let runs = try ["github", "markdown"].map {
      try runMetricc(["diff", "old", "new", "--format", $0], in: folder.path)
    }
    #expect(runs[0].out.hasPrefix("### ") && runs.allSatisfy { $0.exit == 0 })
    #expect(runs[0].out == runs[1].out)
  }

  @Test(arguments: [("missing", 2, "cannot read"), ("bad", 1, "the new definitions are rejected")])
  func whatCannotBeComparedIsWritten(_ new: String, _ exit: Int, _ reason: String) throws {
    let folder = try folder(old)
    try folder.write("bad/a.metric", "streak run { of gone }\n")
    let json = try runMetricc(["diff", "old", new, "--format", "json"], in: folder.path)
    #expect(Int(json.exit) == exit && json.err.contains(reason))
    #expect(
      json.out.hasPrefix("{\"changes\":[],\"break\":true,\"errors\":[") && json.out.contains(reason),
      "\(json.out)")
    let comment = try runMetricc(["diff", "old", new, "--format", "github"], in: folder.path)
    #expect(
      comment.out.hasPrefix("### Metric definitions: not compared\n\n- ") && comment.out.contains(reason))
  }

  @Test func wordsAreLetThrough() throws {
    let folder = try folder(old.replacing("Done.", with: "Met.").replacing("week", with: "7 days"))
    let run = try runMetricc(["diff", "old", "new"], in: folder.path)
    #expect(run.exit == 0)
    #expect(
      run.out == """
        words: done
          doc: Done. → Met.

        1 metric changed: 1 words; 1 equal

        """)
    #expect(try runMetricc(["diff", "old", "new", "--allow", "added"], in: folder.path).exit == 1)
  }

  @Test func aMeaningComesWithItsSmallestDataset() throws {
    let folder = try folder(old.replacing(">= 3", with: "> 1"))
    try folder.write(
      "data/HabitEntry.csv", "id,habitId,dayKey\n1,a,2026-01-01\n2,a,2026-01-02\n3,b,2026-01-02\n")
    let run = try runMetricc(["diff", "old", "new", "--data", "data"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.err == "metricc: --at is not given; using the last DayKey, 2026-01-02\n")
    #expect(
      run.out.hasPrefix(
        """
        meaning: done
          when: count(HabitEntry) >= 3 → count(HabitEntry) > 1
          smallest dataset found: false before, true now
            test "done, as it was" {

        """), "\(run.out)")
    #expect(run.out.contains("  on the data at 2026-01-02: 1 of 2 subjects changed\n    a: false → true\n"))
    #expect(run.out.contains("meaning: run (through done)\n"))
    #expect(run.out.hasSuffix("\n2 metrics changed: 2 meaning; 0 equal\n"))
    #expect(
      try runMetricc(["diff", "old", "new", "--allow", "words, meaning"], in: folder.path).exit == 0)
  }

  /// Data may hold records that one side alone knows, and the last day of all facts is that of both.
  @Test func recordsOfOneSide() throws {
    let folder = try folder(
      old.replacing(">= 3", with: "> 1")
        + """
        fact Walk { id : ID  habitId : Habit  dayKey : DayKey }
        measure walks { for habit  value count(Walk) }

        """)
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n1,a,2026-01-01\n2,a,2026-01-02\n")
    try folder.write("data/notes.csv", "")
    try folder.write("walks.csv", "id,habitId,dayKey\n1,a,2026-01-05\n")
    for sides in [["old", "new"], ["new", "old"]] {
      let run = try runMetricc(
        ["diff"] + sides + ["--no-progress", "--data", "data", "--data", "Walk=walks.csv"], in: folder.path)
      #expect(run.exit == 1)
      #expect(
        run.err == """
          metricc: ignoring `data/notes.csv`: no record is named `notes`
          metricc: --at is not given; using the last DayKey, 2026-01-05

          """)
      #expect(run.out.contains("  on the data at 2026-01-05: 1 of 1 subject changed\n"))
    }
  }

  @Test func asJSONAndMarkdown() throws {
    let folder = try folder(old.replacing("streak run", with: "streak weeks_in_a_row"))
    let json = try runMetricc(["diff", "old", "new", "--format", "json"], in: folder.path)
    #expect(json.exit == 1)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    #expect(report["break"] as? Bool == true)
    #expect((report["summary"] as? [String: Int])?["renamed"] == 1)
    let change = try #require((report["changes"] as? [[String: Any]])?.first)
    #expect(change["old"] as? String == "run")
    #expect(change["new"] as? String == "weeks_in_a_row")
    #expect(
      change.keys.sorted() == [
        "allowed", "data", "details", "level", "metric", "new", "old", "readers", "searchedFacts", "through",
        "witness",
      ])
    let markdown = try runMetricc(["diff", "old", "new", "--format", "github"], in: folder.path)
    #expect(markdown.exit == 1)
    #expect(markdown.out.contains("| ❌ renamed | `run` → `weeks_in_a_row` |  |\n"))
  }

  @Test func wrongUsage() throws {
    let folder = try folder("streak broken { of dnoe }\n")
    #expect(try runMetricc(["diff", "old"], in: folder.path).exit == 64)
    let level = try runMetricc(["diff", "old", "old", "--allow", "word"], in: folder.path)
    #expect(level.exit == 64)
    #expect(level.err.contains("not `word`; did you mean `words`?"))
    #expect(try runMetricc(["diff", "old", "old", "--at", "2026-01-01"], in: folder.path).exit == 64)
    #expect(try runMetricc(["diff", "old", "nowhere"], in: folder.path).exit == 2)
    let rejected = try runMetricc(["diff", "old", "new"], in: folder.path)
    #expect(rejected.exit == 1)
    #expect(rejected.out == "")
    #expect(rejected.err.contains("the new definitions are rejected"))
  }

  // MARK: git

  @discardableResult
  private func git(_ arguments: [String], in folder: String) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  @Test func revisionsOfGit() throws {
    let folder = try TemporaryFolder()
    try folder.write("defs/a.metric", old)
    guard try git(["--version"], in: folder.path) == 0 else { return }
    let outside = try runMetricc(
      ["diff", "git:HEAD", "defs"], environment: ["GIT_CEILING_DIRECTORIES": "/tmp"], in: folder.path)
    #expect(outside.exit == 2)
    #expect(outside.err.hasPrefix("metricc: error: this folder is not in a git repository"))
    try git(["init", "-q"], in: folder.path)
    try git(["add", "."], in: folder.path)
    #expect(try git(["commit", "-q", "-m", "first"], in: folder.path) == 0)
    try folder.write("defs/a.metric", old.replacing(">= 3", with: ">= 4"))
    for revision in ["git:HEAD", "git:HEAD:defs", "git:HEAD:defs/a.metric"] {
      let run = try runMetricc(["diff", revision, "defs"], in: folder.path)
      #expect(run.exit == 1, "\(run.err)")
      #expect(run.out.hasSuffix("2 metrics changed: 2 meaning; 0 equal\n"))
    }
    let elsewhere = try runMetricc(["diff", "git:HEAD", folder.path("defs")], in: "/")
    #expect(elsewhere.out.hasSuffix("2 metrics changed: 2 meaning; 0 equal\n"), "\(elsewhere.err)")
    #expect(try runMetricc(["diff", "git:HEAD", "git:HEAD"], in: folder.path).exit == 0)
    let unknown = try runMetricc(["diff", "git:nope", "defs"], in: folder.path)
    #expect(unknown.exit == 2)
    #expect(unknown.err == "metricc: error: git does not know the revision `nope`\n")
    let empty = try runMetricc(["diff", "git:HEAD:nowhere", "defs"], in: folder.path)
    #expect(empty.exit == 2)
    #expect(
      empty.err == "metricc: error: there is no `.metric` file in `nowhere` at the revision `HEAD`\n")
    #expect(try runMetricc(["diff", "git:--all", "defs"], in: folder.path).exit == 64)
  }
}
