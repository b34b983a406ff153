/// The entities that a subject has to do with, so that a fact may name them: a goal's habits, a user's books. Records lead
/// from one to the next, the nearest ones come first.
struct NearbyEntities {
  /// A goal leads over its link and a bundle to a habit.
  private static let mostSteps = 3
  static let most = 40

  private let library: Library
  private let pool: StringPool
  /// How many of the newest facts of a record may be logged again.
  private static let mostRecent = 4

  /// By record the columns of its references and of its own id, with the entity.
  private var columns: [[(entity: RecordID, column: Column)]] = []
  private var rowCounts: [Int] = []
  private(set) var ids: [RecordID: [String]] = [:]

  init(
    _ library: Library, of subject: String, _ entity: RecordID?, _ tables: [String: Table], _ pool: StringPool
  ) {
    (self.library, self.pool) = (library, pool)
    for (id, record) in library.records.enumerated() {
      guard let table = tables[record.name] else { continue }
      columns.append(
        record.fields.enumerated().compactMap { index, field in
          guard let column = table.column(named: field.name) else { return nil }
          if case .reference(let target) = field.type, field.computed == nil { return (target, column) }
          return index == record.idField && record.kind == .entity ? (id, column) : nil
        })
      rowCounts.append(table.rowCount)
    }
    // Of a metric of the whole app anything may be named.
    guard let entity else {
      step(from: nil)
      return
    }
    guard let start = pool.lookup(subject) else { return }
    var near: [RecordID: Set<Int64>] = [entity: [Int64(start)]]
    for _ in 0..<NearbyEntities.mostSteps { near = step(from: near).filter { $0.key != entity } }
  }

  /// The newest facts of a record that name the subject or what is near it, without ids.
  func recent(_ record: RecordID, in table: Table?) -> [TestRow] {
    let declared = library.records[record]
    guard let table, let day = declared.dayKeyField.flatMap({ table.column(named: declared.fields[$0].name) })
    else { return [] }
    let columns = declared.fields.enumerated().compactMap { index, field in
      table.column(named: field.name).map { (index: index, field: field, column: $0) }
    }
    let rows = (0..<table.rowCount).filter { row in
      columns.allSatisfy { index, field, column in
        guard let cell = column[row] else { return true }
        if field.isTombstone { return false }
        guard case .reference(let target) = field.type, let known = ids[target] else { return true }
        return known.contains(pool.string(Int32(cell)))
      }
    }
    let newest = rows.sorted { (day[$0] ?? 0, $0) > (day[$1] ?? 0, $1) }.prefix(NearbyEntities.mostRecent)
    return newest.map { row in
      var values: [Int: Literal] = [:]
      for (index, field, column) in columns where index != declared.idField {
        let type = field.type.valueType
        values[index] = column[row].map { Literal(Value($0, type, pool), type: type) }
      }
      return TestRow(record: record, values: values, span: declared.span)
    }
  }

  /// Adds what any record has beside some entities; without these all.
  @discardableResult
  private mutating func step(from near: [RecordID: Set<Int64>]?) -> [RecordID: Set<Int64>] {
    var found: [RecordID: Set<Int64>] = [:]
    for (columns, count) in zip(columns, rowCounts) where near == nil || columns.count > 1 {
      for row in 0..<count {
        let isNear = columns.contains { entity, column in
          column[row].map { near?[entity]?.contains($0) == true } ?? false
        }
        guard near == nil || isNear else { continue }
        for (entity, column) in columns {
          if let cell = column[row] { found[entity, default: []].insert(cell) }
        }
      }
    }
    for (entity, cells) in found {
      let known = ids[entity] ?? []
      let new = cells.map { pool.string(Int32($0)) }.filter { !known.contains($0) }
      let room = NearbyEntities.most - known.count
      ids[entity] = known + new.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.prefix(room)
    }
    return found
  }
}
