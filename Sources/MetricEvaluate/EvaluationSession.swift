/// Evaluates metrics over records that are added and removed.
///
/// Added and removed facts update the engine's indexes in place. Only a record that changes what facts belong to (an
/// entity, a link, a consent, a new id) rebuilds the indexes at the next question.
package final class EvaluationSession {
  let library: Library
  let metrics: [MetricID]
  let needs: DataNeeds
  let dataset: Dataset
  private var worker: Worker
  var engine: Engine { worker.engine }
  /// The fault of `Identity`, thrown at every question.
  private var brokenIdentity: EvaluationError?
  private var rowsOfIDs: [RecordID: [Cell: [Int]]] = [:]

  /// - Parameter tables: by record name, decoded with the schemas of what `metrics` read.
  package init(library: Library, metrics: [MetricID], tables: [String: Table], pool: StringPool) {
    let library = library.withTeamReadings(of: metrics)
    self.library = library
    self.metrics = metrics
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
    worker = EvaluationSession.worker(library, dataset, needs)
    if library.identity != nil { rebuild() }
  }

  private static func worker(_ library: Library, _ dataset: Dataset, _ needs: DataNeeds) -> Worker {
    Worker(
      engine: Engine(library: library, dataset: dataset, needs: needs, days: [], isGrowing: true))
  }

  /// The schema of a record type, including its id; nil if no metric reads it.
  package func schema(of record: RecordID) -> TableSchema? {
    keeps(record) ? needs.schema(of: record) : nil
  }

  package func keeps(_ record: RecordID) -> Bool { needs.fields[record] != nil }

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
    if rowsOfIDs[record] != nil { note(rows, of: record) }
    guard let row = rows.first(where: dataset.table(record).isLive) ?? (library.identity != nil ? first : nil)
    else { return rows }
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
    guard keeps(record), let cell = dataset.pool.lookup(id) else { return [] }
    return rows(withID: Cell(cell), record).filter { dataset.table(record).isLive($0) }
  }

  /// Removes the records with an id without a trace.
  ///
  /// - Returns: how many there were.
  package func remove(id: String, from record: RecordID) -> Int {
    let rows = liveRows(withID: id, in: record)
    for row in rows { remove(row: row, from: record) }
    if let cell = dataset.pool.lookup(id) { rowsOfIDs[record]?[Cell(cell)] = nil }
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
      rowsOfIDs[record] = [:]
      note(0..<dataset.table(record).rowCount, of: record)
    }
    return rowsOfIDs[record]?[id] ?? []
  }

  /// Notes rows by their ids.
  private func note(_ rows: Range<Int>, of record: RecordID) {
    guard let field = library.records[record].idField else { return }
    let table = dataset.table(record)
    for row in rows {
      if let id = table.cell(field, row) { rowsOfIDs[record]?[id, default: []].append(row) }
    }
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
    worker = EvaluationSession.worker(library, dataset, needs)
  }

  /// The rows of a metric at some days, as from `evaluate`; empty for an unknown subject.
  ///
  /// - Parameter subject: an id; nil for all subjects.
  package func rows(
    of metric: MetricID, subject: String?, days: [DayKey]
  ) throws(EvaluationError) -> [ResultRow] {
    if let brokenIdentity { throw brokenIdentity }
    let compiled = try engine.compile(metric)
    let subjects = subject.map { number(of: $0, compiled).map { [Int32($0)] } ?? [] }
    let job = RowJob(metric, days: days, subjects: subjects, engine: engine)
    return try job.rows(job.subjects.indices, worker)
  }

  /// Whether any record names a subject of a metric, whether or not it has rows.
  package func isKnown(_ subject: String, of metric: MetricID) -> Bool {
    library.metrics[metric].entityOfRows(library).map { isKnown(subject, $0) } ?? subject.isEmpty
  }

  /// Whether any record names an entity.
  package func isKnown(_ id: String, _ entity: RecordID) -> Bool {
    engine.number(of: id, SubjectScope(entity, reads: Set(needs.fields.keys))) != nil
  }

  /// The live records, by name of their type.
  package var tables: [String: Table] {
    needs.fields.keys.reduce(into: [:]) { tables, record in
      let declaration = library.records[record]
      tables[declaration.name] = dataset.table(record).table(needs.schema(of: record), declaration)
    }
  }

  /// The number of a subject that has a row.
  private func number(of subject: String, _ metric: CompiledMetric) -> Int? {
    guard let entity = metric.plan.entityOfRows(library) else { return subject.isEmpty ? 0 : nil }
    return engine.number(of: subject, needs.subjects(of: entity, for: metric.id)).flatMap {
      metric.includes($0) ? $0 : nil
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
      guard let entity = library.metrics[metric].entityOfRows(library) else {
        affected[metric] = .some([""])
        continue
      }
      guard !shapes(record), let routes = routes(of: metric, record) else {
        affected[metric] = .all
        continue
      }
      affected[metric] = routes.reduce(.some([])) { subjects, route in
        let ends = known[route] ?? ends(of: route, rows, entity)
        known[route] = ends
        return subjects.union(ends)
      }
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
      numbers.formUnion(rows.compactMap { dataset.end(of: references, ofRow: $0) })
    case .link(let link):
      guard let members = try? engine.routing.members(link, counting: false) else { return .all }
      for row in rows {
        guard let end = dataset.end(of: link.fromFact, ofRow: row) else { continue }
        numbers.formUnion(members[end].map { Int($0.subject) })
      }
    }
    return .some(Set(numbers.map { engine.id(entity, $0) }))
  }
}
