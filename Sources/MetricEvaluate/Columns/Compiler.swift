import MetricData
import MetricPlan

/// Turns typed expressions into programs over columns. Aggregates are in `Metrics/`, fields in `Compiler+Fields.swift`.
struct Compiler {
  let engine: Engine
  /// The metric being compiled.
  let metric: MetricID
  /// Whether consent applies to the facts below (PRIV-04).
  let isTeam: Bool
  /// The metric's subject; nil for `app`.
  var subject: RecordID?
  /// What the cells of a column stand for, and whose fields have the root `.row`.
  var scope = Scope.days
  /// In a grouped measure, for each record type, the path from a fact or a counted subject to its group.
  var groups: [RecordID: FieldPath]?

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
    Compiler(engine: engine, metric: metric, isTeam: isTeam, subject: subject, scope: scope)
  }

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
    case .negated(let operand): return Operators.each(try compile(operand), Operators.negate)
    case .comparison(let operation, let left, let right):
      if let program = try compileExistence(expression) { return program }
      return Operators.comparison(operation, try compile(left), try compile(right))
    case .membership(let operand, let literals, let negated):
      let members = Set(literals.map(cell(of:)))
      return Operators.each(try compile(operand)) { value in
        value.isSpecial ? value : members.contains(value) != negated ? 1 : 0
      }
    case .isNone(let operand, let negated):
      return Operators.each(try compile(operand)) { Operators.isNone($0, negated: negated) }
    case .and(let left, let right):
      return Operators.each(try compile(left), try compile(right), Operators.and)
    case .or(let left, let right):
      return Operators.each(try compile(left), try compile(right), Operators.or)
    case .not(let operand):
      return Operators.each(try compile(operand)) { $0.isSpecial ? $0 : 1 - $0 }
    case .conditional(.literal(.bool(let holds)), let then, let otherwise):
      return try compile(holds ? then : otherwise)
    case .conditional(let condition, let then, let otherwise):
      return Operators.conditional(try compile(condition), try compile(then), try compile(otherwise))
    case .function(let function, let operands):
      var programs: [Program] = []
      for operand in operands { programs.append(try compile(operand)) }
      return scalar(function, programs)
    case .widened(let operand):
      return Operators.each(try compile(operand)) { $0.isSpecial ? $0 : $0 * FixedDecimal.scale }
    }
  }

  /// The cell of a literal; texts are interned.
  func cell(of literal: Literal) -> Cell { literal.cell(dataset.pool) ?? noValue }

  // MARK: Operators

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: @escaping Program, _ right: @escaping Program, isDecimal: Bool
  ) -> Program {
    let limit = isDecimal ? FixedDecimal.limit : FixedDecimal.intLimit
    return switch operation {
    case .add: Operators.each(left, right) { Operators.add($0, $1, limit: limit) }
    case .subtract: Operators.each(left, right) { Operators.add($0, Operators.negate($1), limit: limit) }
    case .multiply: Operators.each(left, right) { Operators.multiply($0, $1, isDecimal: isDecimal) }
    case .divide: Operators.each(left, right, Operators.divide)
    }
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Program]) -> Program {
    switch function {
    case .least: return Operators.each(operands[0], operands[1]) { Operators.pick($0, $1, min) }
    case .greatest: return Operators.each(operands[0], operands[1]) { Operators.pick($0, $1, max) }
    case .floor: return Operators.each(operands[0], Operators.floor)
    case .weekday:
      let names = Weekday.allCases.map { Cell(dataset.pool.intern($0.name)) }
      return Operators.each(operands[0]) { day in
        day.isSpecial ? day : names[DayKey(number: Int32(day)).weekday.rawValue]
      }
    case .daysBetween:
      return Operators.each(operands[0], operands[1]) { Operators.add($0, Operators.negate($1), limit: .max) }
    }
  }

  // MARK: Metrics

  private func compile(_ reference: MetricReference) throws(EvaluationError) -> Program {
    let metric = try engine.compile(engine.variant(reference.metric, isTeam: isTeam))
    let part = metric.plan.parts.firstIndex { $0.name == reference.part } ?? 0
    let isCounted = reference.root == .row
    return { place, out, worker in
      let subject = metric.isWhole ? 0 : isCounted ? place.counted : place.subject
      func read(_ days: DayRange, _ out: UnsafeMutablePointer<Cell>) {
        worker.read(metric, part: part, subject: subject, days: days, out)
      }
      switch reference.offset {
      case nil: read(place.days, out)
      case .days(let days): read(place.days.shifted(by: Int32(days)), out)
      case .months(let months):
        // Several days may map to the same day of a shorter month, so a dense column is read and indexed (OPD-03).
        let days = (0..<place.count).map { DayKey(number: place.days[$0]).advanced(byMonths: -months).number }
        guard let first = days.first, let last = days.last else { return }
        let all = DayRange(from: first, through: last)
        worker.withCells(all.count) { cells in
          read(all, cells)
          for lane in 0..<place.count { out[lane] = cells[Int(days[lane] - first)] }
        }
      }
    }
  }
}
