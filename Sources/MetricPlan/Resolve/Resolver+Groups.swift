import MetricSyntax

/// What a metric is grouped by (GRP-01 to GRP-08).
extension Resolver {
  /// The groups of a user metric are those of facts (GRP-03, GRP-07).
  func checkGroups(of measure: Measure, _ name: Name) throws {
    try require(
      readGroups(measure.value).isEmpty, .badGroup, "only a team metric reads another one in its groups",
      at: name.span, notes: ["write `audience team`, or the aggregates themselves"])
    if let read = (measure.grouping + measure.slices).first(where: { $0.read != nil }) {
      throw fail(
        .badGroup, "only a team metric is grouped by a metric, and `\(read.name)` is one", at: name.span,
        notes: [
          "what somebody does moves it to another group, so a number for the user would fall by it",
          "write `audience team`",
        ])
    }
  }

  /// The fields of metrics that a value reads in their groups.
  func readGroups(_ expression: Expression) -> [GroupField] {
    expression.parts.flatMap { part -> [GroupField] in
      if case .metric(let reference) = part { metrics[reference.metric].grouping } else { [] }
    }
  }

  /// What the groups of a metric can be made of.
  struct GroupSources {
    /// Records that have the fields.
    var facts: [RecordID]
    /// Records that need not have the field; those that have it are grouped by it.
    var others: [RecordID] = []
    /// Entities whose subjects the value aggregates.
    var counted: [RecordID] = []
    /// The groups of the metrics that the value reads.
    var read: [GroupField] = []
    var allowsCohort = false

    var isEmpty: Bool { facts.isEmpty && counted.isEmpty }
  }

  /// The fields of `by` and `slice by`.
  func grouping(
    _ clauses: ClauseTable, of sources: GroupSources
  ) throws -> (fields: [GroupField], slices: [GroupField]) {
    func fields(_ word: ClauseWord, _ written: [GroupSyntax]) throws -> [GroupField] {
      var fields: [GroupField] = []
      for group in written {
        let span = written.count == 1 ? clauses[word]?.span ?? group.span : group.span
        let field = try groupField(group, of: sources, span: span)
        // Two columns of one name, or a cohort of weeks in one of months, say nothing more.
        if fields.contains(where: { $0.name == field.name }) {
          throw fail(
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
      slices = try fields(.slice, paths.map(GroupSyntax.field))
    }
    guard case .by(let written)? = clauses[.by]?.content else { return ([], slices) }
    try require(
      written.count <= GroupField.most, .badGroup,
      "a metric is grouped by \(GroupField.most) fields at most, found \(written.count)",
      at: written[GroupField.most].span)
    return (try fields(.by, written), slices)
  }

  private func groupField(_ group: GroupSyntax, of sources: GroupSources, span: Span) throws -> GroupField {
    switch group {
    case .cohort(let unit):
      try require(sources.allowsCohort, .badGroup, "only funnels and retentions have cohorts", at: span)
      guard let unit = CalendarUnit(name: unit.text) else { throw Reported() }
      return .cohort(unit)
    case .field(let names):
      let known = sources.read.first { $0.name == names.dotted }
      let place = metricPlace(names, of: sources, isRead: known != nil)
      if place == nil, sources.isEmpty {
        if let read = known?.read, let name = names.first(where: { $0.text == metrics[read.metric].name }) {
          note(name, .metric(name.text))
        }
        return try require(
          known, .badGroup,
          "there is nothing to group: no fact or subject read here could have the field", at: span)
      }
      let field =
        try place.map { try metricGroup(names, $0, of: sources, span: span) }
        ?? pathGroup(names, of: sources, span: span)
      try require(
        known?.type ?? field.type == field.type, .badGroup,
        "`\(field.name)` has another type in a metric that is read here", at: span)
      return field
    }
  }

  /// A field of each of the records, of one type.
  private func pathGroup(_ names: [Name], of sources: GroupSources, span: Span) throws -> GroupField {
    if names.count == 1, let note = FamiliarWord.note(names[0].text, as: .group),
      let record = sources.facts.first(where: {
        !hasReadableField(names[...], of: $0) && !isBroken(names[0].text, in: $0)
      })
    {
      throw fail(
        .unknownField, "`by` takes a field, and `\(recordName(record))` has no field `\(names[0].text)`",
        at: names[0].span, notes: [note])
    }
    var paths: [RecordID: FieldPath] = [:]
    for record in sources.facts {
      paths[record] = try fieldPath(names[...], from: record).expression.path
    }
    for entity in sources.counted {
      paths[entity] = try groupPath(
        names, ofCounted: entity, besideFacts: !sources.facts.isEmpty, span: span)
    }
    guard let type = paths.values.first?.type, paths.values.allSatisfy({ $0.type == type }) else {
      let records = (sources.facts + sources.counted).map(recordName)
      throw fail(.badGroup, "`\(names.dotted)` has different types in \(quoted(records))", at: span)
    }
    for record in sources.others where paths[record] == nil && hasReadableField(names[...], of: record) {
      let path = try? fieldPath(names[...], from: record).expression.path
      if let path, path.type == type { paths[record] = path }
    }
    return .field(names.dotted, paths, type: type)
  }

  /// Where a metric is named in place of a field; nil if the names are a field's, or stand for none.
  ///
  /// - Parameter isRead: whether a metric that is read here has a group of this name.
  private func metricPlace(_ names: [Name], of sources: GroupSources, isRead: Bool) -> Int? {
    guard !(sources.facts + sources.counted).contains(where: { hasReadableField(names[...], of: $0) }),
      !sources.counted.contains(where: {
        names[0].text == records[$0].subjectName && hasReadableField(names.dropFirst(), of: $0)
      }), !sources.isEmpty || !isRead
    else { return nil }
    return names.firstIndex { metricSyntax[$0.text] != nil }
  }

  /// A metric of the counted subjects in place of a field (GRP-07).
  private func metricGroup(
    _ names: [Name], _ place: Int, of sources: GroupSources, span: Span
  ) throws -> GroupField {
    let (head, counted) = (names[place], sources.counted)
    let subjects = counted.map { records[$0].subjectName }
    try require(
      sources.facts.isEmpty && !counted.isEmpty, .badGroup,
      "`by` takes a field of the facts here, and `\(head.text)` is a metric", at: span,
      notes: ["metrics group subjects: `count(user) by METRIC`, `sum(user.METRIC) by METRIC`"])
    note(head, .metric(head.text))
    let id = try resolveMetric(named: head.text, from: head)
    let metric = metrics[id]
    guard counted.count == 1, names[..<place].map(\.text) == (place == 0 ? [] : subjects),
      metric.subject.entity == counted[0], !metric.kind.countsSubjects
    else {
      let about = subjectName(metric.kind.countsSubjects ? nil : metric.subject.entity)
      throw fail(
        .otherSubject,
        "`\(metric.name)` is a metric for `\(about)`, and the value counts \(quoted(subjects))", at: span,
        notes: ["group by a metric of each subject that is counted"])
    }
    try checkReadableInGroups(metric, at: span, Scope(kind: .subjectRow(counted[0])))
    let part = try part(of: metric, names: names.dropFirst(place + 1), span: span)
    let bands = "if \(metric.name) < 10 then \"few\" else \"many\""
    try require(
      part.type != .decimal, .badGroup,
      "`\(metric.name)` is a decimal, and nearly each value would be a group", at: span,
      notes: ["declare bands: `measure band { for \(subjects[0])  audience team  value \(bands) }`"])
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
  ) throws -> FieldPath? {
    let subject = records[entity].subjectName
    let isOwn = names.count > 1 && names[0].text == subject
    let isField = hasReadableField(names[...], of: entity)
    try require(
      isOwn || !besideFacts || names.count > 1 && isField, .badGroup,
      "each group of facts would be measured against every `\(subject)`, also those of other groups",
      at: span,
      notes: [
        isField
          ? "`by \(subject).\(names.dotted)` groups each `\(subject)`, too"
          : "group by a field of each `\(subject)`, such as `by \(subject).FIELD`",
        "or count those that the facts of a group name, such as `distinct(\(example(entity)))`",
      ])
    return try fieldPath(isOwn ? names[1...] : names[...], from: entity).expression.path
  }

  /// Whether a record has a field along references that a group can be made of; reports nothing.
  private func hasReadableField(_ names: ArraySlice<Name>, of record: RecordID) -> Bool {
    guard let last = names.last else { return false }
    var owner = records[record]
    for name in names.dropLast() {
      guard let next = owner.reference(named: name.text) else { return false }
      owner = records[next.target]
    }
    guard let index = owner.field(named: last.text) ?? owner.reference(named: last.text)?.field else {
      return false
    }
    let field = owner.fields[index]
    return !field.isStored && !field.isPersonal && field.type != .instant
  }
}

extension Sequence<Name> {
  /// A path as it is written.
  var dotted: String { map(\.text).joined(separator: ".") }
}
