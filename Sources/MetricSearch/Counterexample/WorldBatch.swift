import MetricData
import MetricEvaluate
import MetricPlan

/// Evaluates many small datasets at once: each is put beside the others under ids of its own, and no
/// metric of a person reads across them.
struct WorldBatch {
  private let library: Library
  private let pool: StringPool
  /// How often the evaluator has run: more than once for a batch in which a number does not fit.
  private(set) var runs = 0

  init(library: Library, pool: StringPool) {
    self.library = library
    self.pool = pool
  }

  /// The rows of some metrics for each dataset; nil for one that gives an error.
  mutating func evaluate(_ worlds: [[TestRow]], _ metrics: [MetricID], _ days: [DayKey]) -> [[ResultRow]?] {
    evaluate(worlds[...], metrics, days)
  }

  private mutating func evaluate(
    _ worlds: ArraySlice<[TestRow]>, _ metrics: [MetricID], _ days: [DayKey]
  ) -> [[ResultRow]?] {
    let request = EvaluationRequest(metrics: metrics, days: days)
    runs += 1
    if let found = try? MetricEvaluate.evaluate(
      request, library: library, tables: tables(worlds), pool: pool)
    {
      return split(found, worlds.count)
    }
    if worlds.count == 1 { return [nil] }
    let middle = worlds.startIndex + worlds.count / 2
    return evaluate(worlds[..<middle], metrics, days) + evaluate(worlds[middle...], metrics, days)
  }

  /// The ids of a dataset begin with its number.
  private func prefix(_ world: Int) -> String { "\(world):" }

  private func split(_ rows: [ResultRow], _ count: Int) -> [[ResultRow]?] {
    var byWorld = [[ResultRow]](repeating: [], count: count)
    for var row in rows {
      guard let colon = row.subject.utf8.firstIndex(of: UInt8(ascii: ":")),
        let world = Int(row.subject[..<colon])
      else { continue }
      row.subject = String(row.subject[row.subject.utf8.index(after: colon)...])
      byWorld[world].append(row)
    }
    return byWorld
  }

  private func tables(_ worlds: ArraySlice<[TestRow]>) -> [String: Table] {
    var tables: [RecordID: Table] = [:]
    for (number, rows) in worlds.enumerated() {
      let prefix = prefix(number)
      for (index, row) in rows.enumerated() {
        let record = library.records[row.record]
        let stored = record.fields.indices.filter { record.fields[$0].computed == nil }
        var table = tables[row.record] ?? Table(schema: library.schema(of: row.record, fields: stored))
        // The dictionary lets go of its copy, so that the row is appended in place.
        tables[row.record] = nil
        table.append(stored.map { cell(row, $0, record, index, prefix) })
        tables[row.record] = table
      }
    }
    return Dictionary(uniqueKeysWithValues: tables.map { (library.records[$0.key].name, $0.value) })
  }

  private func cell(
    _ row: TestRow, _ field: Int, _ record: Record, _ index: Int, _ prefix: String
  ) -> Int64? {
    guard let value = row.values[field] else {
      // As a `test` fills it.
      return record.kind != .entity && field == record.idField
        ? Literal.text("#\(index + 1)").cell(pool) : nil
    }
    guard case .text(let text) = value else { return value.cell(pool) }
    switch record.fields[field].type {
    case .reference: return Literal.text(prefix + text).cell(pool)
    case .id where record.kind == .entity: return Literal.text(prefix + text).cell(pool)
    default: return value.cell(pool)
    }
  }
}
