import Foundation
import Testing

/// `metricc why` as a process.
@Suite struct WhyProcessTests {
  private let source = """
    completion met { for habit  every week  when sum(HabitEntry.value) >= 5 }
    streak weeks { of met  unit weeks }
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done  unit days }
    measure mean { for app  value average(HabitEntry.value where value > 100) }

    """
  private let entries = """
    id,habitId,dayKey,value
    e1,read,2026-01-01,2

    e2,read,2026-01-05,4
    e3,read,2026-01-12,5

    """

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    try folder.write("data/HabitEntry.csv", entries)
    return folder
  }

  @Test func asText() throws {
    let folder = try folder()
    let arguments = ["why", "run", "a.metric", "--data", "data", "--subject", "read", "--at", "2026-01-06"]
    let run = try runMetricc(arguments, in: folder.path)
    #expect(run.exit == 0)
    #expect(run.err == "")
    #expect(
      run.out == """
        run for `read` at 2026-01-06: 0 days

                 Jan 2026
           Mo Tu We Th Fr Sa Su
         1           □  ·  ·  ·
         5  □  ·
        □ complete, outside this calculation  · not complete

        0 complete windows of `done`, every day
        ended by the window of 2026-01-06, which is not complete

        when, at 2026-01-06
          count(HabitEntry) >= 1 = false
            count(HabitEntry) = 0

        """)
    let narrow = try runMetricc(arguments, environment: ["COLUMNS": "40"], in: folder.path)
    #expect(narrow.out.contains("\n\nJan 2026\n□··· □·\n"))
  }

  /// The smallest additions instead of the windows.
  @Test func ahead() throws {
    let folder = try folder()
    func ask(_ metric: String, _ day: String, _ more: String...) throws -> Run {
      try runMetricc(
        ["why", metric, "a.metric", "--data", "data", "--subject", "read", "--at", day, "--ahead"] + more,
        in: folder.path)
    }
    #expect(
      try ask("run", "2026-01-06").out == """
        run for `read` at 2026-01-06
        one entry today keeps 1 day and makes it 2

        """)
    #expect(
      try ask("weeks", "2026-01-08", "--format", "json").out == """
        {"metric":"weeks","kind":"streak","subject":"read","at":"2026-01-08","unit":"weeks","value":0,"kept":0,\
        "next":null,"measured":null,"needed":false,"by":"2026-01-08","left":null,"step":{"goal":"raise","value":1,\
        "additions":[{"record":"HabitEntry","count":1,"fields":{"value":1}}]},\
        "sentences":["one entry with value 1 today makes it 1 week"]}

        """)
    let unknown = try runMetricc(
      ["why", "run", "a.metric", "--data", "data", "--subject", "raed", "--at", "2026-01-06", "--ahead"],
      in: folder.path)
    #expect(unknown.exit == 0 && unknown.out.hasSuffix("there is no value\n"))
    #expect(unknown.err.contains("did you mean `read`?"))
    let measure = try runMetricc(["why", "mean", "a.metric", "--data", "data", "--ahead"], in: folder.path)
    #expect(measure.exit == 64 && measure.err.contains("has nothing ahead"))
  }

  /// A forgiven window is shown, and the streak goes on before it.
  @Test func forgivenWindows() throws {
    let folder = try folder()
    try folder.write("kind.metric", "streak kind_run { of done  forgive 3 in 6 days }\n")
    let arguments = ["why", "kind_run", ".", "--data", "data", "--subject", "read", "--at", "2026-01-06"]
    let run = try runMetricc(arguments, in: folder.path)
    #expect(
      run.out.hasPrefix(
        """
        kind_run for `read` at 2026-01-06
          value  1
          left   0

                 Jan 2026
           Mo Tu We Th Fr Sa Su
         1           □  ·  ·  ·
         5  ■  ◇
        ■ complete  □ complete, outside this calculation  · not complete  ◇ forgiven

        1 complete window of `done`, every day: 2026-01-05 … 2026-01-05
        forgiven: 2026-01-06
        starts after the window of 2026-01-02, which is one more than is forgiven

        """), "\(run.out)")
    let json = try runMetricc(arguments.dropLast() + ["2026-01-05", "--format", "json"], in: folder.path)
    #expect(json.out.contains(#""state":"forgiven""#))
  }

  @Test func recordsHaveFilesAndLines() throws {
    let folder = try folder()
    let run = try runMetricc(
      ["why", "weeks", "a.metric", "--data", "data", "--subject", "read"], in: folder.path)
    #expect(run.err == "metricc: --at is not given; using the last DayKey, 2026-01-12\n")
    #expect(run.out.hasPrefix("weeks for `read` at 2026-01-12: 2 weeks\n"))
    let one = try runMetricc(
      ["why", "run", "a.metric", "--data", "data", "--subject", "read"], in: folder.path)
    #expect(one.out.hasPrefix("run for `read` at 2026-01-12: 1 day\n"))
    #expect(run.out.contains("HabitEntry e3  2026-01-12  data/HabitEntry.csv:5\n"))
    #expect(run.out.contains("2 complete windows of `met`, every 7 days: 2025-12-30 … 2026-01-12\n"))
    #expect(run.out.contains("before 2026-01-01 there is no record that `when` names\n"))
  }

  @Test func daysOfARetentionStandBelowEachOther() throws {
    let folder = try TemporaryFolder()
    let retention = "retention back { for user  start first Event  return Event  after 1, 30 days }\n"
    try folder.write("a.metric", retention)
    let days = (1...9).map { "\($0),ada,open,2026-01-0\($0)\n" }.joined()
    try folder.write("data/Event.csv", "id,userId,name,dayKey\n" + days)
    let run = try runMetricc(
      ["why", "back", "a.metric", "--data", "data", "--subject", "ada", "--at", "2026-01-09"],
      environment: ["COLUMNS": "50"], in: folder.path)
    #expect(
      run.out.contains(
        """
        day 0 is 2026-01-01
          d1   2026-01-02  came back
          d30  2026-01-31  not yet
        returns on 2026-01-01, 2026-01-02, 2026-01-03,
        2026-01-04, 2026-01-05, 2026-01-06, 2026-01-07,
        2026-01-08, 2026-01-09

        """), "\(run.out)")
  }

  /// A place is there to be opened, so it is never cut, however long the path and narrow the terminal.
  @Test func aLongPlaceIsWhole() throws {
    let folder = try folder()
    let long = String(repeating: "deep/", count: 30) + "HabitEntry.csv"
    try folder.write(long, entries)
    let run = try runMetricc(
      [
        "why", "weeks", "a.metric", "--data", "HabitEntry=\(long)", "--subject", "read", "--at", "2026-01-12",
      ],
      environment: ["COLUMNS": "60"], in: folder.path)
    #expect(
      run.out.hasSuffix(
        """

        3 records
        HabitEntry e3  2026-01-12  \(long):5
        HabitEntry e2  2026-01-05  \(long):4
        HabitEntry e1  2026-01-01  \(long):2

        """))
  }

  @Test func asJSON() throws {
    let folder = try folder()
    let run = try runMetricc(
      [
        "why", "weeks", "a.metric", "--data", "data", "--subject", "read", "--at", "2026-01-12", "--format",
        "json",
      ],
      in: folder.path)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: Any])
    #expect(
      report.keys.sorted() == [
        "at", "clauses", "funnel", "group", "kind", "links", "metric", "reads", "reason", "recordCount",
        "records", "retention", "subject", "thresholds", "unit", "values", "windows", "withheld",
      ])
    #expect((report["values"] as? [[String: Any]])?.first?["value"] as? Int == 2)
    let record = (report["records"] as? [[String: Any]])?.last
    #expect(record?["id"] as? String == "e3")
    #expect(record?["path"] as? String == "data/HabitEntry.csv")
    #expect(record?["line"] as? Int == 5)
    let windows = report["windows"] as? [String: Any]
    #expect((windows?["windows"] as? [[String: Any]])?.first?["state"] as? String == "complete")
  }

  @Test func noValueIsExplained() throws {
    let folder = try folder()
    let run = try runMetricc(
      ["why", "mean", "a.metric", "--data", "data", "--at", "2026-01-12"], in: folder.path)
    #expect(run.exit == 0)
    #expect(
      run.out.hasPrefix(
        """
        mean at 2026-01-12: no value
        because `average(HabitEntry.value where value > 100)` has nothing to aggregate

        """))
    let nobody = try runMetricc(
      ["why", "run", "a.metric", "--data", "data", "--at", "2026-01-12", "--subject", "raed"], in: folder.path
    )
    #expect(nobody.exit == 0)
    #expect(nobody.out.contains("because no record that `run` reads names the habit `raed`\n"))
  }

  @Test func wrongUsage() throws {
    let folder = try folder()
    let data = ["--data", "data", "--at", "2026-01-12"]
    let unknown = try runMetricc(["why", "rnu", "a.metric", "--subject", "read"] + data, in: folder.path)
    #expect(unknown.exit == 64)
    #expect(unknown.err == "metricc: error: no metric is named `rnu`; did you mean `run`?\n")
    #expect(try runMetricc(["why", "run", "a.metric"] + data, in: folder.path).exit == 64)
    #expect(try runMetricc(["why", "mean", "a.metric", "--subject", "x"] + data, in: folder.path).exit == 64)
    #expect(try runMetricc(["why", "run", "a.metric", "--subject", "read"], in: folder.path).exit == 64)
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\ne1,read,2026-02-30\n")
    #expect(
      try runMetricc(["why", "run", "a.metric", "--subject", "read"] + data, in: folder.path).exit == 2)
    try folder.write("b.metric", "streak broken { of dnoe }\n")
    #expect(
      try runMetricc(["why", "run", ".", "--subject", "read"] + data, in: folder.path).exit == 1)
  }
}
