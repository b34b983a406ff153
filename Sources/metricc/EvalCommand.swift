import ArgumentParser
import Foundation

struct EvalCommand: DefinitionsCommand {
  static let configuration = CommandConfiguration(
    commandName: "eval",
    abstract: "Evaluates metrics over a dataset.",
    discussion: """
      The dataset is a folder with a file for each record it has (HabitEntry.csv, Habit.ndjson, \
      Goal.json), or single files named with Record=path.

      Examples:
        metricc eval Definitions --data Export
        metricc eval Definitions --data Export --metric done --format csv
        metricc eval Definitions --data Export --from 2026-06-01 --subject read
        metricc eval Definitions --data Export --metric mau --compare "28 days"
        metricc eval Definitions --data Export --report growth --from 2026-06-01
        metricc eval Definitions --data Export --layout wide --format csv
        metricc eval Definitions --data Export --metric mau --by country
        metricc eval Definitions --data Export --metric mau --where 'plan == "pro"'
        metricc eval Definitions --data Export --sort daily_streak --top 10
        metricc eval habits.metric --data HabitEntry=entries.csv --output rows.csv
        metricc eval Definitions --data Export --format csv --pseudonymize key.txt
        metricc eval Definitions --engine duckdb --data HabitEntry=log.parquet
        metricc eval Definitions --engine postgres --table HabitEntry=app.entries

      --engine evaluates where the data is, with the same rows: duckdb reads CSV, NDJSON, JSON and Parquet, \
      also gzipped; so do spark (--connect names the master) and clickhouse. All five engines \
      read tables (--connect, --table, --column).

      --by, --where and --over slice the metrics of --metric: each is what its definition says with these \
      clauses, and what other metrics read of it stays as defined. Numbers for one person are not sliced.

      Every record counts; check --data looks for duplicate ids.

      --pseudonymize replaces subjects, and ids of users in groups and values, by their HMAC-SHA256 under \
      the key, 64 hexadecimal digits. Messages about malformed data and the file of --rejects keep the ids.

      Exit status: 0 done; 1 the definitions are rejected; 2 input could not be read or is \
      malformed, or a metric has a number out of range (the others have their rows); 64 wrong usage.
      """)

  @OptionGroup var definitions: DefinitionOptions

  @Option(help: .dataFiles, completion: .file())
  var data: [String] = []

  @OptionGroup(title: "Engines") var engines: EngineOptions

  @OptionGroup(title: "Days") var days: DayOptions

  @Option(
    help: .value(
      "length", "Show each value beside the one so much earlier: \"28 days\", \"1 month\", \"1 year\"."))
  var compare: String?

  @Option(help: .onlyMetric, completion: .metricNames)
  var metric: [String] = []

  @Option(
    help: .value(
      "name",
      "Evaluate the metrics of this report; --from gives a value for each day or calendar unit of its `every`."
    ), completion: .reportNames)
  var report: String?

  @OptionGroup(title: "Slices") var slices: SliceOptions

  @Option(help: .onlySubject)
  var subject: [String] = []

  @Option(
    help: .value(
      "key file",
      "Show keyed pseudonyms in place of subjects. The key is the file's bytes without a line end, at least 16. --subject still takes ids."
    ), completion: .file())
  var pseudonymize: String?

  @OptionGroup(title: "Results") var results: ResultOptions

  @Option(help: .value("count", "The number of threads; all processors by default."))
  var threads: Int?

  @Option(
    help: .value("file", "Skip malformed records, and write them to a file with the reason (NDJSON)."),
    completion: .file())
  var rejects: String?

  @OptionGroup var progressOptions: ProgressOptions

  /// More threads than this are a typo.
  static let mostThreads = 1024

  func validate() throws {
    try refuse(engines.engine == nil && data.isEmpty, "Missing expected argument '--data <data> ...'")
    try refuse(report != nil && !metric.isEmpty, "--report and --metric exclude each other")
    try refuse(
      engines.engine != nil && (threads != nil || rejects != nil),
      "--engine and --\(threads == nil ? "rejects" : "threads") exclude each other")
    try refuse(
      !(1...EvalCommand.mostThreads).contains(threads ?? 1),
      "--threads takes a number from 1 to \(EvalCommand.mostThreads)")
    _ = try compare.map(Comparison.init)
    try refuse(compare != nil && results.layout == .wide, "--compare and --layout wide exclude each other")
    try refuse(rejects != nil && rejects == results.output, "--output and --rejects name the same file")
    try refuse(
      pseudonymize != nil && [results.output, rejects].contains(pseudonymize),
      "the key file would be overwritten")
  }

  func run() throws {
    let pseudonyms = try pseudonymize.map(Pseudonyms.init(keyFile:))
    let library = try definitions.load(slicing: metric, slices)
    try library.requireAcceptance(before: "nothing was evaluated")
    let report = try library.chosenReport(report)
    let selection = try days.selection(every: report?.every)
    var metrics = try report?.metrics ?? library.chosenMetrics(metric)
    if results.layout == .wide { metrics = try library.wideMetrics(metrics).map(\.name) }
    _ = try results.choice(metrics, in: library)
    if let engine = engines.engine {
      let data = try engines.data(data, engine, in: library)
      let client = try EngineClients.found(for: engine, at: engines.connect)
      let unchecked = try DatasetLoader.check(
        data, for: metrics, days: selection.asked(hasEarlier: compare != nil), library)
      if !unchecked.isEmpty {
        let paths = unchecked.map { $0.quoted }.joined(separator: ", ")
        Remarks.say("not checked, as only \(engine.title) reads it: \(paths)")
      }
      let evaluation = EngineEvaluation(
        library: library, metrics: metrics, subjects: subject, dialect: engine, client: client, data: data)
      let days = try chosenDays(selection, lastOfData: evaluation.lastDay)
      if try evaluation.lacksConsents() { Remarks.say(Self.lacksConsents) }
      return try finish(
        try evaluation.availableRows(at: evaluated(days)), days, selection, metrics, library, pseudonyms)
    }
    let files = try engines.database.columns.files(data, in: library)
    let dataset = try load(files, metrics: metrics, library, selection)
    let days = try chosenDays(selection) { dataset.lastDay }
    let evaluation = Evaluation(
      library: library, dataset: dataset, pseudonyms: pseudonyms,
      threads: threads ?? EvalCommand.processorCount)
    // Text is made without rows where nothing has to be done with them.
    let isPlain =
      subject.isEmpty && pseudonyms == nil && results.layout == .tidy && compare == nil && !results.isArranged
    if let format = results.chosenFormat.rowFormat, isPlain {
      let isDone = try write { write throws(CommandFailure) in
        try evaluation.writeText(of: metrics, days: days, open: selection.open(in: days), format, write)
      }
      if isDone { return }
    }
    let found = try evaluation.availableRows(of: metrics, subjects: subject, days: evaluated(days))
    try finish(found, days, selection, metrics, library, pseudonyms, evaluation)
  }

  private func finish(
    _ found: (rows: [ResultRow], isComplete: Bool), _ days: [DayKey], _ selection: DaySelection,
    _ metrics: [String], _ library: MetricLibrary, _ pseudonyms: Pseudonyms?, _ evaluation: Evaluation? = nil
  ) throws {
    let present = Set(found.rows.lazy.map(\.subject))
    // What an engine takes an id for is not known here.
    let isMerged = evaluation == nil && library.plan.identity != nil && !present.isEmpty
    for subject in subject where !present.contains(subject) && !isMerged {
      if let person = evaluation?.dataset.person(subject, in: library), present.contains(person) {
        if pseudonyms == nil { Dataset.sayPerson(person, of: subject) }
        continue
      }
      let near = pseudonyms == nil ? evaluation?.nearestSubject(to: subject, of: metrics, at: days.last) : nil
      let several = near == nil && subject.contains(",") ? "; repeat --subject for each" : ""
      Remarks.say("no chosen metric has a subject \(subject.quoted)" + suggestion(near) + several)
    }
    let rows = pseudonyms?.replacingIDs(in: found.rows, library) ?? found.rows
    try write(rows, days: days, selection, metrics, library)
    if !found.isComplete { throw CommandFailure.silent(.unreadable) }
  }

  private func load(
    _ files: [DataFile], metrics: [String], _ library: MetricLibrary, _ selection: DaySelection
  ) throws -> Dataset {
    let rejected = try rejects.map(RejectsFile.init)
    let loader = DatasetLoader(
      library: library, files: files, threads: threads ?? EvalCommand.processorCount, rejects: rejected)
    // For finding the cause of a wrong or slow number (see CONTRIBUTING.md).
    let storage = ProcessInfo.processInfo.environment["METRICC_STORAGE"].flatMap(Storage.init) ?? .measured
    let plan = library.loadPlan(
      for: metrics, days: selection.asked(hasEarlier: compare != nil), storage: storage)
    let dataset = try loader.load(plan.schemas, plan: plan, needsLastDay: selection.to == nil)
    if let rejected {
      try rejected.commit()
      Remarks.say(rejected.remark)
    }
    if library.needsConsents(for: metrics), dataset.tables["Consent"]?.rowCount ?? 0 == 0 {
      Remarks.say(Self.lacksConsents)
    }
    return dataset
  }

  private static let lacksConsents =
    "the data has no `Consent` records: team metrics count no fact that needs consent"

  /// Writes what `body` produces, or nothing if it reports failure. A file appears at the end, and standard output gets
  /// nothing where an error comes in between.
  private func write(
    _ body: (_ write: (ArraySlice<UInt8>) -> Void) throws(CommandFailure) -> Bool
  ) throws(CommandFailure) -> Bool {
    let file = try results.output.map { path throws(CommandFailure) in try AtomicFile(path: path) }
    let output = file?.stream ?? BufferedOutput.standardOutput
    let held = file?.isAtomic == true ? nil : HeldOutput()
    guard try body(held?.write ?? output.write(bytes:)) else { return false }
    try held?.copy(to: output)
    try output.finish()
    try file?.commit()
    return true
  }

  private var comparison: Comparison? { compare.flatMap { try? Comparison($0) } }

  /// The days that rows are for, and those that they are compared with.
  private func evaluated(_ days: [DayKey]) -> [DayKey] { comparison?.days(for: days) ?? days }

  private func write(
    _ all: [ResultRow], days: [DayKey], _ selection: DaySelection, _ metrics: [String],
    _ library: MetricLibrary
  ) throws {
    let open = selection.open(in: days)
    let ofMonths = library.metrics.map(\.name).filter { name in
      selection.isOfMonths || library.plan.metric(named: name).map(library.plan.isOfMonths) == true
    }
    let earlier = comparison?.values(of: all, at: days, ofMonths: Set(ofMonths))
    let rows = earlier.map { earlier in all.filter { earlier[$0.place] != nil } } ?? all
    let file = try results.output.map { path throws(CommandFailure) in try AtomicFile(path: path) }
    let output = file?.stream ?? BufferedOutput.standardOutput
    let layout = file == nil ? Layout.terminal : Layout(width: Layout.fileWidth, isColored: false)
    let wide =
      results.layout == .wide ? WideResult(rows, of: metrics, library, days: days, open: open) : nil
    // What is asked for by name, or by a report, is shown.
    let choice = try results.choice(report == nil ? metric : metrics, in: library)
    if let format = results.chosenFormat.rowFormat {
      let arranged = ArrangedRows(rows, at: days.last, metrics: library.metrics, choice, earlier: earlier)
      let records = ResultRecords(arranged.rows, open: open, earlier: earlier, rest: arranged.rest)
      (wide?.records ?? records).write(as: format, to: output)
    } else {
      let table = ResultTable(
        rows: rows, days: days, open: open, metrics: library.metrics, layout: layout, choice: choice,
        earlier: earlier.map { ($0, comparison?.text ?? "") })
      output.write(wide?.table(layout) ?? table.text)
    }
    try output.finish()
    try file?.commit()
  }

  static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The days to evaluate at; says on standard error where the data decided.
  private func chosenDays(
    _ selection: DaySelection, lastOfData: () throws -> DayKey?
  ) throws -> [DayKey] {
    let option = selection.from == nil ? "--at" : "--to"
    let last = try selection.to ?? DayOptions.lastDay(lastOfData(), insteadOf: option)
    guard let from = selection.from else { return [last] }
    guard from <= last else { throw CommandFailure.usage("--from \(from) is after the last DayKey, \(last)") }
    return selection.every.lastDays(from: from, to: last)
  }
}

extension MetricLibrary {
  /// The report asked for; an unknown one ends the run.
  func chosenReport(_ name: String?) throws(CommandFailure) -> (metrics: [String], every: CalendarUnit?)? {
    guard let name else { return nil }
    guard let report = plan.reports.first(where: { $0.name == name }) else {
      let known = plan.reports.map(\.name).sorted(by: Folder.bytesPrecede)
      throw .usage("no report is named \(name.quoted)" + suggestion(for: name, among: known))
    }
    return (report.metrics.map { plan.metrics[$0.metric].name }, report.every)
  }

  /// The metrics asked for, each once; an unknown one ends the run. Empty means all.
  func chosenMetrics(_ names: [String]) throws(CommandFailure) -> [String] {
    let known = Set(metrics.map(\.name))
    if let name = names.first(where: { !known.contains($0) }) {
      let help =
        name.contains(",")
        ? "; repeat --metric for each"
        : suggestion(for: name, among: known.sorted(by: Folder.bytesPrecede))
      throw .usage("no metric is named \(name.quoted)\(help)")
    }
    return names.once(by: \.self)
  }
}
