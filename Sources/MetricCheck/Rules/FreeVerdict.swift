import MetricDiagnostics
import MetricPlan

/// A free text may hold a verdict, which no list of allowed texts tells.
enum FreeVerdict: Rule {
  static let page = Page(
    """
    W018 free-verdict: A metric reads a text that may hold a verdict
    The text is called an outcome or a result, or is compared with a verdict such as `done`. If somebody derived it
    from other facts, a late entry changes the facts and not the text. Derive the verdict with a completion, or mark
    the field `observed "why"`.
    See: C103
     extend Habit { status : Text? }
    -measure finished { for user  value count(habit where status == "done" and kind == "binary") }
    +completion day_done { for habit  every day  when count(HabitEntry) >= 1 }
    +measure finished { for user  value count(habit where day_done and kind == "binary") }
    """)

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
              Note(
                "derive it with a completion; if it was observed, write `\(library[leaf].name) : … observed \"why\"`"
              ),
            ])
        }
    }
  }
}
