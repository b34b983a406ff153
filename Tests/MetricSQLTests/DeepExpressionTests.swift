import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import Testing

/// Expressions that are deeper than SQLite's parser, at every place where an expression stands.
@Suite struct DeepExpressionTests {
  private static func nested(_ start: String, _ levels: Int, _ step: (String, Int) -> String) -> String {
    (1...levels).reduce(start, step)
  }

  private static let ints = nested("count(Event)", 40) { "(\($1) - \($0) * \($1 % 7 == 0 ? 2 : 1))" }
  private static let decimals = nested("sum(Event.value)", 24) { "(\($1).5 - \($0) / \($1).25 * 1.5)" }
  private static let field = nested("value", 24) { "(\($0) * 1.01 - \($1).3 / (value + 1))" }
  private static let choices = nested("0", 30) {
    "(if count(Event where value > \($1)) > 3 then count(Event) * \($1) else \($0) + 1)"
  }
  private static let conditions = nested("count(Event) > 3", 20) {
    "(not (\($0) and count(Event) > \($1)) or sum(Event.value) / \($1) < 9)"
  }

  private static let source = """
    extend Event { scaled = \(field) }
    measure of_ints { audience team for app value \(ints) }
    measure of_decimals { audience team for app value \(decimals) }
    measure of_choices { audience team for app value \(choices) }
    measure of_conditions { audience team for app value if \(conditions) then 1 else 2 }
    measure of_rows { audience team for app value count(Event where \(field) > 0) }
    measure of_groups { audience team for app value count(Event where \(field) > -50) by name }
    measure of_computed { audience team for app value sum(Event.scaled) }
    measure of_last { audience team for user value last(Event.scaled where \(field) < 20) }
    """

  private static let events = (0..<40).map { index in
    ["\(index)", "u\(index % 5)", "n\(index % 3)", "2026-01-\(10 + index % 19)", "\(index * 7 % 41 - 9).5"]
  }

  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func equalRows(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so deep expressions are not tried on it")
      return
    }
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: Self.source)])
    let errors = library.findings.filter { $0.severity == .error }.map(\.message)
    #expect(errors == [])
    let day = try #require(DayKey("2026-02-01"))
    let names = ["id", "userId", "name", "dayKey", "value"]
    let csv = ([names] + Self.events).map { $0.joined(separator: ",") + "\n" }.joined()
    let pool = StringPool()
    let schema = try #require(library.schemas(for: []).first { $0.record == "Event" })
    let table = Array(csv.utf8).withUnsafeBytes {
      readTable($0, format: .csv, schema: schema, path: "Event", pool: pool, rejects: nil)
    }
    let expected = try library.evaluate(
      metrics: [], subjects: [], days: [day], tables: ["Event": table.table], pool: pool, threads: 1,
      progress: nil
    ).map(LoadedRows.texts)
    // As --schema has the fields: there is an Instant before the value.
    let rows = Self.events.map { row in row.dropLast() + [nil, row.last] }
    let setup = [
      library.sqlSchema(metrics: [], dialect: dialect),
      try #require(SQLText.insert(rows, into: "Event", dialect)),
    ]
    let query = try library.sql(metrics: [], days: .list([day]), dialect: dialect)
    #expect(try engine.answers([EngineCase(setup: setup, query: query)]) == [.rows(expected)])
    #expect(expected.count == 14)
  }
}
