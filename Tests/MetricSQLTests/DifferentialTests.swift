import Foundation
import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan
import MetricSQL
import MetricTestSupport
import Testing

/// The evaluator against real engines: random libraries over random datasets must give equal rows.
///
/// `METRICC_SEED=n` runs one case again. A long run: `METRICC_SQL_CASES=5000 swift test --filter
/// MetricSQLTests.DifferentialTests`. `METRICC_SQL_ENGINES=postgres,spark` chooses engines.
@Suite struct DifferentialTests {
  static let cases = Int(environment("METRICC_SQL_CASES") ?? "") ?? 12

  @Test(arguments: Engine.chosen)
  func equalRows(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else {
      print("SKIPPED: \(dialect.rawValue) is not installed, so its SQL is not compared with the evaluator")
      return
    }
    var checked = 0
    var failures = 0
    for batch in seeds(Self.cases).chunks(of: 50) {
      let cases = batch.compactMap { SQLCase(seed: $0, dialect: dialect) }
      let answers = try engine.answers(cases.map(\.engineCase))
      for (item, answer) in zip(cases, answers) {
        checked += 1
        if let difference = item.difference(answer) {
          item.dump(dialect)
          failures += 1
          Issue.record("METRICC_SEED=\(item.seed) on \(dialect.rawValue)\n\(difference)")
          if failures == 8 { return }
        }
      }
    }
    print("\(dialect.rawValue): \(checked - failures) of \(checked) random cases with equal rows")
  }

  /// Numbers at the limits of the range, the first and the last DayKey, texts that are missing and empty.
  ///
  /// An engine computes both sides of `and`, where evaluation stops at the first that decides: it may refuse a
  /// number that is out of range where evaluation needs none. That is counted, and is never a row.
  @Test(arguments: Engine.chosen)
  func equalRowsAtTheEnds(dialect: SQLDialect) throws {
    guard let engine = Engine.installed(dialect) else { return }
    var options = DatasetOptions()
    options.allowsHugeNumbers = true
    options.reachesLastDays = true
    options.facts = 12
    var (equal, refused) = (0, 0)
    for batch in seeds(Self.cases, from: 9_000_000).chunks(of: 50) {
      let cases = batch.compactMap { SQLCase(seed: $0, dialect: dialect, options: options) }
      for (item, answer) in zip(cases, try engine.answers(cases.map(\.engineCase))) {
        guard let difference = item.difference(answer) else {
          equal += 1
          continue
        }
        if case .error(let text) = answer, RangeErrors.say(text, dialect) {
          refused += 1
          continue
        }
        item.dump(dialect)
        Issue.record("METRICC_SEED=\(item.seed) on \(dialect.rawValue)\n\(difference)")
      }
    }
    #expect(equal > 9 * refused)
    print(
      "\(dialect.rawValue): \(equal) random cases with equal rows at the ends, \(refused) out of range there")
  }

  /// Series whose days the engine computes, because they are so many.
  @Test(arguments: Engine.chosen, [1, 7])
  func equalLongSeries(dialect: SQLDialect, step: Int) throws {
    guard let engine = Engine.installed(dialect) else { return }
    let days = (0..<110).map { RandomDataset.firstDay.advanced(by: ($0 - 60) * step) }
    let cases = seeds(4, from: 7_000_000).compactMap { SQLCase(seed: $0, dialect: dialect, days: days) }
    #expect(!cases.isEmpty && cases.allSatisfy { !$0.engineCase.query.contains("\(days[50])") })
    for (item, answer) in zip(cases, try engine.answers(cases.map(\.engineCase))) {
      if let difference = item.difference(answer) {
        item.dump(dialect)
        Issue.record("METRICC_SEED=\(item.seed) on \(dialect.rawValue)\n\(difference)")
      }
    }
  }
}

/// How engines say that a number of the language leaves its range; nothing else that they say is that.
private enum RangeErrors {
  static func say(_ error: String, _ dialect: SQLDialect) -> Bool {
    let texts: [String] =
      switch dialect {
      case .sqlite: ["malformed JSON"]
      case .postgres: ["bigint out of range"]
      case .duckdb:
        [
          "out of range: ", "of INT64 (", "for the destination type INT64", "to type INT64",
          "to DECIMAL(32,0)",
        ]
      case .clickhouse: ["cannot be safely converted"]
      case .spark: ["out of range: ", "ARITHMETIC_OVERFLOW", "CAST_OVERFLOW", "NUMERIC_VALUE_OUT_OF_RANGE"]
      }
    return texts.contains(where: error.contains)
  }
}

extension Array {
  fileprivate func chunks(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

/// One random library with a random dataset and some days, and the rows that are expected.
struct SQLCase {
  let seed: UInt64
  let source: String
  let engineCase: EngineCase
  let expected: [[String]]

  /// Nil where there is nothing to compare: the library is not accepted, or a number leaves the range.
  init?(
    seed: UInt64, dialect: SQLDialect, options: DatasetOptions = DatasetOptions(),
    days given: [DayKey]? = nil,
    source fixed: String? = nil
  ) {
    self.seed = seed
    var random = SeededGenerator(seed: seed)
    let written = fixed ?? RandomLibrary.source(.all, metrics: 8, using: &random)
    // SQLite refuses the one, and its other metrics are worth a comparison.
    source = dialect == .sqlite ? written.replacing("stddev(", with: "average(") : written
    let library = MetricLibrary(unsearched: source)
    guard !library.findings.contains(where: { $0.severity == .error }) else {
      if fixed != nil { Issue.record("\(library.findings)") }
      return nil
    }
    let dataset = RandomDataset.make(for: library.plan, options, using: &random)
    let some = (0..<3).map { _ in RandomDataset.firstDay.advanced(by: random.int(-2...40)) }
    let days = given ?? Set(some + (options.reachesLastDays ? RandomDataset.endsOfDays : [])).sorted()
    guard let rows = LoadedRows.rows(of: library, dataset, at: days) else { return nil }
    expected = rows
    engineCase = EngineCase(
      setup: [library.sqlSchema(metrics: [], dialect: dialect)] + dataset.inserts(library, dialect),
      query: (try? library.question(at: days, dialect)) ?? "")
  }

  func difference(_ answer: EngineAnswer) -> String? {
    switch answer {
    case .error(let error): return "\(error.prefix(3000))\n\(text)"
    case .rows(let rows):
      if rows == expected { return nil }
      var lines = ["\(rows.count) rows, expected \(expected.count)"]
      for (found, wanted) in zip(rows, expected) where found != wanted {
        lines.append("found    \(found)\nexpected \(wanted)")
        break
      }
      let missing = Set(expected).subtracting(rows).map { "missing \($0)" }
      let extra = Set(rows).subtracting(expected).map { "extra \($0)" }
      return (lines + (missing + extra).sorted().prefix(12) + [text]).joined(separator: "\n")
    }
  }

  /// The library, and for the person who mends it the dataset in the folder of `METRICC_SQL_DUMP`.
  private var text: String { environment("METRICC_SQL_DUMP") == nil ? source : "" }

  /// Writes the statements of a failed case to the folder that `METRICC_SQL_DUMP` names.
  func dump(_ dialect: SQLDialect) {
    guard let folder = environment("METRICC_SQL_DUMP") else { return }
    let path = "\(folder)/\(seed)-\(dialect.rawValue).sql"
    let text = (engineCase.setup + [engineCase.query]).joined(separator: "\n")
    try? Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }
}

/// The evaluator's rows of a dataset.
enum LoadedRows {
  static func rows(of library: MetricLibrary, _ dataset: ReferenceDataset, at days: [DayKey]) -> [[String]]? {
    let pool = StringPool()
    var tables: [String: Table] = [:]
    for schema in library.schemas(for: []) {
      guard let record = library.plan.record(named: schema.record) else { continue }
      let text = Array(dataset.text(of: record, in: library.plan, as: .csv).utf8)
      let result = text.withUnsafeBytes {
        readTable($0, format: .csv, schema: schema, path: schema.record, pool: pool, rejects: nil)
      }
      guard result.findings.isEmpty else { return nil }
      tables[schema.record] = result.table
    }
    let rows = try? library.evaluate(
      metrics: [], subjects: [], days: days, tables: tables, pool: pool, threads: 1, progress: nil)
    return rows?.map(texts)
  }

  /// A row's columns as the statement gives them.
  static func texts(_ row: ResultRow) -> [String] {
    [row.metric, row.subject, row.group.text, row.part, row.at.description, text(row.value)]
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .none: ""
    case .bool(let value): value ? "true" : "false"
    case .int(let value): String(value)
    case .decimal(let value): value.description
    case .day(let day): day.description
    case .text(let text): text
    }
  }
}

extension ReferenceDataset {
  /// `INSERT` statements of all records into the tables that `--schema` declares, each value as text.
  func inserts(_ library: MetricLibrary, _ dialect: SQLDialect) -> [String] {
    let names = Set(library.schemas(for: []).map(\.record))
    return library.plan.records.enumerated().compactMap { id, record -> String? in
      guard names.contains(record.name), let rows = self.rows[id], !rows.isEmpty else { return nil }
      let fields = record.fields.indices.filter { record.fields[$0].computed == nil }
      let texts = rows.enumerated().map { index, row in
        fields.map { field -> String? in
          let type = record.fields[field].type
          // A text that is missing is null in one row and empty in the next.
          let missing = type.storedType == .text && index.isMultiple(of: 2) ? "" : nil
          return text(row.values[field], type) ?? missing
        }
      }
      return SQLText.insert(texts, into: record.name, dialect)
    }
  }

  private func text(_ value: Literal?, _ type: FieldType) -> String? {
    if type == .instant, case .int(let microseconds) = value {
      return Instant(microseconds: microseconds).description
    }
    return value?.resultText
  }
}
