import MetricData
import MetricEvaluate
import MetricPlan
import MetricValues

/// Reads single records and follows their references, for links and for names of records.
final class RecordReader {
  let library: Library
  private let tables: [String: Table]
  private let pool: StringPool
  /// By entity and id: its first live row.
  private var rows: [RecordID: [ByteKey: Int]] = [:]

  init(library: Library, tables: [String: Table], pool: StringPool) {
    self.library = library
    self.tables = tables
    self.pool = pool
  }

  private func cell(_ field: FieldReference, _ row: Int) -> Int64? {
    tables[library.records[field.record].name]?.column(named: library[field].name)?[row]
  }

  func text(_ field: FieldReference, _ row: Int) -> String? {
    cell(field, row).map { pool.string(Int32($0)) }
  }

  private func isLive(_ record: RecordID, _ row: Int) -> Bool {
    library.records[record].tombstones.allSatisfy {
      cell(FieldReference(record: record, field: $0), row) == nil
    }
  }

  /// The rows of a record that are live.
  func liveRows(of record: RecordID) -> [Int] {
    (0..<(tables[library.records[record].name]?.rowCount ?? 0)).filter { isLive(record, $0) }
  }

  /// The row of an entity's record; nil where none has the id.
  func row(of id: String, in entity: RecordID) -> Int? {
    if rows[entity] == nil {
      var found: [ByteKey: Int] = [:]
      if let field = library.records[entity].idField {
        for row in liveRows(of: entity) {
          guard let id = text(FieldReference(record: entity, field: field), row) else { continue }
          if found[ByteKey(id)] == nil { found[ByteKey(id)] = row }
        }
      }
      rows[entity] = found
    }
    return rows[entity]?[ByteKey(id)]
  }

  /// The id at the end of a chain of references; nil where it breaks.
  func follow(_ references: [FieldReference], from row: Int) -> String? {
    guard let first = references.first, let id = text(first, row) else { return nil }
    let rest = Array(references.dropFirst())
    if rest.isEmpty { return id }
    return library.target(of: first).flatMap { self.row(of: id, in: $0) }.flatMap { follow(rest, from: $0) }
  }

  /// A record by its place.
  func reference(_ record: RecordID, _ row: Int, value: Value? = nil) -> RecordReference {
    let plan = library.records[record]
    let day = plan.kind == .fact ? plan.dayKeyField : nil
    return RecordReference(
      record: plan.name, row: row,
      id: plan.idField.flatMap { text(FieldReference(record: record, field: $0), row) },
      day: day.flatMap { cell(FieldReference(record: record, field: $0), row) }.map {
        DayKey(number: Int32($0))
      },
      value: value)
  }
}
