import MetricData
import MetricPlan

/// Which ids are other names of one subject (REC-13, REC-14).
struct Identities {
  /// By the pool's number of an id that is another name, the number of what it stands for.
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
