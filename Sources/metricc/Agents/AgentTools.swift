import ArgumentParser

/// The tools of `metricc mcp` over the definitions and the data that were given at the start.
///
/// Each is a command of `metricc`, run in this process: its arguments are the options, its answer is the output with
/// `--format json`, so that an agent gets the numbers, the refusals and the hidden cells that a person gets. An argument
/// is joined to its option by `=`, or comes after `--`; no text of an agent becomes an option.
struct AgentTools {
  let paths: [String]
  let data: [String]
  let columns: [String]

  private typealias Parameter = AgentTool.Parameter

  /// Without data there is nothing to evaluate.
  var all: [AgentTool] { ofDefinitions + (data.isEmpty ? [] : [evaluate] + ofValues) }

  private var ofDefinitions: [AgentTool] {
    [
      metrics, dimensions,
      tool(
        "plan",
        "Shows the full definition of metrics with every default, what is proved of them, and what they read.",
        [Self.metrics] + Self.draft + Self.slices, PlanCommand.self),
      tool(
        "check",
        """
        Checks the definitions, or a text together with them: findings with codes, notes and the smallest dataset that \
        shows a harm.
        """, Self.draft, CheckCommand.self),
      tool(
        "test", "Runs the test blocks of the definitions, or of a text together with them.",
        [.option("filter", "Run only the tests whose name contains this.")] + Self.draft, TestCommand.self),
    ]
  }

  private var ofValues: [AgentTool] {
    [
      tool(
        "why", "Explains one value: its windows, conditions, steps and records, or why there is none.",
        [Self.metric, Self.subject, .option("group", "The group, if the metric has groups."), Self.day]
          + Self.slices, WhyCommand.self, source),
      tool(
        "ahead",
        """
        Names the smallest additions on a day that keep or raise a completion, streak, momentum, progress or level, or says \
        that nothing is needed.
        """, [Self.metric, Self.subject, Self.day], WhyCommand.self, ["--ahead"] + source),
    ]
  }

  private static let metric = Parameter(name: "metric", help: "The name of a metric.", isRequired: true)
  private static let metrics = Parameter(
    name: "metrics", help: "Names of metrics.", kind: .texts, isRequired: true, option: "metric")
  private static let subject = Parameter.option("subject", "The subject, by id; none for a metric for app.")
  private static let day = Parameter.option("at", "The day, YYYY-MM-DD; without it the last day of the data.")
  private static let draft = [
    Parameter(
      name: "text", help: "Definitions to add to the library for this call; nothing is written."),
    Parameter(
      name: "file",
      help:
        "The path of the file that `text` replaces, as findings name it; without it `text` is one more file."),
  ]
  private static let slices: [Parameter] = [
    .option("by", "Group by this field of `list_dimensions`, or `none`, instead of the definition's `by`."),
    .option("where", "A condition to add to each aggregate, step, start and return."),
    .option("over", "A period instead of the definition's, such as `last 28 days`."),
  ]

  private var metrics: AgentTool {
    AgentTool(
      name: "list_metrics",
      description:
        "Lists the metrics: what each counts, for whom, its unit, its groups, and whether it is accepted."
    ) { _ in
      library { library in
        let entries = Dictionary(library.entries.map { ($0.planned.summary.name, $0) }) { first, _ in first }
        let metrics = library.metrics.map { summary in
          let entry = entries[summary.name]
          return JSONText.object([
            "name": summary.name, "title": summary.title, "kind": summary.kind, "subject": summary.subject,
            "audience": summary.audience, "unit": summary.unit, "accepted": summary.isAccepted,
            "doc": entry?.doc, "means": entry?.sentences.joined(separator: " "),
            "parts": summary.parts.filter { !$0.isEmpty }, "by": library.grouping(of: summary.name),
          ])
        }
        return .object(["metrics": metrics])
      }
    }
  }

  private var dimensions: AgentTool {
    AgentTool(
      name: "list_dimensions",
      description: """
        Lists what the metrics are grouped by and whom they are about, each with the metrics that have it; of one metric, \
        by which fields it can be grouped when you ask.
        """,
      parameters: [.init(name: "metric", help: "The name of a metric.")]
    ) { arguments in
      guard arguments["metric"].isNull else {
        return run(DimensionsCommand.self, ["--format=json"], arguments)
      }
      return library { library in
        func listed(_ key: String, _ name: (MetricSummary) -> String?) -> JSONText {
          let groups = Dictionary(grouping: library.metrics) { name($0) ?? "" }
          return groups.sorted { $0.key < $1.key }.filter { !$0.key.isEmpty }
            .map { JSONText.object([key: $0.key, "metrics": $0.value.map(\.name)]) }.json
        }
        return .object([
          "dimensions": listed("by") { library.grouping(of: $0.name) },
          "subjects": listed("subject", \.subject),
        ])
      }
    }
  }

  /// The rows that an agent gets at most, if it does not ask for more.
  private static let mostRows = 200

  private var evaluate: AgentTool {
    tool(
      "evaluate",
      """
      Evaluates accepted metrics over the data, at a day or for a series. A row has metric, subject, group, part, at and \
      value; null is no value. Cells with fewer people than `at least` says have no value.
      """,
      [
        Self.metrics, Self.day,
        .option("from", "The first day of a series, instead of `at`."),
        .option("to", "The last day of a series."),
        .option("every", "The step of a series: day, week, month, quarter or year."),
        .init(name: "subjects", help: "Only these subjects, by id.", kind: .texts, option: "subject"),
        .init(name: "limit", help: "The most rows; 200 if it is not given.", kind: .count),
        .option("compare", "How far back to compare: `28 days`, `1 month`, `1 year`."),
        .option(
          "sort", "The greatest first: `value` for each metric by its own, or the name of one for all."),
        .option("top", "Only the first of each metric's subjects and groups.", .count),
        .option(
          "rest",
          "With `top`, a row with the sum of the others, `rest` of them; null where they do not add up.",
          .flag),
      ] + Self.slices, EvalCommand.self, source, format: "ndjson"
    ) { captured, arguments in
      let most = arguments["limit"].int ?? Self.mostRows
      let lines = captured.output.split(separator: UInt8(ascii: "\n")).prefix(most)
      let rows = lines.map { JSONText(verbatim: String(decoding: $0, as: UTF8.self)) }
      return .object(["rows": rows, "leftOut": captured.lineCount - rows.count])
    }
  }

  private var source: [String] { data.map { "--data=\($0)" } + columns.map { "--column=\($0)" } }

  /// A tool that is a command: its arguments are options, and `metric` names the metric that comes first.
  private func tool(
    _ name: String, _ description: String, _ parameters: [Parameter],
    _ type: (some DefinitionsCommand).Type, _ more: [String] = [], format: String = "json",
    json: @escaping (Capture, _ arguments: JSON) -> JSONText = { captured, _ in Self.json(captured) }
  ) -> AgentTool {
    AgentTool(name: name, description: description, parameters: parameters) { arguments in
      let options = options(parameters, arguments) + more + ["--format=\(format)"]
      return run(type, options, arguments) { json($0, arguments) }
    }
  }

  private func options(_ parameters: [Parameter], _ arguments: JSON) -> [String] {
    parameters.flatMap { parameter -> [String] in
      guard let option = parameter.option else { return [] }
      let value = arguments[parameter.name]
      if value.bool == true { return ["--\(option)"] }
      return (value.string.map { [$0] } ?? value.int.map { ["\($0)"] } ?? value.items.compactMap(\.string))
        .map { "--\(option)=\($0)" }
    }
  }

  private func run<Command: DefinitionsCommand>(
    _ type: Command.Type, _ options: [String], _ arguments: JSON, json: (Capture) -> JSONText = Self.json
  ) -> AgentTool.Result {
    result(json) {
      let first = [arguments["metric"].string].compactMap { $0 }
      let words = options + ["--no-progress", "--"] + first + paths
      var command: Command
      do { command = try Command.parse(words) } catch {
        throw CommandFailure.usage(Command.message(for: error))
      }
      command.definitions.draft = try draft(arguments)
      try command.run()
    }
  }

  private func draft(_ arguments: JSON) throws(CommandFailure) -> SourceFile? {
    guard let text = arguments["text"].string else {
      guard arguments["file"].isNull else { throw .usage("`file` needs a `text` to replace it with") }
      return nil
    }
    guard text.utf8.count <= SourceFile.greatestSize else {
      throw .usage("`text` has more than \(Counting.of(SourceFile.greatestSize, "byte"))")
    }
    return SourceFile(path: arguments["file"].string ?? "draft" + SourceDiscovery.suffix, text: text)
  }

  private func library(_ json: (MetricLibrary) -> JSONText) -> AgentTool.Result {
    result(Self.json) {
      try BufferedOutput.print("\(json(MetricLibrary(sources: try SourceDiscovery.sources(at: paths))))")
    }
  }

  private static func json(_ captured: Capture) -> JSONText {
    JSONText(verbatim: String(decoding: captured.output, as: UTF8.self))
  }

  /// The output, and then what was said. A command that ends early may have written a report of it.
  private func result(_ json: (Capture) -> JSONText, of body: () throws -> Void) -> AgentTool.Result {
    let captured = Capture.of(body)
    let isLost = captured.isCut && captured.output.isEmpty
    let failure = captured.error as? CommandFailure
    var problems = failure?.messages ?? captured.error.map { ["\($0)"] } ?? []
    if isLost { problems.append("the answer has more than \(Capture.most >> 20) MB; ask for less") }
    let said = problems.map { "error: \($0)" } + (captured.remarks.isEmpty ? [] : [captured.remarks])
    let isReport = captured.error == nil || !captured.output.isEmpty
    let isDone = captured.error == nil || failure?.status == .rejected && !captured.output.isEmpty
    return AgentTool.Result(
      texts: (isReport && !isLost ? ["\(json(captured))"] : []) + said, isError: !isDone || isLost)
  }
}
