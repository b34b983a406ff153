import ArgumentParser
import MetricDiagnostics
import MetricLanguage

/// `metricc plan`: what the checker understood of each metric, and what it proved.
struct PlanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows the full definition of each metric, what is proved of it, and what reads what.",
    discussion: """
      Examples:
        metricc plan Definitions
        metricc plan habits.metric --metric daily_streak
        metricc plan Definitions --format json
        metricc plan Definitions --metric goal_progress --format mermaid
        metricc plan Definitions --format dot | dot -Tsvg > lineage.svg

      Plans show every default; a metric that could not be resolved has none. The formats \
      mermaid and dot draw which records and fields, and which metrics, each metric reads; with \
      --metric, the chosen ones and all that they read.

      Exit status: 0 accepted; 1 rejected (the findings are on standard error); 2 a path could not \
      be read; 64 there is no such metric.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, json, mermaid, dot
  }

  @OptionGroup var definitions: DefinitionOptions

  @Option(
    help: ArgumentHelp("Show only this metric; may be repeated.", valueName: "name"), completion: .metricNames
  )
  var metric: [String] = []

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var progressOptions: ProgressOptions

  func run() throws {
    let progress = progressOptions.line
    defer { progress.finish() }
    let library = try definitions.load(progress)
    for name in metric where !library.metrics.contains(where: { $0.name == name }) {
      let near = nearestName(to: name, in: library.metrics.map(\.name))
      throw CommandFailure.usage("there is no metric \(Quoting.quoted(name))\(Quoting.suggestion(near))")
    }
    let plans = library.plannedMetrics.filter { metric.isEmpty || metric.contains($0.summary.name) }
    let output = BufferedOutput.standardOutput
    switch format {
    case .text: output.write(plans.map(\.text).joined(separator: "\n"))
    case .json: output.write("\(JSONText.object([("metrics", .array(plans.map(\.json)))]))\n")
    case .mermaid: output.write(lineage(of: library).mermaid)
    case .dot: output.write(lineage(of: library).dot)
    }
    try output.finish()
    try library.requireAcceptance(before: "some of it has no meaning")
  }

  private func lineage(of library: MetricLibrary) -> Lineage {
    metric.isEmpty ? library.lineage : library.lineage(of: metric)
  }
}

extension PlannedMetric {
  /// A line for the head, then a line for each word.
  fileprivate var text: String {
    let width = lines.map(\.word.count).max() ?? 0
    return "\(head)\n"
      + lines.map { line in
        "  \(line.word)\(String(repeating: " ", count: width - line.word.count))  \(line.text)\n"
      }.joined()
  }

  fileprivate var json: JSONText {
    .object([
      ("name", .string(summary.name)), ("kind", .string(summary.kind)),
      ("subject", .string(summary.subject)), ("where", .string(orNull: condition)),
      ("audience", .string(summary.audience)), ("unit", .string(orNull: summary.unit)),
      ("title", .string(orNull: summary.title)), ("accepted", .bool(summary.isAccepted)),
      ("parts", .array(zip(parts, summary.certificate?.parts ?? []).map { $0.json(proved: $1) })),
      ("plan", .array(clauses.map { .object([("clause", .string($0.word)), ("text", .string($0.text))]) })),
      ("certificate", summary.certificate?.json ?? .null),
      ("reads", .array(reads.map { .string($0) })), ("readBy", .array(readBy.map { .string($0) })),
    ])
  }
}
