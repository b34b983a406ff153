import Dispatch
import MetricData
import MetricPlan

/// The readable facts of one record type with the subjects that they lead to, for passes over all of
/// them: nothing is sorted, indexed or copied first.
///
/// A fact can meet several conditions at once (the steps of a funnel); which ones is a mask of bits.
struct FactScan {
  let rowCount: Int
  let days: [Int32]
  private let subjects: Subjects
  private let conditions: Conditions
  /// By row, whether the fact may be read; nil where all may.
  private let readable: [Bool]?
  private let lastDay: Int32
  private let engine: Engine

  private enum Subjects {
    /// All facts belong to one subject, the dataset.
    case whole
    /// The reference's cells, and the space whose numbers they lead to.
    case direct([Int32], EntitySpace)
    /// By row, the number at the end of the references, or -1.
    case followed([Int32])
    /// Texts of a field in place of subjects, numbered as they are met.
    case values([Int32], numbers: [Int32])
  }

  /// How many different values there are, where they stand in place of subjects.
  let valueCount: Int

  private enum Conditions {
    case none(UInt32)
    /// All conditions rest on one text, number or day alone: they are asked once for each of its cells.
    case byCell([Int32], [Program?])
    case byRow([Program?])
  }

  /// Nil where the route leads through links, which can give a fact several subjects.
  ///
  /// - Parameters:
  ///   - filters: the conditions, at most 32; nil is met by every fact.
  ///   - values: texts that stand in place of subjects; the route is then that of the whole dataset.
  init?(
    _ record: RecordID, _ route: Route, filters: [Expression?], _ compiler: Compiler,
    values: [Int32]? = nil
  ) throws(EvaluationError) {
    engine = compiler.engine
    let table = engine.dataset.table(record)
    // What was folded while it was read has no rows.
    guard table.folded == nil else { return nil }
    rowCount = table.rowCount
    lastDay = engine.lastDay
    guard filters.count <= 32, let day = engine.library.records[record].dayKeyField else { return nil }
    switch table.column(day) {
    case .narrow(let cells): days = cells
    case .wide, nil:
      guard rowCount == 0 else { return nil }
      days = []
    }
    var valueCount = 0
    switch route {
    case .whole:
      subjects = values.map { FactScan.numbered($0, &valueCount) } ?? .whole
    case .link: return nil
    case .references(let references):
      if references.count == 1, let target = engine.library.target(of: references[0]),
        case .narrow(let cells)? = table.column(references[0].field)
      {
        subjects = .direct(cells, engine.dataset.space(target))
      } else {
        subjects = .followed(engine.dataset.follow(references, from: record))
      }
    }
    self.valueCount = valueCount
    readable = engine.routing.readability(record, isTeam: compiler.isTeam)
    conditions = try FactScan.conditions(filters, record, table, compiler)
  }

  private static func numbered(_ cells: [Int32], _ count: inout Int) -> Subjects {
    // A missing text is the smallest number.
    var numbers = [Int32](repeating: -1, count: max(0, Int(cells.max() ?? -1) + 1))
    for cell in cells where cell >= 0 && numbers[Int(cell)] < 0 {
      numbers[Int(cell)] = Int32(count)
      count += 1
    }
    return .values(cells, numbers: numbers)
  }

  private static func conditions(
    _ filters: [Expression?], _ record: RecordID, _ table: LoadedTable, _ compiler: Compiler
  ) throws(EvaluationError) -> Conditions {
    let given = filters.compactMap { $0 }
    if given.isEmpty { return .none(filters.count == 32 ? .max : (1 << UInt32(filters.count)) - 1) }
    let inner = compiler.with(row: record, isFact: true)
    var programs: [Program?] = []
    for filter in filters {
      if let filter { programs.append(try inner.compile(filter)) } else { programs.append(nil) }
    }
    if let field = onlyField(of: given), field.record == record,
      case .narrow(let cells)? = table.column(field.field)
    {
      return .byCell(cells, programs)
    }
    return .byRow(programs)
  }

  /// The stored field of the fact that the expressions rest on, where it is one and nothing else.
  private static func onlyField(of expressions: [Expression]) -> FieldReference? {
    var fields: Set<FieldReference> = []
    var others = false
    for expression in expressions {
      expression.visit { part in
        switch part {
        case .field(let path):
          if path.root == .row, path.references.isEmpty { fields.insert(path.field) } else { others = true }
        case .day, .metric, .aggregate, .completions, .subjects: others = true
        case .literal, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
          .conditional, .function, .widened:
          break
        }
      }
    }
    return others || fields.count != 1 ? nil : fields.first
  }

  // MARK: Passes

  /// Calls `body` with the facts of some rows that meet a condition and are not after the last day that
  /// is asked for.
  @inline(__always)
  func forEach(
    in rows: Range<Int>, _ body: (_ subject: Int, _ row: Int, _ day: Int32, _ mask: UInt32) -> Void
  ) {
    let worker = Worker(engine: engine)
    var known: [UInt32] = []
    if case .byCell = conditions { known = Array(repeating: FactScan.unknown, count: 1024) }
    for row in rows {
      if let readable, !readable[row] { continue }
      let day = days[row]
      guard day <= lastDay else { continue }
      let subject: Int
      switch subjects {
      case .whole: subject = 0
      case .direct(let cells, let space):
        guard let number = space.number(ofPool: Cell(cells[row])) else { continue }
        subject = number
      case .followed(let numbers):
        guard numbers[row] >= 0 else { continue }
        subject = Int(numbers[row])
      case .values(let cells, let numbers):
        guard cells[row] >= 0 else { continue }
        subject = Int(numbers[Int(cells[row])])
      }
      let mask: UInt32
      switch conditions {
      case .none(let all): mask = all
      case .byCell(let cells, let programs):
        let cell = Int(cells[row])
        if cell >= 0, cell < known.count, known[cell] != FactScan.unknown {
          mask = known[cell]
        } else {
          mask = ask(programs, subject, row, worker)
          FactScan.remember(mask, cell, &known)
        }
      case .byRow(let programs): mask = ask(programs, subject, row, worker)
      }
      if mask != 0 { body(subject, row, day, mask) }
    }
  }

  private static let unknown = UInt32.max

  /// Cells beyond this are not remembered.
  private static let rememberedCells = 1 << 22

  @inline(never)
  private static func remember(_ mask: UInt32, _ cell: Int, _ known: inout [UInt32]) {
    guard cell >= 0, cell < rememberedCells else { return }
    if cell >= known.count {
      known += Array(repeating: unknown, count: max(cell + 1, 2 * known.count) - known.count)
    }
    known[cell] = mask
  }

  /// Which conditions a fact meets; one that leaves the range of numbers is not met.
  @inline(never)
  private func ask(_ programs: [Program?], _ subject: Int, _ row: Int, _ worker: Worker) -> UInt32 {
    var place = Place()
    place.subject = subject
    place.row = row
    var mask: UInt32 = 0
    for (index, program) in programs.enumerated() {
      guard let program else {
        mask |= 1 << UInt32(index)
        continue
      }
      if worker.at(place, { program(worker) }) == 1, !worker.overflow { mask |= 1 << UInt32(index) }
      worker.overflow = false
    }
    return mask
  }
}

/// Cuts work into pieces for some threads.
enum Parallel {
  /// Calls `body` with each number below `pieces`, at the same time. What it writes has to be kept apart
  /// by that number.
  static func perform(pieces: Int, _ body: (Int) -> Void) {
    guard pieces > 1 else { return body(0) }
    withoutActuallyEscaping(body) { body in
      let shared = SharedBody(call: body)
      DispatchQueue.concurrentPerform(iterations: pieces) { shared.call($0) }
    }
  }

  private struct SharedBody: @unchecked Sendable {
    let call: (Int) -> Void
  }

  /// The part with a number of a range cut into as many.
  static func part(_ number: Int, of pieces: Int, _ count: Int) -> Range<Int> {
    count * number / pieces..<count * (number + 1) / pieces
  }
}
