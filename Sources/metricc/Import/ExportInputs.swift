import MetricImport

/// A file of an export, held open.
final class ExportInput {
  private let input: InputFile
  /// The path within the folder of the export; empty for a single file.
  private let path: String

  init(path: String, within inner: String = "") throws(CommandFailure) {
    input = try InputFile(path: path)
    self.path = inner
  }

  /// The bytes are valid as long as this object is.
  var exportFile: ExportFile {
    input.withBytes { ExportFile(name: input.path, path: path, bytes: $0) }
  }
}

/// The files behind the argument of `metricc import`.
struct ExportInputs {
  private var inputs: [ExportInput] = []

  var exportFiles: [ExportFile] { inputs.map(\.exportFile) }

  /// Reads a file, or the files of a folder and of the folders in it, in the order of their names.
  init(path: String, kind: ImportKind) throws(CommandFailure) {
    guard let status = FileStatus(path: path) else { throw .unreadable(SystemError.cannotRead(path)) }
    guard status.kind == .directory else {
      if let log = FileStatus(path: path + "-wal"), log.size > 0 {
        throw .unreadable(
          "\(Quoting.quoted(path)) has changes beside it, in \(Quoting.quoted(path + "-wal")), that are not in it "
            + "yet; close the program that uses it, or run `sqlite3 FILE 'pragma wal_checkpoint(truncate)'`")
      }
      inputs = [try ExportInput(path: path)]
      return
    }
    guard kind.takesFolder else {
      throw .usage("\(Quoting.quoted(path)) is a folder; \(kind.rawValue) reads a single file")
    }
    try add(path, within: "", depth: 0)
    guard !inputs.isEmpty else { throw .unreadable("there is no file in \(Quoting.quoted(path))") }
  }

  private mutating func add(_ folder: String, within inner: String, depth: Int) throws(CommandFailure) {
    guard let names = Folder.names(in: folder) else { throw .unreadable(SystemError.cannotRead(folder)) }
    for name in names {
      let path = Folder.join(folder, name)
      let innerPath = inner.isEmpty ? name : "\(inner)/\(name)"
      switch FileStatus(path: path)?.kind {
      case .directory where depth == 0: try add(path, within: innerPath, depth: 1)
      case .file: inputs.append(try ExportInput(path: path, within: innerPath))
      case .directory, .other, nil: continue
      }
    }
  }
}
