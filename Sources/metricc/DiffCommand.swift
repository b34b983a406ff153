import ArgumentParser

struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares the meaning of two versions of the definitions.",
    discussion: """
      OLD and NEW are files, folders, or git:REVISION[:PATH]. A revision without a path means the \
      path of the other side.

      Examples:
        metricc diff git:main Definitions
        metricc diff git:v1.0:Definitions git:v1.1:Definitions --format json
        metricc diff git:main Definitions --data Export --at 2026-06-30
        metricc diff git:main Definitions --format github > comment.md

      Levels: words (docs, titles, layout, other ways to write the same), added, renamed (the same under \
      a new name), removed, records (what a record asks of the data), unproved (neither proved equal nor \
      shown to differ), shape (subject, kind, parts, types, unit, audience, groups), meaning (other values). \
      words and added are allowed; --allow names other levels instead.

      Exit status: 0 every change is listed in --allow; 1 one is not, or definitions are rejected; 2 input \
      could not be read or is malformed; 64 wrong usage.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, github, markdown }

  @Argument(help: "The older definitions.", completion: .definitions)
  var old: String

  @Argument(help: "The newer definitions.", completion: .definitions)
  var new: String

  @Option(
    help: "Compare the values over this data too: a folder, or Record=path. May be repeated.",
    completion: .file())
  var data: [String] = []

  @OptionGroup var columns: ColumnOptions

  @Option(
    help: .value(
      "day", "The reference day for --data, YYYY-MM-DD. Without it, the last DayKey of all fact files."))
  var at: String?

  @Option(
    help: .value("levels", "Levels to accept, separated by commas."),
    completion: .list(levels))
  var allow = "words,added"

  @Option(help: "The output format; github and markdown are the same, for a pull request comment.")
  var format = Format.text

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    _ = try DayOptions.day(at, "--at")
    try refuse(data.isEmpty && (at != nil || !columns.column.isEmpty), "--at and --column need --data")
    _ = try allowed()
  }

  private static let levels = ChangeLevel.allCases.dropFirst().map(\.rawValue)

  private func allowed() throws -> Set<ChangeLevel> {
    let names = allow.split(separator: ",").map { $0.filter { $0 != " " } }
    for name in names where ChangeLevel(rawValue: name) == nil {
      throw ValidationError(
        "--allow takes \(Self.levels.joined(separator: ", ")), not \(name.quoted)"
          + suggestion(for: name, among: Self.levels))
    }
    return Set([.equal] + names.compactMap(ChangeLevel.init))
  }

  func run() throws {
    do {
      try compare()
    } catch let failure as CommandFailure where !failure.messages.isEmpty {
      // A system that reads the output is informed too.
      let messages = failure.messages
      switch format {
      case .text: break
      case .json:
        try? BufferedOutput.print(
          "\(JSONText.object(["changes": [String](), "break": true, "errors": messages]))\n")
      case .github, .markdown:
        let lines = messages.map { "- \(printable($0))\n" }.joined()
        try? BufferedOutput.print("### Metric definitions: not compared\n\n\(lines)")
      }
      throw failure
    }
  }

  private func compare() throws {
    let allowed = try allowed()
    ProgressLine.show("comparing the definitions")
    let older = try MetricLibrary(version: old, pathFrom: new)
    let newer = try MetricLibrary(version: new, pathFrom: old)
    try older.requireAcceptance(before: "nothing was compared; the old definitions are rejected")
    try newer.requireAcceptance(before: "nothing was compared; the new definitions are rejected")
    var report = DiffReport(changes: newer.changes(from: older), allowed: allowed)
    if !data.isEmpty { report.data = try compareData(older, newer, report.changes) }
    let text =
      switch format {
      case .text: report.text(.terminal)
      case .json: "\(report.json)\n"
      case .github, .markdown: report.markdown
      }
    try BufferedOutput.print(text)
    if report.isBreak { throw CommandFailure.silent(.rejected) }
  }

  private func compareData(
    _ older: MetricLibrary, _ newer: MetricLibrary, _ changes: [MetricChange]
  ) throws -> DataComparison {
    let chosen = changes.filter { [.meaning, .unproved, .shape].contains($0.level) }
    let asked = try DayOptions.day(at, "--at")
    let files = try columns.files(data, in: older, newer)
    // No name would mean all metrics.
    let sides = try [(older, chosen.compactMap(\.oldName)), (newer, chosen.compactMap(\.newName))]
      .map { library, metrics in
        let schemas = metrics.isEmpty ? [] : library.schemas(for: metrics)
        let dataset = try DatasetLoader(library: library, files: files)
          .load(schemas, needsLastDay: asked == nil)
        return (metrics, Evaluation(library: library, dataset: dataset))
      }
    let last = sides.compactMap(\.1.dataset.lastDay).max()
    let day = try asked ?? DayOptions.lastDay(last, insteadOf: "--at")
    ProgressLine.show("comparing the values")
    let rows = try sides.map { metrics, evaluation in
      try metrics.isEmpty ? [] : evaluation.rows(of: metrics, days: [day])
    }
    return DataComparison(changes: chosen, at: day, old: rows[0], new: rows[1])
  }
}
