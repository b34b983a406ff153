import ArgumentParser
import MetricSQL

struct SQLCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Prints one SQL statement whose rows equal those of eval.",
    discussion: """
      The statement reads tables named like records, with columns named like fields; --schema \
      prints them. Its columns are metric, subject, group, part, at and value, all texts, in \
      the order of eval; a missing value is NULL.

      Examples:
        metricc sql Definitions --dialect duckdb --at 2026-06-30
        metricc sql Definitions --dialect sqlite --metric done | sqlite3 app.db
        metricc sql Definitions --dialect duckdb --metric mau --by country
        metricc sql Definitions --dialect postgres --table HabitEntry=app.entries
        metricc sql Definitions --dialect clickhouse --as view --at 2026-06-30
        metricc sql Definitions --dialect spark --from 2026-06-01 --to 2026-06-30
        metricc sql Definitions --dialect duckdb --schema
        metricc sql Definitions --dialect spark --at 2026-06-30 --layout script
        metricc sql Definitions --dialect duckdb --at 2026-06-30 --layout tables
        metricc sql Definitions --dialect duckdb --at-parameter --layout dbt metrics

      Exit status: 0 done; 1 the definitions are rejected; 2 a path could not be read or the folder could not be \
      written; 64 wrong usage.
      """)

  enum Form: String, CaseIterable, ExpressibleByArgument { case query, view }

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: "The engine whose SQL is written.")
  var dialect: SQLDialect

  @OptionGroup(title: "Days") var days: DayOptions

  @Flag(
    help:
      "Leave the reference day to the caller, as the engine's parameter: $at, $1, :at, ${at} or {at:String}; dbt's variable at."
  )
  var atParameter = false

  @Option(help: .value("name", "Translate this metric only. May be repeated."), completion: .metricNames)
  var metric: [String] = []

  @OptionGroup(title: "Slices") var slices: SliceOptions

  @Option(
    help: .value("name", "Translate the metrics of this report, with its `every`."), completion: .reportNames)
  var report: String?

  @OptionGroup(title: "The database") var database: DatabaseOptions

  @Flag(help: "Print the CREATE TABLE statements of the records that are read, and nothing else.")
  var schema = false

  @Option(
    name: .customLong("as"), help: "A query, or a view named after the metric (metrics if there are several)."
  )
  var form = Form.query

  @Option(
    parsing: .upToNextOption,
    help: .value(
      "script | tables | dbt folder",
      "script prints a table for what several metrics read, then a statement for each metric. tables makes a table for each subject, with a typed column for each of its metrics and the day last. dbt writes a project with a model for each metric into a folder that is new, empty, or an older such project."
    ), completion: .directory)
  var layout: [String] = []

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    if !layout.isEmpty {
      let isScript = layout == ["script"] || layout == ["tables"]
      let isProject = layout.count == 2 && layout[0] == "dbt" && !layout[1].isEmpty
      try refuse(
        !isScript && !isProject,
        "--layout takes `script`, `tables`, or `dbt` and a folder; put the definitions before it")
      try refuse(isScript && atParameter, "a script has no parameter; give --at a day")
      try refuse(
        schema || form == .view, "--layout and --\(schema ? "schema" : "as view") exclude each other")
    }
    try refuse(report != nil && !metric.isEmpty, "--report and --metric exclude each other")
    _ = try chosenDays()
    guard atParameter else { return }
    try refuse(
      days.at != nil || days.from != nil,
      "--at-parameter and --\(days.at == nil ? "from" : "at") exclude each other")
    try refuse(form == .view, "a view takes no parameter; give --at a day")
  }

  func run() throws {
    let library = try definitions.load(slicing: metric, slices)
    try library.requireAcceptance(before: "no SQL was written")
    let report = try library.chosenReport(report)
    let selection = try chosenDays(every: report?.every)
    let metrics = try report?.metrics ?? library.chosenMetrics(metric)
    let names = try database.names(in: library)
    if selection == .lastOfFacts && !schema {
      Remarks.say("--at is not given; the statement takes the last DayKey of the facts that it reads")
    }
    if layout.count == 2 {
      let files = library.dbtProject(metrics: metrics, days: selection, dialect: dialect, names: names)
      try CatalogueFolder(path: layout[1], contents: .dbtProject).write(files.map { ($0.path, $0.text) })
      return Remarks.say("wrote \(Counting.of(files.count, "file")) to \(layout[1].quoted)")
    }
    if schema {
      return try BufferedOutput.print(library.sqlSchema(metrics: metrics, dialect: dialect, names: names))
    }
    let view = form == .view ? (metrics.count == 1 ? metrics[0] : "metrics") : nil
    let text: String
    do throws(SQLUnsupported) {
      text =
        layout.isEmpty
        ? try library.sql(metrics: metrics, days: selection, dialect: dialect, names: names, view: view)
        : try library.sqlScript(
          metrics: metrics, days: selection, dialect: dialect, names: names, makesTables: layout == ["tables"]
        )
    } catch {
      throw CommandFailure(messages: ["no SQL was written: \(error)"], status: .rejected)
    }
    try BufferedOutput.print(text)
  }

  private func chosenDays(every unit: CalendarUnit? = nil) throws -> SQLDays {
    if atParameter { return .parameter }
    let selection = try days.selection(every: unit)
    guard let from = selection.from else { return selection.to.map { .list([$0]) } ?? .lastOfFacts }
    guard let to = selection.to else {
      throw ValidationError("--from needs --to: no data is read that could end the series")
    }
    return .list(selection.every.lastDays(from: from, to: to), isLastOpen: selection.every.isOpen(to))
  }
}

extension SQLDialect: ExpressibleByArgument {}
