import MetricData
import MetricPlan

/// Records that grow, and answers about them.
///
/// Facts that come and go are put into the indexes of the engine in their places. Only a record that
/// changes what facts belong to (an entity, a link, a consent, an id that nobody has named before) makes
/// the next question build the indexes anew.
package final class EvaluationSession {
  private let library: Library
  private let needs: DataNeeds
  private let pool: StringPool
  private let dataset: Dataset
  private var engine: Engine
  private var worker: Worker
  private var rowsOfIDs: [RecordID: [Cell: [Int]]] = [:]

  /// - Parameter tables: by record name, decoded with the schemas of what `metrics` read.
  package init(library: Library, metrics: [MetricID], tables: [String: Table], pool: StringPool) {
    self.library = library
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
  }

  private static func engine(_ library: Library, _ dataset: Dataset, _ needs: DataNeeds) -> Engine {
    Engine(
      library: library, dataset: dataset, needs: needs, days: [DayKey(number: 0)], isGrowing: true)
  }

  /// What is kept of a record type, its id among it; nil where no metric reads it.
  package func schema(of record: RecordID) -> TableSchema? {
    needs.fields[record] == nil ? nil : needs.schema(of: record)
  }

  // MARK: Records

  /// Appends a record whose cells are those of its schema; nil is missing.
  package func append(_ cells: [Cell?], to record: RecordID) {
    guard let schema = schema(of: record) else { return }
    let declaration = library.records[record]
    var byField: [Int: Cell?] = [:]
    for (column, cell) in zip(schema.columns, cells) {
      if let field = declaration.field(named: column.name) { byField[field] = .some(cell) }
    }
    let row = dataset.table(record).rowCount
    forgetAnswers()
    dataset.change(record) { $0.append(byField, tombstones: declaration.tombstones) }
    if let field = declaration.idField, let id = byField[field] ?? nil {
      rowsOfIDs[record]?[id, default: []].append(row)
    }
    guard dataset.table(record).isLive(row) else { return }
    if shapes(record) || namesSomethingNew(record, row) {
      rebuild()
    } else {
      engine.change(record, row: row, isNew: true)
    }
  }

  /// Takes away the records with an id, as if they had never been there.
  ///
  /// - Returns: how many there were.
  package func remove(id: String, from record: RecordID) -> Int {
    guard schema(of: record) != nil, let cell = pool.lookup(id).map({ Cell($0) }) else { return 0 }
    let rows = rows(withID: cell, record).filter { dataset.table(record).isLive($0) }
    for row in rows {
      forgetAnswers()
      // Whom a fact names may exist through it alone; then its number stays, and has no row.
      if !shapes(record) { engine.change(record, row: row, isNew: false) }
      dataset.change(record) { $0.remove(row: row) }
      if shapes(record) { rebuild() }
    }
    rowsOfIDs[record]?[cell] = nil
    return rows.count
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

  /// Whether a record says what facts belong to, or whether they may be read.
  private func shapes(_ record: RecordID) -> Bool {
    library.records[record].kind != .fact || record == library.record(named: "Consent")
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

  private func forgetAnswers() {
    engine.forgetPrograms()
    worker.forget()
  }

  private func rebuild() {
    dataset.forgetSpaces()
    engine = EvaluationSession.engine(library, dataset, needs)
    worker = Worker(engine: engine)
  }

  // MARK: Questions

  /// The rows of a metric for a subject at a day, as `evaluate` has them; none where there is no such
  /// subject.
  package func rows(
    of metric: MetricID, subject: String, at day: DayKey
  ) throws(EvaluationError) -> [ResultRow] {
    engine.move(to: day.number)
    worker.forget()
    let variant = engine.variant(metric)
    let compiled = try engine.compile(variant)
    guard let number = number(of: subject, compiled, metric) else { return [] }
    let job = RowJob(variant: variant, days: [day], subjects: [Int32(number)], engine: engine)
    return try job.rows(0..<1, worker)
  }

  /// The number of a subject that has a row.
  private func number(of subject: String, _ compiled: CompiledMetric, _ metric: MetricID) -> Int? {
    let plan = compiled.plan
    guard let entity = plan.subject.entity, !compiled.isWhole, !plan.isLevelOfWhole(library) else {
      return subject.isEmpty ? 0 : nil
    }
    guard let id = pool.lookup(subject), let number = dataset.space(entity).number(ofPool: Cell(id)),
      compiled.includes(number),
      engine.exists(
        entity, number, reads: needs.reads[metric] ?? [], isTeam: plan.audience == .team)
    else { return nil }
    return number
  }
}
