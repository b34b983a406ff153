import Testing

@testable import metricc

/// The line that says what a long run is doing, and what is said while it stands there.
@Suite(.serialized)
struct ProgressLineTests {
  private static let erase = "\r\u{1B}[K"

  /// What a command gives on a terminal; `script` of util-linux lends one. Input that comes late makes it long.
  private func onTerminal(_ command: String, late: String, from file: String) throws -> String {
    let folder = try Example.folder()
    let run = try runShell(
      """
      mkfifo \(late); (sleep 2; cat \(file)) > \(late) &
      export metricc TERM=dumb; script -qec '\(command)' /dev/null < /dev/null
      """, in: folder)
    #expect(run.exit == 0, "\(run.err)")
    return run.out
  }

  @Test(
    .enabled(if: Tool.path("script") != nil, "there is no script"),
    arguments: [
      ("$metricc check late.metric", "checking the definitions"),
      ("$metricc plan late.metric", "checking the definitions"),
      ("$metricc test late.metric", "checking the definitions"),
      ("$metricc sql late.metric --dialect sqlite --at 2026-01-03", "checking the definitions"),
      ("$metricc diff defs late.metric", "comparing the definitions"),
    ])
  func aLongRunSaysWhatItDoes(_ command: String, _ text: String) throws {
    let (late, file) = ("late.metric", "defs/habits.metric")
    let shown = try onTerminal(command, late: late, from: file)
    #expect(shown.contains("\(Self.erase)\(text)\(Self.erase)"), "\(shown.prefix(300))")
    let quiet = try onTerminal("\(command) --no-progress", late: late, from: file)
    #expect(!quiet.contains(text) && !quiet.contains(Self.erase), "\(quiet.prefix(300))")
  }

  @Test(.enabled(if: Tool.path("script") != nil, "there is no script"))
  func aRemarkTakesItsPlace() throws {
    let shown = try onTerminal(
      "$metricc eval defs --data HabitEntry=late.csv", late: "late.csv", from: "data/HabitEntry.csv")
    #expect(
      shown.contains("\(Self.erase)reading late.csv\(Self.erase)metricc: --at is not given"),
      "\(shown.prefix(300))")
  }

  /// A line that wraps leaves its first row on the screen for good.
  @Test(.enabled(if: Tool.path("script") != nil, "there is no script"))
  func itFitsANarrowTerminal() throws {
    let shown = try onTerminal(
      "stty cols 12; $metricc check late.metric", late: "late.metric", from: "defs/habits.metric")
    #expect(shown.contains("\(Self.erase)checking t…\(Self.erase)"), "\(shown.prefix(300))")
  }
}
