/// Reads single records, for their names and what links say.
struct RecordReader {
  let library: Library
  let tables: [String: Table]
  let pool: StringPool

  private func cell(_ field: FieldReference, _ row: Int) -> Int64? {
    tables[library.records[field.record].name]?.column(named: library[field].name)?[row]
  }

  func text(_ field: FieldReference, _ row: Int) -> String? {
    cell(field, row).map { pool.string(Int32($0)) }
  }

  /// Whether a live record of an entity has an id.
  func hasRecord(_ id: String, of entity: RecordID) -> Bool {
    let plan = library.records[entity]
    guard let field = plan.idField else { return false }
    return (0..<(tables[plan.name]?.rowCount ?? 0)).contains { row in
      text(FieldReference(record: entity, field: field), row)?.hasSameBytes(as: id) ?? false
        && plan.tombstones.allSatisfy { cell(FieldReference(record: entity, field: $0), row) == nil }
    }
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
