import Foundation
import MetricImport

/// The files named by the argument of `metricc import`.
struct ExportInputs {
  private var inputs: [(file: MappedFile, path: String)] = []

  /// Their bytes are valid as long as this is there.
  var exportFiles: [ExportFile] {
    inputs.map { ExportFile(name: $0.file.path, path: $0.path, bytes: $0.file.bytes) }
  }

  /// Reads a file, or the files of a folder and of the folders in it, in the order of their names.
  init(path: String, kind: ImportKind) throws(CommandFailure) {
    guard let status = FileStatus(path: path) else { throw .unreadable(SystemError.cannotRead(path)) }
    guard status.kind == .directory else {
      if let log = FileStatus(path: path + "-wal"), log.size > 0 {
        throw .unreadable(
          "\(path.quoted) has changes beside it, in \((path + "-wal").quoted), that are not in it "
            + "yet; close the program that uses it, or run `sqlite3 FILE 'pragma wal_checkpoint(truncate)'`")
      }
      inputs = [(try MappedFile(path: path), "")]
      return
    }
    guard kind.takesFolder else {
      throw .usage("\(path.quoted) is a folder; \(kind.rawValue) reads a single file")
    }
    try add(path, within: "", depth: 0)
    guard !inputs.isEmpty else { throw .unreadable("there is no file in \(path.quoted)") }
  }

  private mutating func add(_ folder: String, within inner: String, depth: Int) throws(CommandFailure) {
    for name in try Folder.names(in: folder) {
      let path = Folder.join(folder, name)
      let innerPath = inner.isEmpty ? name : "\(inner)/\(name)"
      switch FileStatus(path: path)?.kind {
      case .directory where depth == 0: try add(path, within: innerPath, depth: 1)
      case .file: inputs.append((try MappedFile(path: path), innerPath))
      case .directory, .other, nil: continue
      }
    }
  }
}

/// The database of an export, asked through the client `sqlite3`.
///
/// The client gets a copy: whatever lies beside the file, however it is named and whatever the client may want to
/// write, the export stays as it is.
final class ExportDatabase {
  private var copy: ScratchFolder?

  func rows(_ statement: String, of file: ExportFile) throws(ImportFailure) -> [UInt8] {
    guard let client = ProgramRun.find("sqlite3") else { return try noDatabaseClient(statement, file) }
    let run: ProgramRun
    do {
      let folder = try copy ?? ScratchFolder()
      let database = folder.url.appendingPathComponent("export.db")
      if copy == nil, let start = UnsafeMutableRawPointer(mutating: file.bytes.baseAddress) {
        try Data(bytesNoCopy: start, count: file.bytes.count, deallocator: .none).write(to: database)
      }
      copy = folder
      run = try ProgramRun.of(
        client, ["-init", "/dev/null", "-batch", "-bail", "-safe", "-json", database.path],
        input: statement + ";\n")
    } catch {
      let message = (error as? CommandFailure)?.messages.joined(separator: "; ") ?? error.localizedDescription
      throw ImportFailure(message, file: file.name)
    }
    guard run.status == 0 else {
      throw ImportFailure("found a database that `sqlite3` cannot read: \(run.lastError)", file: file.name)
    }
    return run.output
  }
}
