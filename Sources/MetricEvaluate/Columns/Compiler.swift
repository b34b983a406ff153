/// Turns typed expressions into programs over columns. Aggregates are in `Metrics/`.
struct Compiler {
  let engine: Engine
  /// The metric being compiled.
  let metric: MetricID
  /// The metric's subject; nil for `app`.
  var subject: RecordID?
  /// What the cells of a column stand for, and whose fields have the root `.row`.
  var scope = Scope.days
  /// In a grouped measure, what it is grouped by.
  var groups: [GroupField] = []

  var dataset: Dataset { engine.dataset }

  enum Scope: Hashable {
    /// Days of the metric's subject.
    case days
    /// Days of a counted subject.
    case counted(RecordID)
    /// Rows of a record.
    case rows(RecordID, isFact: Bool)
  }

  func within(_ scope: Scope) -> Compiler {
    Compiler(engine: engine, metric: metric, subject: subject, scope: scope)
  }

  /// What the metric needs to read a record's facts.
  func consent(to record: RecordID) -> AskedConsent? { engine.library.consent(to: record, for: metric) }

  func compile(_ expression: Expression?) throws(EvaluationError) -> Program? {
    guard let expression else { return nil }
    return try compile(expression) as Program
  }

  func compile(_ expression: Expression) throws(EvaluationError) -> Program {
    switch expression {
    case .literal(let literal): return Operators.constant(cell(of: literal))
    case .field(let path): return try compile(path)
    case .day: return compileDay()
    case .metric(let reference): return try compile(reference)
    case .aggregate(let aggregate): return try compile(aggregate)
    case .completions(let aggregate): return try compile(aggregate)
    case .subjects(let aggregate): return try compile(aggregate)
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, try compile(left), try compile(right), isDecimal: left.type == .decimal)
    case .negated(let operand): return Operators.each(try compile(operand)) { $0.map(Operators.negate) }
    case .comparison(let operation, let left, let right):
      if let program = try compileExistence(expression) { return program }
      let constant: Cell? = if case .literal(let literal) = right { cell(of: literal) } else { nil }
      return Operators.comparison(operation, try compile(left), try compile(right), constant: constant)
    case .membership(let operand, let literals, let negated):
      let members = literals.map(cell(of:)).sorted()
      return Operators.each(try compile(operand)) {
        $0.mapValues { members.containsSorted($0) != negated ? 1 : 0 }
      }
    case .isNone(let operand, let negated):
      return Operators.each(try compile(operand)) { $0.map { Operators.isNone($0, negated: negated) } }
    case .and(let left, let right):
      return Operators.each(try compile(left), try compile(right)) { $0.map($1, Operators.and) }
    case .or(let left, let right):
      return Operators.each(try compile(left), try compile(right)) { $0.map($1, Operators.or) }
    case .not(let operand):
      return Operators.each(try compile(operand)) { $0.mapValues { 1 - $0 } }
    case .conditional(let condition, let then, let otherwise):
      return Operators.conditional(try compile(condition), try compile(then), try compile(otherwise))
    case .function(let function, let operands):
      return scalar(
        function, try operands.map { operand throws(EvaluationError) in try compile(operand) as Program })
    case .widened(let operand):
      return Operators.each(try compile(operand)) { $0.mapValues { $0 * FixedDecimal.scale } }
    }
  }

  /// The cell of a literal; texts are interned.
  func cell(of literal: Literal) -> Cell { literal.cell(dataset.pool) ?? noValue }

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: @escaping Program, _ right: @escaping Program, isDecimal: Bool
  ) -> Program {
    let limit = isDecimal ? FixedDecimal.limit : FixedDecimal.intLimit
    return switch operation {
    case .add: Operators.each(left, right) { $0.map($1) { Operators.add($0, $1, limit: limit) } }
    case .subtract:
      Operators.each(left, right) { $0.map($1) { Operators.add($0, Operators.negate($1), limit: limit) } }
    case .multiply:
      Operators.each(left, right) { $0.map($1) { Operators.multiply($0, $1, isDecimal: isDecimal) } }
    case .divide: Operators.each(left, right) { $0.map($1, Operators.divide) }
    }
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Program]) -> Program {
    switch function {
    case .least:
      return Operators.each(operands[0], operands[1]) { $0.map($1) { Operators.both($0, $1, min) } }
    case .greatest:
      return Operators.each(operands[0], operands[1]) { $0.map($1) { Operators.both($0, $1, max) } }
    case .floor: return Operators.each(operands[0]) { $0.map(Operators.floor) }
    case .weekday:
      let names = Weekday.allCases.map { Cell(dataset.pool.intern($0.name)) }
      return Operators.each(operands[0]) {
        $0.mapValues { names[DayKey(number: Int32($0)).weekday.rawValue] }
      }
    case .daysBetween:
      return Operators.each(operands[0], operands[1]) {
        $0.map($1) { Operators.add($0, Operators.negate($1), limit: .max) }
      }
    }
  }

  /// - Parameter asksGroup: in a grouped measure, whether the group is there, instead of a value.
  func compile(_ reference: MetricReference, asksGroup: Bool = false) throws(EvaluationError) -> Program {
    if let days = reference.days { return try compile(reference, of: days) }
    let metric = try engine.compile(reference.metric)
    let part = metric.plan.parts.firstIndex { $0.name == reference.part } ?? 0
    let isCounted = reference.root == .row
    let (count, places) = (groups.count, groups.places(of: metric.grouping))
    return { place, out, worker in
      let subject = metric.isWhole ? 0 : isCounted ? place.counted : place.subject
      func read(_ days: DayRange, _ out: UnsafeMutablePointer<Cell>) {
        guard metric.isGrouped else {
          return worker.read(metric, part: part, subject: subject, days: days, out)
        }
        let group = worker.group(place.group, at: places, of: count)
        worker.read(
          metric, group: group, part: asksGroup ? nil : part, subject: subject, days: days, out)
      }
      let all = place.days.shifted(by: reference.offset)
      guard case .months(let months) = reference.offset else { return read(all, out) }
      worker.withCells(all.count) { cells in
        read(all, cells)
        for lane in 0..<place.count {
          let day = DayKey(number: place.days[lane]).advanced(byMonths: -months).number
          out[lane] = cells[Int(day - all.first)]
        }
      }
    }
  }
}

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
          if let entityRows {
            let entity = place.subjects
            for lane in 0..<place.count { rows[lane] = entity.map { entityRows[Int($0[lane])] } ?? -1 }
          } else if let own = place.rows {
            rows.update(from: own, count: place.count)
          }
          for step in steps { Compiler.follow(step, rows, place.count) }
          read(Place(count: place.count, rows: rows), out, worker)
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
      withUnsafePointer(to: row) { read(Place(count: 1, rows: $0), out, worker) }
      if place.count > 1 { (out + 1).update(repeating: out[0], count: place.count - 1) }
    }
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
        cells.withUnsafeBufferPointer { cells in
          for lane in 0..<place.count {
            let row = Int(rows[lane])
            let cell = row >= 0 ? cells[row] : Column.missingNarrow
            out[lane] = cell == Column.missingNarrow ? noValue : Cell(cell)
          }
        }
      }
    case .coded(let codes, let texts):
      let values = texts.map { $0 == Column.missingNarrow ? noValue : Cell($0) }
      return { place, out, _ in
        guard let rows = place.rows else { return }
        codes.withUnsafeBufferPointer { codes in
          values.withUnsafeBufferPointer { values in
            for lane in 0..<place.count {
              out[lane] = rows[lane] >= 0 ? values[Int(codes[Int(rows[lane])])] : noValue
            }
          }
        }
      }
    case .wide(let cells):
      return { place, out, _ in
        guard let rows = place.rows else { return }
        cells.withUnsafeBufferPointer { cells in
          for lane in 0..<place.count { out[lane] = rows[lane] >= 0 ? cells[Int(rows[lane])] : noValue }
        }
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
        program(Place(count: count, rows: rows), cells, Worker(engine: engine))
      }
    }
    if let number = cells.firstIndex(of: outOfRange) {
      throw .overflow(
        metric: engine.library.metrics[metric].name, subject: engine.id(entity, number), day: nil)
    }
    return cells
  }
}

extension [Cell] {
  /// Whether one of the elements, which are in order, is this. A search makes dozens of small evaluations, and a set of
  /// 20,000 would be hashed in each.
  fileprivate func containsSorted(_ value: Cell) -> Bool {
    self[partitioningIndex { $0 >= value }...].first == value
  }
}
