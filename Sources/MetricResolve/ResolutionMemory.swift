import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// What one resolution leaves for the next one of nearly the same trees, so that an editor does not resolve a
/// whole library anew with each keystroke.
///
/// A metric or test is taken over where its file did not change, it had no finding, and all that it reads was
/// taken over in its place too. What stays the same for all of them (the records, the names of the metrics) is
/// compared first; where it differs, nothing is taken over. So a resolution with a memory comes to the same as
/// one without.
package struct ResolutionMemory: Sendable {
  /// A metric that was resolved without a finding.
  struct Entry: Sendable {
    var id: MetricID
    var metric: Metric
    var header: DeclaredMetric
    var reads: [MetricID]
    var uses: [NameUse]
  }

  /// A test that was resolved without a finding.
  struct TestEntry: Sendable {
    var test: TestCase
    var uses: [NameUse]
  }

  var treeCount = 0
  /// The names of the metrics in the order of the sources.
  var names: [String] = []
  var records: [Record] = []
  var brokenFields: [RecordID: Set<String>] = [:]
  var entries: [String: Entry] = [:]
  /// The metrics that a metric's clauses mention, by its name, with the place of that name.
  var mentions: [String: (span: Span, names: [String])] = [:]
  /// By file, in the order of its tests; nil for one with a finding.
  var tests: [Int: [TestEntry?]] = [:]
}

/// Taking over what has not changed.
extension Resolver {
  /// Drops the memory where what all metrics rest on has changed. The records and the names of the metrics
  /// have to be known.
  func checkMemory(_ trees: [SyntaxTree], names: [String]) {
    memory.treeCount = trees.count
    memory.names = names
    memory.records = records
    memory.brokenFields = brokenFields
    guard let previous else { return }
    let isSame =
      previous.treeCount == trees.count && previous.names == names && previous.brokenFields == brokenFields
      && previous.records.elementsEqual(records, by: { $0.meansTheSame(as: $1) })
    if !isSame { self.previous = nil }
  }

  /// The id of a metric that is taken over; nil where it has to be resolved.
  func takeOver(_ declaration: MetricDeclaration) -> MetricID? {
    let name = declaration.name
    guard let entry = previous?.entries[name.text], !changedFiles.contains(name.span.file),
      entry.metric.span == name.span, entry.reads.allSatisfy(unchanged.contains)
    else { return nil }
    let height = 1 + (entry.reads.map { heights[$0] }.max() ?? 0)
    guard height <= Limits.chain else { return nil }
    let id = add(entry.metric, height: height, reads: entry.reads)
    headers[name.text] = entry.header
    uses += entry.uses
    if id == entry.id { unchanged.insert(id) }
    memory.entries[name.text] = entry
    memory.entries[name.text]?.id = id
    return id
  }

  /// Keeps what a metric came to, which must have had no finding.
  func remember(_ id: MetricID, uses: ArraySlice<NameUse>) {
    let metric = metrics[id]
    guard remembers, let header = headers[metric.name] else { return }
    memory.entries[metric.name] = ResolutionMemory.Entry(
      id: id, metric: metric, header: header, reads: reads[id], uses: Array(uses))
  }

  /// The tests of a file.
  func resolveTests(of tree: SyntaxTree, file: Int) -> [TestCase] {
    let known = changedFiles.contains(file) ? [] : previous?.tests[file] ?? []
    var entries: [ResolutionMemory.TestEntry?] = []
    var tests: [TestCase] = []
    for case .test(let declaration) in tree.declarations {
      let place = entries.count
      if known.indices.contains(place), let entry = known[place],
        entry.test.expectations.allSatisfy({ unchanged.contains($0.metric) })
      {
        uses += entry.uses
        tests.append(entry.test)
        entries.append(entry)
        continue
      }
      let before = (findings: diagnostics.count, uses: uses.count)
      guard let test = resolveTest(declaration) else { continue }
      tests.append(test)
      // An expectation of a metric that has a finding is left out without one of its own.
      let isWhole =
        diagnostics.count == before.findings && test.expectations.count == declaration.expectationCount
      entries.append(
        isWhole ? ResolutionMemory.TestEntry(test: test, uses: Array(uses[before.uses...])) : nil)
    }
    if remembers { memory.tests[file] = entries }
    return tests
  }
}

extension TestDeclaration {
  fileprivate var expectationCount: Int {
    statements.count { if case .expect = $0 { true } else { false } }
  }
}

extension Record {
  /// Whether two records are equal but for places and doc comments.
  fileprivate func meansTheSame(as other: Record) -> Bool {
    name == other.name && kind == other.kind && isSetting == other.isSetting && consent == other.consent
      && isBuiltIn == other.isBuiltIn
      && fields.elementsEqual(other.fields, by: { $0.meansTheSame(as: $1) })
  }
}

extension Field {
  fileprivate func meansTheSame(as other: Field) -> Bool {
    name == other.name && type == other.type && isOptional == other.isOptional && minimum == other.minimum
      && isStored == other.isStored && isPersonal == other.isPersonal && isTombstone == other.isTombstone
      && computed == other.computed
  }
}
