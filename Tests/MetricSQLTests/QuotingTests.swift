import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import Testing

/// Names and constants cannot become SQL, whatever they hold.
@Suite struct QuotingTests {
  private let source = """
    measure named { audience team for app value count(Event where name == "x'); DROP TABLE t; --\\\\\\"") }
    """

  @Test(arguments: Engine.chosen)
  func hostileNamesAreNames(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so hostile names are not tried on it")
      return
    }
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
    #expect(library.isAccepted, "\(library.findings)")
    let names = DatabaseNames(
      tables: ["Event": ["e\"; DROP TABLE x; --"]],
      columns: ["Event": ["name": "n\"'`; --", "dayKey": "select"]])
    let day = try #require(DayKey("2026-01-02"))
    let hostile = "x'); DROP TABLE t; --\\\""
    let insert = SQLText.insert(
      [["1", "u", hostile, "2026-01-01", nil, nil]], into: "e\"\"; DROP TABLE x; --", dialect)
    let setup = [library.sqlSchema(metrics: [], dialect: dialect, names: names)] + [insert].compactMap { $0 }
    let query = try library.sql(metrics: [], days: .list([day]), dialect: dialect, names: names)
    let answers = try engine.answers([EngineCase(setup: setup, query: query)])
    #expect(answers == [.rows([["named", "", "", "", "2026-01-02", "1"]])])
  }
}
