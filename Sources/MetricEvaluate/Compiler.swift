import MetricData
import MetricPlan

/// Turns typed expressions into programs over the loaded columns. Aggregates are in
/// `Compiler+Aggregates.swift`.
struct Compiler {
  let engine: Engine
  /// The metric at work.
  let metric: MetricID
  var dataset: Dataset { engine.dataset }
  /// Whether consent applies to the facts below (LANGUAGE, Consent and privacy).
  let isTeam: Bool
  /// The metric's subject; nil for `app`.
  var subject: RecordID?
  /// The record at hand, whose fields have the root `.row`.
  var row: RecordID?
  /// Whether `day` is the DayKey of the fact at hand.
  var isFact = false
  /// The groups by which a measure's facts are split; nil where they are not.
  var groups: GroupContext?

  func with(row: RecordID, isFact: Bool) -> Compiler {
    Compiler(engine: engine, metric: metric, isTeam: isTeam, subject: subject, row: row, isFact: isFact)
  }

  func compile(_ expression: Expression) throws(EvaluationError) -> Program {
    switch expression {
    case .literal(let literal):
      let cell = cell(of: literal)
      return { _ in cell }
    case .field(let path): return try compile(path)
    case .day: return compileDay()
    case .metric(let reference): return try compile(reference)
    case .aggregate(let aggregate): return try compile(aggregate)
    case .completions(let aggregate): return try compile(aggregate)
    case .subjects(let aggregate): return try compile(aggregate)
    case .arithmetic(let operation, let left, let right):
      return arithmetic(operation, try compile(left), try compile(right), isDecimal: left.type == .decimal)
    case .negated(let operand):
      let operand = try compile(operand)
      return { worker in
        let value = operand(worker)
        return value == noValue ? noValue : -value
      }
    case .comparison(let operation, let left, let right):
      if let (aggregate, negated) = expression.existence,
        let program = compileExistence(aggregate, negated: negated)
      {
        return program
      }
      return comparison(operation, try compile(left), try compile(right))
    case .membership(let operand, let literals, let negated):
      let operand = try compile(operand)
      let members = Set(literals.map(cell(of:)))
      return { worker in
        let value = operand(worker)
        return value == noValue ? noValue : members.contains(value) != negated ? 1 : 0
      }
    case .isNone(let operand, let negated):
      let operand = try compile(operand)
      return { worker in (operand(worker) == noValue) != negated ? 1 : 0 }
    case .and(let left, let right): return and(try compile(left), try compile(right))
    case .or(let left, let right): return or(try compile(left), try compile(right))
    case .not(let operand):
      let operand = try compile(operand)
      return { worker in
        let value = operand(worker)
        return value == noValue ? noValue : 1 - value
      }
    case .conditional(let condition, let then, let otherwise):
      let (condition, then, otherwise) = (try compile(condition), try compile(then), try compile(otherwise))
      return { worker in condition(worker) == 1 ? then(worker) : otherwise(worker) }
    case .function(let function, let operands):
      var programs: [Program] = []
      for operand in operands { programs.append(try compile(operand)) }
      return scalar(function, programs)
    case .widened(let operand):
      let operand = try compile(operand)
      return { worker in
        let value = operand(worker)
        return value == noValue ? noValue : value * FixedDecimal.scale
      }
    }
  }

  /// The cell of a literal; texts are interned.
  func cell(of literal: Literal) -> Cell {
    switch literal {
    case .none: noValue
    case .bool(let value): value ? 1 : 0
    case .int(let value): value
    case .decimal(let value): value.millionths
    case .text(let text): Cell(dataset.pool.intern(text))
    case .day(let day): Cell(day.number)
    }
  }

  // MARK: Operators

  private func arithmetic(
    _ operation: ArithmeticOperator, _ left: @escaping Program, _ right: @escaping Program, isDecimal: Bool
  ) -> Program {
    switch operation {
    case .add:
      { Arithmetic.add(left($0), right($0), isDecimal: isDecimal, &$0.overflow) }
    case .subtract:
      { worker in
        let second = right(worker)
        return Arithmetic.add(
          left(worker), second == noValue ? noValue : -second, isDecimal: isDecimal, &worker.overflow)
      }
    case .multiply:
      { Arithmetic.multiply(left($0), right($0), isDecimal: isDecimal, &$0.overflow) }
    case .divide:
      { Arithmetic.divide(left($0), right($0), &$0.overflow) }
    }
  }

  private func comparison(
    _ operation: ComparisonOperator, _ left: @escaping Program, _ right: @escaping Program
  ) -> Program {
    func compare(_ holds: @escaping (Cell, Cell) -> Bool) -> Program {
      { worker in
        let (first, second) = (left(worker), right(worker))
        return first == noValue || second == noValue ? noValue : holds(first, second) ? 1 : 0
      }
    }
    return switch operation {
    case .equal: compare { $0 == $1 }
    case .notEqual: compare { $0 != $1 }
    case .less: compare { $0 < $1 }
    case .lessOrEqual: compare { $0 <= $1 }
    case .greater: compare { $0 > $1 }
    case .greaterOrEqual: compare { $0 >= $1 }
    }
  }

  /// As in SQL: false decides, then none.
  private func and(_ left: @escaping Program, _ right: @escaping Program) -> Program {
    { worker in
      let first = left(worker)
      if first == 0 { return 0 }
      let second = right(worker)
      if second == 0 { return 0 }
      return first == noValue || second == noValue ? noValue : 1
    }
  }

  /// As in SQL: true decides, then none.
  private func or(_ left: @escaping Program, _ right: @escaping Program) -> Program {
    { worker in
      let first = left(worker)
      if first == 1 { return 1 }
      let second = right(worker)
      if second == 1 { return 1 }
      return first == noValue || second == noValue ? noValue : 0
    }
  }

  private func scalar(_ function: ScalarFunction, _ operands: [Program]) -> Program {
    let first = operands[0]
    switch function {
    case .least, .greatest:
      let second = operands[1]
      let picksLeast = function == .least
      return { worker in
        let (one, other) = (first(worker), second(worker))
        if one == noValue || other == noValue { return noValue }
        return picksLeast ? min(one, other) : max(one, other)
      }
    case .floor:
      return { Arithmetic.floor(first($0)) }
    case .weekday:
      let names = Weekday.allCases.map { Cell(dataset.pool.intern($0.name)) }
      return { worker in
        let day = first(worker)
        return day == noValue ? noValue : names[DayKey(number: Int32(day)).weekday.rawValue]
      }
    case .daysBetween:
      let second = operands[1]
      return { worker in
        let (one, other) = (first(worker), second(worker))
        return one == noValue || other == noValue ? noValue : one - other
      }
    }
  }

  // MARK: Fields

  private func compileDay() -> Program {
    guard isFact, let row else { return { Cell($0.place.day) } }
    let day = engine.routing.dayOf(row)
    return { Cell(day(Int32($0.place.row))) }
  }

  private func compile(_ path: FieldPath) throws(EvaluationError) -> Program {
    let rowOf = rowProgram(path)
    let reference = path.field
    if let computed = dataset.library[reference].computed {
      let program = try with(row: reference.record, isFact: false).compile(computed)
      return { worker in
        let row = rowOf(worker)
        guard row >= 0 else { return noValue }
        var place = worker.place
        place.row = row
        return worker.at(place) { program(worker) }
      }
    }
    switch dataset.table(reference.record).column(reference.field) {
    case .narrow(let cells):
      return { worker in
        let row = rowOf(worker)
        guard row >= 0, cells[row] != Column.missingNarrow else { return noValue }
        return Cell(cells[row])
      }
    case .wide(let cells):
      return { worker in
        let row = rowOf(worker)
        return row >= 0 ? cells[row] : noValue
      }
    case nil:
      return { _ in noValue }
    }
  }

  /// The row of the record that holds the path's last field, or -1.
  private func rowProgram(_ path: FieldPath) -> (Worker) -> Int {
    var rowOf: (Worker) -> Int
    switch path.root {
    case .row: rowOf = { $0.place.row }
    case .subject:
      guard let subject else { return { _ in -1 } }
      let rows = dataset.space(subject).rows
      rowOf = { Int(rows[$0.place.subject]) }
    }
    for reference in path.references {
      guard let target = dataset.library.target(of: reference) else { return { _ in -1 } }
      let table = dataset.table(reference.record)
      let space = dataset.space(target)
      let before = rowOf
      rowOf = { worker in
        guard let id = table.cell(reference.field, before(worker)), let number = space.number(ofPool: id)
        else {
          return -1
        }
        return Int(space.rows[number])
      }
    }
    return rowOf
  }

  private func compile(_ reference: MetricReference) throws(EvaluationError) -> Program {
    let id = engine.variant(reference.metric, isTeam: isTeam)
    let metric = try engine.compile(id)
    let part = metric.plan.parts.firstIndex { $0.name == reference.part } ?? 0
    let offset = reference.offset
    let isShared = metric.isWhole
    let isCounted = reference.root == .row
    return { worker in
      let subject = isShared ? 0 : isCounted ? worker.place.counted : worker.place.subject
      let day = offset.map { $0.applied(to: worker.place.day) } ?? worker.place.day
      return worker.value(of: id, part: part, subject: subject, day: day)
    }
  }
}
