import Foundation

/// The file that holds the records of one type.
struct DataFile: Hashable {
  var record: String
  var path: String
  /// Nil if the path has no extension (`/dev/stdin`): the first character tells.
  var format: DataFormat?
  /// By field, what the file calls it where that is something else.
  var columns: [String: String] = [:]
}

/// A data file that is open: it is read, and then asked where values are.
struct OpenDataFile {
  let file: DataFile
  private let input: InputFile
  private let format: DataFormat

  init(_ file: DataFile) throws(CommandFailure) {
    self.file = file
    input = try InputFile(path: file.path)
    format =
      if let known = file.format { known } else { try input.withSource { DataFormat(guessing: $0) } }
  }

  func read(
    _ schema: TableSchema, _ pool: StringPool, options: ReadOptions = ReadOptions(),
    rejects: ((RejectedRecord) -> Void)? = nil
  ) throws(CommandFailure) -> ReadResult {
    try input.withSource { source in
      readTable(
        source, format: format, schema: schema.reading(file.columns), path: file.path, pool: pool,
        options: options, rejects: rejects)
    }
  }

  /// - Parameter schema: what the file was read with.
  func places(
    of addresses: [ValueAddress], _ schema: TableSchema, _ pool: StringPool
  ) throws(CommandFailure) -> [ValueAddress: Position] {
    try input.withSource { source in
      MetricData.places(
        of: addresses, in: source, format: format, schema: schema.reading(file.columns), pool: pool)
    }
  }
}

/// The files named by the `--data` arguments: folders, and `Record=path`.
struct DataFiles {
  /// In the order given; a folder's in the order of their names.
  private(set) var files: [DataFile] = []
  private let recordNames: [String]
  /// By record, the fields that its files may name.
  private let fields: [String: [String]]
  /// By record and field, what the files call it where that is something else.
  private let columns: [String: [String: String]]
  private let remark: (String) -> Void

  /// - Parameter remark: Receives a message for each skipped file.
  init(
    arguments: [String], recordNames: [String], fields: [String: [String]] = [:],
    columns: [String: [String: String]] = [:], remark: @escaping (String) -> Void
  ) throws(CommandFailure) {
    (self.recordNames, self.remark) = (recordNames, remark)
    (self.fields, self.columns) = (fields, columns)
    for argument in arguments {
      if FileStatus(path: argument)?.kind == .directory {
        try addFolder(argument)
      } else if let (record, path) = argument.halves {
        try addFile(record: record, path: path)
      } else if FileStatus(path: argument) == nil {
        throw .unreadable(SystemError.cannotRead(argument))
      } else {
        throw .usage(DataFiles.withoutRecord(argument, holds(argument)))
      }
    }
  }

  private mutating func addFile(record: String, path: String) throws(CommandFailure) {
    try DatabaseOptions.requireRecord(record, in: recordNames)
    guard !path.isEmpty else { throw .usage("`--data \(record)=` names no file") }
    let format = DataFormat(path: path)
    if format == nil, Folder.fileExtension(of: path) != nil {
      throw .usage("\(path.quoted) does not end in `.csv`, `.ndjson` or `.json`; \(DataFiles.remedy(path))")
    }
    switch FileStatus(path: path)?.kind {
    case nil: throw .unreadable(SystemError.cannotRead(path))
    case .directory: throw .unreadable(SystemError.cannotRead(path, EISDIR))
    case .file, .other: try add(DataFile(record: record, path: path, format: format))
    }
  }

  private mutating func addFolder(_ folder: String) throws(CommandFailure) {
    var found: [String: String] = [:]
    var misnamed: [String] = []
    var foreign: [(record: String, message: String)] = []
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      guard let format = DataFormat(path: name) else {
        if let file = foreignFile(name, at: path) { foreign.append(file) }
        continue
      }
      let record = String(name.dropLast(format.rawValue.count + 1))
      let isFolder = FileStatus(path: path)?.kind == .directory
      guard recordNames.contains(record) else {
        if isFolder { continue }
        // With another record of that name it would be a second file.
        if let other = recordNames.first(where: { ColumnSchema.isSimilar($0, record) }) {
          misnamed.append(
            "\(path.quoted) is not read: the record is called \(other.quoted); rename the file, or "
              + "say `--data \(other)=\(printable(path))`")
          continue
        }
        let held = holds(path)
        let near = held == nil ? nearestName(to: record, in: recordNames) : nil
        remark(
          "ignoring \(path.quoted): no record is named \(record.quoted)"
            + (held.map { "; its columns are those of \($0): `--data \($0)=\(printable(path))`" }
              ?? suggestion(near)))
        continue
      }
      if isFolder { throw .unreadable(SystemError.cannotRead(path, EISDIR)) }
      if let other = found.updateValue(path, forKey: record) {
        throw .unreadable("two files hold \(record): \(other.quoted) and \(path.quoted)")
      }
      try add(DataFile(record: record, path: path, format: format))
    }
    misnamed += foreign.filter { found[$0.record] == nil }.map(\.message)
    guard misnamed.isEmpty else { throw CommandFailure(messages: misnamed, status: .unreadable) }
    // A record without a file is empty; this remark helps if the wrong folder was named.
    guard !found.isEmpty else {
      throw .unreadable("there is no data file like `Record.csv` in \(folder.quoted)")
    }
  }

  /// `HabitEntry.csv.gz` and `HabitEntry.xlsx` would be a record without a file.
  private func foreignFile(_ name: String, at path: String) -> (record: String, message: String)? {
    let record = String(name.prefix { $0 != "." })
    let isTable = Folder.fileExtension(of: name).map(DataFiles.tables.contains) == true
    guard let known = recordNames.first(where: { ColumnSchema.isSimilar($0, record) }),
      isTable || EngineFiles.format(of: name) != nil, FileStatus(path: path)?.kind == .file
    else { return nil }
    return (known, "\(path.quoted) is not read, so \(known) would have no records; \(DataFiles.remedy(path))")
  }

  /// Endings of tables that nothing here reads.
  private static let tables: Set = [
    "xlsx", "xls", "ods", "numbers", "tsv", "txt", "jsonl", "xml", "db", "sqlite", "sqlite3", "avro", "orc",
    "feather",
  ]

  /// What to do with a file of another format.
  private static func remedy(_ path: String) -> String {
    switch Folder.fileExtension(of: path)?.lowercased() ?? "" {
    case "gz", "zst": "unpack it (`gunzip`, `unzstd`), or let `eval --engine duckdb` read it"
    case "parquet": "`eval --engine duckdb` reads Parquet; or export it as CSV"
    case "jsonl": "rename it to `.ndjson`"
    case "db", "sqlite", "sqlite3":
      "`eval --engine sqlite --connect \(printable(path))` reads a database"
    default: "export it as CSV"
    }
  }

  static func withoutRecord(_ path: String, _ record: String?) -> String {
    "\(path.quoted) is not a folder; say which record it holds: "
      + "`--data \(record ?? "Record")=\(printable(path))`"
  }

  /// The record whose fields a file's header or first object names best, or that the file is named after.
  private func holds(_ path: String) -> String? {
    let stem = (path.split(separator: "/").last ?? "").prefix { $0 != "." }
    if let named = recordNames.first(where: { ColumnSchema.isSimilar($0, String(stem)) }) { return named }
    guard DataFormat(path: path) != nil,
      let head = try? InputFile(path: path).withSource({ String(decoding: $0.prefix(4096), as: UTF8.self) })
    else { return nil }
    let isJSON = head.contains { $0 == "{" }
    let line = isJSON ? head : String(head.prefix { !$0.isNewline })
    // In JSON the texts before a colon are the names.
    let pieces = line.split(whereSeparator: { (isJSON ? "{}[],:" : ",;\t|").contains($0) })
    let names = pieces.map { $0.filter { !"\" \r\n\u{FEFF}".contains($0) } }
    let fits = fields.compactMap { record, fields -> (count: Int, missing: Int, record: String)? in
      let count = fields.count { field in names.contains { ColumnSchema.isSimilar($0, field) } }
      return count >= 2 ? (count, fields.count - count, record) : nil
    }
    return fits.min { (-$0.count, $0.missing, $0.record) < (-$1.count, $1.missing, $1.record) }?.record
  }

  private mutating func add(_ file: DataFile) throws(CommandFailure) {
    if let other = files.first(where: { $0.record == file.record }) {
      throw .usage("\(file.record) is given twice: \(other.path.quoted) and \(file.path.quoted)")
    }
    var file = file
    file.columns = columns[file.record] ?? [:]
    let read = file.columns.values.sorted(by: Folder.bytesPrecede)
    if let twice = zip(read, read.dropFirst()).first(where: { $0 == $1 })?.0 {
      throw .usage("--column reads \(twice.quoted) of \(file.record) into two fields")
    }
    RunInputs.add(file.path)
    files.append(file)
  }
}

extension DataFormat {
  init?(path: String) {
    self.init(fileExtension: Folder.fileExtension(of: path) ?? "")
  }

  /// The format that a file's first character gives away: `[` is JSON, `{` NDJSON, anything else CSV.
  init(guessing source: ByteSource) {
    let bytes = source.prefix(1 << 16)
    let marks: Set<UInt8> = [0xEF, 0xBB, 0xBF]
    switch bytes.first(where: { !marks.contains($0) && $0 != 0x20 && !(0x09...0x0D).contains($0) }) {
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "{"): self = .ndjson
    default: self = .csv
    }
  }
}
