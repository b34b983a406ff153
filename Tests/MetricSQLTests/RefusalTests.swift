import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import Testing

/// What evaluation refuses is an error of the engine, never rows; what a dialect cannot express is an error
/// that names it.
@Suite struct RefusalTests {
  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func intermediateOverflowIsAnError(dialect: SQLDialect) throws {
    let source = """
      measure total { audience team for app value sum(HabitEntry.value) + 9000000000000.0 - 9000000000000.0 }
      """
    let entry = "INSERT INTO \"HabitEntry\" (id, \"habitId\", \"dayKey\", \"value\") VALUES"
    try refuses(source, "\(entry) ('1', 'h', '2026-01-01', 1);", dialect)
    try gives(["0"], source, "\(entry) ('1', 'h', '2026-01-01', 0);", dialect)
    try refuses(
      "measure number { audience team for app value count(HabitEntry) * 9000000000000 - 9000000000000 }",
      "\(entry) ('1', 'h', '2026-01-01', 0), ('2', 'h', '2026-01-01', 0);", dialect)
  }

  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func bundleCyclesAndDepthAreErrors(dialect: SQLDialect) throws {
    let source = "progress done { for goal value count(HabitEntry through GoalLink) }"
    func members(_ chain: [String]) -> String {
      let rows = zip(chain, chain.dropFirst()).map { "('\($0)', '\($1)')" }
      return
        "INSERT INTO \"BundleMember\" (\"bundleId\", \"childBundleId\") VALUES \(rows.joined(separator: ", "));"
    }
    try refuses(source, members(["a", "b", "a"]), dialect)
    try refuses(source, members((1...9).map { "b\($0)" }), dialect)
    try gives([], source, members((1...8).map { "b\($0)" }), dialect)
  }

  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func sumsOfDifferentUnitsAreErrors(dialect: SQLDialect) throws {
    let source = "progress done { for goal value contribution(HabitEntry through GoalLink) }"
    func data(_ unit: String) -> String {
      """
      INSERT INTO "Goal" (id, unit) VALUES ('g', '\(unit)');
      INSERT INTO "Habit" (id, unit) VALUES ('h', 'km');
      INSERT INTO "GoalLink" (id, "goalId", "habitId", contribution) VALUES ('l', 'g', 'h', 'sum');
      INSERT INTO "HabitEntry" (id, "habitId", "dayKey", "value") VALUES ('1', 'h', '2026-01-01', 2);
      """
    }
    try refuses(source, data("pages"), dialect)
    try gives(["2"], source, data("km"), dialect)
  }

  @Test func squaresThatSQLiteCannotHoldAreRefused() throws {
    let library = library("measure m { audience team for app value stddev(Event.value) at least 5 users }")
    let day = try #require(DayKey("2026-01-01"))
    let error = #expect(throws: SQLUnsupported.self) {
      try library.sql(metrics: [], days: .list([day]), dialect: .sqlite)
    }
    #expect(error?.construct.contains("stddev") == true)
    for dialect in SQLDialect.allCases where dialect != .sqlite {
      _ = try library.sql(metrics: [], days: .list([day]), dialect: dialect)
    }
  }

  @Test func aTextThatPostgreSQLCannotHoldIsRefused() throws {
    let library = library("measure m { audience team for app value count(Event where name == \"a\0b\") }")
    let isAccepted = library.isAccepted
    #expect(isAccepted, "\(library.findings.map(\.message))")
    let day = try #require(DayKey("2026-01-01"))
    let error = #expect(throws: SQLUnsupported.self) {
      try library.sql(metrics: [], days: .list([day]), dialect: .postgres)
    }
    #expect(error?.dialect == .postgres)
    _ = try library.sql(metrics: [], days: .list([day]), dialect: .duckdb)
  }

  /// What overflows stays an error however much is computed from it, and where it comes back into the range.
  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func overflowInsideADeepExpressionIsAnError(dialect: SQLDialect) throws {
    let value = (1...25).reduce("(sum(HabitEntry.value) + 9000000000000.0 - 9000000000000.0)") {
      inner, number in
      "(\(number).5 - \(inner))"
    }
    let source = "measure total { audience team for app value \(value) }"
    let entry = "INSERT INTO \"HabitEntry\" (id, \"habitId\", \"dayKey\", \"value\") VALUES"
    try refuses(source, "\(entry) ('1', 'h', '2026-01-01', 1);", dialect)
    try gives(["13.5"], source, "\(entry) ('1', 'h', '2026-01-01', 0);", dialect)
  }

  /// An error in a branch that is not taken is none, in whatever step the branch is computed.
  @Test(arguments: [SQLDialect.sqlite, .duckdb])
  func whatIsNotTakenDoesNotFail(dialect: SQLDialect) throws {
    let deep = (1...25).reduce("count(HabitEntry) * 9000000000000 * 9") { inner, number in
      "(\(number) - \(inner))"
    }
    let other = (1...25).reduce("count(HabitEntry)") { inner, number in "(\(number) - \(inner))" }
    let source =
      "measure m { audience team for app value if count(HabitEntry) > 1 then \(deep) else \(other) }"
    let entry = "INSERT INTO \"HabitEntry\" (id, \"habitId\", \"dayKey\", \"value\") VALUES"
    try gives(["12"], source, "\(entry) ('1', 'h', '2026-01-01', 1);", dialect)
    try refuses(
      source, "\(entry) ('1', 'h', '2026-01-01', 1), ('2', 'h', '2026-01-01', 1);", dialect)
  }

  // MARK: Asking

  private func library(_ source: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
  }

  private func answer(_ source: String, _ data: String, _ dialect: SQLDialect) throws -> EngineAnswer? {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so its errors are not seen")
      return nil
    }
    let library = library(source)
    let isAccepted = library.isAccepted
    #expect(isAccepted, "\(library.findings.map(\.message))")
    let day = try #require(DayKey("2026-01-02"))
    let setup = [library.sqlSchema(metrics: [], dialect: dialect), data]
    let query = try library.sql(metrics: [], days: .list([day]), dialect: dialect)
    return try engine.answers([EngineCase(setup: setup, query: query)]).first
  }

  private func refuses(_ source: String, _ data: String, _ dialect: SQLDialect) throws {
    if case .rows(let rows) = try answer(source, data, dialect) {
      Issue.record("\(dialect.rawValue) gave \(rows) for \(source)")
    }
  }

  private func gives(_ values: [String], _ source: String, _ data: String, _ dialect: SQLDialect) throws {
    switch try answer(source, data, dialect) {
    case .rows(let rows): #expect(rows.map { $0.last ?? "" } == values, "\(dialect.rawValue): \(source)")
    case .error(let error): Issue.record("\(dialect.rawValue): \(error)\n\(source)")
    case nil: break
    }
  }
}
