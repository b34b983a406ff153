import MetricData
import MetricPlan

/// Fields of records, along references.
extension Compiler {
  func compileDay() -> Program {
    guard case .rows(let record, isFact: true) = scope else {
      return { place, out, _ in
        for lane in 0..<place.count { out[lane] = Cell(place.days[lane]) }
      }
    }
    return reading(engine.library.records[record].dayKeyField.flatMap { dataset.table(record).column($0) })
  }

  func compile(_ path: FieldPath) throws(EvaluationError) -> Program {
    let read = try self.read(path.field)
    let steps = path.references.map { dataset.targetRows($0) }
    if case .rows = scope {
      let entityRows = path.root == .subject ? subject.map { dataset.space($0).rows } ?? [] : nil
      guard entityRows != nil || !steps.isEmpty else { return read }
      return { place, out, worker in
        worker.with(Int32.self, place.count) { rows in
          Compiler.startRows(place, entityRows, rows)
          for step in steps { Compiler.follow(step, rows, place.count) }
          read(Place(rows: rows, count: place.count), out, worker)
        }
      }
    }
    // One record for all days.
    let entity: RecordID? =
      if path.root == .row, case .counted(let entity) = scope { entity } else { subject }
    guard let entity else { return Operators.constant(noValue) }
    let entityRows = dataset.space(entity).rows
    let isCounted = path.root == .row
    return { place, out, worker in
      var row = entityRows[isCounted ? place.counted : place.subject]
      for step in steps { Compiler.follow(step, &row, 1) }
      read(Place(rows: &row, count: 1), out, worker)
      if place.count > 1 { (out + 1).update(repeating: out[0], count: place.count - 1) }
    }
  }

  /// The rows where a path starts: those of the place, or of the facts' subjects.
  private static func startRows(_ place: Place, _ entityRows: [Int32]?, _ rows: UnsafeMutablePointer<Int32>) {
    guard let entityRows else {
      if let own = place.rows { rows.update(from: own, count: place.count) }
      return
    }
    for lane in 0..<place.count { rows[lane] = place.subjects.map { entityRows[Int($0[lane])] } ?? -1 }
  }

  @inline(__always)
  private static func follow(_ targets: [Int32], _ rows: UnsafeMutablePointer<Int32>, _ count: Int) {
    for lane in 0..<count where rows[lane] >= 0 {
      rows[lane] = Int(rows[lane]) < targets.count ? targets[Int(rows[lane])] : -1
    }
  }

  /// The cells of a field, stored or computed, for the rows of a place.
  private func read(_ field: FieldReference) throws(EvaluationError) -> Program {
    guard let computed = engine.library[field].computed else {
      return reading(dataset.table(field.record).column(field.field))
    }
    // A computed field of a record that is not there has no value, whatever it says.
    let program: Program = try within(.rows(field.record, isFact: false)).compile(computed)
    return { place, out, worker in
      program(place, out, worker)
      guard let rows = place.rows else { return }
      for lane in 0..<place.count where rows[lane] < 0 { out[lane] = noValue }
    }
  }

  private func reading(_ column: Column?) -> Program {
    switch column {
    case .narrow(let cells):
      return { place, out, _ in
        guard let rows = place.rows else { return }
        for lane in 0..<place.count {
          let row = Int(rows[lane])
          let cell = row >= 0 ? cells[row] : Column.missingNarrow
          out[lane] = cell == Column.missingNarrow ? noValue : Cell(cell)
        }
      }
    case .wide(let cells):
      return { place, out, _ in
        guard let rows = place.rows else { return }
        for lane in 0..<place.count { out[lane] = rows[lane] >= 0 ? cells[Int(rows[lane])] : noValue }
      }
    case nil: return Operators.constant(noValue)
    }
  }

  /// By number of an entity, the value of an expression over its own fields.
  func cells(_ expression: Expression, ofEach entity: RecordID) throws(EvaluationError) -> [Cell] {
    let program: Program = try within(.rows(entity, isFact: false)).compile(expression)
    let rows = dataset.space(entity).rows
    let cells = [Cell](unsafeUninitializedCapacity: rows.count) { cells, count in
      count = rows.count
      rows.withUnsafeBufferPointer { rows in
        guard let rows = rows.baseAddress, let cells = cells.baseAddress else { return }
        program(Place(rows: rows, count: count), cells, Worker(engine: engine))
      }
    }
    if let number = cells.firstIndex(of: outOfRange) {
      throw .overflow(
        metric: engine.library.metrics[metric].name, subject: engine.id(entity, number), day: nil)
    }
    return cells
  }
}
