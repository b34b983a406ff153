import MetricData
import MetricPlan

/// Which ids are other names of one subject (REC-13, REC-14).
struct Identities {
  /// From the string number of an alias to that of the subject it stands for.
  private(set) var targets: [Int32: Int32] = [:]

  init(_ identity: IdentityLink, _ table: LoadedTable, _ pool: StringPool) throws(EvaluationError) {
    for row in 0..<table.rowCount where table.isLive(row) {
      guard let alias = table.cell(identity.alias.field, row),
        let target = table.cell(identity.target.field, row)
      else { continue }
      let known = targets.updateValue(Int32(target), forKey: Int32(alias))
      if let known, known != Int32(target) {
        let both = [known, Int32(target)].map { pool.string($0) }
        throw .identityTargets(
          pool.string(Int32(alias)), both.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
      }
    }
    var ends: [Int32: Int32] = [:]
    for alias in pool.sorted(Array(targets.keys)) {
      var chain = [alias]
      while let next = targets[chain[chain.count - 1]] {
        let isCircle = chain.contains(next)
        chain.append(next)
        if isCircle || chain.count > IdentityLink.longestChain + 1 {
          throw .identityCycle(chain.map { pool.string($0) })
        }
      }
      ends[alias] = chain[chain.count - 1]
    }
    targets = ends
  }
}

/// A dataset with one id for each subject, for those who look at records themselves.
package struct MergedTables {
  /// Records keep their rows; the record of an alias has no id.
  package private(set) var tables: [String: Table]
  /// From an alias to the subject it stands for.
  package let persons: [Int32: Int32]
  private let pool: StringPool

  package init(_ tables: [String: Table], library: Library, pool: StringPool) throws(EvaluationError) {
    let dataset = Dataset(library: library, tables: tables, pool: pool, threads: 1)
    try dataset.merge()
    (self.tables, self.pool, persons) = (tables, pool, dataset.persons)
    guard !persons.isEmpty else { return }
    for (name, table) in tables where table.folded == nil {
      guard let record = library.record(named: name) else { continue }
      let (merged, loaded) = (dataset.table(record), LoadedTable(table, record: library.records[record]))
      let columns = zip(table.schema.columns, table.columns).map { schema, column in
        let field = library.records[record].field(named: schema.name)
        guard let field, case .narrow(var cells) = merged.column(field) ?? column else { return column }
        if field == library.records[record].idField, merged.hasDead {
          for row in cells.indices where loaded.isLive(row) && !merged.isLive(row) {
            cells[row] = Column.missingNarrow
          }
        }
        return .narrow(cells)
      }
      self.tables[name] = table.replacing(columns)
    }
  }

  /// The subject that an id of the merged entity stands for.
  package func person(_ id: String) -> String {
    pool.lookup(id).flatMap { persons[$0] }.map { pool.string($0) } ?? id
  }
}

extension LoadedTable {
  /// The table with one id for each subject; of the records of one subject its own is read, or that of the lowest
  /// other name.
  ///
  /// - Parameter id: The field that names the subject, in the table of the entity.
  func merging(_ fields: [Int], id: Int?, _ targets: [Int32: Int32], _ pool: StringPool) -> LoadedTable {
    var merged = self
    if let id {
      var kept: [Cell: Int] = [:]
      for row in 0..<rowCount where isLive(row) {
        guard let own = cell(id, row) else { continue }
        let person = targets[Int32(own)].map { Cell($0) } ?? own
        guard let other = kept[person], let rival = cell(id, other) else {
          kept[person] = row
          continue
        }
        let isBetter =
          rival != person && own != rival
          && (own == person
            || pool.string(Int32(own)).utf8.lexicographicallyPrecedes(pool.string(Int32(rival)).utf8))
        merged.remove(row: isBetter ? other : row)
        if isBetter { kept[person] = row }
      }
    }
    for field in fields {
      guard case .narrow(let cells)? = column(field) else { continue }
      merged.replace(field, with: .narrow(cells.map { targets[$0] ?? $0 }))
    }
    return merged
  }
}
