/// A library of definitions, resolved and typed: the language of everything after the resolver.
package struct Library: Sendable {
  /// The built-in records first, then the declared ones.
  package var records: [Record]
  /// A metric follows all that it reads; among equals by name, so that the order of files means nothing.
  package var metrics: [Metric]
  package var tests: [TestCase]
  package var reports: [Report]

  package init(records: [Record], metrics: [Metric], tests: [TestCase], reports: [Report] = []) {
    self.reports = reports
    self.records = records
    self.metrics = metrics
    self.tests = tests
  }

  package func record(named name: String) -> RecordID? {
    records.firstIndex { $0.name == name }
  }

  package func metric(named name: String) -> MetricID? {
    metrics.firstIndex { $0.name == name }
  }

  /// The groups of a metric: its own, or for a level those of the metric that it is of.
  package func grouping(of metric: Metric) -> [GroupField] {
    if case .level(let level) = metric.body { return grouping(of: metrics[level.metric]) }
    return metric.grouping
  }

  /// The metrics of the same subject in a value whose groups are those of the metric, which has all their fields.
  package func groupSources(of measure: Measure) -> [MetricReference] {
    var found: [MetricReference] = []
    for case .metric(let reference) in measure.value.parts
    where reference.root == .subject && !found.contains(reference) {
      let groups = grouping(of: metrics[reference.metric])
      // Each of its groups is one of the metric's, and not a part of one.
      let isWhole = measure.grouping.places(of: groups).count == measure.grouping.count
      if isWhole, !groups.isEmpty { found.append(reference) }
    }
    return found
  }

  package subscript(_ reference: FieldReference) -> Field {
    records[reference.record].fields[reference.field]
  }

  /// `Event.value`
  package func name(of reference: FieldReference) -> String {
    "\(records[reference.record].name).\(self[reference].name)"
  }

  /// The DayKey of a fact; nil for any other record.
  package func day(of row: TestRow) -> DayKey? {
    guard records[row.record].kind == .fact, let field = records[row.record].dayKeyField,
      case .day(let day)? = row.values[field]
    else { return nil }
    return day
  }

  package func moved(_ row: TestRow, to day: DayKey) -> TestRow {
    var row = row
    if let field = records[row.record].dayKeyField { row.values[field] = .day(day) }
    return row
  }

  /// What a team metric needs to read a record's facts; nil if it needs none.
  package func askedConsent(of record: RecordID) -> AskedConsent? {
    records[record].consent.flatMap { $0.level > .none ? $0 : nil }
  }

  /// What some records ask for together, in a fixed order.
  package func askedConsents(of records: Set<RecordID>) -> [AskedConsent] {
    Set(records.compactMap(askedConsent)).sorted { $0.text < $1.text }
  }

  /// Whether there are several switches. Where no `consent` line names a purpose, all records are about one (PRIV-13).
  package var hasPurposes: Bool { records.contains { $0.consent?.purpose.isEmpty == false } }

  package var asksConsent: Bool { records.indices.contains { askedConsent(of: $0) != nil } }

  /// The chains of references from a fact to the users behind it; several where it refers to more than one.
  package func userPaths(of record: RecordID) -> [[FieldReference]] {
    entity(named: "User").map { records.shortestPaths(from: record, to: $0) } ?? []
  }

  package func entity(named name: String) -> RecordID? {
    records.firstIndex { $0.kind == .entity && $0.name == name }
  }

  /// The library's `Identity`, where it declares one.
  package var identity: IdentityLink? {
    guard let record = record(named: "Identity"), records[record].kind == .link else { return nil }
    let ends = records[record].references
    guard ends.count == 2, let entity = records[record].fields[ends[0]].type.target,
      records[record].fields[ends[1]].type == .reference(entity)
    else { return nil }
    return IdentityLink(
      record: record, entity: entity, alias: FieldReference(record: record, field: ends[0]),
      target: FieldReference(record: record, field: ends[1]))
  }

  /// The fields of a record that hold ids of the entity that `Identity` merges.
  package func mergedFields(of record: RecordID) -> [Int] {
    guard let identity, record != identity.record else { return [] }
    let own = record == identity.entity ? records[record].idField : nil
    return references(from: record, to: identity.entity) + [own].compactMap { $0 }
  }
}

/// A `test` block: records to fill a dataset with, and what is expected of it.
package struct TestCase: Hashable, Sendable {
  package var name: String
  package var rows: [TestRow]
  package var expectations: [Expectation]
  package var span: Span
}

/// One record of a test; ids that were not given have been filled in.
package struct TestRow: Hashable, Sendable {
  package var record: RecordID
  /// By field index; a field without a value is missing.
  package var values: [Int: Literal]
  package var span: Span

  package init(record: RecordID, values: [Int: Literal], span: Span) {
    self.record = record
    self.values = values
    self.span = span
  }
}

package struct Expectation: Hashable, Sendable {
  package var metric: MetricID
  /// Empty for `app` and where the test names none.
  package var subject: String
  package var group: GroupKey
  package var part: String
  package var day: DayKey
  /// `.none` expects that there is no value.
  package var value: Literal
  package var span: Span
}

extension [Record] {
  /// All chains of references of the smallest length from a record to an entity, in the order of the fields; empty if
  /// none leads there, one empty chain where the record is the entity itself. Personal, stored and computed
  /// references lead nowhere.
  package func shortestPaths(from record: RecordID, to entity: RecordID) -> [[FieldReference]] {
    if record == entity { return [[]] }
    var level: [(record: RecordID, path: [FieldReference])] = [(record, [])]
    var seen: Set<RecordID> = [record]
    while !level.isEmpty {
      var next: [(record: RecordID, path: [FieldReference])] = []
      for (current, path) in level {
        for (index, field) in self[current].fields.enumerated() {
          guard let target = field.type.target, field.computed == nil, !field.isPersonal, !field.isStored
          else { continue }
          next.append((target, path + [FieldReference(record: current, field: index)]))
        }
      }
      let found = next.filter { $0.record == entity }
      if !found.isEmpty { return found.map(\.path) }
      // Parallel references multiply; a few chains are enough to call a path ambiguous.
      level = next.filter { !seen.contains($0.record) }.prefix(64).map(\.self)
      seen.formUnion(next.map(\.record))
    }
    return []
  }

  /// A record, and those that references lead to from it.
  func reachable(from record: RecordID) -> Set<RecordID> {
    var found: Set<RecordID> = [record]
    var open = [record]
    while let next = open.popLast() {
      for target in self[next].fields.compactMap(\.type.target) where found.insert(target).inserted {
        open.append(target)
      }
    }
    return found
  }
}

/// A link named `Identity`: of the two ids of one entity, the first is another name of the second (REC-13).
package struct IdentityLink: Hashable, Sendable {
  package var record: RecordID
  package var entity: RecordID
  package var alias: FieldReference
  package var target: FieldReference

  /// The most links in a row.
  package static let longestChain = 16
}

extension Field {
  /// What paths call it: a reference `bookId` is `book`.
  package var nameInPaths: String {
    type.target != nil && name.hasSuffix("Id") ? String(name.dropLast(2)) : name
  }
}

extension Record {
  /// The reference field that a path names: `book` or `bookId` for `bookId : Book`.
  package func reference(named name: String) -> (field: Int, target: RecordID)? {
    let field = fields.firstIndex { $0.type.target != nil && ($0.name == name || $0.name == name + "Id") }
    return field.flatMap { index in fields[index].type.target.map { (index, $0) } }
  }

  /// The fields that refer to an entity.
  package var references: [Int] {
    fields.indices.filter { fields[$0].type.target != nil && fields[$0].computed == nil }
  }
}
