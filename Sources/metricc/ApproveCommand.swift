import ArgumentParser
import Foundation

struct ApproveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "approve",
    abstract: "Approves what metrics mean now.",
    discussion: """
      Writes `approved "WHO" on DAY meaning "HASH"` into each metric, in place of an earlier approval. The hash is of \
      the meaning that diff compares: a rewording keeps it, a change of values or of the shape of rows voids it, also \
      one in a metric that this one reads. check warns of a voided approval, and with --strict fails.

      Examples:
        metricc approve mau Definitions
        metricc approve mau,wau,dau Definitions --by "Ana Reyes" --on 2026-06-30
        metricc approve mau Definitions --dry-run
        metricc check --strict Definitions

      Exit status: 0 done; 1 the definitions are rejected; 2 a file could not be read or written; 64 there is no \
      such metric.
      """)

  @Argument(help: "The metrics, with commas between.", completion: .metricNames)
  var names: String

  @Argument(help: .library, completion: .definitions)
  var paths: [String] = ["."]

  @Option(help: .value("who", "Who approves; without it git's user.name."))
  var by: String?

  @Option(help: .value("day", "The day of the approval; without it today."))
  var on: String?

  @Flag(help: "Write nothing; show the edits as a diff.")
  var dryRun = false

  func run() throws {
    guard let day = on.map({ DayKey($0) }) ?? .today else {
      throw CommandFailure.usage(
        on.map { "--on is \($0.quoted), expected a day like `2026-06-30`" }
          ?? "write the day as `--on 2026-06-30`")
    }
    let library = MetricLibrary(sources: try SourceDiscovery.sources(at: paths))
    try library.requireAcceptance(before: "nothing was approved")
    let chosen = names.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    guard !chosen.isEmpty else { throw CommandFailure.usage("name the metrics to approve") }
    let metrics = try library.chosenMetrics(chosen)
    let who = try by ?? GitSources.userName()
    guard !who.allSatisfy(\.isWhitespace) else { throw CommandFailure.usage("--by needs a name") }
    let edits = library.approving(metrics, by: who, on: day)
    for (index, source) in edits.sources.sorted(by: { $0.key < $1.key }) {
      if dryRun {
        let old = library.sources[index].wholeText
        try BufferedOutput.print(UnifiedDiff(path: source.path, old: old, new: source.wholeText).text)
      } else {
        try SourceFile.rewrite(source.path, source.bytes)
      }
    }
    if dryRun { return }
    let lines = edits.clauses.map { clause in
      printable("\(clause.path):\(clause.line): \(clause.metric) \(clause.text)") + "\n"
    }
    try BufferedOutput.print(lines.joined())
  }
}

extension DayKey {
  /// By the clock of this machine, where a person approves something; no value depends on it.
  static var today: DayKey? {
    let today = Calendar(identifier: .gregorian).dateComponents(in: .current, from: Date())
    return DayKey(String(format: "%04d-%02d-%02d", today.year ?? 0, today.month ?? 0, today.day ?? 0))
  }
}
