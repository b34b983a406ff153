import MetricEvaluate
import MetricSyntax

/// What is known about a metric without its plan.
public struct MetricSummary: Hashable, Sendable {
  public var name: String
  /// `streak`
  public var kind: String
  /// `habit`, `app`; empty if it could not be resolved.
  public var subject: String
  /// `user` or `team`
  public var audience: String
  public var unit: String?
  /// What people call it, where the definition says so.
  public var title: String?
  /// Whether it has a plan and no error, and, shown to a person, reads no metric that is rejected.
  public var isAccepted: Bool
  /// Names of the parts in the order of the rows; the metric's own value is the empty name.
  public var parts: [String] { roles.map(\.name) }
  package var roles: [PartRole]
  /// Those that people read in percent.
  package var shares: [PartRole] = []
  /// The fields by which its rows are grouped, as columns are named.
  package var groupFields: [String] = []
  /// Nil if it could not be resolved.
  public var certificate: MetricCertificate?
}

/// A source with its tree and syntax findings, which depend on nothing else.
package struct ParsedSource: Sendable {
  package let tree: SyntaxTree
  package let findings: [Diagnostic]

  /// - Parameters:
  ///   - file: the index of the source in its library.
  ///   - previous: an earlier version of it, which makes parsing quicker.
  package init(_ source: SourceFile, file: Int, previous: ParsedSource? = nil) {
    (tree, findings) = parse(source, file: file, previous: previous.map { ($0.tree, $0.findings) })
  }
}

/// A library of definitions, parsed, resolved and checked.
///
/// The pipeline, one function an arrow:
///
///     bytes ──parse──▶ trees ──resolve──▶ plan ─┬─check────▶ findings
///                                               └─evaluate─▶ rows ◀── tables ◀──readTable── bytes
///
/// Nothing here opens a file: the caller brings sources and records.
///
///     let library = MetricLibrary(sources: [SourceFile(path: "habits.metric", text: text)])
///     guard library.isAccepted else { … library.findings … }
///     let session = try MetricSession(library: library)
///     try session.insert(contentsOf: entries)
///     for row in try session.rows(of: "daily_streak", days: day...day) { … }
public struct MetricLibrary: Sendable {
  /// The given sources, then the built-in records; `Span.file` is an index into it.
  public let sources: [SourceFile]
  /// All findings, by path and place; of more than `Diagnostic.mostShown` the first.
  public var findings: [Diagnostic] {
    hasMoreFindings ? Array(allFindings.prefix(Diagnostic.mostShown)) : allFindings
  }
  /// Whether there are more findings than `findings` holds.
  public var hasMoreFindings: Bool { allFindings.count > Diagnostic.mostShown }
  private(set) var allFindings: [Diagnostic]
  /// All metrics that have a name, in the order of the sources.
  public var metrics: [MetricSummary] { summaries.value }
  /// An editor asks for certificates seldom, and checks with every keystroke: without them that takes half the time.
  private let summaries: OnDemand<[MetricSummary]>
  package private(set) var plan: Library
  /// What each name stands for, as far as it could be resolved; in no order.
  package let uses: [NameUse]
  private let memory: LibraryMemory?
  package let work: Work

  /// How many metrics were worked out, and not taken over from an earlier version of the library.
  package struct Work: Hashable, Sendable {
    package var resolved: Int
    package var examined: Int
    /// Those whose meaning was hashed.
    package var hashed: Int
  }

  /// Whether there is no error among the findings.
  public let isAccepted: Bool

  public init(sources: [SourceFile]) {
    let parsed = sources.enumerated().map { ParsedSource($1, file: $0) }
    self.init(parsed: parsed, searchesCounterexamples: true)
    guard !offeredFixes.isEmpty else { return }
    let base = MetricLibrary(parsed: parsed, searchesCounterexamples: false)
    allFindings = base.withSafeFixes(allFindings, of: parsed)
  }

  /// A library of sources that have been parsed.
  ///
  /// - Parameters:
  ///   - given: each parsed with its index as `file`.
  ///   - searchesCounterexamples: whether findings of the fourth question come with the smallest dataset
  ///     found. Where they do not, `withCounterexample` adds it to one later.
  ///   - previous: an earlier version of the library, made without counterexamples. What has not changed since
  ///     is taken over from it.
  package init(
    parsed given: [ParsedSource], searchesCounterexamples: Bool, previous: MetricLibrary? = nil,
    slices: ParsedSlices = ParsedSlices()
  ) {
    let builtIn = SourceFile(path: BuiltIn.path, text: BuiltIn.source)
    let parsed = given + [ParsedSource(builtIn, file: given.count)]
    sources = parsed.map(\.tree.source) + slices.sources
    let resolution = resolve(
      parsed.map(\.tree), slices: slices.definitions, builtInFile: given.count,
      remembers: !searchesCounterexamples, previous: previous?.memory?.resolution)
    plan = resolution.library
    uses = resolution.uses
    let directions = DirectionAnalysis(library: plan)
    let knownMeanings = previous?.memory?.meanings(resolution) ?? [:]
    var meanings = Meanings(plan, known: knownMeanings)
    let voided = plan.voidedApprovals(&meanings)
    var checked = check(
      directions, known: previous?.memory?.findings(resolution) ?? [:],
      knownOfSeveralUsers: previous?.memory?.findingsOfSeveralUsers(resolution),
      ofSeveralUsers: resolution.ofSeveralUsers)
    memory = LibraryMemory(resolution, checked, meanings)
    work = Work(
      resolved: plan.metrics.count - resolution.unchanged.count, examined: checked.examined,
      hashed: meanings.known.count - knownMeanings.count)
    if searchesCounterexamples {
      checked.findings = Parallel.map(pieces: checked.findings.count) { [plan, checked] in
        MetricLibrary.withCounterexample(checked.findings[$0], plan)
      }
    }
    let found =
      withoutAllowed(parsed.flatMap(\.findings) + slices.findings + resolution.diagnostics + voided, in: plan)
      + checked.findings
    // Findings about a definition are found in its slices, too; the person who asks cannot fix what warnings are about.
    let findings = slices.definitions.isEmpty ? found : Array(Set(found.filter { $0.severity == .error }))
    isAccepted = !findings.contains { $0.severity == .error }
    allFindings = findings.sorted(in: sources)
    let (declared, plan) = (resolution.declared, plan)
    for id in resolution.unsliced { self.plan.metrics[id].name += Self.unsliced }
    let made = searchesCounterexamples ? MetricLibrary.summaries(declared, directions, findings) : nil
    summaries = OnDemand {
      made ?? MetricLibrary.summaries(declared, DirectionAnalysis(library: plan), findings)
    }
  }

  private static func summaries(
    _ declared: [DeclaredMetric], _ directions: DirectionAnalysis, _ findings: [Diagnostic]
  ) -> [MetricSummary] {
    let plan = directions.library
    let verdicts = Verdicts(directions, findings)
    return declared.map { declared in
      let metric = declared.plan.map { plan.metrics[$0] }
      return MetricSummary(
        name: declared.name, kind: declared.kind.rawValue, subject: declared.subject,
        audience: declared.audience.rawValue, unit: metric?.unit, title: metric?.title,
        isAccepted: declared.plan.map { verdicts.isAccepted[$0] } ?? false,
        roles: metric?.parts.map(\.role) ?? [],
        shares: metric.map { metric in metric.parts.map(\.role).filter { plan.isShare($0, of: metric) } }
          ?? [],
        groupFields: metric.map { plan.grouping(of: $0).map(\.name) } ?? [],
        certificate: declared.plan.map { verdicts.certificates[$0] })
    }
  }

  /// Names of all records, built-in ones included.
  public var recordNames: [String] { plan.records.map(\.name) }

  /// Names of the records that are facts.
  public var factNames: [String] { plan.records.filter { $0.kind == .fact }.map(\.name) }

  /// What has to be loaded for these metrics (all where empty): each record with the fields that they read.
  package func schemas(for names: [String]) -> [TableSchema] {
    let needs = DataNeeds(library: plan, metrics: ids(names))
    return needs.fields.keys.sorted().map { needs.schema(of: $0) }
  }

  /// Whether a team metric among these (all where empty) needs records of consent to count anything of some fact.
  package func needsConsents(for names: [String]) -> Bool {
    let needs = DataNeeds(library: plan, metrics: ids(names))
    return ids(names).contains { id in
      plan.metrics[id].audience == .team
        && plan.askedConsents(of: needs.reads[id] ?? []).contains { $0.standing < $0.level }
    }
  }

  /// The same for an evaluation at certain days, which lets records be folded while they are read. The tables
  /// then serve these metrics at these days alone.
  package func loadPlan(for names: [String], days: AskedDays, storage: Storage = .measured) -> LoadPlan {
    LoadPlan(library: plan, metrics: ids(names), days: days, storage: storage)
  }

  /// Only the DayKey of a fact, to find the last day of a file; nil for what is not a fact.
  package func dayKeySchema(ofFact name: String) -> TableSchema? {
    guard let record = plan.record(named: name), let day = plan.records[record].dayKeyField,
      plan.records[record].kind == .fact
    else { return nil }
    return plan.schema(of: record, fields: [day])
  }

  /// Every field of a record that is not computed.
  package func fullSchema(of name: String) -> TableSchema? {
    plan.record(named: name).map { plan.schema(of: $0, fields: Array(plan.records[$0].fields.indices)) }
  }

  /// The result table of some metrics.
  ///
  /// - Parameters:
  ///   - metrics: names; empty for all.
  ///   - subjects: ids; empty for all.
  ///   - days: reference days, rising.
  ///   - tables: by record name, decoded with `schemas(for:)`; a record without a table is empty.
  ///   - pool: the pool that the tables were read with.
  ///   - threads: the rows do not depend on it.
  ///   - progress: receives how many subjects of how many are done, on any thread.
  ///   - outOfRange: called with each metric with a number out of range, which then has no rows. Without it the first one
  ///     is thrown.
  /// - Returns: rows sorted by metric, subject, group (as UTF-8 bytes), part (in its own order), day.
  /// - Throws: what makes the whole result meaningless: a number out of range, a cycle of bundles.
  package func evaluate(
    metrics names: [String], subjects: [String], days: [DayKey], tables: [String: Table], pool: StringPool,
    threads: Int, progress: (@Sendable (_ done: Int, _ of: Int) -> Void)?,
    outOfRange: ((EvaluationError) -> Void)? = nil
  ) throws(EvaluationError) -> [ResultRow] {
    let request = EvaluationRequest(metrics: ids(names), subjects: subjects, days: days, threads: threads)
    do throws(EvaluationError) {
      return try MetricEvaluate.evaluate(
        request, library: plan, tables: tables, pool: pool, progress: progress)
    } catch {
      guard case .overflow = error, let outOfRange else { throw error }
      guard request.metrics.count > 1 else {
        outOfRange(error)
        return []
      }
    }
    // One by one: which of them are out of range, and what do the others say?
    var rows: [ResultRow] = []
    let names = Set(request.metrics.map { plan.metrics[$0].name })
    for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
      rows += try evaluate(
        metrics: [name], subjects: subjects, days: days, tables: tables, pool: pool, threads: threads,
        progress: progress, outOfRange: outOfRange)
    }
    return rows
  }

  /// The same for pages that show several people together: consent holds for numbers that a person sees, too (PRIV-14).
  package var ofSeveralPeople: MetricLibrary {
    var library = self
    for metric in plan.metrics.indices { library.plan.metrics[metric].audience = .team }
    return library
  }

  /// The same table as text, in stretches; see `MetricEvaluate.evaluateText`.
  package func evaluateText(
    metrics names: [String], subjects: [String], days: [DayKey], tables: [String: Table], pool: StringPool,
    threads: Int, format: RowFormat, open: DayKey?,
    progress: (@Sendable (_ done: Int, _ of: Int) -> Void)?,
    write: (ArraySlice<UInt8>) -> Void
  ) throws(EvaluationError) {
    let request = EvaluationRequest(metrics: ids(names), subjects: subjects, days: days, threads: threads)
    try MetricEvaluate.evaluateText(
      request, library: plan, tables: tables, pool: pool, format: format, open: open, progress: progress,
      write: write)
  }

  /// All metrics where no names are given.
  func ids(_ names: [String]) -> [MetricID] {
    names.isEmpty ? Array(plan.metrics.indices) : names.compactMap { plan.metric(named: $0) }
  }
}
