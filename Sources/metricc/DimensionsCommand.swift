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

  @Argument(help: "The metric.", completion: .metricNames)
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
    if format == .text, dimensions.isEmpty {
      Remarks.say("\(name.quoted) can be grouped by nothing when it is asked for")
    }
    let listed = dimensions.map {
      JSONText.object(["by": $0.name, "fields": $0.fields, "type": $0.type, "declared": $0.isDeclared])
    }
    let width = dimensions.map(\.name.count).max() ?? 0
    let types = dimensions.map(\.type.count).max() ?? 0
    let lines = dimensions.map { dimension in
      let from = dimension.fields.isEmpty ? "the day of the start" : dimension.fields.joined(separator: ", ")
      return "\(dimension.name.padded(to: width))  \(dimension.type.padded(to: types))  \(from)"
        + (dimension.isDeclared ? "  declared" : "") + "\n"
    }
    try format.print(.object(["metric": name, "dimensions": listed]), text: lines.joined())
  }
}
