import MetricData
import MetricPlan

/// A table with the numbers of its fields' columns, as the checks of a dataset look at it.
struct CheckedTable {
  let record: RecordID
  let table: Table
  private let columns: [Int: Column]
  private let tombstones: [Column]

  var rowCount: Int { table.rowCount }

  init(_ table: Table, record: RecordID, of declaration: Record) {
    self.record = record
    self.table = table
    var columns: [Int: Column] = [:]
    for (schema, column) in zip(table.schema.columns, table.columns) {
      if let field = declaration.field(named: schema.name) { columns[field] = column }
    }
    self.columns = columns
    tombstones = declaration.tombstones.compactMap { columns[$0] }
  }

  func isLive(_ row: Int) -> Bool { tombstones.allSatisfy { $0[row] == nil } }

  func cell(_ field: Int, _ row: Int) -> Int64? { columns[field]?[row] }

  /// The cells of a field of type ID, reference or text; nil if it was not read.
  func texts(_ field: Int) -> [Int32]? { columns[field]?.narrowCells }
}
