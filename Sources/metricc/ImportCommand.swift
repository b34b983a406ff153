import ArgumentParser
import MetricImport

struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Turns an app's export into a dataset.",
    discussion: """
      Kinds: loop (Loop Habit Tracker: the unpacked CSV folder or a part of it, or the .db backup, which needs `sqlite3`), habitbull (CSV), \
      mhabit (Table Habit, JSON), apple-health (export.xml: workouts and mindful minutes), cloudkit \
      (records of the story reading app, JSON), firebase (the events that BigQuery exports, JSON), csv and ndjson \
      (anything, with a mapping file).

      DayKeys are derived once, from instant and zone. The report counts what the dataset cannot hold.

      Examples:
        metricc import loop "Loop Habits Backup.db" --output Data
        metricc import apple-health export.xml --zone Europe/Berlin --output Data
        metricc import csv log.csv --mapping log.json --output Data
        metricc check Definitions/Habits --data Data

      Exit status: 0 done; 2 the export could not be read or is malformed, or the output could not be \
      written; 64 wrong usage.
      """)

  @Argument(help: "What wrote the export: \(ImportKind.allCases.map(\.rawValue).joined(separator: ", ")).")
  var kind: ImportKind

  @Argument(help: "The export: a file, or for loop also a folder.", completion: .file())
  var file: String

  @Option(
    help: .value("folder", "The folder to write the dataset to. Its files appear whole or not at all."),
    completion: .directory)
  var output: String

  @Option(help: "The zone of the person, such as Europe/Berlin, for records that do not name one.")
  var zone: String?

  @Option(
    help: .value("file", "What the rows of csv, ndjson or firebase become (see Documentation/Import.md)."),
    completion: .file())
  var mapping: String?

  @Option(
    help: .value(
      "path",
      "Check what a mapping writes against the records of these definitions, not just the built-in ones."),
    completion: .definitions)
  var definitions: [String] = []

  @Option(help: "The order of day and month in dates like 11/5/2020 or 06-16-24.")
  var dates: DateOrder?

  @Flag(help: "Overwrite existing data files.")
  var force = false

  @OptionGroup var progressOptions: ProgressOptions

  func validate() throws {
    try refuse(
      kind.needsMapping && mapping == nil, "\(kind.rawValue) needs --mapping, which says what its rows become"
    )
    try refuse(
      !kind.takesMapping && (mapping != nil || !definitions.isEmpty),
      "--mapping and --definitions work only with csv, ndjson and firebase")
    try refuse(zone != nil && !kind.takesZone, "\(kind.rawValue) keeps local dates; remove --zone")
    if let zone {
      try refuse(Zone(zone) == nil, "--zone \(zone.quoted) is not a known zone; write one like Europe/Berlin")
    }
    try refuse(dates != nil && !kind.takesDates, "\(kind.rawValue) has no such dates; remove --dates")
  }

  func run() throws {
    let inputs = try ExportInputs(path: file, kind: kind)
    let mappingInput = try mapping.map { path throws(CommandFailure) in try MappedFile(path: path) }
    let folder = try DatasetFolder(path: output, replacesFiles: force)
    var recordCount = 0
    let dataset = DatasetOutput { record, bytes in
      folder.write(bytes, of: record)
      recordCount += 1
      if recordCount % 1024 == 0 { ProgressLine.show("importing: \(Counting.of(recordCount, "record"))") }
    }
    let library = MetricLibrary(sources: try SourceDiscovery.sources(at: definitions))
    let schemas = library.recordNames.compactMap { library.fullSchema(of: $0) }
    let options = ImportOptions(
      zone: zone.flatMap { Zone($0) }, dateOrder: dates,
      schemas: Dictionary(schemas.map { ($0.record, $0) }, uniquingKeysWith: { first, _ in first }))
    let database = ExportDatabase()
    let report: ImportReport
    do throws(ImportFailure) {
      report = try convert(
        kind, inputs.exportFiles,
        mapping: mappingInput.map { ExportFile(name: $0.path, path: "", bytes: $0.bytes) }, options: options,
        query: database.rows, to: dataset)
    } catch {
      throw CommandFailure.unreadable(printable(error.description))
    }
    // The exports had to keep their bytes until here.
    withExtendedLifetime((inputs, mappingInput)) {}
    let isEmpty = dataset.rowCounts.values.allSatisfy { $0 == 0 }
    if !isEmpty { try folder.commit() }
    try BufferedOutput.print(report.text(dataset))
    if isEmpty {
      throw CommandFailure.unreadable(
        "found nothing to import in \(file.quoted); nothing was written, and the list says what was left out"
      )
    }
    for record in dataset.records where dataset.rowCounts[record] == 0 {
      Remarks.say("the export makes no \(record)")
    }
  }
}

extension ImportKind: ExpressibleByArgument {}
extension DateOrder: ExpressibleByArgument {}
