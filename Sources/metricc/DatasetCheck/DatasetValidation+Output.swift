import MetricDiagnostics

extension DatasetValidation {
  /// `data: 3 files, 1,204 records; 12 findings: 3 duplicate-id, 9 dangling-reference`.
  var summaryLine: String {
    let records = files.reduce(0) { $0 + $1.records }
    let read = "data: \(Counting.of(files.count, "file")), \(Counting.of(records, "record"))"
    guard !counts.isEmpty else { return "\(read); nothing found" }
    var totals: [DiagnosticCode: Int] = [:]
    for count in counts { totals[count.code, default: 0] += count.count }
    let kinds = totals.sorted { $0.key.id < $1.key.id }.map { "\(Counting.grouped($1)) \($0.name)" }
    let all = totals.values.reduce(0, +)
    return "\(read); \(Counting.of(all, "finding")): \(kinds.joined(separator: ", "))"
  }

  /// The files that were read, and how often each kind of mistake was met: the examples among the findings
  /// are only the first ones.
  var json: JSONText {
    .object([
      "files": files.map {
        JSONText.object(["record": $0.file.record, "path": $0.file.path, "records": $0.records])
      },
      "counts": counts.map {
        JSONText.object([
          "code": $0.code.id, "name": $0.code.name, "severity": $0.severity.rawValue, "record": $0.record,
          "field": $0.field, "path": $0.path, "count": $0.count,
        ])
      },
    ])
  }
}
