import Foundation
import MetricTestSupport
import MetricValues

@testable import MetricImport

/// What came of an import.
struct Imported {
  /// By record: the text of its file.
  var files: [String: String] = [:]
  var report = ImportReport()

  /// How often each kind was left out.
  var leftOut: [String: Int] {
    Dictionary(uniqueKeysWithValues: report.items.map { ($0.kind, $0.count) })
  }

  /// The lines of a record's file, without the header.
  func rows(_ record: String) -> [String] {
    (files[record] ?? "").split(separator: "\n").dropFirst().map(String.init)
  }
}

/// A file of an export as bytes: its path within the export's folder, empty for a single file.
typealias ExportBytes = (path: String, bytes: [UInt8])

/// Imports bytes that lie in memory which ends where the file ends.
func imported(
  _ kind: ImportKind, _ export: [ExportBytes], mapping: String? = nil, zone: String? = nil,
  dateOrder: DateOrder? = nil, schemas: [String: TableSchema] = [:]
) throws(ImportFailure) -> Imported {
  var buffers: [UnsafeMutableRawBufferPointer] = []
  defer { for buffer in buffers { buffer.deallocate() } }
  func file(_ path: String, _ bytes: [UInt8]) -> ExportFile {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    buffer.copyBytes(from: bytes)
    buffers.append(buffer)
    return ExportFile(name: path.isEmpty ? "export" : path, path: path, bytes: UnsafeRawBufferPointer(buffer))
  }
  var written: [String: [UInt8]] = [:]
  let output = DatasetOutput { record, bytes in written[record, default: []] += bytes }
  let files = export.map { file($0.path, $0.bytes) }
  let mappingFile = mapping.map { file("mapping", Array($0.utf8)) }
  let options = ImportOptions(zone: zone.flatMap { Zone($0) }, dateOrder: dateOrder, schemas: schemas)
  let report = try convert(
    kind, files, mapping: mappingFile, options: options, query: Exports.rows, to: output)
  return Imported(files: written.mapValues { String(decoding: $0, as: UTF8.self) }, report: report)
}

func imported(
  _ kind: ImportKind, _ text: String, mapping: String? = nil, zone: String? = nil, dateOrder: DateOrder? = nil
) throws(ImportFailure) -> Imported {
  try imported(kind, [("", Array(text.utf8))], mapping: mapping, zone: zone, dateOrder: dateOrder)
}

/// The message of the failure of an import, with its place.
func failure(
  _ kind: ImportKind, _ text: String, mapping: String? = nil, zone: String? = nil, dateOrder: DateOrder? = nil
) -> String? {
  do throws(ImportFailure) {
    _ = try imported(kind, text, mapping: mapping, zone: zone, dateOrder: dateOrder)
    return nil
  } catch {
    return error.description
  }
}

/// The exports in the repository.
enum Exports {
  /// SQLite's client; a test that needs it says so.
  static let client = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/opt/homebrew/bin/sqlite3"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Asks a database as the command does.
  static func rows(_ statement: String, of file: ExportFile) throws(ImportFailure) -> [UInt8] {
    guard let client else { return try noDatabaseClient(statement, file) }
    do {
      let database = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).db")
      defer { try? FileManager.default.removeItem(at: database) }
      try Data(file.bytes).write(to: database)
      let process = Process()
      let output = Pipe()
      process.executableURL = URL(fileURLWithPath: client)
      process.arguments = [
        "-init", "/dev/null", "-batch", "-bail", "-safe", "-json", database.path, statement,
      ]
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.run()
      let rows = output.fileHandleForReading.readDataToEndOfFile()
      process.waitUntilExit()
      guard process.terminationStatus == 0 else { throw ImportFailure("cannot be read", file: file.name) }
      return Array(rows)
    } catch {
      throw (error as? ImportFailure) ?? ImportFailure("\(error)", file: file.name)
    }
  }

  static func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: Repository.path("Tests/Exports/\(name)"))))
  }

  static func text(_ name: String) throws -> String { try Repository.text("Tests/Exports/\(name)") }

  /// The unpacked folder of Loop.
  static func loopFolder() throws -> [ExportBytes] {
    let root = Repository.path("Tests/Exports/loop")
    let names = (FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []).sorted()
    return try names.filter { $0.hasSuffix(".csv") }.map { ($0, try bytes("loop/\($0)")) }
  }
}
