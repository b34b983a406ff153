import MetricSyntax

/// Records: declarations, `extend`, field types, computed fields.
extension Resolver {
  static let types: KeyValuePairs<String, FieldType> = [
    "ID": .id, "Text": .text, "Int": .int, "Decimal": .decimal, "Bool": .bool, "DayKey": .dayKey,
    "Instant": .instant,
  ]

  /// Registers all records by name, the built-in ones first. An `extend` has no id.
  func registerRecords() -> [(id: RecordID?, declaration: RecordDeclaration)] {
    let files = trees.indices.filter { $0 == builtInFile } + trees.indices.filter { $0 != builtInFile }
    var found: [(RecordID?, RecordDeclaration)] = []
    for case .record(let declaration) in files.flatMap({ trees[$0].declarations })
    where !declaration.name.isMissing {
      if declaration.kind == .extend {
        found.append((nil, declaration))
      } else if let id = try? registerRecord(declaration) {
        found.append((id, declaration))
      }
    }
    return found
  }

  /// Resolves the fields of all records, then those that `extend` adds, then the computed ones.
  func resolveFields(of declarations: [(id: RecordID?, declaration: RecordDeclaration)]) {
    for case (let id?, let declaration) in declarations { addMembers(of: declaration, to: id) }
    for case (nil, let declaration) in declarations {
      guard let id = recordIDs[declaration.name.text] else {
        reportUnknownRecord(declaration.name)
        continue
      }
      note(declaration.name, .record(id))
      addMembers(of: declaration, to: id)
    }
    // By name: the order of the files does not decide where a cycle is found.
    func name(_ reference: FieldReference) -> (String, String) {
      (recordName(reference.record), records[reference.record].fields[reference.field].name)
    }
    for reference in computedFields.keys.sorted(by: { name($0) < name($1) }) { resolveComputed(reference) }
    for (id, record) in records.enumerated() {
      let before = diagnostics.count
      checkShape(of: record, isWhole: brokenFields[id] == nil)
      let hasKey =
        switch record.kind {
        case .fact: record.dayKeyField != nil
        case .entity: record.idField != nil
        case .link: true
        }
      if diagnostics.count > before || (brokenFields[id] != nil && !hasKey) { brokenRecords.insert(id) }
    }
  }

  private func registerRecord(_ declaration: RecordDeclaration) throws -> RecordID {
    let name = declaration.name
    if let first = recordIDs[name.text].map({ records[$0] }) {
      throw fail(
        .duplicateName, first.isBuiltIn ? "`\(name.text)` is built in" : "`\(name.text)` is declared twice",
        at: name.span,
        notes: first.isBuiltIn
          ? ["write `extend \(name.text) { … }` to add fields to it"]
          : [Note("first declared here", at: .source(first.span))])
    }
    try require(
      !Self.types.contains { $0.key == name.text }, .reservedName, "`\(name.text)` is the name of a type",
      at: name.span)
    if declaration.kind == .entity, name.text == "App" || name.text == "Day" {
      fail(
        .reservedName,
        "no entity can be called `\(name.text)`: `\(name.text.lowercased())` already has a meaning",
        at: name.span)
    }
    // What extends one is not registered.
    let kind = RecordKind(rawValue: declaration.kind.rawValue) ?? .entity
    let id = records.count
    records.append(
      Record(
        name: name.text, kind: kind, isSetting: declaration.setting != nil && kind == .fact, fields: [],
        isBuiltIn: declaration.span.file == builtInFile, doc: declaration.doc, span: name.span))
    recordIDs[name.text] = id
    if kind == .entity, name.text != "App", name.text != "Day" { subjectIDs[records[id].subjectName] = id }
    return id
  }

  @discardableResult
  func reportUnknownRecord(_ name: Name) -> Reported {
    fail(
      .unknownRecord, "no record is called `\(name.text)`", at: name.span,
      notes: [didYouMean(name.text, records.map(\.name))])
  }

  private func addMembers(of declaration: RecordDeclaration, to id: RecordID) {
    for member in declaration.members {
      switch member {
      case .field(let field): addField(field, to: id)
      case .consent(let consent): setConsent(consent, of: id)
      case .unexpected: brokenFields[id, default: []].insert("")
      }
    }
  }

  private func setConsent(_ consent: ConsentSyntax, of id: RecordID) {
    // The parser takes no other words.
    guard let level = ConsentLevel(rawValue: consent.level.text) else { return }
    let standing = consent.standing.flatMap { ConsentLevel(rawValue: $0.text) } ?? .none
    let asked = AskedConsent(level: level, purpose: consent.purpose?.value ?? "", standing: standing)
    if records[id].kind != .fact {
      fail(.badRecord, "only facts have `consent`, and `\(recordName(id))` is not a fact", at: consent.span)
    } else if records[id].consent != nil {
      fail(.repeatedClause, "`\(recordName(id))` has two `consent` lines", at: consent.span)
    } else {
      if let purpose = consent.purpose, purpose.value.isEmpty {
        fail(
          .badRecord, "a purpose cannot be empty", at: purpose.span,
          notes: ["remove `for` if there is one switch for all facts"])
      }
      if let first = records.first(where: { other in
        other.consent.map { $0.purpose == asked.purpose && $0.standing != standing } ?? false
      }), let other = first.consent {
        fail(
          .badRecord,
          "a switch has one default: it is `\(standing.rawValue)` here and `\(other.standing.rawValue)` in `\(first.name)`",
          at: consent.span,
          notes: ["write the same `default LEVEL` in both lines, or another purpose after `for`"])
      }
      records[id].consent = asked
    }
  }

  private func addField(_ declaration: FieldDeclaration, to id: RecordID) {
    let name = declaration.name
    guard !name.isMissing else {
      brokenFields[id, default: []].insert("")
      return
    }
    if let first = fieldPlaces[id]?[name.text] {
      fail(
        .duplicateName, "`\(recordName(id))` has a field `\(name.text)` already", at: name.span,
        notes: [Note("declared here", at: .source(records[id].fields[first].span))])
      return
    }
    var field = Field(
      name: name.text, type: .int, isOptional: true, doc: declaration.doc, span: name.span)
    switch declaration.content {
    case .computed(let expression):
      computedFields[FieldReference(record: id, field: records[id].fields.count)] = expression
      field.computed = .literal(.none(.int))
    case .stored(let type, let isOptional, let modifiers):
      guard let type = try? fieldType(type) else {
        brokenFields[id, default: []].insert(name.text)
        return
      }
      (field.type, field.isOptional) = (type, isOptional)
      for modifier in modifiers { apply(modifier, to: &field) }
      var seen: Set<String> = []
      for modifier in modifiers where !seen.insert(modifier.word).inserted {
        fail(.repeatedClause, "`\(modifier.word)` is repeated", at: modifier.span)
      }
    }
    fieldPlaces[id, default: [:]][name.text] = records[id].fields.count
    records[id].fields.append(field)
  }

  private func fieldType(_ type: TypeSyntax) throws -> FieldType {
    switch type {
    case .choices(let texts):
      var seen: Set<String> = []
      for text in texts where !seen.insert(text.value).inserted || text.value.isEmpty {
        fail(
          .badRecord,
          text.value.isEmpty
            ? "an empty text is a missing value and cannot be a choice"
            : "`\"\(text.value)\"` is listed twice", at: text.span)
      }
      return .choice(texts.map(\.value))
    case .named(let name):
      if name.isMissing { throw Reported() }
      if let type = Self.types.first(where: { $0.key == name.text }) { return type.value }
      guard let record = recordIDs[name.text] else {
        let candidates = Self.types.map(\.key) + records.filter { $0.kind == .entity }.map(\.name)
        throw fail(
          .unknownType, "no type or entity is called `\(name.text)`", at: name.span,
          notes: [FamiliarWord.note(name.text, as: .type) ?? didYouMean(name.text, candidates)])
      }
      note(name, .record(record))
      let kind = records[record].kind
      try require(
        kind == .entity, .unknownType,
        "a field can refer to an entity, and `\(name.text)` is a \(kind.rawValue)", at: name.span)
      return .reference(record)
    }
  }

  private func apply(_ modifier: FieldModifier, to field: inout Field) {
    switch modifier.kind {
    case .stored: field.isStored = true
    case .observed(let reason):
      field.observed = reason.value
      _ = try? named(reason, "`observed` says how the value was seen")
    case .pii: field.isPersonal = true
    case .tombstone:
      field.isTombstone = true
      if !field.isOptional {
        fail(
          .badRecord, "the tombstone `\(field.name)` must be optional, or no record would be live",
          at: modifier.span, notes: ["write `?` after its type"])
      }
    case .min(let literal):
      guard field.type == .int || field.type == .decimal else {
        fail(.typeMismatch, "`min` bounds a number, and `\(field.name)` is not a number", at: modifier.span)
        return
      }
      field.minimum = (try? numberLiteral(literal)) ?? field.minimum
    }
  }

  /// Resolves a computed field, and first those that it reads.
  func resolveComputed(_ reference: FieldReference) {
    guard let expression = computedFields[reference] else { return }
    let field = records[reference.record].fields[reference.field]
    var typed: Typed?
    if fieldsInResolution.insert(reference).inserted {
      typed = try? resolve(expression, in: Scope(kind: .computed(reference.record), subject: nil))
      computedFields[reference] = nil
    } else {
      fail(.recursion, "the computed field `\(field.name)` reads itself", at: field.span)
    }
    guard let typed else {
      brokenFields[reference.record, default: []].insert(field.name)
      return
    }
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

  /// REC-13
  private func checkIdentity(_ record: Record) {
    let ends = record.references.map { record.fields[$0] }
    if ends.count != 2 || ends[0].type != ends[1].type || ends.contains(where: \.isOptional) {
      fail(
        .badRecord,
        "`Identity` joins two ids of one entity: it has two references to it, and neither is optional",
        at: record.span,
        notes: ["write `link Identity { guestId : User  userId : User }`: the guest is the user"])
    }
  }

  /// What a fact, an entity and a link must have.
  ///
  /// - Parameter isWhole: whether all its fields are known. What is broken may be what is missing.
  private func checkShape(of record: Record, isWhole: Bool) {
    if record.name == "Identity", record.kind == .link, isWhole { checkIdentity(record) }
    let days = record.fields.filter { $0.type == .dayKey && $0.computed == nil && !$0.isTombstone }
    switch record.kind {
    case .fact:
      if days.isEmpty, isWhole {
        fail(
          .badRecord, "the fact `\(record.name)` has no DayKey", at: record.span,
          notes: [
            "add `dayKey : DayKey`, the local date on which it happened",
            record.fields.contains { $0.type == .instant }
              ? "an `Instant` is not a day: one moment has different dates in different places"
              : "or declare an `entity`, if nothing happens on a day",
          ])
      }
      for extra in days.dropFirst() {
        fail(
          .badRecord, "the fact `\(record.name)` has more than one DayKey; exactly one says when it counts",
          at: extra.span,
          notes: [
            "a day on which something else happened is a fact of its own, with `dayKey : DayKey`",
            "a day that only describes, such as a due date, is a field of an `entity`",
          ])
      }
      if let day = days.first, day.isOptional {
        fail(.badRecord, "the DayKey of a fact cannot be optional", at: day.span)
      }
      if let day = days.first, day.isStored || day.isPersonal {
        fail(
          .badRecord,
          "the DayKey of a fact cannot be `\(day.isStored ? "stored" : "pii")`: every metric reads it",
          at: day.span)
      }
    case .entity:
      if let identifier = record.idField.map({ record.fields[$0] }) {
        guard identifier.isOptional else { return }
        fail(.badRecord, "the id of an entity cannot be optional", at: identifier.span)
      } else if isWhole {
        fail(
          .badRecord, "the entity `\(record.name)` has no `id : ID`", at: record.span,
          notes: ["facts refer to an entity by its id"])
      }
    case .link:
      for day in days {
        fail(
          .badRecord, "the link `\(record.name)` holds a DayKey; what happens on a day is a fact",
          at: day.span)
      }
      if isWhole, !record.fields.contains(where: { $0.type.target != nil }) {
        fail(.badRecord, "the link `\(record.name)` refers to nothing", at: record.span)
      }
    }
  }
}

/// `"daily", "weekly"` in backticks, for messages.
func quoted(_ texts: some Sequence<String>) -> String {
  texts.map { "`\($0)`" }.joined(separator: ", ")
}
