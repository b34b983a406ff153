import MetricDiagnostics

/// A free text may hold a verdict that no list of allowed texts shows.
enum FreeVerdict: Rule {
  static let page = Page.checklist("W018")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    return scope.ids.flatMap { id -> [Diagnostic] in
      let metric = library.metrics[id]
      let reads = scope.provenance.direct(id)
      let named = reads.leaves.filter { library[$0].type == .text && DerivedName(library[$0].name).isOutcome }
      return named.union(reads.judged).subtracting(scope.derivedFields)
        .filter { library[$0].observed == nil }
        .sorted { ($0.record, $0.field) < ($1.record, $1.field) }
        .map { leaf in
          let name = "\(library.records[leaf.record].name).\(library[leaf].name)"
          return metric.warning(
            page.code, "`\(metric.name)` reads the verdict of a free text, `\(name)`",
            at: scope.clause(of: metric) { $0.leaves.contains(leaf) },
            notes: [
              Note("declared here", at: .source(library[leaf].span)),
              "derive it with a completion; if it was observed, write `\(library[leaf].name) : … observed \"why\"`",
            ])
        }
    }
  }
}
