extension Library {
  /// The fields that declare something: those of entities, links and settings that are not ids, days or references.
  package var declaredFields: Set<FieldReference> {
    var found: Set<FieldReference> = []
    for (id, record) in records.enumerated() where record.kind != .fact || record.isSetting {
      for (index, field) in record.fields.enumerated() where field.computed == nil {
        switch field.type {
        case .int, .decimal, .bool, .text, .choice: found.insert(FieldReference(record: id, field: index))
        case .id, .dayKey, .instant, .reference: break
        }
      }
    }
    return found
  }
}
