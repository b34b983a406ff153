import ArgumentParser

enum ResultFormat: String, CaseIterable, ExpressibleByArgument {
  case table, csv, json, ndjson

  /// The format for programs; nil for the table.
  var rowFormat: RowFormat? { RowFormat(rawValue: rawValue) }
}

/// What a row of the results is.
enum ResultLayout: String, CaseIterable, ExpressibleByArgument { case tidy, wide }

/// Where results go, and how they look there.
struct ResultOptions: ParsableArguments {
  @Option(
    help: "The output format; table is for people. Default: the extension of --output, otherwise table.")
  var format: ResultFormat?

  @Option(
    help:
      "tidy has a row for each value; wide has one for each subject and day, with a column for each metric and part."
  )
  var layout: ResultLayout = .tidy

  @Option(help: .value("file", "Write the results to a file, all or nothing."), completion: .file())
  var output: String?

  @Option(
    help: .value(
      "metric",
      "Sort by a metric, or by a part of one (goal_progress.fraction), greatest values first; `value` sorts each metric by its own."
    ), completion: .metricNames)
  var sort: String?

  @Option(help: .value("count", "Show only the first rows of each table; in other formats, of each metric."))
  var top: Int?

  @Flag(
    help: ArgumentHelp(
      "Add up the rows that --top leaves out, where they add up: not averages, nor how many different users. In other formats a column `rest` says how many."
    ))
  var rest = false

  @Flag(
    help: ArgumentHelp(
      "Show every metric in the table. Without it and --metric, metrics without a title that other metrics read are left out."
    ))
  var all = false

  /// Endings of tables in formats that are not written.
  private static let otherFormats: Set = [
    "parquet", "arrow", "feather", "avro", "orc", "tsv", "xls", "xlsx", "ods", "xml", "yaml", "yml", "html",
    "md", "gz", "zip", "db", "sqlite", "duckdb",
  ]

  func validate() throws {
    try refuse(
      isArranged && layout == .wide, "--sort and --top arrange tidy rows; --layout wide has every row")
    try refuse(
      all && (chosenFormat != .table || layout == .wide),
      "--all is for the tidy table; other formats have every metric")
    if format == nil, let output, let ending = Folder.fileExtension(of: output)?.lowercased(),
      Self.otherFormats.contains(ending)
    {
      let parquet =
        "; for Parquet write CSV and convert it: `duckdb -c \"COPY (FROM 'x.csv') TO 'x.parquet'\"`"
      throw ValidationError(
        "--output \(output.quoted): results are not written as `.\(ending)`; "
          + "name a `.csv`, `.json`, `.ndjson` or `.txt` file, or choose with --format"
          + (ending == "parquet" ? parquet : ""))
    }
    try refuse(rest && top == nil, "--rest adds up what --top leaves out")
    try refuse((top ?? 1) < 1, "--top takes a number of at least 1")
  }

  /// What the table shows of the results of these metrics; those that were not asked for by name may be hidden.
  func choice(_ names: [String], in library: MetricLibrary) throws(CommandFailure) -> ResultTable.Choice {
    var choice = ResultTable.Choice(sort: sort, top: top)
    if let sort {
      let parts = library.metrics.flatMap(\.columns)
      choice.sortsEach = sort == "value" && !parts.contains(sort)
      guard choice.sortsEach || parts.contains(sort) else {
        throw .usage("--sort names no metric or part: \(sort.quoted)" + suggestion(for: sort, among: parts))
      }
    }
    if rest {
      let plan = library.plan
      choice.rest = { name, part in
        guard let metric = plan.metric(named: name).map({ plan.metrics[$0] }) else { return false }
        return metric.parts.first { $0.name == part }.map { metric.addsUp($0.role) } ?? false
      }
    }
    if names.isEmpty, !all { choice.hidden = library.servingMetrics }
    return choice
  }

  var isArranged: Bool { sort != nil || top != nil }

  /// The format asked for, or the one that the file's name ends with.
  var chosenFormat: ResultFormat {
    let ending = output.flatMap { Folder.fileExtension(of: $0) }
    return format ?? ending.flatMap { ResultFormat(rawValue: $0.lowercased()) } ?? .table
  }
}
