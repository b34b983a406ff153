/// A name that apps give to stored metrics: what is stored drifts.
enum StoredLikeName: Rule {
  static let page = Page.checklist("W001")

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let metrics = scope.metrics.filter { looksStored($0.name) }.map { metric in
      metric.warning(
        page.code, "`\(metric.name)` is named like a stored number",
        notes: ["a metric is derived; name it in `snake_case` after what it counts"])
    }
    // One that is read is an error (C103).
    let states = scope.derivedFields.filter { library.records[$0.record].kind == .fact }
    let read = states.isEmpty ? [] : Set(library.metrics.flatMap { library.directReads(of: $0).leaves })
    let fields = states.filter { !read.contains($0) }.map { reference in
      Diagnostic.warning(
        page.code, "the field `\(library.name(of: reference))` is named like a stored metric",
        at: library[reference].span,
        notes: ["if somebody stores a metric here, write `\(library[reference].name) : … stored`"])
    }
    return metrics + fields
  }

  private static func looksStored(_ name: String) -> Bool {
    name.hasSuffix("Streak") || name.hasSuffix("Count") || name == "isCompleted" || name == "percentComplete"
  }
}
