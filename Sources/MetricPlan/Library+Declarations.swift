extension Library {
  /// `: Decimal? min 0`, `= greatest(endPage - startPage, 0)`
  package func declaredType(of field: Field) -> String {
    if let computed = field.computed { return "= \(text(of: computed))" }
    var text = ": \(name(of: field.type))"
    if field.isOptional {
      if case .choice = field.type { text += " ?" } else { text += "?" }
    }
    if let minimum = field.minimum { text += " min \(minimum)" }
    if field.isStored { text += " stored" }
    if let why = field.observed { text += " observed \(self.text(of: .literal(.text(why))))" }
    if field.isPersonal { text += " pii" }
    if field.isTombstone { text += " tombstone" }
    return text
  }

  private func name(of type: FieldType) -> String {
    switch type {
    case .id: "ID"
    case .text: "Text"
    case .int: "Int"
    case .decimal: "Decimal"
    case .bool: "Bool"
    case .dayKey: "DayKey"
    case .instant: "Instant"
    case .choice(let texts): texts.map { text(of: .text($0)) }.joined(separator: " | ")
    case .reference(let record): records[record].name
    }
  }
}
