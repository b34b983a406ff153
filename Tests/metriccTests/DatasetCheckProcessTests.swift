import Foundation
import Testing

/// `check --data` as a process.
@Suite(.serialized)
struct DatasetCheckProcessTests {
  private static let habits = "id,unit\nread,pages\nwalk,km\nwalk,km\n"
  private static let entries = """
    id,habitId,dayKey,timestampUtc,value
    1,read,2026-01-31,2026-02-01T11:00:00Z,1
    1,raed,2026-01-31,,1
    2,read,2026-13-31,,1
    3,read,2026-01-31,2026-02-03T11:00:00Z,x
    4,walk,2026-01-31,2026-02-03T11:00:00Z,3

    """

  private func badFolder() throws -> TemporaryFolder {
    let folder = try Example.folder()
    try folder.write("bad/Habit.csv", Self.habits)
    try folder.write("bad/HabitEntry.csv", Self.entries)
    return folder
  }

  @Test func everyKindOfFindingHasItsPlaceAndMend() throws {
    let folder = try badFolder()
    let run = try runMetricc(["check", "defs", "--data", "bad"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err == "")
    let places = [
      "bad/Habit.csv:4:1: error: `id` is `walk`, which another `Habit` has too [D040 duplicate-id]\n"
        + "bad/Habit.csv:3:1: note: the first record with this id\nnote: give each record",
      "bad/HabitEntry.csv:3:1: error: `id` is `1`",
      "bad/HabitEntry.csv:3:3: error: `habitId` is `raed`, and no `Habit` has this id; did you mean `read`? [D041",
      "bad/HabitEntry.csv:4:8: error: `dayKey` is `2026-13-31`, which is not a real date [D011 no-real-date]\nnote: ",
      "bad/HabitEntry.csv:5:40: error: `value` is `x`, expected a number [D013 not-a-number]",
      "bad/HabitEntry.csv:6:8: note: `dayKey` is `2026-01-31`, and `timestampUtc` is `2026-02-03T11:00:00Z`, 3 days later",
    ]
    for place in places { #expect(run.out.contains(place), "\(place)") }
    #expect(
      run.out.hasSuffix(
        """
        4 metrics: 4 accepted
        data: 2 files, 8 records; 6 findings: 1 no-real-date, 1 not-a-number, 2 duplicate-id, \
        1 dangling-reference, 1 day-far-from-instant

        """))
  }

  @Test func aCleanDatasetIsAccepted() throws {
    let folder = try Example.folder()
    try folder.write("data/Habit.csv", "id\nread\nwalk\n")
    let run = try runMetricc(["check", "defs", "--data", "data"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "4 metrics: 4 accepted\ndata: 2 files, 6 records; nothing found\n")
    let alone = try runMetricc(
      ["check", "defs", "--data", "HabitEntry=data/HabitEntry.csv"], in: folder.path)
    #expect(alone.exit == 0)
    #expect(
      alone.out.contains(
        "data/HabitEntry.csv:2:3: warning: `habitId` refers to a `Habit`, and the data has no such file"))
    let strict = ["check", "defs", "--strict", "--data", "HabitEntry=data/HabitEntry.csv"]
    #expect(try runMetricc(strict, in: folder.path).exit == 2)
  }

  @Test func allFormats() throws {
    let folder = try badFolder()
    let json = try runMetricc(["check", "defs", "--data", "bad", "--format", "json"], in: folder.path)
    #expect(json.exit == 2)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    #expect(report.keys.sorted() == ["data", "findings", "metrics"])
    #expect((report["findings"] as? [Any])?.count == 6)
    let data = try #require(report["data"] as? [String: [[String: Any]]])
    #expect(data["files"]?.compactMap { $0["records"] as? Int } == [3, 5])
    #expect(
      data["counts"]?.compactMap { $0["code"] as? String } == [
        "D040", "D011", "D013", "D040", "D041", "D042",
      ])

    let sarif = try runMetricc(["check", "defs", "--data", "bad", "--format", "sarif"], in: folder.path)
    #expect(sarif.exit == 2)
    let log = try #require(try JSONSerialization.jsonObject(with: Data(sarif.out.utf8)) as? [String: Any])
    #expect(SARIFSchema.mistakes(in: log) == [])

    let github = try runMetricc(["check", "defs", "--data", "bad", "--format", "github"], in: folder.path)
    #expect(github.exit == 2)
    #expect(
      github.out.contains("::error file=bad/HabitEntry.csv,line=3,col=3,title=D041 dangling-reference::"))
  }

  @Test func malformedInputWeighsMoreThanRejectedDefinitions() throws {
    let folder = try badFolder()
    try folder.write("defs/broken.metric", "streak broken { of dnoe }\n")
    #expect(try runMetricc(["check", "defs", "--data", "bad"], in: folder.path).exit == 2)
    try folder.write("data/Habit.csv", "id\nread\nwalk\n")
    #expect(try runMetricc(["check", "defs", "--data", "data"], in: folder.path).exit == 1)
    #expect(try runMetricc(["check", "defs", "--data", "nowhere"], in: folder.path).exit == 2)
    #expect(try runMetricc(["check", "defs", "--data", "Hobbit=data/Habit.csv"], in: folder.path).exit == 64)
  }

  @Test func ofManyMistakesTheFirstAreShownAndAllAreCounted() throws {
    let folder = try Example.folder()
    let rows = (1...300).map { "\($0),read,2026-01-\($0 % 2 == 0 ? "01" : "32")" }.joined(separator: "\n")
    try folder.write("many/HabitEntry.csv", "id,habitId,dayKey\n\(rows)\n")
    try folder.write("many/Habit.csv", "id,cadence\nread,hourly\n")
    let run = try runMetricc(["check", "defs", "--data", "many"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out.components(separatedBy: "D011 no-real-date]").count == 11)
    #expect(run.out.contains("note: 150 like this in all; the first 10 are shown\n"))
    // The habit is there; it could only not be read.
    #expect(!run.out.contains("D041"))
    #expect(
      run.err == "metricc: references to Habit were not checked, as some of its records could not be read\n")
  }

  @Test func aPipeCanBeChecked() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["check", "defs", "--data", "HabitEntry=/dev/stdin", "--data", "Habit=bad.csv"], stdin: "",
      in: folder.path)
    #expect(run.exit == 2)
    try folder.write("Habit.csv", "id\nread\n")
    let piped = try runMetricc(
      ["check", "defs", "--data", "HabitEntry=/dev/stdin", "--data", "Habit=Habit.csv"],
      stdin: "id,habitId,dayKey\n1,read,2026-01-01\n1,read,2026-01-02\n", in: folder.path)
    #expect(piped.exit == 2)
    #expect(piped.out.contains("/dev/stdin:3:1: error: `id` is `1`"))
  }
}
