import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import Testing

/// What a statement says to its engine beside the numbers.
@Suite struct StatementTests {
  private func statement(_ source: String, _ dialect: SQLDialect) throws -> String {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
    #expect(library.isAccepted, "\(library.findings.map(\.message))")
    let day = try #require(DayKey("2026-01-02"))
    return try library.sql(metrics: [], days: .list([day]), dialect: dialect)
  }

  private let funnel = """
    funnel first_evening {
      for user
      step opened Event where name == "opened"
      step read   Event where name == "read"
      step told   Event where name == "told"
    }
    """

  /// What several relations read is computed once, however the engine wants to be told.
  @Test func sharedRelationsAreKept() throws {
    #expect(try statement(funnel, .duckdb).contains("first_evening_from_2 AS MATERIALIZED (\n"))
    for dialect in [SQLDialect.sqlite, .postgres, .spark] {
      #expect(try !statement(funnel, dialect).contains("MATERIALIZED"), "\(dialect.rawValue)")
    }
  }

  /// In a script, what is read more than once is a table and no engine has to be told to keep it.
  @Test(arguments: SQLDialect.allCases)
  func sharedRelationsOfScriptsAreTables(dialect: SQLDialect) throws {
    let library = MetricLibrary(sources: [
      SourceFile(path: "a.metric", text: funnel + "\nmeasure m { audience team for user value count(Event) }")
    ])
    #expect(library.isAccepted, "\(library.findings.map(\.message))")
    let day = try #require(DayKey("2026-01-02"))
    let script = try library.sqlScript(metrics: [], days: .list([day]), dialect: dialect)
    #expect(script.contains(" live_event"))
    #expect(!script.contains(" MATERIALIZED "))
    let ends = script.split(separator: ";\n").filter { $0.contains("ORDER BY all_rows.subject") }
    #expect(ends.count == 2)
  }

  /// What an engine plans again for each reader is a table before the statement of `eval --engine`.
  @Test(arguments: SQLDialect.allCases)
  func sharedRelationsOfEvaluations(dialect: SQLDialect) throws {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: funnel)])
    let day = try #require(DayKey("2026-01-02"))
    let data = EngineData(files: [], names: DatabaseNames(), isDatabase: true)
    let question = try library.engineQuestion(
      metrics: [], subjects: [], days: [day], data, dialect: dialect)
    let step = try #require(question.queries.first)
    #expect(question.queries.count == 1)
    let isPlannedAgain = dialect == .spark || dialect == .clickhouse
    #expect(step.relations.contains { $0.name == "first_evening_from_2" } == isPlannedAgain)
    let marked = ([step.query] + step.relations.map(\.query)).filter { $0.contains(" MATERIALIZED ") }
    #expect(marked.isEmpty == (dialect != .duckdb))
  }

  /// The engine compiles expressions for longer than it computes them; a statement with a parameter stays one.
  @Test func settingsOfTheSession() throws {
    #expect(try statement(funnel, .postgres).hasPrefix("SET jit = off;\n"))
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: funnel)])
    #expect(try !library.sql(metrics: [], days: .parameter, dialect: .postgres).contains("jit"))
    #expect(try library.sql(metrics: [], days: .parameter, dialect: .spark).contains("'${at}'"))
    #expect(
      try library.sqlScript(metrics: [], days: .list([]), dialect: .postgres).contains(";\n\nANALYZE "))
  }

  @Test func columnsThatNobodyReadsAreLeftOut() throws {
    let text = try statement("measure m { audience team  for habit  value count(HabitEntry) }", .sqlite)
    #expect(
      text.contains("SELECT f.\"habitId\" AS subject,\n    f.\"dayKey\"\n  FROM habit_entry_facts AS f\n"))
    // Distinct rows of fewer columns are other rows.
    #expect(
      try statement(funnel.replacing("told\"\n}", with: "told\"\n  order strict\n}"), .sqlite)
        .contains("SELECT DISTINCT e.subject,\n    e.\"day\",\n    e.instant\n"))
  }

  /// The day is bounded on the column itself, so that engines skip partitions: from the first day on if every window
  /// ends.
  @Test func daysAreBoundedOnTheColumn() throws {
    let last = "CAST(t.\"dayKey\" AS DATE) <= DATE '2026-01-02'"
    let first = "CAST(t.\"dayKey\" AS DATE) >= DATE '2025-12-27'"
    let week = "measure week { for app  value count(HabitEntry)  over last 7 days }"
    let text = try statement(week, .duckdb)
    #expect(text.contains(last) && text.contains(first))
    let all = try statement(week + "\nmeasure ever { for app  value count(HabitEntry) }", .duckdb)
    #expect(all.contains(last) && !all.contains(">= DATE "))
    #expect(all.components(separatedBy: "FROM \"HabitEntry\"").count == 2)
  }

  /// A value becomes a text once, in the last query.
  @Test(arguments: SQLDialect.allCases)
  func valuesBecomeTextsOnce(dialect: SQLDialect) throws {
    let measures = (1...5).map { "measure m\($0) { for habit  value sum(HabitEntry.value) + \($0) }" }
    let few = try statement(measures[0], dialect).components(separatedBy: "SUBSTR(").count
    let many = try statement(measures.joined(separator: "\n"), dialect).components(separatedBy: "SUBSTR(")
      .count
    #expect(few == many)
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: measures[0])])
    let tables = try library.sqlScript(metrics: [], days: .list([]), dialect: dialect, makesTables: true)
    #expect(!tables.contains("Nullable(Nullable("))
  }

  /// A run is read at a single day without a join, and its windows share a phase.
  @Test func spansAreReadWithoutTheSubjects() throws {
    let source = """
      completion done { for habit  every week  when days(HabitEntry) >= 3 }
      streak weeks { of done }
      """
    let text = try statement(source, .spark)
    #expect(!text.contains("\n  JOIN ") && text.contains("OVER (PARTITION BY c.subject ORDER BY"))
  }

  /// Metrics of one subject are columns of one relation, which reads the aggregates of one.
  @Test func metricsShareTheirRelations() throws {
    let measures = (1...5).map {
      "measure m\($0) { for habit  value count(HabitEntry)  over last \($0) days }"
    }
    let text = try statement(measures.joined(separator: "\n"), .spark)
    #expect(text.components(separatedBy: "GROUP BY").count == 2)
    #expect(text.components(separatedBy: "LEFT JOIN").count == 2)
    #expect(text.components(separatedBy: "FROM `HabitEntry`").count == 3)
  }

  /// Facts are ranked once for all percentiles or by the engine's own aggregate, weights need no join, and no window is divided by a constant.
  @Test(arguments: SQLDialect.allCases)
  func workIsNotRepeated(dialect: SQLDialect) throws {
    let percentiles = [50, 90].map {
      "measure p\($0) { for app  value percentile(HabitEntry.value, \($0)) }"
    }
    let ranked = try statement(percentiles.joined(separator: "\n"), dialect)
    let isAggregate = dialect == .duckdb || dialect == .postgres
    #expect(ranked.components(separatedBy: "ROW_NUMBER()").count == (isAggregate ? 1 : 2))
    #expect(ranked.components(separatedBy: "PERCENTILE_DISC(").count == (isAggregate ? 3 : 1))
    let momentum = try statement(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      momentum strength { of done  half life 7 days }
      """, dialect)
    #expect(!momentum.contains("weights") && !momentum.contains("out of range"))
    let rest = try statement(
      """
      completion done {
        for habit
        every day
        when count(HabitEntry) >= 1
        rest when weekday(day) == "sunday"
      }
      streak run { of done  previous }
      """, dialect)
    #expect(rest.contains("PARTITION BY") && !rest.contains(", 0 ORDER BY"))
  }

  /// Attempts are not ranked on each day: without groups the first day of each step is enough, else the farthest are
  /// found by an aggregate.
  @Test(arguments: SQLDialect.allCases, ["order any", "order strict", "", "by name", "order any  by name"])
  func attemptsAreNotRankedOnEachDay(dialect: SQLDialect, clause: String) throws {
    let source = funnel.replacing("told\"\n}", with: "told\"\n  \(clause)\n}")
    let text = try statement(source, dialect)
    let isGrouped = clause.contains("by")
    #expect(text.contains("first_evening_farthest") == isGrouped)
    #expect(text.contains("ROW_NUMBER() OVER (PARTITION BY f.r, f.subject") == isGrouped)
    #expect(text.components(separatedBy: "ROW_NUMBER()").count == (isGrouped ? 2 : 1))
  }

  /// The days of a series are not written out one by one.
  @Test(arguments: SQLDialect.allCases)
  func longSeriesAreShort(dialect: SQLDialect) throws {
    let source = "completion done { for habit every day when count(HabitEntry) >= 1 }"
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
    let first = try #require(DayKey("1900-01-01"))
    let days = (0..<40_000).map { first.advanced(by: $0) }
    #expect(try library.sql(metrics: [], days: .list(days), dialect: dialect).utf8.count < 8000)
    // Days that do not lie evenly are.
    let uneven = days.prefix(200) + [first.advanced(by: 500)]
    let text = try library.sql(metrics: [], days: .list(Array(uneven)), dialect: dialect)
    #expect(text.contains("\(first.advanced(by: 500))") && text.contains("\(days[77])"))
  }
}
