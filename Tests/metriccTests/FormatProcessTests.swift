import Foundation
import Testing

/// `metricc fmt` and `metricc check --fix` as processes.
@Suite(.serialized)
struct FormatProcessTests {
  private static let untidy = "streak s {of done}  // a\n"
  private static let tidy = "streak s { of done }  // a\n"

  @Test func formatsInPlaceAndNamesWhatChanged() throws {
    let folder = try TemporaryFolder()
    try folder.write("defs/a.metric", Self.untidy)
    try folder.write("defs/b.metric", Self.tidy)
    let run = try runMetricc(["fmt", "defs"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "")
    #expect(run.err == "metricc: formatted `defs/a.metric`\n")
    #expect(try folder.read("defs/a.metric") == Self.tidy)
    #expect(try folder.read("defs/b.metric") == Self.tidy)
    let again = try runMetricc(["fmt", "defs"], in: folder.path)
    #expect(again.exit == 0)
    #expect(again.err == "")
    #expect(try runMetricc(["fmt", "--check", "defs"], in: folder.path).exit == 0)
  }

  @Test func checkAnnotatesEachRunOfLines() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "// 1\n\(Self.untidy)// 3\n\(Self.untidy)")
    let run = try runMetricc(["fmt", "--check", "--format", "github", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.out.split(separator: "\n").count == 2, "\(run.out)")
    #expect(
      run.out.hasPrefix("::error file=a.metric,line=2,endLine=2,title=fmt::not in the canonical layout"))
    #expect(run.out.contains("%0Astreak s { of done }  // a%0A"))
    #expect(try runMetricc(["fmt", "--format", "github", "a.metric"], in: folder.path).exit == 64)
  }

  @Test func checkShowsADiffAndWritesNothing() throws {
    let folder = try TemporaryFolder()
    let lines = (1...9).map { "// \($0)\n" }.joined()
    try folder.write("a.metric", lines + Self.untidy)
    let run = try runMetricc(["fmt", "--check", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(
      run.out == """
        --- a.metric
        +++ a.metric
        @@ -7,4 +7,4 @@
         // 7
         // 8
         // 9
        -streak s {of done}  // a
        +streak s { of done }  // a

        """)
    #expect(run.err == "")
    #expect(try folder.read("a.metric") == lines + Self.untidy)
  }

  @Test func theDiffIsOneThatPatchReads() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", Self.untidy)
    try folder.write("b.metric", "// \r\n\r\n\r\n" + Example.definitions + "// the end")
    for name in ["a.metric", "b.metric"] {
      let diff = try runMetricc(["fmt", "--check", name], in: folder.path)
      let patch = URL(fileURLWithPath: "/usr/bin/patch")
      guard FileManager.default.isExecutableFile(atPath: patch.path) else { return }
      let path = try folder.write("a.patch", diff.out)
      let process = Process()
      process.executableURL = patch
      process.arguments = ["--silent", "--binary", folder.path(name), path]
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
      #expect(try runMetricc(["fmt", "--check", name], in: folder.path).exit == 0)
    }
  }

  @Test func standardInput() throws {
    let run = try runMetricc(["fmt", "-"], stdin: Self.untidy)
    #expect(run.exit == 0)
    #expect(run.out == Self.tidy)
    #expect(run.err == "")
    #expect(try runMetricc(["fmt", "-"], stdin: Self.tidy).out == Self.tidy)
    let check = try runMetricc(["fmt", "--check", "-"], stdin: Self.untidy)
    #expect(check.exit == 1)
    #expect(check.out.hasPrefix("--- <standard input>\n+++ <standard input>\n@@ -1,1 +1,1 @@\n-streak"))
    let same = try runMetricc(["fmt", "--check", "-"], stdin: Self.tidy)
    #expect(same.exit == 0)
    #expect(same.out == "")
  }

  @Test func aFileWithSyntaxErrorsStaysAsItIs() throws {
    let folder = try TemporaryFolder()
    try folder.write("bad.metric", "streak s {of")
    try folder.write("good.metric", Self.untidy)
    let run = try runMetricc(["fmt", "."], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(run.err.contains("bad.metric:1:13: error: "))
    #expect(run.err.contains("bad.metric` has syntax errors and is unchanged"))
    #expect(try folder.read("bad.metric") == "streak s {of")
    #expect(try folder.read("good.metric") == Self.tidy)
    let check = try runMetricc(["fmt", "--check", "-"], stdin: "streak s {of")
    #expect(check.exit == 2)
    #expect(check.out == "")
  }

  @Test func wrongUsage() throws {
    #expect(try runMetricc(["fmt"]).exit == 64)
    #expect(try runMetricc(["fmt", "-", "defs"]).exit == 64)
    #expect(try runMetricc(["fmt", "/nowhere/a.metric"]).exit == 2)
  }
}

extension FormatProcessTests {
  @Test func fixMendsWhatIsCertainAndChecksTheRest() throws {
    let folder = try TemporaryFolder()
    let text = """
      # a comment
      completion done {
        for Habit
        every daily
        when count(HabitEntry) >= 1 && true
      }
      streak s { of dnoe }
      """
    try folder.write("a.metric", text)
    let run = try runMetricc(["check", "--fix", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(
      run.err == """
        metricc: a.metric:1:1: fixed: write `//` [S009 foreign-comment]
        metricc: a.metric:3:7: fixed: write `habit` [T001 unknown-name]
        metricc: a.metric:4:9: fixed: write `day` [S021 expected-window]
        metricc: a.metric:5:31: fixed: write `and` [S008 foreign-operator]

        """)
    #expect(run.out.contains("a.metric:8:15: error: no metric is called `dnoe`"))
    #expect(!run.out.contains("[S"))
    #expect(
      try folder.read("a.metric") == """
        // a comment
        completion done {
          for habit
          every day
          when count(HabitEntry) >= 1 and true
        }

        streak s { of dnoe }

        """)
  }

  @Test func fixAcceptsAFileThatIsMended() throws {
    let folder = try Example.folder()
    let broken = Example.definitions.replacingOccurrences(of: "every day", with: "every daily")
    try folder.write("defs/habits.metric", broken)
    let run = try runMetricc(["check", "--fix", "defs"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.out == "4 metrics: 4 accepted\n")
    #expect(try runMetricc(["fmt", "--check", "defs"], in: folder.path).exit == 0)
  }

  @Test func fixLeavesFilesAloneThatNeedNone() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "streak  s {of dnoe}")
    let run = try runMetricc(["check", "--fix", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.err == "")
    #expect(try folder.read("a.metric") == "streak  s {of dnoe}")
  }

  /// What cannot be parsed for another reason is mended where it can be, and not formatted.
  @Test func fixKeepsTheRestOfABrokenFile() throws {
    let folder = try TemporaryFolder()
    let bytes = Array("streak  s { of done, }\nmeasure  m { value (1 }\n// \u{E9}\n".utf8)
    try folder.write("a.metric", String(decoding: bytes, as: UTF8.self))
    let run = try runMetricc(["check", "--fix", "a.metric"], in: folder.path)
    #expect(run.exit == 1)
    #expect(try folder.read("a.metric") == "streak  s { of done }\nmeasure  m { value (1 }\n// é\n")
  }
}
