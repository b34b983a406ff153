import Foundation
import Testing

/// The command as a process: what it writes where, and how it ends.
@Suite(.serialized)
struct ProcessTests {
  @Test func versionAndHelp() throws {
    #expect(try runMetricc(["--version"]).exit == 0)
    let help = try runMetricc(["eval", "--help"])
    #expect(help.exit == 0)
    #expect(help.out.contains("metricc eval Definitions --data Export"))
    #expect(try runMetricc(["check"]).exit == 64)
    #expect(try runMetricc(["unknown"]).exit == 64)
  }
}

extension ProcessTests {
  @Test func checkAcceptsInText() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["check", "defs"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "4 metrics: 4 accepted\n")
    #expect(run.err == "")
  }

  @Test func checkRejectsWithPlaceAndCarets() throws {
    let folder = try TemporaryFolder()
    try folder.write("broken.metric", Example.rejected)
    let run = try runMetricc(["check", "broken.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.out.contains("broken.metric:2:20: error: "))
    #expect(run.out.contains("\n  streak broken { of dnoe }\n                     ^^^^\n"))
    #expect(run.out.contains("2 metrics: 1 accepted, 1 rejected; 1 error"))
    #expect(run.err == "")
  }

  @Test func checkReportsAsJSON() throws {
    let folder = try TemporaryFolder()
    try folder.write("broken.metric", Example.rejected)
    let run = try runMetricc(["check", "broken.metric", "--format", "json"], in: folder.path)
    #expect(run.exit == 1)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(run.out.utf8)) as? [String: [[String: Any]]])
    #expect(report.keys.sorted() == ["findings", "metrics"])
    #expect(report["findings"]?.first?["path"] as? String == "broken.metric")
    #expect(report["findings"]?.first?["line"] as? Int == 2)
    let metrics = try #require(report["metrics"])
    #expect(metrics.compactMap { $0["name"] as? String } == ["broken", "done"])
    #expect(metrics.compactMap { $0["accepted"] as? Bool } == [false, true])
    #expect(
      metrics.last?.keys.sorted() == ["accepted", "audience", "certificate", "kind", "name", "subject"])
    #expect(metrics.first?["certificate"] is NSNull)
    let certificate = try #require(metrics.last?["certificate"] as? [String: Any])
    let answers = ["recomputable", "derived", "timeZoneSafe", "nonPunitive", "onNoData"]
    #expect(answers.map { certificate[$0] as? Bool } == [true, true, true, true, false])
    #expect(certificate["direction"] as? String == "rising")
    #expect((certificate["range"] as? [Any])?.count == 2)
    #expect((certificate["leaves"] as? [String])?.contains("HabitEntry.dayKey") == true)
  }

  @Test func checkStrictRejectsWarnings() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric", "completion done { for habit  every day  when count(HabitEntry) >= 1 }\n")
    #expect(try runMetricc(["check", "a.metric"], in: folder.path).exit == 0)
    #expect(try runMetricc(["check", "a.metric", "--strict"], in: folder.path).exit == 1)
    let commands = try runMetricc(["check", "a.metric", "--format", "github"], in: folder.path)
    #expect(commands.out.hasPrefix("::warning file=a.metric,line=1,"))
  }

  @Test func aStampIsWrittenOnlyWhereTheDefinitionsAreAccepted() throws {
    let folder = try Example.folder()
    #expect(try runMetricc(["check", "--stamp", "ok.swift", "defs"], in: folder.path).exit == 0)
    #expect(try folder.read("ok.swift") == "// The metrics are accepted.\n")
    try folder.write("defs/broken.metric", Example.rejected)
    #expect(try runMetricc(["check", "--stamp", "no.swift", "defs"], in: folder.path).exit == 1)
    #expect(!folder.names.contains("no.swift"))
  }

  @Test func checkNamesAPathThatCannotBeRead() throws {
    let run = try runMetricc(["check", "/nowhere/a.metric"])
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(
      run.err == "metricc: error: cannot read `/nowhere/a.metric`: No such file or directory\n")
  }
}

extension ProcessTests {
  @Test func testsPass() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["test", "defs"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "2 tests: 2 passed\n")
  }

  @Test func aFailingTestIsOneLine() throws {
    let folder = try TemporaryFolder()
    let wrong = Example.definitions.replacingOccurrences(of: "= 4", with: "= 5")
    try folder.write("a.metric", wrong)
    let run = try runMetricc(["test", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.out.hasPrefix("a.metric:27:3: failed: \"a missed day ends a streak\": expected "))
    #expect(run.out.hasSuffix("\n2 tests: 1 passed, 1 failed\n"))
    let json = try runMetricc(["test", "a.metric", "--format", "json"], in: folder.path)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    #expect(report["passed"] as? Int == 1)
    #expect(report["failed"] as? Int == 1)
    let tests = try #require(report["tests"] as? [[String: Any]])
    #expect(tests.map { $0["expectations"] as? Int } == [5, 1])
    let failures = tests.first?["failures"] as? [[String: Any]]
    #expect(
      failures?.first?.keys.sorted() == ["column", "got", "line", "message", "path", "strip", "wanted"])
  }

  @Test func aFilterChoosesTests() throws {
    let folder = try Example.folder()
    let some = try runMetricc(["test", "defs", "--filter", "missed"], in: folder.path)
    #expect(some.out == "1 test: 1 passed\n")
    let none = try runMetricc(["test", "defs", "--filter", "zebra"], in: folder.path)
    #expect(none.exit == 0)
    #expect(none.out == "0 tests: 0 passed\n")
    #expect(none.err == "metricc: no test has `zebra` in its name\n")
  }

  @Test func rejectedDefinitionsAreNeitherTestedNorEvaluated() throws {
    let folder = try Example.folder()
    try folder.write("defs/broken.metric", "streak broken { of dnoe }\n")
    for arguments in [["test", "defs"], ["eval", "defs", "--data", "data"]] {
      let run = try runMetricc(arguments, in: folder.path)
      #expect(run.exit == 1)
      #expect(run.out == "")
      #expect(run.err.contains("defs/broken.metric:1:20: error: "))
    }
  }
}
