/// Evaluates metrics over records that are added and removed.
///
/// Added and removed facts update the engine's indexes in place. Only a record that changes what facts belong to (an
/// entity, a link, a consent, a new id) rebuilds the indexes at the next question.
package final class EvaluationSession {
  let library: Library
  let metrics: [MetricID]
  let needs: DataNeeds
  private let pool: StringPool
  let dataset: Dataset
  var engine: Engine
  /// The fault of `Identity`, thrown at every question.
  private var brokenIdentity: EvaluationError?
  private var worker: Worker
  private var rowsOfIDs: [RecordID: [Cell: [Int]]] = [:]

  /// - Parameter tables: by record name, decoded with the schemas of what `metrics` read.
  package init(library: Library, metrics: [MetricID], tables: [String: Table], pool: StringPool) {
    let library = library.withTeamReadings(of: metrics)
    self.library = library
    self.metrics = metrics
    self.pool = pool
    var needs = DataNeeds(library: library, metrics: metrics)
    needs.needIDs()
    self.needs = needs
    var all = tables
    for record in needs.fields.keys where all[library.records[record].name] == nil {
      all[library.records[record].name] = Table(schema: needs.schema(of: record))
    }
    dataset = Dataset(library: library, tables: all, pool: pool, threads: 1)
    for record in needs.fields.keys {
      guard let id = library.records[record].idField else { continue }
      dataset.change(record) { $0.needTexts(of: id) }
    }
    engine = EvaluationSession.engine(library, dataset, needs)
    worker = Worker(engine: engine)
    if library.identity != nil { rebuild() }
  }

  private static func engine(_ library: Library, _ dataset: Dataset, _ needs: DataNeeds) -> Engine {
    Engine(
      library: library, dataset: dataset, needs: needs, days: [DayKey(number: 0)], isGrowing: true)
  }

  /// The schema of a record type, including its id; nil if no metric reads it.
  package func schema(of record: RecordID) -> TableSchema? {
    keeps(record) ? needs.schema(of: record) : nil
  }

  package func keeps(_ record: RecordID) -> Bool { needs.fields[record] != nil }

  // MARK: Records

  /// Appends records whose cells are those of their schema; nil is missing.
  ///
  /// - Returns: their rows.
  @discardableResult
  package func append(_ records: [[Cell?]], to record: RecordID) -> Range<Int> {
    guard let schema = schema(of: record), !records.isEmpty else { return 0..<0 }
    let declaration = library.records[record]
    let fields = schema.columns.map { declaration.field(named: $0.name) }
    let first = dataset.table(record).rowCount
    let rows = first..<first + records.count
    forgetAnswers(from: record)
    dataset.change(record) { table in
      for cells in records {
        var byField: [Int: Cell?] = [:]
        for (field, cell) in zip(fields, cells) { if let field { byField[field] = .some(cell) } }
        table.append(byField, tombstones: declaration.tombstones)
      }
    }
    if let field = declaration.idField, rowsOfIDs[record] != nil {
      for row in rows {
        if let id = dataset.table(record).cell(field, row) { rowsOfIDs[record]?[id, default: []].append(row) }
      }
    }
    guard let row = rows.first(where: dataset.table(record).isLive) ?? (library.identity != nil ? first : nil)
    else {
      return rows
    }
    // One fact is put into its places; several are indexed with all others.
    if shapes(record) || records.count > 1 || namesSomethingNew(record, row) {
      rebuild()
    } else {
      engine.change(record, row: row, isNew: true)
    }
    return rows
  }

  package func isLive(_ record: RecordID, _ row: Int) -> Bool { dataset.table(record).isLive(row) }

  /// Whether there is a record with an id, live or not, that was not removed.
  package func contains(id: Cell, in record: RecordID) -> Bool { !rows(withID: id, record).isEmpty }

  /// The live rows of the records with an id.
  package func liveRows(withID id: String, in record: RecordID) -> [Int] {
    guard schema(of: record) != nil, let cell = pool.lookup(id).map({ Cell($0) }) else { return [] }
    return rows(withID: cell, record).filter { dataset.table(record).isLive($0) }
  }

  /// Removes the records with an id without a trace.
  ///
  /// - Returns: how many there were.
  package func remove(id: String, from record: RecordID) -> Int {
    let rows = liveRows(withID: id, in: record)
    for row in rows { remove(row: row, from: record) }
    if let cell = pool.lookup(id) { rowsOfIDs[record]?[Cell(cell)] = nil }
    return rows.count
  }

  /// Removes a live record that has no id, or whose id nobody asks for.
  package func remove(row: Int, from record: RecordID) {
    forgetAnswers(from: record)
    // Whom a fact names may exist through it alone; then its number stays, and has no row.
    if !shapes(record) { engine.change(record, row: row, isNew: false) }
    dataset.change(record) { $0.remove(row: row) }
    if shapes(record) { rebuild() }
  }

  private func rows(withID id: Cell, _ record: RecordID) -> [Int] {
    if rowsOfIDs[record] == nil {
      var found: [Cell: [Int]] = [:]
      if let field = library.records[record].idField {
        for row in 0..<dataset.table(record).rowCount {
          if let id = dataset.table(record).cell(field, row) { found[id, default: []].append(row) }
        }
      }
      rowsOfIDs[record] = found
    }
    return rowsOfIDs[record]?[id] ?? []
  }

  /// Whether a record decides what facts belong to, or whether they may be read.
  func shapes(_ record: RecordID) -> Bool {
    library.records[record].kind != .fact || record == library.record(named: "Consent")
      || library.identity != nil
  }

  /// Whether a record refers to an entity by an id that has no number yet.
  private func namesSomethingNew(_ record: RecordID, _ row: Int) -> Bool {
    let table = dataset.table(record)
    return library.records[record].fields.indices.contains { field in
      let reference = FieldReference(record: record, field: field)
      guard let entity = library.target(of: reference), let id = table.cell(field, row) else { return false }
      return dataset.space(entity).number(ofPool: id) == nil
    }
  }

  private func forgetAnswers(from record: RecordID) {
    engine.forgetReaders(of: record)
    worker.forget()
  }

  private func rebuild() {
    dataset.forgetSpaces()
    do throws(EvaluationError) {
      try dataset.merge()
      brokenIdentity = nil
    } catch {
      brokenIdentity = error
    }
    engine = EvaluationSession.engine(library, dataset, needs)
    worker = Worker(engine: engine)
  }

  // MARK: Questions

  /// The rows of a metric at some days, as from `evaluate`; empty for an unknown subject.
  ///
  /// - Parameter subject: an id; nil for all subjects.
  package func rows(
    of metric: MetricID, subject: String?, days: [DayKey]
  ) throws(EvaluationError) -> [ResultRow] {
    if let brokenIdentity { throw brokenIdentity }
    engine.move(to: days.map(\.number))
    worker.forget()
    let compiled = try engine.compile(metric)
    guard let subject else {
      let job = RowJob(
        metric, request: EvaluationRequest(metrics: [metric], days: days), engine: engine, isText: false)
      return try job.rows(0..<job.subjects.count, worker)
    }
    guard let number = number(of: subject, compiled, metric) else { return [] }
    let job = RowJob(metric, days: days, subjects: [Int32(number)], engine: engine)
    return try job.rows(0..<1, worker)
  }

  /// Whether any record names a subject of a metric, whether or not it has rows.
  package func isKnown(_ subject: String, of metric: MetricID) -> Bool {
    let plan = library.metrics[metric]
    guard !plan.isOfMany(library), let entity = plan.subject.entity else { return subject.isEmpty }
    return isKnown(subject, entity)
  }

  /// Whether any record names an entity.
  package func isKnown(_ id: String, _ entity: RecordID) -> Bool {
    let scope = SubjectScope(entity, reads: Set(needs.fields.keys))
    return engine.number(of: id, entity).map { engine.exists($0, scope) } ?? false
  }

  /// The live records, by name of their type.
  package var tables: [String: Table] {
    var tables: [String: Table] = [:]
    for record in needs.fields.keys {
      tables[library.records[record].name] = dataset.table(record).table(
        needs.schema(of: record), library.records[record])
    }
    return tables
  }

  /// The number of a subject that has a row.
  private func number(of subject: String, _ compiled: CompiledMetric, _ metric: MetricID) -> Int? {
    let plan = compiled.plan
    guard let entity = plan.subject.entity, !plan.isOfMany(library) else {
      return subject.isEmpty ? 0 : nil
    }
    return engine.number(of: subject, entity).flatMap { number in
      let exists = engine.exists(number, needs.subjects(of: entity, for: metric))
      return compiled.includes(number) && exists ? number : nil
    }
  }
}

/// The subjects whose values a change of records may affect.
package enum AffectedSubjects: Hashable, Sendable {
  case all
  /// Ids; the empty one is that of a metric with one row for all.
  case some(Set<String>)

  package func union(_ other: AffectedSubjects) -> AffectedSubjects {
    guard case .some(let one) = self, case .some(let two) = other else { return .all }
    return .some(one.union(two))
  }
}

extension EvaluationSession {
  /// Which values of the session's metrics may change when records of one type are added or removed. All others keep
  /// theirs.
  ///
  /// A fact affects the subjects that it reaches. A record that decides what facts belong to, or whether they may be
  /// read, affects all subjects.
  package func affected(by record: RecordID, rows: some Collection<Int>) -> [MetricID: AffectedSubjects] {
    var affected: [MetricID: AffectedSubjects] = [:]
    var known: [Route: AffectedSubjects] = [:]
    let concernsAll = record == library.record(named: "Consent") || record == library.identity?.record
    // Team metrics need the consent and the number of the users behind facts; entities lead to them.
    let leadsToUsers =
      library.records[record].kind == .entity
      && needs.fields.keys.contains { library.userPaths(of: $0).joined().contains { $0.record == record } }
    for metric in metrics
    where concernsAll || needs.reads[metric]?.contains(record) == true
      || leadsToUsers && library.metrics[metric].audience == .team
    {
      guard let entity = library.metrics[metric].subject.entity, !library.metrics[metric].isOfMany(library)
      else {
        affected[metric] = .some([""])
        continue
      }
      guard !shapes(record), let routes = routes(of: metric, record) else {
        affected[metric] = .all
        continue
      }
      var subjects = AffectedSubjects.some([])
      for route in routes {
        let ends = known[route] ?? ends(of: route, rows, entity)
        known[route] = ends
        subjects = subjects.union(ends)
      }
      affected[metric] = subjects
    }
    return affected
  }

  /// The routes of a metric's aggregates over a record and of the metrics that it reads for the same subject; nil if a
  /// fact may change the values of any subject. A fact that names a subject itself makes it exist.
  private func routes(of metric: MetricID, _ record: RecordID) -> Set<Route>? {
    guard needs.reads[metric]?.contains(record) == true else { return [] }
    let entity = library.metrics[metric].subject.entity
    var routes: Set<Route> = []
    for field in entity.map({ library.references(from: record, to: $0) }) ?? [] {
      routes.insert(.references([FieldReference(record: record, field: field)]))
    }
    for part in library.metrics[metric].body.parts {
      if let aggregate = part.aggregate, aggregate.record == record { routes.insert(aggregate.route) }
      if case .subjects = part { return nil }
    }
    for other in library.reads(library.metrics[metric]) {
      guard let inner = self.routes(of: other, record),
        inner.isEmpty || library.metrics[other].subject.entity == entity
      else { return nil }
      routes.formUnion(inner)
    }
    return routes
  }

  /// The ids of the subjects at the end of a route from some records.
  private func ends(of route: Route, _ rows: some Collection<Int>, _ entity: RecordID) -> AffectedSubjects {
    var numbers: Set<Int> = []
    switch route {
    case .whole: return .all
    case .references(let references):
      for row in rows { dataset.end(of: references, ofRow: row).map { _ = numbers.insert($0) } }
    case .link(let link):
      guard let members = try? engine.routing.members(link, counting: false) else { return .all }
      for row in rows {
        guard let end = dataset.end(of: link.fromFact, ofRow: row) else { continue }
        for member in members[end] { numbers.insert(Int(member.subject)) }
      }
    }
    return .some(Set(numbers.map { engine.id(entity, $0) }))
  }
}
