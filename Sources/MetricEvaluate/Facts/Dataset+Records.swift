/// Single records, for their names and what links say.
extension Dataset {
  func text(_ field: FieldReference, _ row: Int) -> String? {
    table(field.record).cell(field.field, row).map { pool.string(Int32($0)) }
  }

  /// Whether a live record of an entity has an id.
  func hasRecord(_ id: String, of entity: RecordID) -> Bool {
    let space = space(entity)
    return pool.lookup(id).flatMap { space.number(ofPool: Cell($0)) }.map { space.rows[$0] >= 0 } ?? false
  }

  /// A record by its place.
  func reference(_ record: RecordID, _ row: Int, value: Value? = nil) -> RecordReference {
    let plan = library.records[record]
    let day = plan.kind == .fact ? plan.dayKeyField : nil
    return RecordReference(
      record: plan.name, row: row,
      id: plan.idField.flatMap { text(FieldReference(record: record, field: $0), row) },
      day: day.flatMap { table(record).cell($0, row) }.map { DayKey(number: Int32($0)) }, value: value)
  }
}
