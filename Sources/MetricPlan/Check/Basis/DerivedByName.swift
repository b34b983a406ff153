extension Library {
  /// The fields whose name, or what they allow, says that they were derived, and that nobody calls observed.
  package var derivedFields: [FieldReference] {
    records.indices.flatMap { record in
      records[record].fields.indices.map { FieldReference(record: record, field: $0) }
    }.filter(isDerivedByName)
  }

  private func isDerivedByName(_ reference: FieldReference) -> Bool {
    let field = self[reference]
    let record = records[reference.record]
    guard field.computed == nil, !field.isStored, field.observed == nil else { return false }
    let name = DerivedName(field.name)
    let isKept = !record.isPlainFact
    switch field.type {
    case .int, .decimal:
      // Feelings are recorded as a level or a score.
      if !isKept, name.isOnlyALevel, name.isSensed || DerivedName(record.name).isSensed { return false }
      return name.isDerivedNumber(isKept: isKept)
    case .bool: return name.isDerivedBool(isKept: isKept)
    case .text: return name.isDerivedText(isKept: isKept)
    case .choice(let texts):
      if DerivedName.isSwitch(texts) { return name.isDerivedBool(isKept: isKept) }
      if texts.allSatisfy({ Int($0) != nil }) { return name.isDerivedText(isKept: isKept) }
      return texts.contains { DerivedName($0).isVerdict(amongEvents: namesEvents(reference)) }
    // The days of a fact say when it happened.
    case .dayKey, .instant: return (record.kind != .fact || field.isTombstone) && name.isDerivedDay
    case .reference: return record.kind != .fact && name.isDerivedReference
    case .id: return false
    }
  }

  /// Whether a field says what happened, step by step: `event`, `action` or `kind` of a fact.
  func namesEvents(_ reference: FieldReference) -> Bool {
    let record = records[reference.record]
    return record.kind == .fact && !record.isSetting && DerivedName(self[reference].name).namesEvents
  }

  /// Whether a record's name says that its rows were derived, and the record is not `observed`.
  func isDerivedByName(_ record: RecordID) -> Bool {
    let declaration = records[record]
    return !declaration.isBuiltIn && observation(of: record) == nil
      && DerivedName(declaration.name).isDerivedRecord(declaration.kind)
  }

  /// Why a whole record was observed: the text at its id, or at the DayKey of a fact.
  package func observation(of record: RecordID) -> FieldReference? {
    let declaration = records[record]
    return [declaration.idField, declaration.kind == .fact ? declaration.dayKeyField : nil].compactMap { $0 }
      .first { declaration.fields[$0].observed != nil }.map { FieldReference(record: record, field: $0) }
  }
}

extension Record {
  /// Whether its rows say what happened, and not what somebody set.
  var isPlainFact: Bool { kind == .fact && !isSetting }
}
