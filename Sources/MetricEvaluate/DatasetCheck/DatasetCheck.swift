/// What is wrong with the records of a dataset only together: the same id twice, references to nothing,
/// bundles that hold each other or nest too deeply, identities that lead nowhere, units that a `sum` link joins or a
/// `count` link takes for entries, days far from their instants.
///
/// Entities and links are kept, since others name them; a fact is examined and let go, so that the
/// memory is that of the largest file.
///
///     var check = DatasetCheck(library: plan, pool: pool)
///     check.add(habits); check.add(goalLinks)
///     check.problemsOfKept() + check.problems(ofFact: entries, pool: entryPool)
package struct DatasetCheck {
  let library: Library
  /// The pool that the kept tables were read with.
  let pool: StringPool
  private(set) var kept: [RecordID: LoadedTable] = [:]
  /// Records with some that could not be read: dangling references to them are not known.
  private(set) var incomplete: Set<RecordID> = []
  /// By entity: by pool number whether a record has this id.
  private(set) var ids: [RecordID: [Bool]] = [:]

  package init(library: Library, pool: StringPool) {
    (self.library, self.pool) = (library, pool)
  }

  /// Whether other records may name this one, so that it has to be added before the facts.
  package static func isKept(_ kind: RecordKind) -> Bool { kind != .fact }

  /// Adds an entity or a link, read with its full schema; incomplete if records of the file could not be read.
  package mutating func add(_ table: Table, isIncomplete: Bool) {
    guard let record = library.record(named: table.schema.record) else { return }
    let loaded = LoadedTable(table, record: library.records[record])
    kept[record] = loaded
    if isIncomplete { incomplete.insert(record) }
    if let field = library.records[record].idField, let cells = loaded.texts(field) {
      var present = [Bool](repeating: false, count: pool.count)
      for cell in cells where cell >= 0 { present[Int(cell)] = true }
      ids[record] = present
    }
    addNames()
  }

  /// A record under one name of a person is there for all of them.
  private mutating func addNames() {
    guard let identity = library.identity, let links = kept[identity.record],
      var present = ids[identity.entity], let persons = try? Identities(identity, links, pool).targets
    else { return }
    present += Array(repeating: false, count: pool.count - present.count)
    for (alias, person) in persons where present[Int(alias)] { present[Int(person)] = true }
    for (alias, person) in persons where present[Int(person)] { present[Int(alias)] = true }
    ids[identity.entity] = present
  }

  /// What is wrong with entities and links. All of them were added.
  package func problemsOfKept() -> [DatasetProblem] {
    let problems =
      kept.sorted { $0.key < $1.key }.flatMap {
        duplicateIDs(of: $0, in: $1, pool) + danglingReferences(of: $0, in: $1, pool)
      } + bundleProblems() + identityProblems() + unitMismatches()
    return problems.filter { $0.count > 0 }
  }

  /// What is wrong with a fact's records, read with a pool of their own; entities and links were added before.
  package func problems(ofFact table: Table, pool: StringPool) -> [DatasetProblem] {
    guard let record = library.record(named: table.schema.record) else { return [] }
    let loaded = LoadedTable(table, record: library.records[record])
    let problems =
      duplicateIDs(of: record, in: loaded, pool) + danglingReferences(of: record, in: loaded, pool)
      + daysFarFromInstants(of: record, in: loaded)
    return problems.filter { $0.count > 0 }
  }

  /// The entities whose ids cannot be known, as some of their records could not be read.
  package var uncheckedEntities: [String] {
    incomplete.filter { library.records[$0].kind == .entity }.map { library.records[$0].name }.sorted()
  }

  /// Duplicate ids: the second and every later record is counted. Records that are not live count too.
  func duplicateIDs(of record: RecordID, in table: LoadedTable, _ pool: StringPool) -> [DatasetProblem] {
    let declaration = library.records[record]
    guard let field = declaration.idField, let cells = table.texts(field) else { return [] }
    var problem = DatasetProblem(
      code: .duplicateID, record: declaration.name, field: "id",
      mend: "give each record its own id, or remove the copy; until then both are counted")
    var first = [Int32](repeating: -1, count: pool.count)
    for row in 0..<table.rowCount where cells[row] >= 0 {
      let id = Int(cells[row])
      guard first[id] >= 0 else {
        first[id] = Int32(truncatingIfNeeded: row)
        continue
      }
      problem.add(
        row: row, "`id` is \(quoted(cells[row], pool)), which another `\(declaration.name)` has too",
        (Int(first[id]), "the first record with this id"))
    }
    return [problem]
  }

  /// References of live records to ids that no record of the entity has, a problem for each field.
  func danglingReferences(
    of record: RecordID, in table: LoadedTable, _ pool: StringPool
  ) -> [DatasetProblem] {
    library.records[record].fields.indices.compactMap { field in
      let reference = FieldReference(record: record, field: field)
      guard let entity = library.target(of: reference), !incomplete.contains(entity),
        reference != library.identity?.alias, let cells = table.texts(field)
      else { return nil }
      return ids[entity] == nil
        ? referencesWithoutFile(reference, entity, cells, table)
        : dangling(reference, entity, cells, table, pool)
    }
  }

  private func dangling(
    _ reference: FieldReference, _ entity: RecordID, _ cells: [Int32], _ table: LoadedTable,
    _ pool: StringPool
  ) -> DatasetProblem {
    let target = library.records[entity].name
    let name = library[reference].name
    var problem = DatasetProblem(
      code: .danglingReference, record: library.records[reference.record].name, field: name,
      mend: "fix the reference, or add the `\(target)` that it names; until then its fields are missing")
    // By pool number: not looked up yet, present, reported.
    var verdicts = [UInt8](repeating: 0, count: pool.count)
    for row in 0..<table.rowCount where cells[row] >= 0 {
      let id = Int(cells[row])
      if verdicts[id] == 0 { verdicts[id] = isThere(cells[row], pool, entity) ? 1 : 2 }
      guard verdicts[id] != 1, table.isLive(row) else { continue }
      if verdicts[id] == 2 {
        verdicts[id] = 3
        problem.add(
          row: row,
          "`\(name)` is \(quoted(cells[row], pool)), and no `\(target)` has this id"
            + suggestion(cells[row], pool, entity))
      } else {
        problem.addAnother()
      }
    }
    return problem
  }

  /// A dataset may leave out an entity's file: that is reported once, or not at all if the entity has only its id.
  private func referencesWithoutFile(
    _ reference: FieldReference, _ entity: RecordID, _ cells: [Int32], _ table: LoadedTable
  ) -> DatasetProblem? {
    guard library.records[entity].fields.contains(where: { $0.type != .id && $0.computed == nil }) else {
      return nil
    }
    let target = library.records[entity].name
    let name = library[reference].name
    var problem = DatasetProblem(
      code: .danglingReference, severity: .warning, record: library.records[reference.record].name,
      field: name,
      mend: "add a `\(target)` file, or leave it out where only the ids are needed: the fields are missing")
    for row in 0..<table.rowCount where cells[row] >= 0 && table.isLive(row) {
      if problem.count > 0 {
        problem.addAnother()
      } else {
        problem.add(row: row, "`\(name)` refers to a `\(target)`, and the data has no such file")
      }
    }
    return problem
  }

  /// Whether an entity has a record with this id, live or not.
  private func isThere(_ id: Int32, _ pool: StringPool, _ entity: RecordID) -> Bool {
    guard let present = ids[entity] else { return false }
    let number = pool === self.pool ? id : self.pool.lookup(pool.string(id))
    return number.map { Int($0) < present.count && present[Int($0)] } ?? false
  }

  /// The id nearest to one that was not found, among the first few thousand.
  private func suggestion(_ id: Int32, _ pool: StringPool, _ entity: RecordID) -> String {
    let present = ids[entity] ?? []
    let candidates = present.indices.lazy.filter { present[$0] }.prefix(5_000)
      .map { self.pool.string(Int32($0)) }
    return nearestName(to: pool.string(id), in: candidates).map { "; did you mean `\($0)`?" } ?? ""
  }

  func quoted(_ text: Int32, _ pool: StringPool) -> String { MetricDiagnostics.quoted(pool.string(text)) }
}
