/// A metric is covered by a test that expects a value of it, or of a metric that reads it.
enum MissingTest: Rule {
  static let page = Page.checklist("W007")
  static let reach = Reach.library

  static func message(about metrics: String) -> String { "no test covers \(metrics)" }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let covered = library.withRead(library.tests.flatMap(\.expectations).map(\.metric))
    return library.metrics.indices.filter { !covered.contains($0) }.map { id in
      let metric = library.metrics[id]
      return metric.warning(
        page.code, message(about: "`\(metric.name)`"),
        notes: ["write a `test` with an `expect \(metric.name) …`"])
    }
  }
}
