import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricPlan

extension MetricLibrary {
  /// One source without counterexamples, safe fixes and summaries of its metrics, which take most of the time and
  /// change neither findings nor rows.
  package init(unsearched sources: String...) {
    self.init(unsearched: sources)
  }

  package init(unsearched sources: [String]) {
    let parsed = sources.enumerated().map {
      ParsedSource(SourceFile(path: "\($0).metric", text: $1), file: $0)
    }
    self.init(parsed: parsed, searchesCounterexamples: false)
  }
}

/// Tables made straight from literals, to which records are appended one by one.
package struct LoadedDataset {
  package let library: MetricLibrary
  package let pool: StringPool
  package private(set) var tables: [String: Table] = [:]
  private let records: [String: RecordID]

  /// Empty tables for what some metrics read (all where there are none).
  package init(_ library: MetricLibrary, metrics: [String] = [], pool: StringPool = StringPool()) {
    self.library = library
    self.pool = pool
    var records: [String: RecordID] = [:]
    for schema in library.schemas(for: metrics) {
      tables[schema.record] = Table(schema: schema)
      records[schema.record] = library.plan.record(named: schema.record)
    }
    self.records = records
  }

  package func reads(_ record: RecordID) -> Bool { tables[library.plan.records[record].name] != nil }

  /// Appends a record; nothing where no metric reads its type.
  package mutating func append(_ row: ReferenceRow, to record: RecordID) {
    let plan = library.plan.records[record]
    guard var table = tables[plan.name] else { return }
    let cells = table.schema.columns.map { column in
      plan.field(named: column.name).flatMap { row.values[$0] }.flatMap { $0.cell(pool) }
    }
    tables[plan.name] = nil
    table.append(cells)
    tables[plan.name] = table
  }

  package func evaluate(_ metrics: [String] = [], at days: [DayKey]) throws -> [ResultRow] {
    try library.evaluate(
      metrics: metrics, subjects: [], days: days, tables: tables, pool: pool, threads: 1, progress: nil)
  }
}
