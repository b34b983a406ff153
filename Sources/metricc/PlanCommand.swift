import ArgumentParser

struct PlanCommand: DefinitionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "plan",
    abstract: "Shows the full definition of each metric, what is proved of it, and what reads what.",
    discussion: """
      Examples:
        metricc plan Definitions
        metricc plan habits.metric --metric daily_streak
        metricc plan Definitions --format json
        metricc plan Definitions --metric mau --by country
        metricc plan Definitions --metric goal_progress --format mermaid
        metricc plan Definitions --format dot | dot -Tsvg > lineage.svg

      Plans show every default; a metric that cannot be resolved has no plan. The formats \
      mermaid and dot draw which records and fields, and which metrics, each metric reads; with \
      --metric, the chosen ones and all that they read.

      Exit status: 0 accepted; 1 rejected (the findings are on standard error); 2 a path could not \
      be read; 64 there is no such metric.
      """)

  enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, mermaid, dot }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .value("name", "Show only this metric; may be repeated."), completion: .metricNames)
  var metric: [String] = []

  @OptionGroup(title: "Slices") var slices: SliceOptions

  @Option(help: "The output format.")
  var format = Format.text

  @OptionGroup var progressOptions: ProgressOptions

  func run() throws {
    let library = try definitions.load(slicing: metric, slices)
    _ = try library.chosenMetrics(metric)
    let plans = library.plannedMetrics.filter { metric.isEmpty || metric.contains($0.summary.name) }
    let lineage = metric.isEmpty ? library.lineage : library.lineage(of: metric)
    let text =
      switch format {
      case .text: plans.map(\.text).joined(separator: "\n")
      case .json: "\(JSONText.object(["metrics": plans.map(\.json)]))\n"
      case .mermaid: lineage.mermaid
      case .dot: lineage.dot
      }
    try BufferedOutput.print(text)
    try library.requireAcceptance(before: "some of it has no meaning")
  }
}

extension MetricApproval {
  var json: JSONText {
    .object(["who": who, "day": day.description, "meaning": meaning, "holds": holds])
  }
}

extension PlannedMetric {
  fileprivate var text: String {
    let width = lines.map(\.word.count).max() ?? 0
    return "\(head)\n"
      + lines.map { "  \($0.word.padded(to: width))  \($0.text)\n" }.joined()
  }

  fileprivate var json: JSONText {
    .object([
      "name": summary.name, "kind": summary.kind, "subject": summary.subject, "where": condition,
      "audience": summary.audience, "unit": summary.unit, "title": summary.title,
      "accepted": summary.isAccepted, "owner": owner.map(JSONText.string) ?? .omitted,
      "tags": tags.isEmpty ? JSONText.omitted : tags.json, "approval": approval?.json ?? .omitted,
      "parts": zip(parts, summary.certificate?.parts ?? []).map { $0.json(proved: $1) },
      "plan": clauses.map { JSONText.object(["clause": $0.word, "text": $0.text]) },
      "certificate": summary.certificate?.json, "reads": reads, "readBy": readBy,
    ])
  }
}
