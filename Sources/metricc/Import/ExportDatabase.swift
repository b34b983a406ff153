import Foundation
import MetricImport

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
      if copy == nil { try ExportDatabase.write(file.bytes, to: database) }
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

  private static func write(_ bytes: UnsafeRawBufferPointer, to url: URL) throws {
    guard let start = bytes.baseAddress else { return }
    let data = Data(
      bytesNoCopy: UnsafeMutableRawPointer(mutating: start), count: bytes.count, deallocator: .none)
    try data.write(to: url)
  }
}
