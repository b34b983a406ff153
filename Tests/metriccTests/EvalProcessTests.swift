import Foundation
import Testing

/// `metricc eval` as a process.
@Suite(.serialized)
struct EvalProcessTests {
  private let csv = """
    metric,subject,group,part,at,value
    daily_streak,read,,,2026-01-03,3
    daily_streak,walk,,,2026-01-03,1
    done,read,,,2026-01-03,true
    done,walk,,,2026-01-03,true

    """
  private let chosen = ["--metric", "done", "--metric", "daily_streak"]

  @Test func theLastDayKeyIsTheDefault() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["eval", "defs", "--data", "data", "--format", "csv"] + chosen, in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == csv)
    #expect(run.err == "metricc: --at is not given; using the last DayKey, 2026-01-03\n")
  }

  @Test func aTableIsTheDefaultFormat() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03"] + chosen, in: folder.path)
    #expect(
      run.out == """
        2026-01-03

        habit  daily_streak  done
        read              3     ✓
        walk              1     ✓

        """)
    #expect(run.err == "")
  }

  @Test("REP-01 REP-02: --report chooses the metrics and the days") func aReport() throws {
    let folder = try Example.folder()
    try folder.write("defs/report.metric", "report runs { every calendar month  metrics daily_streak, done }")
    let eval = ["eval", "defs", "--data", "data", "--format", "csv"]
    let once = try runMetricc(eval + ["--report", "runs", "--at", "2026-01-03"], in: folder.path)
    #expect(once.out == csv)
    let series = ["--report", "runs", "--from", "2026-01-01", "--to", "2026-02-28"]
    let months = try runMetricc(eval + series, in: folder.path)
    let rows = months.out.split(separator: "\n").dropFirst()
    let days = Set(rows.map { $0.split(separator: ",", omittingEmptySubsequences: false)[4] })
    #expect(days == ["2026-01-31", "2026-02-28"])
    let sql = try runMetricc(["sql", "defs", "--dialect", "sqlite"] + series, in: folder.path)
    #expect(sql.exit == 0 && sql.out.contains("'2026-01-31'") && !sql.out.contains("'2026-01-30'"))
    let unknown = try runMetricc(eval + ["--report", "run"], in: folder.path)
    #expect(unknown.exit == 64 && unknown.err.contains("no report is named `run`; did you mean `runs`?"))
    let both = try runMetricc(eval + ["--report", "runs", "--metric", "done"], in: folder.path)
    #expect(both.exit == 64)
  }

  @Test("REP-01: a report's table has each of its metrics, also those that others rest on")
  func aReportIsWhole() throws {
    let folder = try Example.folder()
    try folder.write(
      "defs/report.metric",
      """
      measure logged { for app  audience team  value count(HabitEntry)  over last 1 day }
      measure usual { for app  audience team  value average(logged over last 28 days) }
      report numbers { metrics logged, usual }
      """)
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03", "--report", "numbers"], in: folder.path)
    #expect(
      run.out.contains("logged") && run.out.contains("usual") && !run.out.contains("not shown"), "\(run.err)")
  }

  @Test func aSeriesHasARowADay() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--from", "2026-01-01", "--metric", "daily_streak"]
        + ["--subject", "read", "--subject", "nobody", "--format", "ndjson"], in: folder.path)
    #expect(run.exit == 0)
    let lines = run.out.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(
      lines.last
        == #"{"metric":"daily_streak","subject":"read","group":"","part":"","at":"2026-01-03","value":3}"#)
    #expect(
      run.err == """
        metricc: --to is not given; using the last DayKey, 2026-01-03
        metricc: no chosen metric has a subject `nobody`

        """)
  }

  @Test(arguments: [("Read", "read"), ("wlak", "walk")])
  func aMisspelledSubject(_ written: String, _ meant: String) throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03", "--subject", written], in: folder.path)
    #expect(run.err == "metricc: no chosen metric has a subject `\(written)`; did you mean `\(meant)`?\n")
  }

  @Test func rowsAreSortedAndCut() throws {
    let folder = try Example.folder()
    let arguments = [
      "eval", "defs", "--data", "data", "--at", "2026-01-03", "--sort", "daily_streak", "--top", "1",
    ]
    let run = try runMetricc(arguments + chosen, in: folder.path)
    #expect(run.out == "2026-01-03\n\nhabit  daily_streak  done\nread              3     ✓\n")
    let machine = try runMetricc(arguments + chosen + ["--format", "csv"], in: folder.path)
    #expect(
      machine.out == """
        metric,subject,group,part,at,value
        daily_streak,read,,,2026-01-03,3
        done,read,,,2026-01-03,true

        """)
    let wide = try runMetricc(arguments + ["--layout", "wide", "--format", "csv"], in: folder.path)
    #expect(wide.exit == 64)
    let unknown = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03", "--sort", "daily_strek"], in: folder.path)
    #expect(unknown.exit == 64)
    #expect(unknown.err.contains("did you mean `daily_streak`?"))
  }

  /// A completion without a title that a streak reads is shown when it is asked for, and always in CSV.
  @Test func metricsThatOnlyServeOthers() throws {
    let folder = try Example.folder()
    let day = ["eval", "defs", "--data", "data", "--at", "2026-01-03"]
    let run = try runMetricc(day, in: folder.path)
    #expect(!run.out.contains("done  "))
    #expect(run.out.contains("not shown, as other metrics rest on them: `done` (`--all`)"))
    #expect(try runMetricc(day + ["--all"], in: folder.path).out.contains("  done"))
    #expect(try runMetricc(day + ["--format", "csv"], in: folder.path).out.contains("\ndone,read,"))
  }

  @Test(arguments: [
    ("chek", "check"), ("evaluate", "eval"), ("format", "fmt"), ("lint", "check"),
  ])
  func anUnknownCommand(_ word: String, _ meant: String) throws {
    let run = try runMetricc([word, "defs"])
    #expect(run.exit == 64)
    #expect(run.err == "metricc: error: there is no command `\(word)`; did you mean `metricc \(meant)`?\n")
  }

  @Test func aFileIsRecognisedByItsColumns() throws {
    let folder = try Example.folder()
    try folder.write("entries.csv", "id,habitId,dayKey\n1,read,2026-01-01\n")
    let run = try runMetricc(["eval", "defs", "--data", "entries.csv"], in: folder.path)
    #expect(run.err.contains("say which record it holds: `--data HabitEntry=entries.csv`"))
  }

  @Test(arguments: ["2026-01-01T10:00:00Z", "2026-01-01 10:00:00", "01.02.2026", "20260101"])
  func aColumnInAnotherFormIsOneFinding(_ day: String) throws {
    let folder = try Example.folder()
    let rows = (1...3000).map { "\($0),read,\(day)\n" }.joined()
    try folder.write("many/HabitEntry.csv", "id,habitId,dayKey\n\(rows)")
    for command in [["eval", "defs"], ["check", "defs"]] {
      let run = try runMetricc(command + ["--data", "many"], in: folder.path)
      #expect(run.exit == 2)
      #expect((run.out + run.err).components(separatedBy: "D012 not-a-day").count == 2)
    }
  }

  @Test func dataComesFromStandardInput() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "HabitEntry=/dev/stdin", "--format", "csv"] + chosen,
      stdin: Example.entries, in: folder.path)
    #expect(run.out == csv)
  }

  @Test func theOutputFileAppearsWhole() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--output", "rows.csv"] + chosen, in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "")
    #expect(try folder.read("rows.csv") == csv)
    #expect(folder.names == ["data", "defs", "rows.csv"])
  }

  @Test func theBytesAreTheSameWithManyThreads() throws {
    let folder = try Example.folder()
    let arguments = ["eval", "defs", "--data", "data", "--from", "2025-12-01", "--format", "json"]
    let one = try runMetricc(arguments + ["--threads", "1"], in: folder.path)
    #expect(try runMetricc(arguments + ["--threads", "7"], in: folder.path).out == one.out)
  }

  @Test(arguments: [
    ["--metric", "dnoe"], ["--at", "2026-13-01"], ["--from", "2026-02-01", "--to", "2026-01-01"],
    ["--at", "2026-01-01", "--from", "2026-01-01"], ["--to", "2026-01-01"], ["--every", "week"],
    ["--threads", "0"], ["--threads", "1025"], ["--threads", "many"],
    ["--data", "Habti=data/HabitEntry.csv"],
    ["--data", "HabitEntry=data/HabitEntry.csv"], ["--format", "xml"], ["--from", "2027-01-01"],
    ["--output", "x.csv", "--rejects", "x.csv"],
  ])
  func wrongUse(_ arguments: [String]) throws {
    let folder = try Example.folder()
    let run = try runMetricc(["eval", "defs", "--data", "data"] + arguments, in: folder.path)
    #expect(run.exit == 64)
    #expect(run.out == "")
    #expect(folder.names == ["data", "defs"])
  }

  @Test func anUnknownMetricIsSuggested() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["eval", "defs", "--data", "data", "--metric", "dnoe"], in: folder.path)
    #expect(run.err == "metricc: error: no metric is named `dnoe`; did you mean `done`?\n")
  }

  /// The short way and the one that holds rows write the same bytes.
  @Test(arguments: ["csv", "json", "ndjson"])
  func choosingAllSubjectsChangesNothing(_ format: String) throws {
    let folder = try Example.folder()
    let arguments = ["eval", "defs", "--data", "data", "--format", format, "--at", "2026-01-03"] + chosen
    let all = try runMetricc(arguments, in: folder.path)
    let both = try runMetricc(arguments + ["--subject", "read", "--subject", "walk"], in: folder.path)
    #expect(all.exit == 0)
    #expect(all.out == both.out)
  }

  /// A file of several parts says where its bad rows are, whatever the number of threads.
  @Test func badRowsOfALargeFileHaveTheirLines() throws {
    let folder = try Example.folder()
    var lines = ["id,habitId,dayKey"]
    for row in 0..<60_000 {
      lines.append("entry-number-\(100_000 + row),\(row % 3 == 0 ? "read" : "walk"),2026-01-0\(1 + row % 9)")
    }
    lines[100] = "a,read,2026-01-32"
    lines[30_000] = "b,\"re\nad\",2026-01-01"
    lines[40_000] = "c,read"
    lines[59_999] = "d,,2026-01-01"
    try folder.write("data/HabitEntry.csv", lines.joined(separator: "\n") + "\n")
    let arguments = ["eval", "defs", "--data", "data", "--format", "csv"] + chosen
    for threads in ["1", "2", "7"] {
      let run = try runMetricc(arguments + ["--threads", threads], in: folder.path)
      #expect(run.exit == 2)
      let places = run.err.split(separator: "\n").map {
        $0.split(separator: ":").prefix(3).joined(separator: ":")
      }
      #expect(
        places.prefix(3) == [
          "data/HabitEntry.csv:101:8", "data/HabitEntry.csv:40002:1", "data/HabitEntry.csv:60001:3",
        ])
      #expect(run.err.hasSuffix("metricc: 3 findings in all\n"))
      let rejecting = try runMetricc(
        arguments + ["--threads", threads, "--rejects", "bad.ndjson"], in: folder.path)
      #expect(rejecting.exit == 0)
      #expect(rejecting.out.contains("done,\"re\nad\",,,2026-01-09,false\n"))
      #expect(try folder.read("bad.ndjson").split(separator: "\n").count == 3)
    }
  }

  @Test func malformedDataEndsTheRun() throws {
    let folder = try Example.folder()
    let bad = (1...25).map { "\($0),read,2026-02-30\n" }.joined()
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n" + bad)
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--output", "rows.csv"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err.hasPrefix("data/HabitEntry.csv:2:8: error: "))
    #expect(run.err.hasSuffix("\nmetricc: 25 findings in all; the first 20 are shown\n"))
    #expect(run.err.split(separator: "\n").count == 21)
    #expect(folder.names == ["data", "defs"])
  }

  @Test func rejectsAreWrittenAndLeftOut() throws {
    let folder = try Example.folder()
    try folder.write("data/HabitEntry.csv", Example.entries + "5,walk,2026-02-30\n")
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--format", "csv", "--rejects", "bad.ndjson"] + chosen,
      in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == csv)
    #expect(run.err.contains("metricc: 1 record is left out; it is in `bad.ndjson`\n"))
    let line = try folder.read("bad.ndjson")
    #expect(
      line.hasPrefix(#"{"path":"data/HabitEntry.csv","line":6,"column":8,"record":"HabitEntry","code":"D0"#))
    #expect(line.hasSuffix(#""text":"5,walk,2026-02-30"}"# + "\n"))
  }

  @Test func dataWithoutFactsNeedsADay() throws {
    let folder = try Example.folder()
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n")
    let run = try runMetricc(["eval", "defs", "--data", "data"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err.contains("--at is not given, and the data holds no fact"))
  }

  @Test func aBundleThatHoldsItselfIsAFinding() throws {
    let folder = try Example.folder()
    try folder.write(
      "defs/goals.metric",
      "/// G.\nprogress goals { for goal  value contribution(HabitEntry through GoalLink) }\n")
    try folder.write("data/GoalLink.csv", "id,goalId,habitId,bundleId,contribution\nl,g,,a,count\n")
    try folder.write("data/BundleMember.csv", "bundleId,habitId,childBundleId\na,,b\nb,,a\n")
    try folder.write("data/Bundle.csv", "id\na\nb\n")
    let run = try runMetricc(["eval", "defs", "--data", "data"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(run.err.contains("data/BundleMember.csv: error: "))
    #expect(run.err.contains("[D030 bundle-cycle]"))
  }

  @Test func aClosedPipeEndsTheRunQuietly() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03"], in: folder.path, closesOutput: true)
    #expect(run.exit == 0)
    #expect(run.err == "")
  }

  @Test func aFullDiskIsAFailure() throws {
    let folder = try Example.folder()
    let run = try runMetricc(
      ["eval", "defs", "--data", "data", "--at", "2026-01-03", "--output", "/dev/full"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err == "metricc: error: cannot write `/dev/full`: No space left on device\n")
  }
}
