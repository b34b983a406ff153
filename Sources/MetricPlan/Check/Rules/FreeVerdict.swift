/// A free text may hold a verdict that no list of allowed texts shows.
enum FreeVerdict: MetricRule {
  static let page = Page.checklist("W018")

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let reads = library.directReads(of: metric)
    let named = reads.leaves.filter { library[$0].type == .text && DerivedName(library[$0].name).isOutcome }
    return named.union(judged(reads, library)).subtracting(scope.derivedFields)
      .filter { library[$0].observed == nil }
      .sorted()
      .map { leaf in
        metric.warning(
          page.code, "`\(metric.name)` reads the verdict of a free text, `\(library.name(of: leaf))`",
          at: scope.clause(of: metric) { $0.leaves.contains(leaf) },
          notes: [
            Note("declared here", at: .source(library[leaf].span)),
            "derive it with a completion; if it was observed, write `\(library[leaf].name) : … observed \"why\"`",
          ])
      }
  }

  /// Free texts that are compared with a verdict, such as `done`.
  private static func judged(_ reads: Reads, _ library: Library) -> Set<FieldReference> {
    Set(
      reads.comparisons.flatMap { leaves, texts in
        let names = texts.map(DerivedName.init)
        return leaves.filter { leaf in
          library[leaf].type == .text
            && names.contains { $0.isVerdict(amongEvents: library.namesEvents(leaf)) }
        }
      })
  }
}
