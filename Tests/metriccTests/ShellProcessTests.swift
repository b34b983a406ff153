import Foundation
import MetricTestSupport
import Testing

@testable import metricc

/// `metricc init`, `watch`, the manual page and the completions, as processes.
@Suite(.serialized)
struct ShellProcessTests {
  // MARK: init

  @Test func initWritesALibraryThatHolds() throws {
    let folder = try TemporaryFolder()
    let run = try runMetricc(["init", "lib"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out.contains("  metricc eval lib --data lib/sample\n"))
    #expect(run.err.hasPrefix("metricc: wrote `lib/reading.metric`\n"))
    #expect(try runMetricc(["check", "--strict", "lib"], in: folder.path).out == "5 metrics: 5 accepted\n")
    #expect(try runMetricc(["fmt", "--check", "lib"], in: folder.path).exit == 0)
    #expect(try runMetricc(["test", "lib"], in: folder.path).out == "1 test: 1 passed\n")
    let eval = try runMetricc(
      ["eval", "lib", "--data", "lib/sample", "--format", "csv", "--metric", "reading_streak"],
      in: folder.path)
    #expect(
      eval.out == """
        metric,subject,group,part,at,value
        reading_streak,emil,,,2026-01-16,7
        reading_streak,heidi,,,2026-01-16,1
        reading_streak,momo,,,2026-01-16,10

        """)
  }

  @Test func initOverwritesNothing() throws {
    let folder = try TemporaryFolder()
    try folder.write("sample/Book.csv", "mine")
    let run = try runMetricc(["init"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.err == "metricc: error: `sample/Book.csv` already exists; nothing was written\n")
    #expect(folder.names == ["sample"])
    #expect(try folder.read("sample/Book.csv") == "mine")
  }

  // MARK: watch

  @Test func watchFollowsChanges() throws {
    let folder = try Example.folder()
    let watch = try Background(
      ["watch", "defs", "--data", "data", "--metric", "done", "--interval", "20"], in: folder.path)
    #expect(try watch.waits(for: "4 metrics: 4 accepted\n2 tests: 2 passed\n2026-01-03\n"))
    // Whole at once, so that the run sees it once.
    try folder.write("broken", "streak broken { of dnoe }\n")
    try FileManager.default.moveItem(atPath: folder.path("broken"), toPath: folder.path("defs/broken.metric"))
    #expect(try watch.waits(for: "\n== defs/broken.metric is new\ndefs/broken.metric:1:20: error: "))
    #expect(try watch.waits(for: "5 metrics: 4 accepted, 1 rejected; 1 error"))
    try FileManager.default.removeItem(atPath: folder.path("defs/broken.metric"))
    #expect(try watch.waits(for: "\n== defs/broken.metric is gone\n4 metrics: 4 accepted\n"))
    try folder.write("data/HabitEntry.csv", "id,habitId,dayKey\n1,read,2026-02-30\n")
    #expect(try watch.waits(for: "\n== data/HabitEntry.csv changed\n"))
    #expect(try watch.waits(for: "HabitEntry.csv:2:8: error: ", inErrors: true))
    try FileManager.default.removeItem(atPath: folder.path("defs"))
    #expect(try watch.waits(for: "\n== defs/habits.metric is gone\n"))
    #expect(try watch.waits(for: "cannot read `defs`", inErrors: true))
    try folder.write("defs/habits.metric", Example.definitions)
    try folder.write("data/HabitEntry.csv", Example.entries)
    #expect(try watch.waits(for: "\n== defs/habits.metric is new\n"))
    #expect(watch.interrupt() == 0)
  }

  /// A file that is written in steps counts once nothing more comes; one that never rests holds up nothing.
  @Test func watchWaitsForAFileThatIsBeingWritten() throws {
    let folder = try TemporaryFolder()
    func look() -> WatchedFiles { WatchedFiles(definitions: [folder.path("a.metric")], data: []) }
    try folder.write("a.metric", "")
    var pieces = ["/// D.", "/// D.\nstreak", "/// D.\nstreak run { of done }"][...]
    let settled = look().settled {
      if let piece = pieces.popFirst() { _ = try? folder.write("a.metric", piece) }
      return look()
    }
    #expect(pieces.isEmpty && settled == look())
    var looks = 0
    _ = look().settled {
      looks += 1
      _ = try? folder.write("a.metric", String(repeating: "/", count: looks))
      return look()
    }
    #expect(looks == 20)
  }

  @Test func watchNeedsAPathThatIsThere() throws {
    #expect(try runMetricc(["watch", "/nowhere"]).exit == 2)
    #expect(try runMetricc(["watch", "/tmp", "--interval", "0"]).exit == 64)
    #expect(try runMetricc(["watch", "/tmp", "--at", "2026-01-01"]).exit == 64)
  }

  // MARK: Help

  @Test func everyCommandHasExamples() throws {
    for command in Metricc.configuration.subcommands {
      let name = try #require(command.configuration.commandName)
      let help = try runMetricc([name, "--help"])
      #expect(help.exit == 0)
      #expect(
        help.out.contains("\n    metricc \(name)") || help.out.contains("\n  metricc \(name)"), "\(name)")
      // A line that is broken cannot be copied.
      for line in command.configuration.discussion.split(separator: "\n") where line.hasPrefix("  metricc ") {
        #expect(help.out.contains("\n\(line)\n"), "`\(line)` is too long for a terminal")
      }
    }
    let all = try runMetricc(["--help"]).out
    #expect(all.contains("metricc check Definitions"))
    #expect(!all.contains("  manual "))
  }

  @Test func theManualPageIsFresh() throws {
    let page = try runMetricc(["manual"]).out
    #expect(
      try page == Repository.text("Documentation/metricc.1"),
      "run `metricc manual > Documentation/metricc.1`")
  }

  @Test(.enabled(if: Tool.path("man") != nil, "there is no man on the path"))
  func theManualPageCanBeRead() throws {
    let run = try Tool.run(
      "man", ["--warnings", "-E", "UTF-8", "-l", Repository.path("Documentation/metricc.1")])
    #expect(run.exit == 0)
    #expect(run.err == "")
    #expect(run.out.contains("metricc check Definitions --format github"))
  }
}
