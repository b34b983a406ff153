import ArgumentParser

/// `--by`, `--where` and `--over`: what metrics are asked for in place of what their definitions say.
struct SliceOptions: ParsableArguments {
  @Option(
    help: .value("field", "Group by this field, or `none` without groups, instead of the definition's `by`."),
    completion: .dimensions)
  var by: String?

  @Option(
    name: .customLong("where"),
    help: .value(
      "condition",
      "Add this condition to each aggregate; in a funnel to each step, in a retention to start and return."))
  var condition: String?

  @Option(help: .value("period", "Take this period instead of the definition's `over`: \"last 28 days\"."))
  var over: String?

  var slice: MetricSlice { MetricSlice(by: by, condition: condition, over: over) }
}

extension DefinitionOptions {
  /// The library in which these metrics are what was asked for.
  func load(slicing metrics: [String], _ options: SliceOptions) throws(CommandFailure) -> MetricLibrary {
    let slice = options.slice
    guard !slice.isEmpty else { return try load() }
    guard !metrics.isEmpty else { throw .usage("--by, --where and --over need --metric") }
    let sources = try sources()
    let library: MetricLibrary
    do throws(SliceError) {
      library = try MetricLibrary(sources: sources, slicing: metrics, by: slice)
    } catch { throw .usage(error.description) }
    for name in metrics where slice.condition != nil || slice.over != nil {
      let read = library.read(bySliced: name).map(\.quoted)
      guard !read.isEmpty else { continue }
      let option = slice.condition == nil ? "--over" : "--where"
      Remarks.say(
        "\(name.quoted) reads \(read.joined(separator: ", ")) as defined: \(option) is for its own aggregates"
      )
    }
    return library
  }
}
