import MetricDiagnostics

/// A metric is covered by a test that expects a value of it, or of a metric that reads it.
enum MissingTest: Rule {
  static let page = Page(
    """
    W007 missing-test: No test covers a metric
    No `expect` names the metric or one that reads it.
     measure entries { for habit  value count(HabitEntry) }
    +test "each entry counts" {
    +  log "read" from 2026-01-01 "##"
    +  expect entries for "read" at 2026-01-02 = 2
    +}
    """)

  static func message(about metrics: String) -> String { "no test covers \(metrics)" }

  static func findings(in scope: CheckScope) -> [Diagnostic] {
    let library = scope.library
    let covered = library.withRead(library.tests.flatMap(\.expectations).map(\.metric))
    return library.metrics.indices.filter { !covered.contains($0) }.map { id in
      let metric = library.metrics[id]
      return metric.warning(
        page.code, message(about: "`\(metric.name)`"),
        notes: [Note("write a `test` with an `expect \(metric.name) …`")])
    }
  }
}
