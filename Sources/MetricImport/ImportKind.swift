/// What an export was written by.
public enum ImportKind: String, CaseIterable, Sendable {
  case csv, ndjson, loop, habitbull, mhabit
  case appleHealth = "apple-health"
  case cloudkit, firebase

  /// Whether the export may be a folder of files.
  public var takesFolder: Bool { self == .loop }

  /// Whether a mapping says what its rows are.
  public var needsMapping: Bool { self == .csv || self == .ndjson }

  /// Whether a mapping may say it.
  public var takesMapping: Bool { needsMapping || self == .firebase }

  /// Whether the order of dates can be said.
  public var takesDates: Bool { self == .loop || self == .habitbull || needsMapping }

  /// Whether a zone can decide on a day.
  public var takesZone: Bool {
    switch self {
    case .csv, .ndjson, .appleHealth, .cloudkit, .firebase: true
    case .loop, .habitbull, .mhabit: false
    }
  }
}

/// What an import needs to know beside the export itself.
public struct ImportOptions: Sendable {
  /// Where the person was, for records that do not say it.
  public var zone: Zone?
  /// The order of dates that may be read in two ways.
  public var dateOrder: DateOrder?
  /// By record, the fields of those that a mapping may fill: what it writes is checked against them.
  public var schemas: [String: TableSchema]

  public init(zone: Zone? = nil, dateOrder: DateOrder? = nil, schemas: [String: TableSchema] = [:]) {
    (self.zone, self.dateOrder, self.schemas) = (zone, dateOrder, schemas)
  }
}

/// Turns an export into the records of a dataset.
///
/// The same bytes and options give the same records in the same order. Nothing is decided in silence: what the
/// records cannot hold is in the report.
///
/// - Parameters:
///   - files: the export; several only where it is a folder.
///   - mapping: the mapping file of the kinds that need one.
///   - query: asks the database that a file is.
///   - output: takes the records. Where this throws, what it took is to be thrown away.
public func convert(
  _ kind: ImportKind, _ files: [ExportFile], mapping: ExportFile? = nil,
  options: ImportOptions = ImportOptions(), query: @escaping DatabaseQuery = noDatabaseClient,
  to output: DatasetOutput
) throws(ImportFailure) -> ImportReport {
  guard let file = files.first else { throw ImportFailure("there is no file to import") }
  if let archive = files.first(where: { $0.path.isEmpty && $0.isZip }) {
    throw ImportFailure(
      "is a zip archive; unpack it first (`unzip -d folder \(archive.name)`) and give what is in it",
      file: archive.name)
  }
  for file in files where file.path.isEmpty || file.path.lowercased().hasSuffix(".csv") {
    try file.requireReadable()
  }
  switch kind {
  case .csv, .ndjson, .firebase:
    let read: Mapping
    if let mapping {
      read = try Mapping(mapping)
      try read.check(options.schemas, mapping)
    } else {
      guard kind == .firebase else { throw ImportFailure("the kind `\(kind.rawValue)` needs a mapping file") }
      read = try Firebase.mapping()
    }
    var rows = MappedRows(read, options, to: output)
    if kind == .csv { try rows.addRows(ofCSV: file) } else { try rows.addRows(ofJSON: file) }
  case .loop where file.path.isEmpty && file.bytes.starts(with: LoopDatabase.magic):
    try LoopDatabase(file: file, query: query, output: HabitOutput(output)).run()
  case .loop: try LoopCSV(files: files, order: options.dateOrder, output: HabitOutput(output)).run()
  case .habitbull: try HabitBull(file: file, order: options.dateOrder, output: HabitOutput(output)).run()
  case .mhabit: try TableHabit(file: file, output: HabitOutput(output)).run()
  case .appleHealth:
    var conversion = AppleHealth(file: file, zone: options.zone, output: HabitOutput(output))
    try conversion.run()
  case .cloudkit: try CloudKitRecords(file: file, zone: options.zone, output: output).run()
  }
  return output.report
}
