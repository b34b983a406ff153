/// Live records, and the values of their fields.
extension Translation {
  /// The live records of a type with the fields that are read, as values under the names of the fields.
  func live(_ record: RecordID) -> String {
    live(
      record, .live(record), named: "live_\(relationName(record))", "the records that are live, as values.")
  }

  /// The live facts of the days that are read, from `first` on; nil for no lower bound.
  func liveFacts(_ record: RecordID, since first: DayKey?) -> String {
    guard request.days != .lastOfFacts, library.records[record].dayKeyField != nil else {
      return live(record)
    }
    let name = live(
      record, .liveFacts(record), named: "\(relationName(record))_facts",
      "the live facts of the days that are read, as values.")
    let known = factBounds[name]
    let since = known == nil ? first : known?.since.flatMap { known in first.map { min(known, $0) } }
    factBounds[name] = (record, since)
    return name
  }

  /// The relation with its days bounded on the column itself, so that the engine skips partitions.
  func bounded(_ definition: SQLDefinition) -> SQLDefinition {
    guard let bound = factBounds[definition.name], case .select(var select) = definition.query,
      let field = library.records[bound.record].dayKeyField
    else { return definition }
    let reference = FieldReference(record: bound.record, field: field)
    let day = stored(reference, in: "t", as: .date)
    var definition = definition
    // All that a scan of every day reads is read for the ids of subjects too.
    if dialect.traits.streamsShared, bound.since == nil, changedReach == nil, let last = lastNamedDay,
      let live = known[.live(bound.record)]
    {
      let builder = SelectBuilder(from: live, as: "t")
      builder.where(column(reference, of: "t").isAtMost(.operation(.dayNumber, [last])))
      definition.query = builder.select(liveFields(bound.record).map { library[$0].name })
      return definition
    }
    func date(_ text: SQLExpression) -> SQLExpression { .operation(.date, [text]) }
    if let last = lastNamedDay { select.conditions.append(day.isAtMost(date(last))) }
    if let reach = changedReach {
      let first = SQLExpression.operation(.dayNumber, [.parameter(.since)]) - .integer(reach)
      select.conditions.append(day.isAtLeast(date(.operation(.dayText, [first]))))
    }
    if let first = bound.since { select.conditions.append(day.isAtLeast(date(.text(first.description)))) }
    definition.query = .select(select)
    return definition
  }

  /// The last reference day as a text, where the statement names it.
  private var lastNamedDay: SQLExpression? {
    switch request.days {
    case .list(let days, _): days.max().map { .text($0.description) }
    case .parameter: .parameter(.at)
    case .lastOfFacts: nil
    }
  }

  private func live(_ record: RecordID, _ key: RelationKey, named hint: String, _ comment: String) -> String {
    relation(key, named: hint, "\(library.records[record].name): \(comment)") {
      let builder = SelectBuilder(table: path(of: record), as: "t")
      for field in library.records[record].tombstones {
        builder.where(stored(FieldReference(record: record, field: field), in: "t").isMissing)
      }
      let merged = Set(library.mergedFields(of: record))
      let columns = liveFields(record).map { field in
        SQLColumn(
          merged.contains(field.field) ? person(stored(field, in: "t"), builder) : stored(field, in: "t"),
          library[field].name)
      }
      guard record == library.identity?.entity, let id = library.field("id", of: record) else {
        return builder.select(columns)
      }
      return ownRecords(columns, id: stored(id, in: "t"), builder)
    }
  }

  /// The fields of a record that the statement reads.
  func liveFields(_ record: RecordID) -> [FieldReference] {
    (needs.fields[record] ?? []).sorted().map { FieldReference(record: record, field: $0) }
      .filter { library[$0].computed == nil }
  }

  func column(_ field: FieldReference, of alias: Alias) -> SQLExpression { alias[library[field].name] }

  /// Nil if the record has no such field, or nothing that is asked depends on it.
  func column(_ record: RecordID, _ field: Int?, of alias: Alias) -> SQLExpression? {
    guard let field, needs.fields[record]?.contains(field) == true else { return nil }
    return column(FieldReference(record: record, field: field), of: alias)
  }

  /// The row of the entity with an id, beside the current rows; all null where there is none.
  func row(of entity: RecordID, id: SQLExpression, _ builder: SelectBuilder) -> Row? {
    guard library.records[entity].idField != nil else { return nil }
    let name = relationName(entity)
    // Of several letters: one letter names what a query is made of.
    let alias = name.count > 1 ? name : "\(name)_row"
    return Row(record: entity, alias: builder.join(.left, live(entity), as: alias, on: ["id": id]))
  }

  /// The value of a field of a row; a computed one over the row and the entities it refers to.
  func value(_ field: FieldReference, of row: Row?, _ builder: SelectBuilder) -> SQLExpression {
    guard let row else { return .null(library[field].type.valueType.storedType) }
    guard let computed = library[field].computed else { return column(field, of: row.alias) }
    return expression(computed, Scope(builder: builder, subject: nil, day: nil, row: row))
  }

  /// The row at the end of a chain of references.
  private func end(
    of references: some Sequence<FieldReference>, from row: Row?, _ builder: SelectBuilder
  ) -> Row? {
    references.reduce(row) { row, reference in
      let id = value(reference, of: row, builder)
      return library.target(of: reference).flatMap { self.row(of: $0, id: id, builder) }
    }
  }

  /// The id at the end of a chain of references.
  func follow(_ references: [FieldReference], from row: Row, _ builder: SelectBuilder) -> SQLExpression {
    references.last.map { value($0, of: end(of: references.dropLast(), from: row, builder), builder) }
      ?? .null(.text)
  }

  /// A field along references, from the current row.
  func value(_ path: FieldPath, from row: Row?, _ builder: SelectBuilder) -> SQLExpression {
    value(path.field, of: end(of: path.references, from: row, builder), builder)
  }
}

/// A record under its name in a query.
struct Row: Hashable {
  var record: RecordID
  var alias: Alias
}
