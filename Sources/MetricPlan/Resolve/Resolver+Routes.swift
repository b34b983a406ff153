import MetricSyntax

/// How facts find their subjects: the shortest chain of references, or a link.
extension Resolver {
  /// The route of a fact to the scope's subject.
  func route(from record: RecordID, through: Name?, span: Span, in scope: Scope) -> Route? {
    guard let subject = scope.subject else { return nil }
    if let through, let link = recordIDs[through.text] {
      note(through, .record(link))
      return linkRoute(from: record, through: through, to: subject.entity, span: span)
    }
    guard let entity = subject.entity else {
      if let through {
        return fail(
          .noPath, "a metric for `app` takes all facts; `through \(through.text)` has nothing to choose",
          at: through.span)
      }
      return .whole
    }
    if let through { return route(from: record, startingWith: through, to: entity) }
    let paths = records.shortestPaths(from: record, to: entity)
    guard let path = paths.first else {
      // A field that could not be resolved may be the reference that is missing.
      if records.reachable(from: record).contains(where: { brokenFields[$0] != nil }) { return nil }
      return fail(
        .noPath,
        "no chain of references leads from `\(recordName(record))` to `\(subjectName(entity))`",
        at: span, notes: noPathNotes(record, entity))
    }
    guard paths.count == 1 else {
      return fail(
        .ambiguousPath,
        "`\(recordName(record))` leads to `\(subjectName(entity))` by \(paths.count) paths of the same length",
        at: span,
        notes: paths.map { Note("by \(describe($0))") }
          + ["write `through \(records[record].fields[path[0].field].name)` to choose one"])
    }
    return .references(path)
  }

  private func noPathNotes(_ record: RecordID, _ entity: RecordID) -> [Note?] {
    let targets = records[record].fields.compactMap(\.type.target).map(recordName)
    let link = records.indices.first { id in
      guard records[id].kind == .link, let end = records.shortestPaths(from: id, to: entity).first?.first
      else {
        return false
      }
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

  private func route(from record: RecordID, startingWith name: Name, to entity: RecordID) -> Route? {
    guard let (field, target) = reference(named: name.text, of: record) else {
      let references = records[record].fields.filter { $0.type.target != nil }
      let links = records.filter { $0.kind == .link }
      return fail(
        .noPath, "`\(recordName(record))` has no reference `\(name.text)`, and no link is called so",
        at: name.span,
        notes: [didYouMean(name.text, references.map(\.name) + links.map(\.name))])
    }
    let start = FieldReference(record: record, field: field)
    note(name, .field(start))
    if target == entity { return .references([start]) }
    return onlyPath(from: target, called: "`\(name.text)`", behind: [start], to: entity, at: name.span)
      .map { .references([start] + $0) }
  }

  /// The shortest chain of references; a second one of the same length is an error.
  private func onlyPath(
    from record: RecordID, called name: String, behind start: [FieldReference] = [], to entity: RecordID,
    at span: Span
  ) -> [FieldReference]? {
    let paths = records.shortestPaths(from: record, to: entity)
    guard paths.count == 1 else {
      return fail(
        paths.isEmpty ? .noPath : .ambiguousPath,
        "\(name) leads to `\(subjectName(entity))` by \(paths.isEmpty ? "no path" : "\(paths.count) paths")",
        at: span, notes: paths.map { Note("by \(describe(start + $0))") })
    }
    return paths[0]
  }

  /// How the entities of an aggregate over subjects refer to the metric's own subject.
  func relation(from entity: RecordID, span: Span, in scope: Scope) -> [FieldReference]? {
    guard let target = scope.subject?.entity else { return [] }
    if entity == target {
      return fail(
        .noPath,
        "`\(subjectName(entity))` is the subject itself; an aggregate over subjects counts those that refer to it",
        at: span)
    }
    let paths = records.shortestPaths(from: entity, to: target)
    guard paths.count == 1 else {
      return fail(
        paths.isEmpty ? .noPath : .ambiguousPath,
        paths.isEmpty
          ? "no chain of references leads from `\(recordName(entity))` to `\(subjectName(target))`"
          : "`\(recordName(entity))` leads to `\(subjectName(target))` by \(paths.count) paths of the same length",
        at: span, notes: paths.map { Note("by \(describe($0))") })
    }
    return paths[0]
  }

  /// From the fact to an entity that the link names, over the link, to the subject.
  private func linkRoute(
    from record: RecordID, through name: Name, to entity: RecordID?, span: Span
  ) -> Route? {
    guard let link = recordIDs[name.text], records[link].kind == .link else {
      return fail(.noPath, "`\(name.text)` is not a link", at: name.span)
    }
    guard let entity else {
      return fail(
        .noPath, "a metric for `app` takes all facts; `through \(name.text)` has nothing to choose",
        at: name.span)
    }
    guard let end = onlyPath(from: link, called: "the link `\(name.text)`", to: entity, at: name.span) else {
      return nil
    }
    let joins = linkJoins(from: record, link: link, except: end[0].field)
    guard let shortest = joins.map(\.path.count).min() else {
      return fail(
        .noPath, "`\(recordName(record))` refers to nothing that the link `\(name.text)` names", at: name.span
      )
    }
    let best = joins.filter { $0.path.count == shortest }
    let direct = best.filter { !$0.isBundle }
    let bundles = best.filter(\.isBundle)
    guard direct.count <= 1, bundles.count <= 1,
      direct.isEmpty || bundles.isEmpty || direct[0].path == bundles[0].path
    else {
      return fail(
        .ambiguousPath, "`\(recordName(record))` meets the link `\(name.text)` in \(best.count) ways",
        at: name.span,
        notes: best.map { Note("by \(describe($0.path))") })
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
