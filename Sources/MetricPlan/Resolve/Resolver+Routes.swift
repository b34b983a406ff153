import MetricSyntax

/// How facts find their subjects: the shortest chain of references, or a link.
extension Resolver {
  /// The route of a fact to the scope's subject.
  func route(from record: RecordID, through: Name?, span: Span, in scope: Scope) throws -> Route {
    guard let subject = scope.subject else { throw Reported() }
    let link = through.flatMap { recordIDs[$0.text] }
    if let through, let link {
      note(through, .record(link))
      try require(
        records[link].kind == .link, .noPath, "`\(through.text)` is not a link", at: through.span)
    }
    guard let entity = subject.entity else {
      guard let through else { return .whole }
      throw fail(
        .noPath, "a metric for `app` takes all facts; `through \(through.text)` has nothing to choose",
        at: through.span)
    }
    if let through, let link { return try linkRoute(from: record, over: link, through, to: entity) }
    if let through { return try route(from: record, startingWith: through, to: entity) }
    return try .references(onlyPath(from: record, to: entity, at: span))
  }

  /// The only shortest chain of references from a fact or an entity.
  private func onlyPath(
    from record: RecordID, to entity: RecordID, at span: Span
  ) throws -> [FieldReference] {
    let isFact = records[record].kind == .fact
    let paths = records.shortestPaths(from: record, to: entity)
    guard let path = paths.first else {
      // A field that could not be resolved may be the reference that is missing.
      if isFact, records.reachable(from: record).contains(where: { brokenFields[$0] != nil }) {
        throw Reported()
      }
      throw fail(
        .noPath,
        "no chain of references leads from `\(recordName(record))` to `\(subjectName(entity))`", at: span,
        notes: isFact ? noPathNotes(record, entity) : [])
    }
    try require(
      paths.count == 1, .ambiguousPath,
      "`\(recordName(record))` leads to `\(subjectName(entity))` by \(paths.count) paths of the same length",
      at: span,
      notes: paths.map { Note("by \(describe($0))") }
        + [isFact ? "write `through \(records[record].fields[path[0].field].name)` to choose one" : nil])
    return path
  }

  private func noPathNotes(_ record: RecordID, _ entity: RecordID) -> [Note?] {
    let targets = records[record].fields.compactMap(\.type.target).map(recordName)
    let link = records.indices.first { id in
      guard records[id].kind == .link, let end = records.shortestPaths(from: id, to: entity).first?.first
      else { return false }
      return !linkJoins(from: record, link: id, except: end.field).isEmpty
    }
    let target = records[entity]
    return [
      "`\(recordName(record))` refers to \(targets.isEmpty ? "no entity" : quoted(targets))",
      link.map { Note("a link joins them: write `through \(recordName($0))`") },
      "add a reference: `extend \(recordName(record)) { \(target.subjectName)Id : \(target.name) }`",
    ]
  }

  /// `HabitEntry.habitId → Habit.userId → User`
  private func describe(_ path: [FieldReference]) -> String {
    var text = path.map { "\(recordName($0.record)).\(records[$0.record].fields[$0.field].name)" }
    if let last = path.last, let target = records[last.record].fields[last.field].type.target {
      text.append(recordName(target))
    }
    return "`" + text.joined(separator: " → ") + "`"
  }

  private func route(from record: RecordID, startingWith name: Name, to entity: RecordID) throws -> Route {
    guard let (field, target) = records[record].reference(named: name.text) else {
      let references = records[record].fields.filter { $0.type.target != nil }
      let links = records.filter { $0.kind == .link }
      throw fail(
        .noPath, "`\(recordName(record))` has no reference `\(name.text)`, and no link is called so",
        at: name.span,
        notes: [didYouMean(name.text, references.map(\.name) + links.map(\.name))])
    }
    let start = FieldReference(record: record, field: field)
    note(name, .field(start))
    return try .references(
      [start] + namedPath(from: target, called: "`\(name.text)`", behind: [start], to: entity, at: name.span))
  }

  /// The only shortest chain of references behind what was named.
  private func namedPath(
    from record: RecordID, called name: String, behind start: [FieldReference] = [], to entity: RecordID,
    at span: Span
  ) throws -> [FieldReference] {
    let paths = records.shortestPaths(from: record, to: entity)
    try require(
      paths.count == 1, paths.isEmpty ? .noPath : .ambiguousPath,
      "\(name) leads to `\(subjectName(entity))` by \(paths.isEmpty ? "no path" : "\(paths.count) paths")",
      at: span, notes: paths.map { Note("by \(describe(start + $0))") })
    return paths[0]
  }

  /// How the entities of an aggregate over subjects refer to the metric's own subject.
  func relation(from entity: RecordID, span: Span, in scope: Scope) throws -> [FieldReference] {
    guard let target = scope.subject?.entity else { return [] }
    try require(
      entity != target, .noPath,
      "`\(subjectName(entity))` is the subject itself; an aggregate over subjects counts those that refer to it",
      at: span)
    return try onlyPath(from: entity, to: target, at: span)
  }

  /// From the fact to an entity that the link names, over the link, to the subject.
  private func linkRoute(
    from record: RecordID, over link: RecordID, _ name: Name, to entity: RecordID
  ) throws -> Route {
    let end = try namedPath(from: link, called: "the link `\(name.text)`", to: entity, at: name.span)
    let joins = linkJoins(from: record, link: link, except: end[0].field)
    let shortest = try require(
      joins.map(\.path.count).min(), .noPath,
      "`\(recordName(record))` refers to nothing that the link `\(name.text)` names", at: name.span)
    let best = joins.filter { $0.path.count == shortest }
    let direct = best.filter { !$0.isBundle }
    let bundles = best.filter(\.isBundle)
    guard direct.count <= 1, bundles.count <= 1,
      direct.isEmpty || bundles.isEmpty || direct[0].path == bundles[0].path
    else {
      throw fail(
        .ambiguousPath, "`\(recordName(record))` meets the link `\(name.text)` in \(best.count) ways",
        at: name.span, notes: best.map { Note("by \(describe($0.path))") })
    }
    return .link(
      LinkRoute(
        link: link, fromFact: best[0].path, direct: direct.first?.field, bundle: bundles.first?.field,
        toSubject: end))
  }

  private struct LinkJoin {
    var path: [FieldReference]
    /// The link's field that names the entity, or the bundle that holds it.
    var field: FieldReference
    var isBundle: Bool
  }

  /// All ways in which a fact meets a field of the link other than the one that leads to the subject.
  private func linkJoins(from record: RecordID, link: RecordID, except subjectField: Int) -> [LinkJoin] {
    var joins: [LinkJoin] = []
    for (index, field) in records[link].fields.enumerated() where index != subjectField {
      guard case .reference(let target) = field.type else { continue }
      let reference = FieldReference(record: link, field: index)
      for path in records.shortestPaths(from: record, to: target) {
        joins.append(LinkJoin(path: path, field: reference, isBundle: false))
      }
      if recordName(target) == "Bundle", let habit = recordIDs["Habit"] {
        for path in records.shortestPaths(from: record, to: habit) {
          joins.append(LinkJoin(path: path, field: reference, isBundle: true))
        }
      }
    }
    return joins
  }
}
