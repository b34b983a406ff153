import MetricData
import MetricDiagnostics

/// Records that were left out, an object a line.
final class RejectsFile {
  private let file: AtomicFile
  private let path: String
  private(set) var count = 0

  init(path: String) throws(CommandFailure) {
    self.path = path
    file = try AtomicFile(path: path)
  }

  func add(_ record: RejectedRecord) {
    count += 1
    let object = JSONText.object([
      "path": record.path, "line": record.line, "column": record.column, "record": record.record,
      "code": record.code.id, "message": record.message, "text": record.text,
    ])
    file.stream.write("\(object)\n")
  }

  func commit() throws(CommandFailure) { try file.commit() }

  /// `3 records are left out; they are in `rejects.ndjson``.
  var remark: String {
    switch count {
    case 0: "no record is left out"
    case 1: "1 record is left out; it is in \(Quoting.quoted(path))"
    default: "\(Counting.of(count, "record")) are left out; they are in \(Quoting.quoted(path))"
    }
  }
}
