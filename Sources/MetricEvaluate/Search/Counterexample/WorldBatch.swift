/// Evaluates many small datasets at once, each under ids of its own: no metric of a person reads across them.
struct WorldBatch {
  let library: Library
  let pool: StringPool
  /// How often the evaluator has run: more than once for a batch in which a number does not fit.
  private(set) var runs = 0

  /// The rows of some metrics for each dataset; nil for one that gives an error.
  mutating func evaluate(
    _ worlds: ArraySlice<[TestRow]>, _ metrics: [MetricID], _ days: [DayKey]
  ) -> [[ResultRow]?] {
    let request = EvaluationRequest(metrics: metrics, days: days)
    let rows = worlds.enumerated().flatMap { number, rows in
      rows.enumerated().map { index, row in
        // With ids of entities that no other dataset has.
        library.renamed(library.identified(row, index)) { "\(number):\($0)" }
      }
    }
    runs += 1
    if let found = try? MetricEvaluate.evaluate(
      request, library: library, tables: library.tables(rows, pool: pool), pool: pool)
    {
      return split(found, worlds.count)
    }
    if worlds.count == 1 { return [nil] }
    let middle = worlds.startIndex + worlds.count / 2
    return evaluate(worlds[..<middle], metrics, days) + evaluate(worlds[middle...], metrics, days)
  }

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
}

extension Library {
  /// The same about other entities.
  func renamed(_ row: TestRow, _ name: (String) -> String) -> TestRow {
    let record = records[row.record]
    var row = row
    for (field, value) in row.values {
      guard case .text(let text) = value else { continue }
      switch record.fields[field].type {
      case .reference: row.values[field] = .text(name(text))
      case .id where record.kind == .entity && field == record.idField: row.values[field] = .text(name(text))
      case .id, .text, .int, .decimal, .bool, .dayKey, .instant, .choice: break
      }
    }
    return row
  }

  /// With the id that a `test` gives to a record without one.
  func identified(_ row: TestRow, _ index: Int) -> TestRow {
    let record = records[row.record]
    guard record.kind != .entity, let field = record.idField, row.values[field] == nil else { return row }
    var row = row
    row.values[field] = .text("#\(index + 1)")
    return row
  }
}
