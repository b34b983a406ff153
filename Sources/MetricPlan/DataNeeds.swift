/// What a choice of metrics reads, and so all that is parsed: fields by record, and records by metric.
package struct DataNeeds: Sendable {
  /// Field indices by record; a record that is read at all has an entry.
  package private(set) var fields: [RecordID: Set<Int>] = [:]
  /// The records that a metric reads, itself or through other metrics.
  package private(set) var reads: [MetricID: Set<RecordID>] = [:]

  let library: Library

  package init(library: Library, metrics: some Sequence<MetricID>) {
    self.library = library
    for metric in metrics { visit(metric) }
    needConsent()
    if let identity = library.identity,
      fields.contains(where: { !$1.isDisjoint(with: library.mergedFields(of: $0)) || $0 == identity.entity })
    {
      need(identity.alias)
      need(identity.target)
    }
    for record in fields.keys {
      let declaration = library.records[record]
      fields[record]?.formUnion(declaration.tombstones)
      let own = declaration.kind == .fact ? declaration.dayKeyField : declaration.idField
      if let own, declaration.kind != .link { fields[record]?.insert(own) }
    }
  }

  /// Adds the ids of all records that are read, so that single records can be named.
  package mutating func needIDs() {
    for record in fields.keys {
      if let id = library.records[record].idField { fields[record]?.insert(id) }
    }
  }

  /// The schema of a record's needed fields, in the order of their declaration.
  package func schema(of record: RecordID) -> TableSchema {
    library.schema(of: record, fields: (fields[record] ?? []).sorted())
  }

  private mutating func visit(_ id: MetricID) {
    guard reads[id] == nil else { return }
    let metric = library.metrics[id]
    let own = library.directReads(of: metric)
    for field in own.leaves.union(own.units) { need(field) }
    for record in own.records { need(record) }
    for record in own.ordered { if let id = library.records[record].idField { fields[record]?.insert(id) } }
    var found = own.records.union(own.units.map(\.record))
    for other in own.metrics.union([metric.body.base ?? metric.asksAbout].compactMap { $0 }) {
      visit(other)
      found.formUnion(reads[other] ?? [])
    }
    if metric.body.atLeast != nil { needUsers(behind: found) }
    reads[id] = found
    if let entity = metric.subject.entity { needReferences(to: entity, in: found) }
    for case .subjects(let aggregate) in metric.body.parts { needReferences(to: aggregate.entity, in: found) }
  }

  private mutating func need(_ record: RecordID) {
    if fields[record] == nil { fields[record] = [] }
  }

  private mutating func need(_ reference: FieldReference) {
    need(reference.record)
    if library[reference].computed == nil { fields[reference.record]?.insert(reference.field) }
  }

  /// A subject exists where a record that the metric reads refers to it.
  private mutating func needReferences(to entity: RecordID, in records: Set<RecordID>) {
    for record in records {
      for field in library.references(from: record, to: entity) {
        need(FieldReference(record: record, field: field))
      }
    }
  }

  /// The references that lead from these records to the users behind them.
  private mutating func needUsers(behind records: Set<RecordID>) {
    for path in records.flatMap({ library.userPaths(of: $0) }) {
      for reference in path { need(reference) }
    }
  }

  /// What decides whether a team metric may read these facts.
  private mutating func needConsent() {
    let asking = fields.keys.filter { library.askedConsent(of: $0) != nil }
    guard !asking.isEmpty, let consent = library.record(named: "Consent") else { return }
    // Subjects, too, count by the consent of those behind them.
    needUsers(behind: Set(fields.keys.filter { library.records[$0].kind == .entity } + asking))
    for (index, field) in library.records[consent].fields.enumerated() where field.computed == nil {
      if field.name == "purpose", !library.hasPurposes { continue }
      need(FieldReference(record: consent, field: index))
    }
  }
}

/// The fields of `BundleMember`.
package struct BundleFields: Sendable {
  /// How deep bundles nest (LINK-05).
  package static let deepest = 8

  package var record: RecordID
  package var bundle: FieldReference
  package var habit: FieldReference
  package var child: FieldReference

  package init?(library: Library) {
    guard let record = library.record(named: "BundleMember"),
      let bundle = library.field("bundleId", of: record), let habit = library.field("habitId", of: record),
      let child = library.field("childBundleId", of: record)
    else { return nil }
    (self.record, self.bundle, self.habit, self.child) = (record, bundle, habit, child)
  }

  package var all: [FieldReference] { [bundle, habit, child] }
}

extension Library {
  package func field(_ name: String, of record: RecordID) -> FieldReference? {
    records[record].field(named: name).map { FieldReference(record: record, field: $0) }
  }

  /// The fields on the way from a fact to its subject, and those of the bundles that it leads through.
  func fields(of route: Route) -> [FieldReference] {
    switch route {
    case .whole: return []
    case .references(let references): return references
    case .link(let link):
      let members = link.bundle == nil ? [] : BundleFields(library: self)?.all ?? []
      return link.fromFact + link.toSubject + [link.direct, link.bundle].compactMap { $0 } + members
    }
  }

  package func references(from record: RecordID, to entity: RecordID) -> [Int] {
    records[record].fields.indices.filter { records[record].fields[$0].type == .reference(entity) }
  }

  package func target(of reference: FieldReference) -> RecordID? {
    self[reference].type.target
  }

  /// The `unit` fields of both ends of a link, that of the contributing entity first; none where one lacks it.
  package func unitFields(of route: LinkRoute) -> [FieldReference] {
    let ends = [route.fromFact.last, route.toSubject.first].compactMap { $0 }.compactMap(target(of:))
    let units = ends.compactMap { field("unit", of: $0) }
    return units.count == 2 && units.allSatisfy({ self[$0].type == .text }) ? units : []
  }

  /// The schema of some fields of a record; computed fields are left out.
  package func schema(of record: RecordID, fields: [Int]) -> TableSchema {
    let declared = records[record].fields
    return TableSchema(
      record: records[record].name,
      columns: fields.filter { declared[$0].computed == nil }.map { declared[$0].columnSchema })
  }
}

extension Field {
  /// How a reader decodes the field.
  package var columnSchema: ColumnSchema {
    ColumnSchema(
      name: name, type: type.valueType, isRequired: !isOptional, minimum: minimum, choices: type.choices,
      isIdentifier: type == .id || type.target != nil)
  }
}
