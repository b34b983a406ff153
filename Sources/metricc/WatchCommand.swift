import ArgumentParser
import Foundation

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Checks, tests and evaluates again whenever a file changes.",
    discussion: """
      Checks files several times a second. An unreadable or missing file is reported and stops \
      nothing. Ctrl-C ends the run.

      Examples:
        metricc watch Definitions
        metricc watch Definitions --data Export --at 2026-06-30 --metric daily_streak
        metricc watch Definitions --filter streak

      Exit status: 0 ended with Ctrl-C; 2 a path does not exist at the start; 64 wrong usage.
      """)

  @OptionGroup var definitions: DefinitionOptions

  @Option(
    help: "Evaluate over this folder of data files, or Record=path. May be repeated.", completion: .file())
  var data: [String] = []

  @OptionGroup var columns: ColumnOptions

  @OptionGroup(title: "Days") var days: DayOptions

  @Option(help: .onlyMetric, completion: .metricNames)
  var metric: [String] = []

  @Option(help: .onlySubject)
  var subject: [String] = []

  @Option(help: .testFilter)
  var filter: String?

  @Option(help: .value("milliseconds", "Polling interval in milliseconds."))
  var interval = 300

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try refuse(!(10...60_000).contains(interval), "--interval takes a number from 10 to 60000")
    let hasDays = days.at != nil || days.from != nil
    try refuse(
      data.isEmpty && (hasDays || !metric.isEmpty || !subject.isEmpty || !columns.column.isEmpty),
      "--at, --from, --metric, --subject and --column need --data")
  }

  func run() throws {
    for path in definitions.paths where FileStatus(path: path) == nil {
      throw CommandFailure.unreadable(SystemError.cannotRead(path))
    }
    // Ctrl-C is how a person ends this command, and no failure.
    for number in [SIGINT, SIGTERM] {
      signal(number) { _ in _exit(0) }
      Interruption.unblock(number)
    }
    var seen = watchedFiles
    runAll()
    while true {
      usleep(UInt32(interval) * 1000)
      let first = watchedFiles
      guard first != seen else { continue }
      let now = first.settled {
        usleep(50_000)
        return watchedFiles
      }
      let changes = now.changes(since: seen)
      seen = now
      try BufferedOutput.print("\n" + changes.map { "== \($0)\n" }.joined())
      runAll()
    }
  }

  private var watchedFiles: WatchedFiles { WatchedFiles(definitions: definitions.paths, data: data) }

  /// Each step after the one before it has succeeded; a failure has been said and ends nothing.
  private func runAll() {
    let paths = (progressOptions.noProgress ? ["--no-progress"] : []) + ["--"] + definitions.paths
    guard succeeds({ try CheckCommand.parse(paths).run() }) else { return }
    let filter = filter.map { ["--filter", $0] } ?? []
    _ = succeeds { try TestCommand.parse(filter + paths).run() }
    guard !data.isEmpty else { return }
    let options: [(String, [String?])] = [
      ("--data", data), ("--column", columns.column), ("--metric", metric), ("--subject", subject),
      ("--at", [days.at]), ("--from", [days.from]), ("--to", [days.to]), ("--every", [days.every?.rawValue]),
    ]
    let words: [String] = options.flatMap { name, values in values.compactMap { $0 }.flatMap { [name, $0] } }
    _ = succeeds { try EvalCommand.parse(words + paths).run() }
  }

  private func succeeds(_ step: () throws -> Void) -> Bool {
    do {
      defer { ProgressLine.finish() }
      try step()
      return true
    } catch let failure as CommandFailure {
      failure.report()
    } catch {
      Remarks.say("error: \(EvalCommand.message(for: error))")
    }
    return false
  }
}
