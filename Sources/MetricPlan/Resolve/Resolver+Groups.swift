import MetricSyntax

/// What a metric is grouped by (GRP-01 to GRP-08).
extension Resolver {
  /// Whether the groups of a user metric are those of facts (GRP-03, GRP-07).
  func checkGroups(of measure: Measure, _ name: Name) -> Bool {
    if !readGroups(measure.value).isEmpty {
      return fail(
        .badGroup, "only a team metric reads another one in its groups", at: name.span,
        notes: ["write `audience team`, or the aggregates themselves"])
    }
    guard let read = (measure.grouping + measure.slices).first(where: { $0.read != nil }) else { return true }
    return fail(
      .badGroup, "only a team metric is grouped by a metric, and `\(read.name)` is one", at: name.span,
      notes: [
        "what somebody does moves it to another group, so a number for the user would fall by it",
        "write `audience team`",
      ])
  }

  /// The fields of metrics that a value reads in their groups.
  func readGroups(_ expression: Expression) -> [GroupField] {
    expression.parts.flatMap { part -> [GroupField] in
      if case .metric(let reference) = part { metrics[reference.metric].grouping } else { [] }
    }
  }

  /// The fields of `by` over these records, and `cohort …` where `allowsCohort`.
  ///
  /// - Parameters:
  ///   - others: records that need not have the field; those that have it are grouped by it.
  ///   - counted: entities whose subjects the value aggregates.
  func grouping(
    _ clauses: ClauseTable, sources: [RecordID], others: [RecordID] = [], counted: [RecordID] = [],
    read: [GroupField] = [], allowsCohort: Bool = false
  ) -> (fields: [GroupField], slices: [GroupField])? {
    func fields(_ word: ClauseWord, _ written: [GroupSyntax]) -> [GroupField]? {
      var fields: [GroupField] = []
      for group in written {
        let span = written.count == 1 ? clauses[word]?.span ?? group.span : group.span
        guard
          let field = groupField(
            group, sources: sources, others: others, counted: counted, read: read, allowsCohort: allowsCohort,
            span: span)
        else { return nil }
        // Two columns of one name, or a cohort of weeks in one of months, say nothing more.
        if fields.contains(where: { $0.name == field.name }) {
          return fail(
            word == .by ? .badGroup : .repeatedClause,
            word == .by ? "`\(field.name)` is a group here already" : "`\(field.name)` is listed twice",
            at: group.span)
        }
        fields.append(field)
      }
      return fields
    }
    var slices: [GroupField] = []
    if case .slice(let paths)? = clauses[.slice]?.content {
      guard let found = fields(.slice, paths.map(GroupSyntax.field)) else { return nil }
      slices = found
    }
    guard case .by(let written)? = clauses[.by]?.content else { return ([], slices) }
    guard written.count <= GroupField.most else {
      return fail(
        .badGroup, "a metric is grouped by \(GroupField.most) fields at most, found \(written.count)",
        at: written[GroupField.most].span)
    }
    return fields(.by, written).map { ($0, slices) }
  }

  private func groupField(
    _ group: GroupSyntax, sources: [RecordID], others: [RecordID], counted: [RecordID], read: [GroupField],
    allowsCohort: Bool, span: Span
  ) -> GroupField? {
    switch group {
    case .cohort(let unit):
      guard allowsCohort else {
        return fail(.badGroup, "only funnels and retentions have cohorts", at: span)
      }
      return CalendarUnit(name: unit.text).map { .cohort($0) }
    case .field(let names):
      let known = read.first { $0.name == names.dotted }
      if let place = metricPlace(names, sources: sources, counted: counted, isRead: known != nil) {
        return metricGroup(names, place, sources: sources, counted: counted, known: known, span: span)
      }
      if sources.isEmpty, counted.isEmpty, let read = known?.read,
        let name = names.first(where: { $0.text == metrics[read.metric].name })
      {
        note(name, .metric(name.text))
      }
      guard !sources.isEmpty || !counted.isEmpty else {
        return known
          ?? fail(
            .badGroup, "there is nothing to group: no fact or subject read here could have the field",
            at: span)
      }
      let field = groupField(names, sources: sources, others: others, counted: counted, span: span)
      if let field, let known, field.type != known.type {
        return fail(
          .badGroup, "`\(field.name)` has another type in a metric that is read here", at: span)
      }
      return field
    }
  }

  private func groupField(
    _ names: [Name], sources: [RecordID], others: [RecordID], counted: [RecordID], span: Span
  ) -> GroupField? {
    var paths: [RecordID: FieldPath] = [:]
    var types: Set<ValueType> = []
    if names.count == 1, let note = FamiliarWord.note(names[0].text, as: .group),
      let record = sources.first(where: {
        !hasReadableField(names, of: $0) && !isBroken(names[0].text, in: $0)
      })
    {
      return fail(
        .unknownField, "`by` takes a field, and `\(recordName(record))` has no field `\(names[0].text)`",
        at: names[0].span, notes: [note])
    }
    for record in sources {
      guard let path = fieldPath(names[...], from: record, root: .row, allowOpaque: false)?.expression.path
      else { return nil }
      paths[record] = path
      types.insert(path.type)
    }
    for entity in counted {
      guard let path = groupPath(names, ofCounted: entity, besideFacts: !sources.isEmpty, span: span) else {
        return nil
      }
      paths[entity] = path
      types.insert(path.type)
    }
    guard types.count == 1, let type = types.first else {
      return fail(
        .badGroup,
        "`\(names.dotted)` has different types in \(quoted((sources + counted).map(recordName)))",
        at: span)
    }
    for record in others where paths[record] == nil && hasReadableField(names, of: record) {
      let path = fieldPath(names[...], from: record, root: .row, allowOpaque: false)?.expression.path
      if let path, path.type == type { paths[record] = path }
    }
    return .field(names.dotted, paths, type: type)
  }

  /// Where a metric is named in place of a field; nil if the names are a field's, or stand for none.
  ///
  /// - Parameter isRead: whether a metric that is read here has a group of this name.
  private func metricPlace(_ names: [Name], sources: [RecordID], counted: [RecordID], isRead: Bool) -> Int? {
    guard !(sources + counted).contains(where: { hasReadableField(names, of: $0) }),
      !counted.contains(where: {
        names[0].text == records[$0].subjectName && hasReadableField(Array(names.dropFirst()), of: $0)
      }), !sources.isEmpty || !counted.isEmpty || !isRead
    else { return nil }
    return names.firstIndex { metricSyntax[$0.text] != nil }
  }

  /// A metric of the counted subjects in place of a field (GRP-07).
  private func metricGroup(
    _ names: [Name], _ place: Int, sources: [RecordID], counted: [RecordID], known: GroupField?, span: Span
  ) -> GroupField? {
    let (head, subjects) = (names[place], counted.map { records[$0].subjectName })
    guard sources.isEmpty, !counted.isEmpty else {
      return fail(
        .badGroup, "`by` takes a field of the facts here, and `\(head.text)` is a metric", at: span,
        notes: ["metrics group subjects: `count(user) by METRIC`, `sum(user.METRIC) by METRIC`"])
    }
    note(head, .metric(head.text))
    guard let id = resolveMetric(named: head.text, from: head) else { return nil }
    let metric = metrics[id]
    guard counted.count == 1, names[..<place].map(\.text) == (place == 0 ? [] : subjects),
      metric.subject.entity == counted[0], !metric.kind.countsSubjects
    else {
      let about = subjectName(metric.kind.countsSubjects ? nil : metric.subject.entity)
      return fail(
        .otherSubject,
        "`\(metric.name)` is a metric for `\(about)`, and the value counts \(quoted(subjects))", at: span,
        notes: ["group by a metric of each subject that is counted"])
    }
    guard isReadableInGroups(metric, at: span, Scope(kind: .subjectRow(counted[0]))),
      let part = part(of: metric, names: names.dropFirst(place + 1), span: span)
    else { return nil }
    guard part.type != .decimal else {
      let bands = "if \(metric.name) < 10 then \"few\" else \"many\""
      return fail(
        .badGroup, "`\(metric.name)` is a decimal, and nearly each value would be a group", at: span,
        notes: ["declare bands: `measure band { for \(subjects[0])  audience team  value \(bands) }`"])
    }
    guard known.map({ $0.type == part.type }) ?? true else {
      return fail(
        .badGroup, "`\(names.dotted)` has another type in a metric that is read here", at: span)
    }
    let reference = MetricReference(root: .row, metric: id, part: part.name, type: part.type)
    return .metric(names.dotted, reference, of: counted[0])
  }

  /// A reference by which facts name an entity: `Event.userId`.
  private func example(_ entity: RecordID) -> String {
    for record in records where record.kind == .fact {
      if let field = record.fields.first(where: { $0.type == .reference(entity) }) {
        return "\(record.name).\(field.name)"
      }
    }
    return "Event.userId"
  }

  /// The group of a counted subject: the field of an entity that the subject is or belongs to. A field of the facts
  /// says nothing of it: each group would be measured against all subjects (GRP-06).
  private func groupPath(
    _ names: [Name], ofCounted entity: RecordID, besideFacts: Bool, span: Span
  ) -> FieldPath? {
    let subject = records[entity].subjectName
    let isOwn = names.count > 1 && names[0].text == subject
    guard isOwn || !besideFacts || names.count > 1 && hasReadableField(names, of: entity) else {
      let own = "\(subject).\(names.dotted)"
      return fail(
        .badGroup,
        "each group of facts would be measured against every `\(subject)`, also those of other groups",
        at: span,
        notes: [
          hasReadableField(names, of: entity)
            ? "`by \(own)` groups each `\(subject)`, too"
            : "group by a field of each `\(subject)`, such as `by \(subject).FIELD`",
          "or count those that the facts of a group name, such as `distinct(\(example(entity)))`",
        ])
    }
    return fieldPath(isOwn ? names[1...] : names[...], from: entity, root: .row, allowOpaque: false)?
      .expression.path
  }

  /// Whether a record has a field along references that a group can be made of; reports nothing.
  private func hasReadableField(_ names: [Name], of record: RecordID) -> Bool {
    guard let last = names.last else { return false }
    var current = record
    for name in names.dropLast() {
      guard let next = reference(named: name.text, of: current) else { return false }
      current = next.target
    }
    guard
      let index = records[current].field(named: last.text) ?? reference(named: last.text, of: current)?.field
    else { return false }
    let field = records[current].fields[index]
    return !field.isStored && !field.isPersonal && field.type != .instant
  }
}

extension Sequence<Name> {
  /// A path as it is written.
  var dotted: String { map(\.text).joined(separator: ".") }
}
