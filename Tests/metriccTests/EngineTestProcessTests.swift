import Foundation
import Testing

/// `metricc test --engine` as a process, on the engines that are installed.
@Suite struct EngineTestProcessTests {
  private let source = """
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done }
    measure total { audience team  for app  value sum(HabitEntry.value) * 9000000.0 }
    measure names { audience team  for user  value last(Event.name) }

    test "a run" {
      log "read" from 2026-01-01 "###.5"
      expect run for "read" at 2026-01-03 = 3
      expect run for "read" at 2026-01-04 = 0
      expect total at 2026-01-05 = 45000000
      expect names for "ada" at 2026-01-05 = none
    }
    test "texts" {
      given Event { userId: "ada", name: "it's \\"quoted\\", \\n and more", dayKey: 2026-01-01 }
      expect names for "ada" at 2026-01-01 = "it's \\"quoted\\", \\n and more"
    }
    """

  private let failing = """

    test "a wrong number" {
      log "read" from 2026-01-01 "##"
      expect run for "read" at 2026-01-02 = 3
      expect run for "nobody" at 2026-01-02 = 1
    }
    test "out of range" {
      given HabitEntry { habitId: "read", dayKey: 2026-01-01, value: 8000000 }
      expect total at 2026-01-01 = 1
      expect run for "read" at 2026-01-01 = 1
    }
    """

  /// Where programs are found: Python with its modules first.
  private var path: String {
    let python = ProcessInfo.processInfo.environment["METRICC_PYTHON"].flatMap { $0.contains("/") ? $0 : nil }
    let folders = python.map { [URL(fileURLWithPath: $0).deletingLastPathComponent().path] } ?? []
    return (folders + ["/usr/local/bin", "/usr/bin", "/bin"]).joined(separator: ":")
  }

  private func run(_ arguments: [String], _ source: String, path: String? = nil) throws -> Run {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", source)
    return try runMetricc(
      ["test", "a.metric"] + arguments, environment: ["PATH": path ?? self.path], in: folder.path)
  }

  /// Whether an engine is there; where not, that is said.
  private func isInstalled(_ engine: String, _ run: Run) -> Bool {
    guard run.exit == 2, run.err.contains("on the path") else { return true }
    print("SKIPPED: \(engine) is not installed, so the tests of the language are not run on it")
    return false
  }

  @Test(arguments: ["sqlite", "duckdb"])
  func testsPassOnAnEngine(engine: String) throws {
    let run = try run(["--engine", engine], source)
    guard isInstalled(engine, run) else { return }
    #expect(run.exit == 0, "\(run.out)\(run.err)")
    #expect(run.out == "2 tests: 2 passed\n")
    #expect(run.err == "")
  }

  @Test(arguments: ["sqlite", "duckdb"])
  func whatFailsIsShown(engine: String) throws {
    let run = try run(["--engine", engine], source + failing)
    guard isInstalled(engine, run) else { return }
    #expect(run.exit == 1)
    #expect(run.out.hasSuffix("4 tests: 2 passed, 2 failed\n"))
    // As without an engine, with the days behind the number.
    let own = try self.run([], source + failing).out.split(separator: "\n")
    let wrong = own.filter { $0.contains("a wrong number") }
    #expect(wrong.count == 2)
    for line in wrong { #expect(run.out.contains(line + "\n"), "\(run.out)") }
    #expect(run.out.contains("■"))
    #expect(run.out.contains("failed: \"out of range\": `total` at 2026-01-01: \(engine) says: "))
    #expect(!run.out.contains("`run` for `read` at 2026-01-01"))
  }

  @Test(arguments: ["sqlite", "duckdb"])
  func theConformanceTestsPass(engine: String) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    // A standard deviation is refused on SQLite.
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/Conformance").filter {
      $0.hasSuffix(".metric") && (engine != "sqlite" || $0 != "deviation.metric")
    }
    let run = try runMetricc(
      ["test"] + files.map { folder.path + "/Conformance/" + $0 } + ["--engine", engine],
      environment: ["PATH": path])
    guard isInstalled(engine, run) else { return }
    #expect(run.exit == 0, "\(run.out)\(run.err)")
  }

  @Test func filterAndJUnit() throws {
    let run = try run(["--engine", "sqlite", "--filter", "a wrong", "--format", "junit"], source + failing)
    guard isInstalled("sqlite", run) else { return }
    #expect(run.exit == 1)
    #expect(run.out.contains("<testsuites name=\"metricc\" tests=\"1\" failures=\"1\""))
    let none = try self.run(["--engine", "sqlite", "--filter", "nothing"], source)
    #expect(none.exit == 0)
    #expect(none.err == "metricc: no test has `nothing` in its name\n")
  }

  @Test(arguments: ["sqlite", "duckdb", "postgres", "spark", "clickhouse"])
  func anEngineThatIsNotThere(engine: String) throws {
    let run = try run(["--engine", engine], source, path: "/nowhere")
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(run.err.hasPrefix("metricc: error: \(engine) cannot be used: "))
  }

  @Test func coverageIsOfEvaluation() throws {
    #expect(try run(["--engine", "sqlite", "--coverage"], source).exit == 64)
  }
}
