import MetricDiagnostics
import MetricImport

/// What an import did, as people read it.
struct ImportSummary {
  let dataset: DatasetOutput
  let report: ImportReport

  var text: String {
    var lines = dataset.records.map { record in
      "\(record): \(Counting.of(dataset.rowCounts[record] ?? 0, "record"))"
    }
    if dataset.records.isEmpty { lines.append("no records") }
    if !report.choices.isEmpty {
      lines += ["", "decided:"] + table(report.choices)
    }
    lines += report.items.isEmpty ? ["", "nothing was left out"] : ["", "left out:"] + table(report.items)
    return lines.map { Quoting.printable($0) + "\n" }.joined()
  }

  /// A line for each item: how often, what, and why.
  private func table(_ items: [ImportReport.Item]) -> [String] {
    let counts = items.map { Counting.grouped($0.count) }
    let width = counts.map(\.count).max() ?? 0
    return zip(items, counts).map { item, count in
      let reason = item.reason.isEmpty ? "" : " (\(item.reason))"
      return "  " + String(repeating: " ", count: width - count.count) + "\(count)  \(item.kind)\(reason)"
    }
  }
}
