import ArgumentParser

struct DimensionsCommand: DefinitionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "dimensions",
    abstract: "Lists the fields by which a metric can be grouped, and where each comes from.",
    discussion: """
      Examples:
        metricc dimensions mau Definitions
        metricc dimensions mau Definitions --format json
        metricc eval Definitions --data Export --metric mau --by country

      Each is a value of --by in eval, sql, why, doc and plan. `declared` ones stand in the definition's `by` or \
      `slice by`; a metric with `at least` can be asked for by these alone.

      Exit status: 0 done; 1 the definitions are rejected; 2 a path could not be read; 64 there is no such metric.
      """)

  @Argument(help: .value("name", "The metric."), completion: .metricNames)
  var name: String

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: "The output format.")
  var format = TextFormat.text

  @OptionGroup var progressOptions: ProgressOptions

  func run() throws {
    let library = try definitions.load()
    try library.requireAcceptance(before: "nothing was listed")
    _ = try library.chosenMetrics([name])
    let dimensions = library.dimensions(of: name, sources: try definitions.sources())
    guard format == .text else {
      let listed = dimensions.map { dimension in
        JSONText.object([
          "by": dimension.name, "fields": dimension.fields, "type": dimension.type,
          "declared": dimension.isDeclared,
        ])
      }
      return try BufferedOutput.print("\(JSONText.object(["metric": name, "dimensions": listed]))\n")
    }
    if dimensions.isEmpty {
      Remarks.say("\(Quoting.quoted(name)) can be grouped by nothing when it is asked for")
    }
    let width = dimensions.map(\.name.count).max() ?? 0
    let types = dimensions.map(\.type.count).max() ?? 0
    try BufferedOutput.print(
      dimensions.map { dimension in
        let fields = dimension.fields.joined(separator: ", ")
        let from = fields.isEmpty ? "the day of the start" : fields
        return "\(dimension.name.padded(to: width))  \(dimension.type.padded(to: types))  \(from)"
          + (dimension.isDeclared ? "  declared" : "") + "\n"
      }.joined())
  }
}
