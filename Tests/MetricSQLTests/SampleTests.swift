import Foundation
import MetricData
import MetricDiagnostics
import MetricLanguage
import MetricSQL
import MetricTestSupport
import Testing

/// The definitions that the repository ships, over the samples beside them: every row of each engine, in order.
@Suite struct SampleTests {
  static let systems = ["FamilyRewards", "Habits", "KnowledgeApp", "ReadingLessons", "StoryReading"]

  @Test(arguments: Engine.chosen)
  func equalRows(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so the samples are not compared on it")
      return
    }
    let day = try #require(DayKey("2026-06-30"))
    let samples = try Self.systems.map { try Sample(system: $0) }
    let answers = try engine.answers(samples.map { try $0.engineCase(dialect, at: day) })
    for (sample, answer) in zip(samples, answers) {
      let expected = try sample.rows(at: day)
      guard case .rows(let rows) = answer else {
        Issue.record("\(sample.system) on \(dialect.rawValue): \(answer)")
        continue
      }
      #expect(rows.count == expected.count, "\(sample.system) on \(dialect.rawValue)")
      let different = zip(rows, expected).filter { $0 != $1 }.prefix(3).map { "found \($0), expected \($1)" }
      #expect(different == [], "\(sample.system) on \(dialect.rawValue)")
      #expect(!expected.isEmpty)
    }
  }
}

/// `--layout tables`: the same values as typed columns.
@Suite struct TablesLayoutTests {
  @Test(arguments: Engine.chosen)
  func columnsHoldTheValues(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect), dialect != .clickhouse else { return }
    let day = try #require(DayKey("2026-06-30"))
    let sample = try Sample(system: "Habits")
    let metrics = ["daily_streak", "best_daily_streak", "practice_days"]
    let columns = metrics.map { "CAST(\($0) AS CHAR(20))" }.joined(separator: ", ")
    let query = "SELECT subject, \(columns) FROM habit_metrics ORDER BY subject;"
    guard case .rows(let rows)? = try engine.answers([sample.tables(dialect, at: day, query)]).first else {
      Issue.record("\(dialect.rawValue) made no tables")
      return
    }
    let expected = try sample.rows(at: day).reduce(into: [String: [String: String]]()) { values, row in
      if metrics.contains(row[0]) { values[row[1], default: [:]][row[0]] = row[5] }
    }
    #expect(!rows.isEmpty && rows.count == expected.count)
    for row in rows {
      let values = metrics.map { expected[row[0]]?[$0] ?? "" }
      #expect(row.dropFirst().map { $0.filter { $0 != " " } } == values)
    }
  }
}

/// A library with the tables of its sample, all stored fields read.
struct Sample {
  let system: String
  private let library: MetricLibrary
  private let pool = StringPool()
  private var tables: [String: Table] = [:]

  init(system: String) throws {
    self.system = system
    let folder = "Definitions/\(system)"
    library = MetricLibrary(
      sources: try Repository.files(".metric", under: folder).map {
        SourceFile(path: $0, text: try Repository.text($0))
      })
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.path("\(folder)/Sample"))
      .sorted()
    for needed in library.schemas(for: []) {
      let record = try #require(library.plan.record(named: needed.record))
      let fields = Array(library.plan.records[record].fields.indices)
      let schema = library.plan.schema(of: record, fields: fields)
      for file in files where file.hasPrefix(needed.record + ".") {
        tables[needed.record] = try table(schema, "\(folder)/Sample/\(file)")
      }
    }
  }

  private func table(_ schema: TableSchema, _ path: String) throws -> Table {
    let ending = String(path.split(separator: ".").last ?? "")
    let known = DataFormat(fileExtension: ending)
    let format = try #require(known)
    let result = Array(try Repository.text(path).utf8).withUnsafeBytes {
      readTable($0, format: format, schema: schema, path: path, pool: pool, rejects: nil)
    }
    #expect(result.findings.isEmpty, "\(path)")
    return result.table
  }

  func rows(at day: DayKey) throws -> [[String]] {
    try library.evaluate(
      metrics: [], subjects: [], days: [day], tables: tables, pool: pool, threads: 1, progress: nil
    ).map(LoadedRows.texts)
  }

  func engineCase(_ dialect: SQLDialect, at day: DayKey) throws -> EngineCase {
    let inserts = tables.keys.sorted().compactMap { name in tables[name].flatMap { insert($0, dialect) } }
    return EngineCase(
      setup: [library.sqlSchema(metrics: [], dialect: dialect)] + inserts,
      query: try library.question(at: [day], dialect))
  }

  /// The tables of `--layout tables`, and a question about them.
  func tables(_ dialect: SQLDialect, at day: DayKey, _ query: String) throws -> EngineCase {
    var item = try engineCase(dialect, at: day)
    item.setup.append(
      try library.sqlScript(metrics: [], days: .list([day]), dialect: dialect, makesTables: true))
    item.query = query
    return item
  }

  private func insert(_ table: Table, _ dialect: SQLDialect) -> String? {
    let columns = zip(table.schema.columns, table.columns).map { schema, column in
      (0..<table.rowCount).map { row in column[row].map { text(of: $0, schema.type) } }
    }
    let rows = (0..<table.rowCount).map { row in columns.map { $0[row] } }
    return SQLText.insert(rows, into: table.schema.record, dialect)
  }

  private func text(of cell: Int64, _ type: ColumnType) -> String {
    switch type {
    case .text: pool.string(Int32(cell))
    case .int: String(cell)
    case .decimal: FixedDecimal(millionths: cell).description
    case .bool: cell == 0 ? "false" : "true"
    case .dayKey: DayKey(number: Int32(cell)).description
    case .instant: Instant(microseconds: cell).description
    }
  }
}
