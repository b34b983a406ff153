import MetricData
import MetricDiagnostics
import MetricPlan
import MetricSyntax

/// Records: declarations, `extend`, field types, computed fields.
extension Resolver {
  static let typeNames = ["ID", "Text", "Int", "Decimal", "Bool", "DayKey", "Instant"]

  /// Registers all records, then their fields, then what `extend` adds.
  func collectRecords(_ trees: [SyntaxTree]) {
    let builtInFirst = trees.sorted { left, right in
      isBuiltIn(left) && !isBuiltIn(right)
    }
    let declarations = builtInFirst.flatMap(\.declarations).compactMap { declaration in
      if case .record(let record) = declaration, !record.name.isMissing { record } else { nil }
    }
    var accepted: [(RecordID, RecordDeclaration)] = []
    for declaration in declarations where declaration.kind != .extend {
      if let id = registerRecord(declaration) { accepted.append((id, declaration)) }
    }
    for (id, declaration) in accepted { addMembers(of: declaration, to: id) }
    for declaration in declarations where declaration.kind == .extend {
      guard let id = recordIDs[declaration.name.text] else {
        reportUnknownRecord(declaration.name)
        continue
      }
      addMembers(of: declaration, to: id)
    }
    for reference in computedFields.keys.sorted(by: { ($0.record, $0.field) < ($1.record, $1.field) }) {
      resolveComputed(reference)
    }
    for (id, declaration) in accepted { checkShape(of: id, declaration) }
  }

  private func isBuiltIn(_ tree: SyntaxTree) -> Bool {
    tree.declarations.contains { declaration in
      if case .record(let record) = declaration { record.span.file == builtInFile } else { false }
    }
  }

  private func registerRecord(_ declaration: RecordDeclaration) -> RecordID? {
    let name = declaration.name
    if let first = recordIDs[name.text] {
      let isBuiltIn = records[first].isBuiltIn
      report(
        .error(
          .duplicateName,
          isBuiltIn ? "`\(name.text)` is built in" : "`\(name.text)` is declared twice",
          at: name.span,
          notes: isBuiltIn
            ? [Note("write `extend \(name.text) { … }` to add fields to it")]
            : [Note("first declared here", at: .source(records[first].span))]))
      return nil
    }
    if Self.typeNames.contains(name.text) {
      report(.error(.reservedName, "`\(name.text)` is the name of a type", at: name.span))
      return nil
    }
    if declaration.kind == .entity, name.text == "App" || name.text == "Day" {
      report(
        .error(
          .reservedName, "no entity can be called `\(name.text)`: `\(name.text.lowercased())` has a meaning of its own",
          at: name.span))
      return nil
    }
    let kind: RecordKind =
      switch declaration.kind {
      case .fact: .fact
      case .link: .link
      case .entity, .extend: .entity
      }
    if let setting = declaration.setting, kind != .fact {
      report(.error(.badRecord, "only a fact can be a `setting`", at: setting))
    }
    let id = records.count
    records.append(
      Record(
        name: name.text, kind: kind, isSetting: declaration.setting != nil && kind == .fact, fields: [],
        isBuiltIn: declaration.span.file == builtInFile, doc: declaration.doc, span: name.span))
    recordIDs[name.text] = id
    if kind == .entity { subjectIDs[records[id].subjectName] = id }
    return id
  }

  func reportUnknownRecord(_ name: Name) {
    report(
      .error(
        .unknownRecord, "no record is called `\(name.text)`", at: name.span,
        notes: didYouMean(name.text, records.map(\.name))))
  }

  private func addMembers(of declaration: RecordDeclaration, to id: RecordID) {
    for member in declaration.members {
      switch member {
      case .field(let field): addField(field, to: id)
      case .consent(let level, let span): setConsent(level, at: span, of: id)
      case .unexpected: break
      }
    }
  }

  private func setConsent(_ level: Name, at span: Span, of id: RecordID) {
    guard let known = ConsentLevel(rawValue: level.text) else {
      let levels = ConsentLevel.allCases.map(\.rawValue)
      report(
        .error(
          .unknownWord, "`\(level.text)` is no level of consent; expected one of \(quoted(levels))",
          at: level.span, notes: didYouMean(level.text, levels)))
      return
    }
    if records[id].kind != .fact {
      report(
        .error(
          .badRecord, "only facts ask for consent, and `\(recordName(id))` is no fact", at: span))
    } else if records[id].consent != nil {
      report(.error(.repeatedClause, "`\(recordName(id))` has two `consent` lines", at: span))
    } else {
      records[id].consent = known
    }
  }

  private func addField(_ declaration: FieldDeclaration, to id: RecordID) {
    let name = declaration.name
    guard !name.isMissing else { return }
    if let first = records[id].field(named: name.text) {
      report(
        .error(
          .duplicateName, "`\(recordName(id))` has a field `\(name.text)` already", at: name.span,
          notes: [Note("declared here", at: .source(records[id].fields[first].span))]))
      return
    }
    switch declaration.content {
    case .computed(let expression):
      computedFields[FieldReference(record: id, field: records[id].fields.count)] =
        ComputedField(expression: expression)
      records[id].fields.append(
        Field(
          name: name.text, type: .int, isOptional: true, computed: .literal(.none(.int)),
          doc: declaration.doc, span: name.span))
    case .stored(let type, let isOptional, let modifiers):
      guard let resolved = fieldType(type) else { return }
      var field = Field(
        name: name.text, type: resolved, isOptional: isOptional, doc: declaration.doc, span: name.span)
      for modifier in modifiers { apply(modifier, to: &field) }
      records[id].fields.append(field)
    }
  }

  private func fieldType(_ type: TypeSyntax) -> FieldType? {
    switch type {
    case .choices(let texts):
      var seen: Set<String> = []
      for text in texts where !seen.insert(text.value).inserted || text.value.isEmpty {
        report(
          .error(
            .badRecord,
            text.value.isEmpty
              ? "an empty text is a missing value and cannot be a choice"
              : "`\"\(text.value)\"` is listed twice", at: text.span))
      }
      return .choice(texts.map(\.value))
    case .named(let name):
      switch name.text {
      case "": return nil
      case "ID": return .id
      case "Text": return .text
      case "Int": return .int
      case "Decimal": return .decimal
      case "Bool": return .bool
      case "DayKey": return .dayKey
      case "Instant": return .instant
      default: break
      }
      guard let record = recordIDs[name.text] else {
        let candidates = Self.typeNames + records.filter { $0.kind == .entity }.map(\.name)
        return fail(
          .unknownType, "no type or entity is called `\(name.text)`", at: name.span,
          notes: didYouMean(name.text, candidates))
      }
      guard records[record].kind == .entity else {
        return fail(
          .unknownType, "a field can refer to an entity, and `\(name.text)` is a \(records[record].kind.rawValue)",
          at: name.span)
      }
      return .reference(record)
    }
  }

  private func apply(_ modifier: FieldModifier, to field: inout Field) {
    switch modifier.kind {
    case .stored: field.isStored = true
    case .pii: field.isPersonal = true
    case .tombstone:
      field.isTombstone = true
      if !field.isOptional {
        report(
          .error(
            .badRecord, "the tombstone `\(field.name)` must be optional, or no record would be live",
            at: modifier.span, notes: [Note("write `?` behind its type")]))
      }
    case .min(let literal):
      guard field.type == .int || field.type == .decimal else {
        report(.error(.typeMismatch, "`min` bounds a number, and `\(field.name)` is none", at: modifier.span))
        return
      }
      guard let bound = numberLiteral(literal) else { return }
      field.minimum = bound
    }
  }

  /// Resolves a computed field, and first those that it reads.
  func resolveComputed(_ reference: FieldReference) {
    guard let computed = computedFields[reference] else { return }
    let field = records[reference.record].fields[reference.field]
    if computed.isResolving {
      report(
        .error(
          .recursion, "the computed field `\(field.name)` reads itself", at: field.span))
      computedFields[reference] = nil
      return
    }
    computedFields[reference]?.isResolving = true
    let scope = Scope(kind: .computed(reference.record), subject: nil)
    let typed = resolve(computed.expression, in: scope)
    computedFields[reference] = nil
    guard let typed else { return }
    records[reference.record].fields[reference.field].computed = typed.expression
    records[reference.record].fields[reference.field].type =
      switch typed.type {
      case .int: .int
      case .decimal: .decimal
      case .bool: .bool
      case .dayKey: .dayKey
      case .text: typed.choices.map { .choice($0) } ?? .text
      case .instant: .instant
      }
  }

  /// What a fact, an entity and a link must have.
  private func checkShape(of id: RecordID, _ declaration: RecordDeclaration) {
    let record = records[id]
    let days = record.fields.filter { $0.type == .dayKey && $0.computed == nil && !$0.isTombstone }
    switch record.kind {
    case .fact:
      if days.isEmpty {
        report(
          .error(
            .badRecord, "the fact `\(record.name)` has no DayKey", at: record.span,
            notes: [Note("add `dayKey : DayKey`: a fact is counted on the day it was logged for")]))
      }
      for extra in days.dropFirst() {
        report(
          .error(
            .badRecord, "the fact `\(record.name)` has more than one DayKey; exactly one says when it counts",
            at: extra.span))
      }
      if let day = days.first, day.isOptional {
        report(.error(.badRecord, "the DayKey of a fact cannot be optional", at: day.span))
      }
    case .entity:
      guard let identifier = record.idField else {
        report(
          .error(
            .badRecord, "the entity `\(record.name)` has no `id : ID`", at: record.span,
            notes: [Note("facts refer to an entity by its id")]))
        return
      }
      if record.fields[identifier].isOptional {
        report(
          .error(.badRecord, "the id of an entity cannot be optional", at: record.fields[identifier].span))
      }
    case .link:
      for day in days {
        report(
          .error(
            .badRecord, "the link `\(record.name)` holds a DayKey; what happens on a day is a fact",
            at: day.span))
      }
      if !record.fields.contains(where: { if case .reference = $0.type { true } else { false } }) {
        report(
          .error(.badRecord, "the link `\(record.name)` refers to nothing", at: record.span))
      }
    }
  }
}

/// `"daily", "weekly"` in backticks, for messages.
func quoted(_ texts: some Sequence<String>) -> String {
  texts.map { "`\($0)`" }.joined(separator: ", ")
}
