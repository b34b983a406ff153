import Foundation
import MetricImport

/// A folder of CSV files that is filled by an import: each file is written beside its place, and all are moved
/// there at the end.
final class DatasetFolder {
  private let path: String
  private let replacesFiles: Bool
  private var files: [String: AtomicFile] = [:]
  /// The first thing that went wrong while records came in.
  private var failure: CommandFailure?
  /// Whether the folder was not there before.
  private var isNew = false

  init(path: String, replacesFiles: Bool) throws(CommandFailure) {
    (self.path, self.replacesFiles) = (path, replacesFiles)
    switch FileStatus(path: path)?.kind {
    case .directory: break
    case .file, .other: throw .unreadable("cannot write \(path.quoted): it is not a folder")
    case nil:
      guard mkdir(path, 0o777) == 0 else { throw .unreadable(SystemError.cannotWrite(path)) }
      isNew = true
    }
  }

  deinit {
    files = [:]
    // A folder that was created for nothing is removed; one with files in it stays.
    if isNew { rmdir(path) }
  }

  /// Takes the next bytes of a record's file. `commit` reports failures.
  func write(_ bytes: [UInt8], of record: String) {
    guard failure == nil else { return }
    do throws(CommandFailure) {
      try file(of: record).stream.write(bytes)
    } catch {
      failure = error
    }
  }

  /// Moves all files to their places. Without it none appears.
  func commit() throws(CommandFailure) {
    if let failure { throw failure }
    for file in files.values { try file.stream.finish() }
    try Interruption.deferring { () throws(CommandFailure) in
      for record in files.keys.sorted(by: Folder.bytesPrecede) { try files[record]?.commit() }
    }
    isNew = false
  }

  private func file(of record: String) throws(CommandFailure) -> AtomicFile {
    if let file = files[record] { return file }
    let target = Folder.join(path, "\(record).csv")
    for format in DataFormat.allCases {
      let other = Folder.join(path, "\(record).\(format.rawValue)")
      guard FileStatus(path: other) != nil else { continue }
      guard replacesFiles else {
        throw .unreadable("\(other.quoted) already exists; pass --force to overwrite it")
      }
      guard other == target else {
        throw .unreadable("\(other.quoted) holds \(record) too; move it away, as one record has one file")
      }
    }
    let file = try AtomicFile(path: target)
    files[record] = file
    return file
  }
}

extension ImportReport {
  func text(_ dataset: DatasetOutput) -> String {
    var lines = dataset.records.map { record in
      "\(record): \(Counting.of(dataset.rowCounts[record] ?? 0, "record"))"
    }
    if dataset.records.isEmpty { lines.append("no records") }
    if !choices.isEmpty { lines += ["", "decided:"] + table(choices) }
    lines += items.isEmpty ? ["", "nothing was left out"] : ["", "left out:"] + table(items)
    return lines.map { printable($0) + "\n" }.joined()
  }

  /// A line for each item: how often, what, and why.
  private func table(_ items: [ImportReport.Item]) -> [String] {
    let counts = items.map { Counting.grouped($0.count) }
    let width = counts.map(\.count).max() ?? 0
    return zip(items, counts).map { item, count in
      let reason = item.reason.isEmpty ? "" : " (\(item.reason))"
      return "  \(count.leftPadded(to: width))  \(item.kind)\(reason)"
    }
  }
}
