import MetricSyntax

/// Turns trees into a plan. One instance resolves one library; its parts are in `Resolver+….swift`.
///
/// Metrics are resolved on demand: a metric that reads another one resolves it first, so that the
/// plan's metrics come out in an order in which each comes after those that it reads. A function
/// that throws has reported why, or met something whose finding has been reported (`Reported`).
final class Resolver {
  /// The version of the language, as `language 1` says it.
  static let languageVersion = "1"

  let builtInFile: Int
  var diagnostics: [Diagnostic] = []
  /// What each name that could be resolved stands for, in no order.
  var uses: [NameUse] = []
  /// The current metric, for the findings' `metric`.
  var currentMetric: String?

  var records: [Record] = []
  var recordIDs: [String: RecordID] = [:]
  /// The places of the fields of each record by their names.
  var fieldPlaces: [RecordID: [String: Int]] = [:]
  /// Entities by their name as a subject.
  var subjectIDs: [String: RecordID] = [:]
  /// The computed fields that have not been resolved, and those that are being resolved or have been.
  var computedFields: [FieldReference: ExpressionSyntax] = [:]
  var fieldsInResolution: Set<FieldReference> = []
  /// Names of fields that are declared and could not be resolved; the empty name where a member could not be parsed.
  /// What reads them is not a finding of its own.
  var brokenFields: [RecordID: Set<String>] = [:]
  /// Records without what every one of their kind has, as a fact has its DayKey. A metric that names one is not
  /// accepted, and has no finding of its own.
  var brokenRecords: Set<RecordID> = []

  var metricSyntax: [String: MetricDeclaration] = [:]
  var metricStates: [String: MetricState] = [:]
  var metrics: [Metric] = []
  /// What has been resolved so far.
  var library: Library { Library(records: records, metrics: metrics, tests: []) }
  /// For each metric, the longest chain of metrics that ends with it.
  var heights: [Int] = []
  /// For each metric, those that it reads itself.
  var reads: [[MetricID]] = []
  /// For each metric, how many users its numbers need.
  var thresholds: [Int?] = []
  /// Metrics whose facts come from more than one user.
  var ofSeveralUsers: Set<MetricID> = []
  /// Metrics that read a fact, themselves or through others.
  var factReaders: Set<MetricID> = []
  /// What of a metric's header is known although it may not be resolved.
  var headers: [String: DeclaredMetric] = [:]
  /// The metrics being resolved, each read by the one before.
  var chain: [Link] = []
  var nesting = 0
  var reportedNesting = false
  /// How many names may still be compared with unknown ones: a fraction of a second.
  private var comparisonsLeft = 200_000

  /// A metric being resolved.
  struct Link {
    var name: String
    /// The name by which the link before reads it.
    var use: Name?
    /// The longest chain of metrics below it.
    var height = 0
    /// The metrics that it has read so far.
    var reads: [MetricID] = []
  }

  enum MetricState {
    case resolving
    case resolved(MetricID)
    case failed
  }

  let trees: [SyntaxTree]
  /// Definitions in place of those of the same name, for all but what reads them.
  let slices: [MetricDeclaration]
  /// The metrics in whose place they stand.
  var unsliced: [MetricID] = []
  /// What an earlier resolution left, as far as it may still be taken over.
  var previous: ResolutionMemory?
  /// What it left of the metrics whose text still means the same.
  var knownMetrics: [String: ResolutionMemory.Entry<ResolutionMemory.ResolvedMetric>] = [:]
  /// Names that became or ceased to be those of metrics since then.
  var changedNames: [[UInt8]] = []
  /// Records that changed since then, and those that lead to one.
  var changedRecords: Set<RecordID> = []
  /// Metrics that were taken over, as was all that they read.
  var unchanged: Set<MetricID> = []
  /// Whether a memory is made for the next resolution.
  let remembers: Bool
  var memory = ResolutionMemory()

  init(
    _ trees: [SyntaxTree], slices: [MetricDeclaration], builtInFile: Int, remembers: Bool,
    previous: ResolutionMemory?
  ) {
    self.trees = trees
    self.slices = slices
    self.builtInFile = builtInFile
    self.remembers = remembers
    self.previous = previous
  }

  @discardableResult
  func report(_ diagnostic: Diagnostic) -> Reported {
    var diagnostic = diagnostic
    if diagnostic.metric == nil { diagnostic.metric = currentMetric }
    diagnostics.append(diagnostic)
    return Reported()
  }

  /// Reports an error; what cannot go on throws the result.
  @discardableResult
  func fail(
    _ code: ResolveCode, _ message: String, at span: Span, metric: String? = nil, notes: [Note?] = [],
    fixes: [Fix] = [], recordWithoutField: String? = nil
  ) -> Reported {
    var finding = Diagnostic.error(
      code.code, message, at: span, metric: metric, notes: notes.compactMap(\.self), fixes: fixes)
    finding.recordWithoutField = recordWithoutField
    return report(finding)
  }

  /// Goes on where a condition holds; reports an error and throws where it does not.
  func require(
    _ condition: Bool, _ code: ResolveCode, _ message: @autoclosure () -> String,
    at span: @autoclosure () -> Span, notes: @autoclosure () -> [Note?] = []
  ) throws {
    guard condition else { throw fail(code, message(), at: span(), notes: notes()) }
  }

  /// The value, where there is one; reports an error and throws where there is none.
  func require<Value>(
    _ value: Value?, _ code: ResolveCode, _ message: @autoclosure () -> String,
    at span: @autoclosure () -> Span, notes: @autoclosure () -> [Note?] = []
  ) throws -> Value {
    guard let value else { throw fail(code, message(), at: span(), notes: notes()) }
    return value
  }

  func resolve() -> Resolution {
    checkVersions()
    let records = registerRecords()
    let order = collectMetrics()
    resolveFields(of: records)
    if remembers { compareWithMemory(names: order) }
    resolveAllMetrics()
    // A slice is a definition of its own under the name of another.
    knownMetrics = [:]
    let sliced = resolveSlices()
    currentMetric = nil
    let tests = trees.flatMap(\.declarations).compactMap { declaration in
      if case .test(let test) = declaration { testCase(test) } else { nil }
    }
    for (name, state) in sliced { metricStates[name] = state }
    let reports = resolveReports()
    let declared = order.compactMap { name -> DeclaredMetric? in
      guard var header = headers[name] else { return nil }
      if case .resolved(let id) = metricStates[name] { header.plan = id }
      return header
    }
    let library = Library(records: self.records, metrics: metrics, tests: tests, reports: reports)
    return Resolution(
      library: library, diagnostics: diagnostics, declared: declared, uses: uses, reads: reads,
      unchanged: unchanged, hasKnownRecords: previous != nil && changedRecords.isEmpty,
      ofSeveralUsers: ofSeveralUsers, unsliced: unsliced,
      memory: remembers ? memory : nil)
  }

  /// `language 1` is the version that there is.
  private func checkVersions() {
    for case .language(let declaration) in trees.flatMap(\.declarations) {
      guard let version = declaration.version, version.text != Resolver.languageVersion else { continue }
      fail(
        .unsupportedLanguage, "version \(version.text) of the language is unknown", at: version.span,
        notes: ["this checker supports version \(Resolver.languageVersion)"])
    }
  }

  /// Registers all metrics by name; returns the names in the order of the sources.
  private func collectMetrics() -> [String] {
    var order: [String] = []
    for metric in trees.flatMap(\.metrics) {
      let name = metric.name.text
      if let first = metricSyntax[name] {
        fail(
          .duplicateName, "`\(name)` is declared twice", at: metric.name.span, metric: name,
          notes: [Note("first declared here", at: .source(first.name.span))])
        continue
      }
      checkMetricName(metric.name)
      metricSyntax[name] = metric
      order.append(name)
    }
    return order
  }

  private func checkMetricName(_ name: Name) {
    let meaning: String
    if subjectIDs[name.text] != nil || name.text == "app" || name.text == "day" {
      meaning = "the name of a subject"
    } else if Functions.all.contains(name.text) {
      meaning = "the name of a function"
    } else if Word.operandWords.contains(where: { $0.rawValue == name.text }) {
      meaning = "a word of expressions"
    } else {
      return
    }
    fail(
      .reservedName, "`\(name.text)` is \(meaning) and cannot name a metric", at: name.span,
      metric: name.text, notes: ["choose a name that says what is counted"])
  }

  /// `did you mean …` for a near name. In a library in which very many names are unknown the last of them
  /// have none, so that resolving takes no time that grows with the square of its size.
  func didYouMean(_ text: String, _ candidates: some Sequence<String>) -> Note? {
    nearest(text, candidates).map { .didYouMean($0) }
  }

  /// The candidate that was probably meant; nil also where too many have been compared already.
  func nearest(_ text: String, _ candidates: some Sequence<String>) -> String? {
    let candidates = Array(candidates)
    guard comparisonsLeft >= candidates.count else { return nil }
    comparisonsLeft -= candidates.count
    return nearestName(to: text, in: candidates.sorted())
  }

  /// Notes the metric that a name is for.
  func noteMetric(_ name: Name) throws {
    try require(
      metricSyntax[name.text] != nil, .unknownName, "no metric is called `\(name.text)`", at: name.span,
      notes: [didYouMean(name.text, metricSyntax.keys)])
    note(name, .metric(name.text))
  }

  func recordName(_ id: RecordID) -> String { records[id].name }

  /// `habit`, or `app`.
  func subjectName(_ entity: RecordID?) -> String {
    entity.map { records[$0].subjectName } ?? "app"
  }
}

/// Thrown by what cannot go on; its finding has been reported.
struct Reported: Error {}

/// The functions of the language, whose names no metric may have.
package enum Functions {
  static func aggregate(named word: String) -> AggregateFunction? {
    AggregateFunction.all.first { $0.word == word }
  }
  /// A call that can be written: `count(Record)`, `sum(Record.field)`.
  static func source(of word: String, _ record: String = "Record") -> String {
    switch aggregate(named: word)?.traits.argument {
    case .record, .recordOrField: record
    case .field, .number, nil: "\(record).field"
    }
  }
  package static let aggregates = AggregateFunction.all.map(\.word)
  package static let scalars = ["least", "greatest", "floor", "weekday"]
  package static let all = aggregates + scalars
}
