/// The counterexamples found, by what they are about, so that a search runs once and not with every keystroke.
struct Witnesses {
  private var found: [Key: Diagnostic] = [:]

  /// All that a search looks at. Places and words do not count.
  private struct Key: Hashable {
    var code: DiagnosticCode
    var metrics: [Metric]
    var records: [Record]
  }

  /// The findings of a library with the counterexamples that are known.
  func completed(_ analysis: Analysis) -> [Diagnostic] {
    let findings = analysis.library.findings
    guard findings.contains(where: isSearched) else { return findings }
    let keyOf = keys(analysis)
    return findings.map { finding in
      guard isSearched(finding), let known = keyOf(finding).flatMap({ found[$0] }) else { return finding }
      var finding = finding
      finding.notes = known.notes
      finding.counterexample = known.counterexample
      return finding
    }
  }

  /// Searches for one that is not known; false if there is none.
  mutating func searchNext(_ analysis: Analysis) -> Bool {
    let keyOf = keys(analysis)
    for finding in analysis.library.findings where isSearched(finding) {
      guard let key = keyOf(finding), found[key] == nil else { continue }
      if found.count > 1000 { found = [:] }
      found[key] = analysis.library.withCounterexample(finding)
      return true
    }
    return false
  }

  private func isSearched(_ finding: Diagnostic) -> Bool {
    MetricLibrary.codesWithCounterexample.contains(finding.code.id) && finding.counterexample == nil
  }

  private func keys(_ analysis: Analysis) -> (Diagnostic) -> Key? {
    let plan = analysis.plan
    let nowhere = Span(file: 0, start: 0, end: 0)
    let records = plan.records.map { record in
      var record = record
      (record.doc, record.span) = (nil, nowhere)
      for index in record.fields.indices {
        (record.fields[index].doc, record.fields[index].span) = (nil, nowhere)
      }
      return record
    }
    return { finding in
      guard let id = finding.metric.flatMap(plan.metric) else { return nil }
      let metrics = plan.withRead([id]).sorted().map { id in
        var metric = plan.metrics[id]
        (metric.doc, metric.span, metric.clauseSpans) = (nil, nowhere, [:])
        return metric
      }
      return Key(code: finding.code, metrics: metrics, records: records)
    }
  }
}
