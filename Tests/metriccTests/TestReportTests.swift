import Foundation
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `metricc test` with coverage and as JUnit, as a process.
@Suite struct TestReportTests {
  private let source = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done }
    momentum pulse { of done  over last 7 days }

    """

  /// Every day has a record, and none is complete as the habit has no goal.
  @Test func daysWithRecordsAreMarkedSo() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      """
      completion done { for habit  every day  when sum(HabitEntry.value) >= habit.weeklyTarget }
      streak run { of done }
      test "no goal" {
        log "read" from 2026-01-01 "222"
        expect run for "read" at 2026-01-03 = 3
      }
      """)
    let run = try runMetricc(["test", "a.metric"], in: folder.path)
    #expect(run.out.contains("\n  ○○○\n  ○ with a record, not complete\n"))
  }

  @Test func aFailureShowsTheDays() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      source + """
        test "wrong" {
          log "read" from 2026-01-01 "##.#"
          expect run for "read" at 2026-01-04 = 3
        }
        """)
    let run = try runMetricc(["test", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(
      run.out == """
        a.metric:6:3: failed: "wrong": expected `run` for `read` at 2026-01-04 to be 3, got 1
          Jan 2026
          □□·■
          ■ complete  □ complete, outside this calculation  · not complete

        1 test: 0 passed, 1 failed

        """)
  }

  @Test func coverageNamesPlaces() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      source + """
        test "one" {
          log "read" from 2026-01-01 "#"
          expect run for "read" at 2026-01-01 = 1
        }
        """)
    let run = try runMetricc(["test", "a.metric", "--coverage"], in: folder.path)
    #expect(run.exit == 0)
    #expect(
      run.out == """
        1 test: 1 passed

        a.metric:1:41: not tested: `done`: `count(HabitEntry) >= 1` was never false
        a.metric:3:10: not tested: `pulse`: no expectation reaches it

        coverage: 2 of 3 metrics, 2 of 3 clauses, 1 of 2 outcomes of conditions

        """)
    let json = try runMetricc(["test", "a.metric", "--coverage", "--format", "json"], in: folder.path)
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: Any])
    let coverage = try #require(report["coverage"] as? [String: Any])
    let summary = coverage["summary"] as? [String: [String: Int]]
    #expect(summary?["outcomes"] == ["reached": 1, "all": 2])
  }

  @Test func coverageSaysWhichThresholdsAreNotReached() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      source + """
        streak longest { of done  best }
        level worth { of longest  at 1, 3 }
        test "one" {
          log "read" from 2026-01-01 "#"
          expect worth for "read" at 2026-01-01 = 1
        }
        """)
    let run = try runMetricc(["test", "a.metric", "--coverage"], in: folder.path)
    #expect(run.out.contains("not tested: `worth`: `1` is reached in every test\n"))
    #expect(run.out.contains("not tested: `worth`: `3` is reached in no test\n"))
  }

  @Test func junitIsXML() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      source + """
        test "a <b> & \\"c\\" \\u{1}" {
          log "read" from 2026-01-01 "#"
          expect run for "read" at 2026-01-01 = 2
        }
        test "fine" {
          log "read" from 2026-01-01 "#"
          expect run for "read" at 2026-01-01 = 1
        }
        """)
    let run = try runMetricc(["test", "a.metric", "--format", "junit"], in: folder.path)
    #expect(run.exit == 1)
    let document = try XMLDocument(data: Data(run.out.utf8))
    let root = try #require(document.rootElement())
    #expect(root.name == "testsuites")
    #expect(root.attribute(forName: "failures")?.stringValue == "1")
    let suite = try #require(root.elements(forName: "testsuite").first)
    #expect(suite.attribute(forName: "tests")?.stringValue == "2")
    let times = suite.elements(forName: "testcase").map { $0.attribute(forName: "time")?.stringValue ?? "" }
    #expect(times.allSatisfy { $0.contains(/^\d+\.\d{6}$/) && Double($0) ?? 0 > 0 }, "\(times)")
    let cases = suite.elements(forName: "testcase")
    #expect(cases.map { $0.attribute(forName: "name")?.stringValue } == ["a <b> & \"c\" \u{FFFD}", "fine"])
    #expect(cases.map { $0.attribute(forName: "file")?.stringValue } == ["a.metric", "a.metric"])
    let failure = try #require(cases.first?.elements(forName: "failure").first)
    #expect(failure.stringValue?.hasPrefix("a.metric:6:3: expected `run`") == true)
    #expect(cases.last?.elements(forName: "failure").isEmpty == true)
  }

  /// Whatever reads a report gets one, also where no test could run.
  @Test(arguments: ["junit", "json", "github"])
  func rejectedDefinitionsAreReported(_ format: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source + "streak broken { of dnoe }\n")
    let run = try runMetricc(["test", "a.metric", "--format", format], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.err.contains("no test was run"))
    switch format {
    case "junit":
      let root = try #require(try XMLDocument(data: Data(run.out.utf8)).rootElement())
      #expect(root.attribute(forName: "errors")?.stringValue == "1")
      let error = try #require(try root.nodes(forXPath: "//testcase/error").first as? XMLElement)
      #expect(error.attribute(forName: "type")?.stringValue == "T001")
      #expect(error.stringValue?.contains("a.metric:4:20") == true)
    case "json":
      let report = try SARIFTests.object(run.out)
      let rejected = try #require(report["rejected"] as? [[String: Any]])
      #expect(rejected.contains { $0["code"] as? String == "T001" })
    default: #expect(run.out.contains("::error file=a.metric,line=4,endLine=4,"))
    }
  }

  @Test(
    arguments: ["test junit", "test json", "test github", "check sarif", "check json", "check github"],
    ["missing", "empty"])
  func whatCannotBeReadIsReported(_ command: String, _ path: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("empty/notes.txt", "")
    let words = command.split(separator: " ").map(String.init)
    let run = try runMetricc([words[0], path, "--format", words[1]], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err.contains("`\(path)`"))
    #expect(run.out.contains("`\(path)`"))
    switch words[1] {
    case "junit":
      let root = try #require(try XMLDocument(data: Data(run.out.utf8)).rootElement())
      #expect(root.attribute(forName: "errors")?.stringValue == "1")
      #expect(try root.nodes(forXPath: "//testcase/error").count == 1)
    case "sarif":
      let log = try #require(try SARIFTests.object(run.out)["runs"] as? [[String: Any]])
      let invocations = try #require(log[0]["invocations"] as? [[String: Any]])
      #expect(invocations[0]["executionSuccessful"] as? Bool == false)
    case "json": #expect((try SARIFTests.object(run.out)["errors"] as? [String])?.count == 1)
    default: #expect(run.out.hasPrefix("::error::"))
    }
  }

  @Test func failuresAreAnnotations() throws {
    let folder = try TemporaryFolder()
    try folder.write(
      "a.metric",
      source + """
        test "100%, or so" {
          log "read" from 2026-01-01 "#"
          expect run for "read" at 2026-01-01 = 2
        }
        """)
    let run = try runMetricc(["test", "a.metric", "--format", "github"], in: folder.path)
    #expect(run.exit == 1)
    let lines = run.out.split(separator: "\n")
    #expect(
      lines.first?.hasPrefix(
        "::error file=a.metric,line=6,endLine=6,title=test%3A 100%25%2C or so::expected `run` for `read`")
        == true)
    #expect(lines.last == "1 test: 0 passed, 1 failed")
  }
}
