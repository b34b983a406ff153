import ArgumentParser
import MetricCatalogue

struct DocCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doc",
    abstract: "Writes a catalogue of the metrics as web pages.",
    discussion: """
      The pages need no server and load nothing: an index with a filter, and a page for each metric \
      with what it counts, what is proved of it, its sources, its SQL and its tests, and plots if there is data.

      Examples:
        metricc doc Definitions --output catalogue
        metricc doc Definitions --output catalogue --data Export --at 2026-06-30
        metricc doc Definitions --output catalogue --data Export --from 2026-01-01
        metricc doc Definitions --output mine --data Export --subject read
        metricc doc Definitions --output catalogue --dialect postgres
        metricc doc Definitions --output catalogue --metric mau --by country
        metricc doc Definitions --output catalogue --against git:v1.0

      Individuals appear only with --subject; all others as medians, shares and counts, and only where at \
      least --fewest of them have a value. Plots cover the year up to --at, or --from to --to.

      The folder must be new or empty, or hold a catalogue, which is replaced. Other files in it are \
      kept; a folder with other content is refused.

      Exit status: 0 done; 1 the definitions are rejected; 2 input could not be read or is malformed, \
      or the folder cannot be written; 64 wrong usage.
      """)

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .value("folder", "The folder for the pages."), completion: .directory)
  var output: String

  @Option(help: "The title of the catalogue.")
  var title = "Metrics"

  @Option(help: .value("name", "Who answers questions about the metrics."))
  var owner: String?

  @Option(
    help: .value(
      "address",
      "Where the files of the definitions are published: https://example.com/app/blob/main. Their paths follow it."
    ))
  var source: String?

  @Option(
    help: .value("name", "Show this metric as --by, --where and --over say. May be repeated."),
    completion: .metricNames)
  var metric: [String] = []

  @Option(
    help: .value("old", "Show what changed since this version: a file, a folder, or git:REVISION[:PATH]."),
    completion: .definitions)
  var against: String?

  @OptionGroup(title: "Slices") var slices: SliceOptions

  @OptionGroup(title: "Data") var values: DocDataOptions

  @Option(help: "Show the SQL of this engine only. May be repeated.")
  var dialect: [SQLDialect] = []

  @OptionGroup(title: "The database") var database: DatabaseOptions

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try refuse(!metric.isEmpty && slices.slice.isEmpty, "--metric needs --by, --where or --over")
    if let against, against.hasPrefix("git:"), !against.dropFirst(4).contains(":"),
      definitions.paths.count > 1
    {
      throw ValidationError("--against takes a path where there are several: git:REVISION:PATH")
    }
    try refuse(output.isEmpty, "--output names no folder")
    if let source, !source.hasPrefix("https://"), !source.hasPrefix("http://") {
      throw ValidationError("--source takes an address that starts with https://")
    }
  }

  func run() throws {
    let library = try definitions.load(slicing: metric, slices)
    try library.requireAcceptance(before: "nothing was written")
    let names = try database.names(in: library)
    let folder = try CatalogueFolder(path: output)
    let data = try values.load(database.columns, library)
    let dialects = SQLDialect.allCases.filter { dialect.isEmpty || dialect.contains($0) }
    var catalogue = Catalogue(
      library: library, title: title, data: data,
      queries: library.catalogueQueries(dialects: dialects, names: names), owner: owner, source: source)
    if let against {
      ProgressLine.show("comparing the definitions")
      // Slices do not change the definitions.
      let newer = metric.isEmpty ? library : try definitions.load()
      let older = try MetricLibrary(version: against, pathFrom: definitions.paths[0])
      try older.requireAcceptance(before: "nothing was written; the old definitions are rejected")
      catalogue.changes = CatalogueChanges(since: against, all: newer.changes(from: older))
    }
    let pages = catalogue.pages
    try folder.write(pages.map { ($0.path, $0.text) })
    Remarks.say("wrote \(Counting.of(pages.count, "page")) to \(output.quoted)")
    let failed = catalogue.failedTestCount
    if failed > 0 { Remarks.say("\(Counting.of(failed, "test")) failed; the pages say which") }
  }
}
