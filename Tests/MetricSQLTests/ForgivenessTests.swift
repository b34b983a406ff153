import MetricLanguage
import MetricPlan
import MetricSQL
import MetricTestSupport
import Testing

/// Streaks that forgive, on every string of a few days with rest: one statement on an engine reads them all.
///
/// `.ci/engines ENGINE` with `METRICC_SQL_PARTS=forgiveness` reads those of twelve days.
@Suite struct ForgivenessTests {
  @Test(arguments: Engine.chosen)
  func everyString(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so no strings of windows are read on it")
      return
    }
    let library = ForgivenessStrings.library
    for strings in ForgivenessStrings.groups(5) {
      let item = EngineCase(
        setup: [library.sqlSchema(metrics: [], dialect: dialect)]
          + ForgivenessStrings.dataset(strings).inserts(library, dialect),
        query: try library.question(at: [WindowStrings.day], dialect))
      guard case .rows(let rows)? = try engine.answers([item]).first else {
        Issue.record("no answer from \(dialect.rawValue)")
        continue
      }
      let found = rows.filter { $0[0] != "done" }.map { ("\($0[0]),\($0[1]),\($0[3])", Int($0[5]) ?? -1) }
      #expect(Dictionary(uniqueKeysWithValues: found) == ForgivenessStrings.expected(strings))
    }
  }
}
