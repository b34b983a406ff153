import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage

/// The tables that the chosen metrics read.
struct Dataset {
  /// By record name.
  var tables: [String: Table] = [:]
  let pool = StringPool()
  /// The last DayKey of all facts, where it was requested and there is one.
  var lastDay: DayKey?
  /// Where each record comes from.
  var files: [String: DataFile] = [:]

  /// Whom `Identity` says that an id stands for.
  func person(_ id: String, in library: MetricLibrary) -> String {
    (try? MergedTables(tables, library: library.plan, pool: pool))?.person(id) ?? id
  }

  static func sayPerson(_ person: String, of id: String) {
    Remarks.say("\(Quoting.quoted(id)) is another name of \(Quoting.quoted(person)), says `Identity`")
  }
}

/// Reads data files: of each only what the chosen metrics read.
struct DatasetLoader {
  let library: MetricLibrary
  let files: [DataFile]
  let progress: ProgressLine
  let threads: Int

  /// The findings of all files: the first ones, and how many there are.
  private var findings: [Diagnostic] = []
  private var findingCount = 0

  static let shownFindings = 20

  init(library: MetricLibrary, files: [DataFile], progress: ProgressLine, threads: Int = 1) {
    self.library = library
    self.files = files
    self.progress = progress
    self.threads = threads
  }

  /// The dataset with every record of these types, for questions of any kind at any day.
  mutating func load(_ schemas: [TableSchema], needsLastDay: Bool) throws(CommandFailure) -> Dataset {
    try load(metrics: [], needsLastDay: needsLastDay, rejects: nil, schemas: schemas)
  }

  /// The dataset for an evaluation; malformed data ends the run with its findings on standard error.
  ///
  /// - Parameters:
  ///   - metrics: The metrics to evaluate; all where empty.
  ///   - needsLastDay: Whether the DayKeys of facts that no metric reads are needed too.
  ///   - rejects: Takes malformed records, which are no findings then.
  ///   - chosen: What to read, where it is not just what the metrics read.
  ///   - folds: What records are folded into, by their names.
  mutating func load(
    metrics: [String], needsLastDay: Bool, rejects: RejectsFile?, schemas chosen: [TableSchema]? = nil,
    folds: [String: FoldSpec] = [:]
  ) throws(CommandFailure) -> Dataset {
    var dataset = Dataset()
    let schemas = Dictionary(
      (chosen ?? library.schemas(for: metrics)).map { ($0.record, $0) },
      uniquingKeysWith: { first, _ in first })
    for file in files {
      dataset.files[file.record] = file
      let dayKey = needsLastDay ? library.dayKeySchema(ofFact: file.record) : nil
      guard let schema = schemas[file.record] ?? dayKey else { continue }
      var options = ReadOptions(threads: threads)
      options.fold = folds[file.record]
      let table = try read(file, schema, options, pool: dataset.pool, rejects)
      if schemas[file.record] != nil { dataset.tables[file.record] = table }
      if let column = dayKey?.columns.first?.name, let last = table.lastDay(in: column) {
        dataset.lastDay = max(last, dataset.lastDay ?? last)
      }
    }
    guard findingCount == 0 else { throw failure() }
    return dataset
  }

  private mutating func read(
    _ file: DataFile, _ schema: TableSchema, _ options: ReadOptions, pool: StringPool,
    _ rejects: RejectsFile?
  ) throws(CommandFailure) -> Table {
    progress.show("reading \(file.path)")
    let add = rejects.map { rejects in { (record: RejectedRecord) in rejects.add(record) } }
    let result = try InputFile(path: file.path).withSource { source in
      let format = file.format ?? DataFormat(guessing: source)
      return readTable(
        source, format: format, schema: schema.reading(file.columns), path: file.path, pool: pool,
        options: options, rejects: add)
    }
    findings += result.findings.prefix(DatasetLoader.shownFindings - findings.count)
    findingCount += result.findingCount
    return result.table
  }

  /// Says what is wrong with the data.
  private func failure() -> CommandFailure {
    progress.finish()
    Findings.report(findings)
    let total = "\(Counting.of(findingCount, "finding")) in all"
    let isCut = findingCount > findings.count
    Remarks.say(isCut ? "\(total); the first \(findings.count) are shown" : total)
    return .silent(.unreadable)
  }
}

extension DaySelection {
  /// What the evaluation will ask about.
  var asked: AskedDays {
    switch self {
    case .at(let day): .one(day)
    case .series(_, let to, _): .several(through: to)
    }
  }
}

extension Table {
  /// The first day of a DayKey column; nil where it has none.
  func firstDay(in column: String) -> DayKey? {
    guard case .narrow(let cells)? = self.column(named: column),
      let first = cells.lazy.filter({ $0 != Column.missingNarrow }).min()
    else { return nil }
    return DayKey(number: first)
  }
}
