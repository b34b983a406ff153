import MetricSyntax

/// What one resolution leaves for the next one of nearly the same trees, so that an editor does not resolve a
/// whole library again with each keystroke.
///
/// A metric or test is taken over, wherever it is now, if
///
/// - its text is the same, and it had no finding;
/// - no name in it became or ceased to be that of a metric;
/// - no record changed that the records it names lead to;
/// - all that it reads was taken over.
///
/// So a resolution with a memory comes to the same as one without.
package struct ResolutionMemory: Sendable {
  /// A metric or test that was resolved without a finding, as it stood then.
  final class Entry<Result: Sendable>: Sendable {
    let result: Result
    let text: [UInt8]
    let span: Span
    let uses: [NameUse]
    /// The records that it names.
    let records: Set<RecordID>
    /// The metrics that it reads, with the places that they had in the plan.
    let reads: [(name: String, id: MetricID)]

    init(
      _ result: Result, text: ArraySlice<UInt8>, span: Span, uses: ArraySlice<NameUse>,
      records: [RecordID] = [], reads: [(name: String, id: MetricID)]
    ) {
      self.result = result
      self.reads = reads
      self.text = Array(text)
      self.span = span
      self.uses = Array(uses)
      self.records = Set(records + uses.compactMap(\.target.recordID))
    }
  }

  struct ResolvedMetric: Sendable {
    var metric: Metric
    var isOfSeveralUsers: Bool
    var header: DeclaredMetric
    /// The metrics that its clauses mention.
    var mentions: [String]
  }

  var names: Set<String> = []
  var records: [Record] = []
  var brokenFields: [RecordID: Set<String>] = [:]
  var brokenRecords: Set<RecordID> = []
  var metrics: [String: Entry<ResolvedMetric>] = [:]
  var tests: [String: Entry<TestCase>] = [:]

  /// Where the declaration of a metric stands that was resolved without a finding.
  package func declaration(of metric: Metric) -> Span? {
    metrics[metric.name].map { $0.span.moved(from: $0.result.metric.span, to: metric.span) }
  }
}

/// Taking over what has not changed.
extension Resolver {
  /// Finds out which names of metrics and which records have changed. All of them must be known.
  func compareWithMemory(names: [String]) {
    memory.names = Set(names)
    memory.metrics.reserveCapacity(names.count)
    metricStates.reserveCapacity(names.count)
    headers.reserveCapacity(names.count)
    memory.records = records
    memory.brokenFields = brokenFields
    memory.brokenRecords = brokenRecords
    guard let previous else { return }
    let changed = previous.names.symmetricDifference(memory.names)
    changedNames = changed.map { Array($0.utf8) }
    guard changed.count <= 4, previous.records.elementsEqual(records, by: { $0.name == $1.name }) else {
      self.previous = nil
      return
    }
    changedRecords = Set(
      records.indices.filter { id in
        previous.brokenFields[id] != brokenFields[id]
          || previous.brokenRecords.contains(id) != brokenRecords.contains(id)
          || !previous.records[id].meansTheSame(as: records[id])
      })
    var open = Array(changedRecords)
    while let target = open.popLast() {
      for (id, record) in records.enumerated()
      where record.fields.contains(where: { $0.type == .reference(target) }) {
        if changedRecords.insert(id).inserted { open.append(id) }
      }
    }
    for (name, declaration) in metricSyntax {
      knownMetrics[name] = known(previous.metrics[name], declaration.span)
    }
  }

  /// What is known of a declaration; nil if it may have come to mean something else.
  private func known<Result>(_ entry: ResolutionMemory.Entry<Result>?, _ span: Span)
    -> ResolutionMemory.Entry<Result>?
  {
    guard let entry, entry.records.isDisjoint(with: changedRecords), text(of: span) == entry.text[...],
      !changedNames.contains(where: { entry.text.containsName($0) })
    else { return nil }
    return entry
  }

  private func text(of span: Span) -> ArraySlice<UInt8> {
    trees[span.file].source.bytes[span.start..<span.end]
  }

  /// Where metrics that something reads stand now, if elsewhere; nil if one of them was not taken over.
  private func placesNow(_ reads: [(name: String, id: MetricID)]) -> [MetricID: MetricID]? {
    var moved: [MetricID: MetricID] = [:]
    for read in reads {
      guard case .resolved(let id) = metricStates[read.name], unchanged.contains(id) else { return nil }
      if id != read.id { moved[read.id] = id }
    }
    return moved
  }

  /// The id of a metric that is taken over; nil if it has to be resolved.
  func takeOver(_ declaration: MetricDeclaration) -> MetricID? {
    let name = declaration.name.text
    guard let entry = knownMetrics[name],
      entry.result.metric.doc == declaration.doc, let places = placesNow(entry.reads)
    else { return nil }
    var result = entry.result
    if !places.isEmpty { result.metric.body = result.metric.body.mapMetrics { places[$0] ?? $0 } }
    let reads = entry.reads.map { places[$0.id] ?? $0.id }
    let height = 1 + (reads.map { heights[$0] }.max() ?? 0)
    guard height <= Limits.chain else { return nil }
    let old = entry.span
    func moved(_ span: Span) -> Span { span.moved(from: old, to: declaration.span) }
    if old != declaration.span {
      result.metric.span = moved(result.metric.span)
      result.metric.clauseSpans = result.metric.clauseSpans.mapValues(moved)
      result.header.span = moved(result.header.span)
    }
    let id = add(result.metric, height: height, reads: reads, isOfSeveralUsers: result.isOfSeveralUsers)
    headers[name] = result.header
    uses += entry.uses.map { NameUse(moved($0.span), $0.target) }
    unchanged.insert(id)
    memory.metrics[name] = entry
    return id
  }

  /// Keeps what a metric came to, which must have had no finding.
  func remember(_ id: MetricID, _ declaration: MetricDeclaration, uses: ArraySlice<NameUse>) {
    let metric = metrics[id]
    guard remembers, let header = headers[metric.name] else { return }
    let result = ResolutionMemory.ResolvedMetric(
      metric: metric, isOfSeveralUsers: ofSeveralUsers.contains(id), header: header,
      mentions: mentionedMetrics(declaration))
    memory.metrics[metric.name] = .init(
      result, text: text(of: declaration.span), span: declaration.span, uses: uses, reads: named(reads[id]))
  }

  private func named(_ ids: [MetricID]) -> [(name: String, id: MetricID)] {
    ids.map { (metrics[$0].name, $0) }
  }

  /// A test that is taken over or resolved.
  func testCase(_ declaration: TestDeclaration) -> TestCase {
    let name = declaration.name.value
    if let entry = known(previous?.tests[name], declaration.span), let places = placesNow(entry.reads) {
      func moved(_ span: Span) -> Span { span.moved(from: entry.span, to: declaration.span) }
      var test = entry.result
      if !places.isEmpty {
        for index in test.expectations.indices {
          let old = test.expectations[index].metric
          test.expectations[index].metric = places[old] ?? old
        }
      }
      if entry.span != declaration.span {
        test.span = moved(test.span)
        for index in test.rows.indices { test.rows[index].span = moved(test.rows[index].span) }
        for index in test.expectations.indices {
          test.expectations[index].span = moved(test.expectations[index].span)
        }
      }
      uses += entry.uses.map { NameUse(moved($0.span), $0.target) }
      memory.tests[name] = entry
      return test
    }
    let before = (findings: diagnostics.count, uses: uses.count)
    let test = resolveTest(declaration)
    // An expectation of a metric that has a finding is left out without one of its own.
    let written = declaration.statements.count { if case .expect = $0 { true } else { false } }
    if remembers, diagnostics.count == before.findings, test.expectations.count == written {
      memory.tests[name] = .init(
        test, text: text(of: declaration.span), span: declaration.span, uses: uses[before.uses...],
        records: test.rows.map(\.record), reads: named(Set(test.expectations.map(\.metric)).sorted()))
    }
    return test
  }
}

extension Record {
  /// Whether two records are equal but for places and doc comments.
  fileprivate func meansTheSame(as other: Record) -> Bool {
    kind == other.kind && isSetting == other.isSetting && consent == other.consent
      && isBuiltIn == other.isBuiltIn
      && fields.elementsEqual(other.fields, by: { $0.meansTheSame(as: $1) })
  }
}

extension Field {
  fileprivate func meansTheSame(as other: Field) -> Bool {
    name == other.name && type == other.type && isOptional == other.isOptional && minimum == other.minimum
      && isStored == other.isStored && (observed == nil) == (other.observed == nil)
      && isPersonal == other.isPersonal && isTombstone == other.isTombstone && computed == other.computed
  }
}

extension [UInt8] {
  /// Whether a text has a name in it that is not a part of a longer one.
  fileprivate func containsName(_ name: [UInt8]) -> Bool {
    guard let first = name.first, count >= name.count else { return false }
    return (0...count - name.count).contains { start in
      let end = start + name.count
      return self[start] == first && self[start..<end] == name[...]
        && (start == 0 || !self[start - 1].isNamePart) && (end == count || !self[end].isNamePart)
    }
  }
}
