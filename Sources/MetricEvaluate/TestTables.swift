import MetricData
import MetricPlan

extension Library {
  /// Rows of a test or a counterexample as tables with all stored fields, by record name.
  package func tables(_ rows: [TestRow], pool: StringPool) -> [String: Table] {
    var tables: [String: Table] = [:]
    for row in rows {
      let record = records[row.record]
      let stored = record.fields.indices.filter { record.fields[$0].computed == nil }
      var table = tables[record.name] ?? Table(schema: schema(of: row.record, fields: stored))
      // Removing the value from the dictionary keeps its buffer unique, so the row is appended in place.
      tables[record.name] = nil
      table.append(stored.map { field in row.values[field].flatMap { $0.cell(pool) } })
      tables[record.name] = table
    }
    return tables
  }
}

extension Literal {
  /// The cell that a reader would produce; nil is missing.
  package func cell(_ pool: StringPool) -> Int64? {
    switch self {
    case .none: nil
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .decimal(let value): value.millionths
    case .text(let text): Int64(pool.intern(text))
    case .day(let day): Int64(day.number)
    }
  }
}
