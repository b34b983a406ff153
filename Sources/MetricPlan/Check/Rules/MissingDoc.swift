/// A metric says what it means in a doc comment.
enum MissingDoc: Rule {
  static let page = Page.checklist("W006")

  static func message(about metrics: String) -> String { "no doc comment above \(metrics)" }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    scope.metrics.filter { $0.doc == nil }.map { metric in
      metric.warning(
        page.code, message(about: "`\(metric.name)`"),
        notes: ["write a `///` line above it that says what it means to the person who reads the number"])
    }
  }
}
