import MetricDiagnostics
import MetricPlan

/// A name by which apps store metrics: what is stored drifts.
enum StoredLikeName: Rule {
  static let page = Page(
    "W001", "stored-like-name", "A name by which apps store metrics",
    what: "`…Streak`, `…Count`, `isCompleted` and `percentComplete` name stored numbers.",
    why: "If somebody stores a metric there, say `stored`, and no metric will read it.",
    wrong: "entity Reader { id : ID  readingStreak : Int? }",
    right: "entity Reader { id : ID  readingStreak : Int? stored }",
    seeAlso: ["C101"])
  static let pages = [page]

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let metrics = scope.metrics.filter { looksStored($0.name) }.map { metric in
      Diagnostic.warning(
        page.code, "`\(metric.name)` is named like a stored number", at: metric.span, metric: metric.name,
        notes: [Note("a metric is derived; name it in `snake_case` after what it counts")])
    }
    let fields = library.records.flatMap { record in
      record.fields.filter { !$0.isStored && $0.computed == nil && looksStored($0.name) }.map { field in
        Diagnostic.warning(
          page.code, "the field `\(record.name).\(field.name)` is named like a stored metric", at: field.span,
          notes: [Note("if somebody stores a metric here, say so: `\(field.name) : … stored`")])
      }
    }
    return metrics + fields
  }

  private static func looksStored(_ name: String) -> Bool {
    name.hasSuffix("Streak") || name.hasSuffix("Count") || name == "isCompleted" || name == "percentComplete"
  }
}
