import MetricPlan
import MetricSyntax

/// What metrics are asked for in place of what their definitions say: texts as after the clauses' words.
package struct MetricSlice: Sendable {
  /// `country`, `cohort week`; `none` leaves the definition's own groups out.
  package var by: String?
  /// Holds for each aggregate, in a funnel for each step, in a retention for start and return.
  package var condition: String?
  /// `last 28 days`
  package var over: String?

  package init(by: String? = nil, condition: String? = nil, over: String? = nil) {
    (self.by, self.condition, self.over) = (by, condition, over)
  }

  package var isEmpty: Bool { by == nil && condition == nil && over == nil }
  var dropsGroups: Bool { by == "none" }
}

/// Sliced definitions, with the texts that the spans of their new clauses point into.
package struct ParsedSlices: Sendable {
  var definitions: [MetricDeclaration] = []
  var sources: [SourceFile] = []
  var findings: [Diagnostic] = []

  package init() {}

  /// - Parameter first: the index of the first text among the library's sources.
  fileprivate init(_ slice: MetricSlice, of metrics: [MetricDeclaration], first: Int) {
    var clauses = Slice()
    clauses.dropsGroups = slice.dropsGroups
    let texts = [
      (Word.by, "--by", slice.dropsGroups ? nil : slice.by), (.when, "--where", slice.condition),
      (.over, "--over", slice.over),
    ]
    for case (let word, let option, let text?) in texts {
      let source = SourceFile(path: option, text: text)
      let (clause, findings) = parseClause(behind: word, source, file: first + sources.count)
      sources.append(source)
      self.findings += findings
      if let condition = clause.content.expression {
        clauses.condition = condition
      } else {
        clauses.clauses.append(clause)
      }
    }
    definitions = metrics.map { $0.sliced(clauses) }
  }
}

extension MetricLibrary {
  /// Follows the name of a metric that a slice replaces.
  static let unsliced = " as defined"

  /// The library in which some metrics are what a slice makes of them. Other metrics read them as defined.
  ///
  /// - Throws: why it is impossible, as a sentence; findings about the slice itself are among the library's.
  package init(
    sources given: [SourceFile], slicing names: [String], by slice: MetricSlice
  ) throws(SliceError) {
    let parsed = given.enumerated().map { ParsedSource($1, file: $0) }
    let declared = Dictionary(parsed.flatMap(\.tree.metrics).map { ($0.name.text, $0) }) { first, _ in first }
    let chosen = Set(names).sorted().compactMap { declared[$0] }
    self.init(
      parsed: parsed, searchesCounterexamples: true,
      slices: ParsedSlices(slice, of: chosen, first: given.count + 1))
    for metric in chosen { try check(slice, of: metric) }
  }

  /// The names of the metrics that a sliced one reads: they stay as defined.
  package func read(bySliced name: String) -> [String] {
    let read = plan.metric(named: name).map { plan.reads(plan.metrics[$0]) } ?? []
    return read.map { plan.metrics[$0].name.replacing(Self.unsliced, with: "") }.sorted()
  }

  private func check(_ slice: MetricSlice, of metric: MetricDeclaration) throws(SliceError) {
    let name = metric.name.text
    guard let summary = metrics.first(where: { $0.name == name }) else { return }
    let defined = plan.metric(named: name + Self.unsliced).map { plan.metrics[$0] }
    guard summary.audience == Audience.team.rawValue || defined?.readingReason != nil else {
      throw SliceError(
        "`\(name)` is shown to one person, and such a number is defined and not sliced; write a metric with the clause"
      )
    }
    if slice.condition != nil, !metric.takesCondition {
      let read = read(bySliced: name)
      throw SliceError(
        "--where adds to the conditions of aggregates, and `\(name)` has none of its own"
          + (read.isEmpty ? "" : "; it reads \(read.map { "`\($0)`" }.joined(separator: ", "))"))
    }
    if slice.over != nil, metric.kind == .measure || metric.kind == .progress, !metric.takesPeriod {
      throw SliceError("--over changes nothing: no aggregate of `\(name)` takes its period from `over`")
    }
    // With a condition of their own, a reader could count those that `at least` hides.
    guard let defined, let least = defined.body.atLeast else { return }
    let asked = plan.metric(named: name).map { plan.metrics[$0].grouping } ?? []
    let isOffered =
      asked == defined.grouping || !defined.slices.isEmpty && asked.allSatisfy(defined.slices.contains)
    guard slice.condition != nil || slice.over != nil || !isOffered else { return }
    let fields = defined.slices.map { "`--by \($0.name)`" }
    throw SliceError(
      "`\(name)` hides what fewer than \(least) users stand behind, "
        + "and is asked for by what its `slice by` names alone: "
        + (fields.isEmpty ? "it has none" : fields.joined(separator: ", ")))
  }

  /// A field by which a metric can be grouped when it is asked for.
  package struct Dimension: Hashable, Sendable {
    /// As it is written after `by`: `country`, `cohort week`.
    package var name: String
    /// `Event.country`, of each record that has it; `user.run_band` of a metric; empty for a cohort.
    package var fields: [String]
    /// `Text`
    package var type: String
    /// Whether the definition names it, in `by` or `slice by`.
    package var isDeclared: Bool
  }

  /// The fields by which an accepted metric can be grouped: each that the checker accepts, of a metric with `at least`
  /// those that its definition names.
  ///
  /// - Parameter sources: those that the library was made of.
  package func dimensions(of name: String, sources given: [SourceFile]) -> [Dimension] {
    let parsed = given.enumerated().map { ParsedSource($1, file: $0) }
    guard let metric = plan.metric(named: name).map({ plan.metrics[$0] }),
      metric.audience == .team || metric.readingReason != nil,
      let definition = parsed.flatMap(\.tree.metrics).first(where: { $0.name.text == name })
    else { return [] }
    var tried = ParsedSlices()
    var names: [String] = []
    for candidate in plan.candidates(for: metric) {
      let made = ParsedSlices(
        MetricSlice(by: candidate), of: [definition], first: given.count + 1 + tried.sources.count)
      guard made.findings.isEmpty, var slice = made.definitions.first else { continue }
      // A name that no metric has.
      slice.name.text = "by \(candidate)"
      names.append(candidate)
      tried.definitions.append(slice)
      tried.sources += made.sources
    }
    let library = MetricLibrary(parsed: parsed, searchesCounterexamples: false, slices: tried)
    let refused = Set(library.allFindings.filter { $0.severity == .error }.compactMap(\.metric))
    let declared = Set(metric.slices + metric.grouping)
    return zip(names, tried.definitions.map(\.name.text)).compactMap { name, slice in
      guard !refused.contains(slice), let id = library.plan.metric(named: slice),
        let field = library.plan.metrics[id].grouping.first
      else { return nil }
      let isDeclared = declared.contains(field)
      guard isDeclared || metric.body.atLeast == nil else { return nil }
      let fields = field.isCohort ? [] : plan.text(of: [field]).split(separator: ", ").map(String.init)
      return Dimension(name: name, fields: fields, type: field.type.name, isDeclared: isDeclared)
    }
  }
}

package struct SliceError: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

extension Library {
  /// What may come after `by` in a metric: fields of what it reads, and along references; metrics of what it counts.
  fileprivate func candidates(for metric: Metric) -> [String] {
    var records = metric.body.parts.compactMap(\.aggregate?.record)
    for case .fact(let record, _, _) in metric.body.sources { records.append(record) }
    let counted = metric.body.parts.compactMap {
      if case .subjects(let aggregate) = $0 { aggregate.entity } else { nil }
    }
    let units = metric.kind.countsSubjects ? ["day", "week", "month", "quarter", "year"] : []
    let ofCounted = counted.flatMap { entity in
      fieldNames(of: entity).map { "\(self.records[entity].subjectName).\($0)" }
    }
    let ofMetrics = metrics.filter { metric in
      metric.subject.entity.map(counted.contains) ?? false && !metric.kind.countsSubjects
    }.flatMap { metric in metric.parts.map { $0.name.isEmpty ? metric.name : "\(metric.name).\($0.name)" } }
    let all = records.flatMap { fieldNames(of: $0) } + ofCounted + ofMetrics + units.map { "cohort \($0)" }
    var seen: Set<String> = []
    return all.filter { seen.insert($0).inserted }
  }

  /// `country`, `user.plan`, `habit.user.plan`: at most three references far.
  private func fieldNames(of record: RecordID, depth: Int = 3) -> [String] {
    records[record].fields.flatMap { field -> [String] in
      guard case .reference(let target) = field.type, depth > 0 else {
        return field.type == .id ? [] : [field.name]
      }
      return [field.name] + fieldNames(of: target, depth: depth - 1).map { "\(field.nameInPaths).\($0)" }
    }
  }
}
