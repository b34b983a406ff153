import MetricValues

/// What a choice of metrics reads: the fields of each record type, and which records each metric
/// rests on. Nothing else is parsed.
package struct DataNeeds: Sendable {
  /// Field indices by record; a record that is read at all has an entry.
  package private(set) var fields: [RecordID: Set<Int>] = [:]
  /// The records that a metric reads, itself or through other metrics.
  package private(set) var reads: [MetricID: Set<RecordID>] = [:]

  private let library: Library

  package init(library: Library, metrics: some Sequence<MetricID>) {
    self.library = library
    for metric in metrics { _ = visit(metric) }
    needConsent()
    if let identity = library.identity,
      fields.contains(where: { !$1.isDisjoint(with: library.mergedFields(of: $0)) || $0 == identity.entity })
    {
      need(identity.alias)
      need(identity.target)
    }
    for record in Array(fields.keys) { needBasics(of: record) }
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

  // MARK: Metrics

  private mutating func visit(_ id: MetricID) -> Set<RecordID> {
    if let known = reads[id] { return known }
    let metric = library.metrics[id]
    var found: Set<RecordID> = []
    if let entity = metric.subject.entity {
      found.insert(entity)
      need(entity)
      if let condition = metric.subject.condition {
        found.formUnion(visit(condition, row: entity, subject: entity))
      }
    }
    found.formUnion(visit(metric.body.expressions, subject: metric.subject.entity))
    if let base = metric.body.base { found.formUnion(visit(base)) }
    for (source, inOrder) in metric.body.orderedSources {
      found.formUnion(visit(source, subject: metric.subject.entity, inOrder: inOrder))
    }
    found.formUnion(visit(metric.grouping))
    if metric.body.atLeast != nil { needUsers(behind: found) }
    reads[id] = found
    if let entity = metric.subject.entity { needReferences(to: entity, in: found) }
    needReferencesToCounted(in: metric, found)
    return found
  }

  private mutating func visit(_ grouping: Grouping?) -> Set<RecordID> {
    guard case .field(let paths, _) = grouping else { return [] }
    var found: Set<RecordID> = []
    for (record, path) in paths { found.formUnion(visit(.field(path), row: record, subject: nil)) }
    return found
  }

  private mutating func visit(
    _ source: EventSource, subject: RecordID?, inOrder: Bool
  ) -> Set<RecordID> {
    switch source {
    case .completion(let id): return visit(id)
    case .fact(let record, let route, let filter):
      if inOrder { needOrder(of: record) } else { need(record) }
      var found = visit(route).union([record])
      if let filter { found.formUnion(visit(filter, row: record, subject: subject)) }
      return found
    }
  }

  private mutating func visit(_ expressions: [Expression], subject: RecordID?) -> Set<RecordID> {
    var found: Set<RecordID> = []
    for expression in expressions { found.formUnion(visit(expression, row: nil, subject: subject)) }
    return found
  }

  // MARK: Expressions

  private mutating func visit(_ expression: Expression, row: RecordID?, subject: RecordID?) -> Set<RecordID> {
    var found: Set<RecordID> = []
    switch expression {
    case .field(let path):
      found.formUnion(visit(path))
    case .metric(let reference):
      found.formUnion(visit(reference.metric))
    case .completions(let aggregate):
      found.formUnion(visit(aggregate.completion))
    case .aggregate(let aggregate):
      found.formUnion(visit(aggregate, subject: subject))
    case .subjects(let aggregate):
      found.insert(aggregate.entity)
      need(aggregate.entity)
      found.formUnion(visit(aggregate.relation))
      for inner in [aggregate.filter, aggregate.argument].compactMap({ $0 }) {
        found.formUnion(visit(inner, row: aggregate.entity, subject: subject))
      }
    case .literal, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      for operand in expression.operands { found.formUnion(visit(operand, row: row, subject: subject)) }
    }
    return found
  }

  private mutating func visit(_ aggregate: Aggregate, subject: RecordID?) -> Set<RecordID> {
    var found = visit(aggregate.route).union([aggregate.record])
    need(aggregate.record)
    if aggregate.argument != nil, aggregate.function == .first || aggregate.function == .last {
      needOrder(of: aggregate.record)
    }
    if aggregate.function == .contribution, case .link(let route) = aggregate.route {
      found.formUnion(needContribution(route))
    }
    for inner in [aggregate.filter, aggregate.argument].compactMap({ $0 }) {
      found.formUnion(visit(inner, row: aggregate.record, subject: subject))
    }
    return found
  }

  private mutating func visit(_ path: FieldPath) -> Set<RecordID> {
    var found = visit(path.references)
    found.insert(path.field.record)
    need(path.field)
    if let computed = library[path.field].computed {
      found.formUnion(visit(computed, row: path.field.record, subject: nil))
    }
    return found
  }

  private mutating func visit(_ references: [FieldReference]) -> Set<RecordID> {
    for reference in references { need(reference) }
    return Set(references.map(\.record))
  }

  private mutating func visit(_ route: Route) -> Set<RecordID> {
    switch route {
    case .whole: return []
    case .references(let references): return visit(references)
    case .link(let link):
      var found = visit(link.fromFact).union(visit(link.toSubject)).union([link.link])
      for field in [link.direct, link.bundle].compactMap({ $0 }) { need(field) }
      if link.bundle != nil, let members = BundleFields(library: library) {
        for field in members.all { need(field) }
        found.insert(members.record)
      }
      return found
    }
  }

  /// The link's `contribution` and the units that a sum link must share.
  private mutating func needContribution(_ route: LinkRoute) -> Set<RecordID> {
    if let field = library.records[route.link].field(named: "contribution") {
      need(FieldReference(record: route.link, field: field))
    }
    var found: Set<RecordID> = []
    for unit in library.unitFields(of: route) {
      need(unit)
      found.insert(unit.record)
    }
    return found
  }

  // MARK: Fields

  private mutating func need(_ record: RecordID) {
    if fields[record] == nil { fields[record] = [] }
  }

  private mutating func need(_ reference: FieldReference) {
    need(reference.record)
    if library[reference].computed == nil { fields[reference.record]?.insert(reference.field) }
  }

  private mutating func needOrder(of record: RecordID) {
    need(record)
    for field in [library.records[record].orderField, library.records[record].idField] {
      if let field { fields[record]?.insert(field) }
    }
  }

  /// A subject exists where a record that the metric reads refers to it.
  private mutating func needReferences(to entity: RecordID, in records: Set<RecordID>) {
    for record in records {
      for field in library.references(from: record, to: entity) {
        need(FieldReference(record: record, field: field))
      }
    }
  }

  private mutating func needReferencesToCounted(in metric: Metric, _ records: Set<RecordID>) {
    for case .subjects(let aggregate) in metric.body.parts {
      needReferences(to: aggregate.entity, in: records)
    }
  }

  /// The references that lead from these records to the users behind them.
  private mutating func needUsers(behind records: Set<RecordID>) {
    for record in records {
      for path in library.userPaths(of: record) {
        for reference in path { need(reference) }
      }
    }
  }

  /// What decides whether a team metric may read the facts that are read.
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

  private mutating func needBasics(of record: RecordID) {
    let declaration = library.records[record]
    fields[record]?.formUnion(declaration.tombstones)
    switch declaration.kind {
    case .fact: if let day = declaration.dayKeyField { fields[record]?.insert(day) }
    case .entity: if let id = declaration.idField { fields[record]?.insert(id) }
    case .link: break
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
      let bundle = library.records[record].field(named: "bundleId"),
      let habit = library.records[record].field(named: "habitId"),
      let child = library.records[record].field(named: "childBundleId")
    else { return nil }
    self.record = record
    self.bundle = FieldReference(record: record, field: bundle)
    self.habit = FieldReference(record: record, field: habit)
    self.child = FieldReference(record: record, field: child)
  }

  package var all: [FieldReference] { [bundle, habit, child] }
}

extension Library {
  /// The indices of the fields of a record that refer to an entity.
  package func references(from record: RecordID, to entity: RecordID) -> [Int] {
    records[record].fields.indices.filter { records[record].fields[$0].type == .reference(entity) }
  }

  /// The entity that a reference field names.
  package func target(of reference: FieldReference) -> RecordID? {
    if case .reference(let target) = self[reference].type { target } else { nil }
  }

  /// The `unit` fields of the two ends of a link, where both have one: those of the entity that
  /// contributes and of the one contributed to, in this order.
  package func unitFields(of route: LinkRoute) -> [FieldReference] {
    let ends = [route.fromFact.last, route.toSubject.first].compactMap { $0 }.compactMap(target(of:))
    let units = ends.compactMap { entity in
      records[entity].field(named: "unit").map { FieldReference(record: entity, field: $0) }
    }
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
    let (choices, isIdentifier): ([String]?, Bool) =
      switch type {
      case .choice(let texts): (texts, false)
      case .id, .reference: (nil, true)
      case .text, .int, .decimal, .bool, .dayKey, .instant: (nil, false)
      }
    return ColumnSchema(
      name: name, type: type.valueType, isRequired: !isOptional, minimum: minimum, choices: choices,
      isIdentifier: isIdentifier)
  }
}
