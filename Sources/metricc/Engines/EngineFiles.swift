import MetricSQL

/// The files named by the `--data` arguments of an engine: folders, and `Record=path` with a path, a pattern or an
/// address that the engine opens itself.
struct EngineFiles {
  private(set) var files: [SQLFile] = []
  private let recordNames: [String]

  init(arguments: [String], recordNames: [String]) throws(CommandFailure) {
    self.recordNames = recordNames
    for argument in arguments {
      if FileStatus(path: argument)?.kind == .directory {
        try addFolder(argument)
      } else if let (record, path) = argument.halves {
        try DatabaseOptions.requireRecord(record, in: recordNames)
        try add(record, path)
      } else {
        throw .usage(DataFiles.withoutRecord(argument, nil))
      }
    }
  }

  /// The format of a path, whatever it is packed with; a folder without an ending holds Parquet.
  static func format(of path: String) -> SQLFile.Format? {
    guard let ending = Folder.fileExtension(of: path)?.lowercased() else { return nil }
    if ["gz", "zst"].contains(ending) { return format(of: String(path.dropLast(ending.count + 1))) }
    return SQLFile.Format(rawValue: ending)
  }

  /// `HabitEntry.csv.gz`, or a folder `HabitEntry` of Parquet.
  private mutating func addFolder(_ folder: String) throws(CommandFailure) {
    for name in try Folder.names(in: folder) {
      let record = String(name.prefix { $0 != "." })
      guard recordNames.contains(record) else { continue }
      let path = Folder.join(folder, name)
      let isFolder = FileStatus(path: path)?.kind == .directory
      if isFolder || EngineFiles.format(of: name) != nil { try add(record, path) }
    }
    if files.isEmpty { Remarks.say("there is no data file like `Record.csv` in \(folder.quoted)") }
  }

  private mutating func add(_ record: String, _ path: String) throws(CommandFailure) {
    if let other = files.first(where: { $0.record == record }) {
      throw .usage("\(record) is given twice: \(other.path.quoted) and \(path.quoted)")
    }
    let isFolder = FileStatus(path: path)?.kind == .directory
    guard let format = EngineFiles.format(of: path) ?? (isFolder ? .parquet : nil) else {
      throw .usage(
        "\(path.quoted) does not end in `.csv`, `.ndjson`, `.json` or `.parquet`, perhaps with `.gz`, and is not a folder"
      )
    }
    RunInputs.add(path)
    files.append(SQLFile(record: record, path: path, format: format))
  }
}
