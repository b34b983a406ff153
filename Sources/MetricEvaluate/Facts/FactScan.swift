/// Scans the readable facts of one record type with their subjects, in batches: conditions, aggregated values and groups
/// are columns over the rows of a batch.
struct FactScan {
  let rowCount: Int
  let engine: Engine
  /// Empty where they are not kept, as all facts count.
  let days: [Int32]
  private let subjects: RowSubjects
  private let readable: [Bool]?
  /// Facts of other days count nowhere.
  private let countedDays: ClosedRange<Int32>
  private let conditions: [Program?]
  /// The single column that all conditions read, if there is one: conditions are then evaluated once per distinct cell.
  private let cells: Column?
  private let argument: Program?
  /// What a counted fact adds through a `count` link; nil without contributions.
  private let one: Cell?
  private let group: Program?

  /// - Parameters:
  ///   - conditions: at most 32; nil holds for each fact.
  ///   - group: the paths to the fields of a fact's group.
  ///   - since: the first day whose facts count; nil for all.
  ///   - isRepeated: whether the facts are scanned many times.
  init(
    _ record: RecordID, _ route: Route, conditions: [Expression?], argument: Expression? = nil,
    contribution: ValueType? = nil, group: [FieldPath] = [], since: Int32? = nil, isRepeated: Bool = false,
    _ compiler: Compiler
  ) throws(EvaluationError) {
    let engine = compiler.engine
    precondition(
      engine.dataset.table(record).folded == nil, "the records were folded for other metrics than these")
    let inner = compiler.within(.rows(record, isFact: true))
    self.engine = engine
    rowCount = engine.dataset.table(record).rowCount
    days = engine.routing.days(record)
    let subjects = try engine.routing.subjects(record, route, counting: contribution != nil)
    if isRepeated, case .one(let numbers) = subjects {
      self.subjects = .one(numbers.resolved(threads: engine.threads))
    } else {
      self.subjects = subjects
    }
    readable = engine.routing.readability(record, compiler.consent(to: record))
    countedDays = (since ?? .min)...(engine.isGrowing ? .max : engine.lastDay)
    self.conditions = try conditions.map { condition throws(EvaluationError) in try inner.compile(condition) }
    let column = engine.onlyField(of: conditions.compactMap { $0 }).flatMap { field in
      field.record == record ? engine.dataset.table(record).column(field.field) : nil
    }
    if case .wide = column { cells = nil } else { cells = column }
    self.argument = try inner.compile(argument)
    one = contribution.map { $0 == .decimal ? FixedDecimal.scale : 1 }
    self.group = group.isEmpty ? nil : try inner.group(group)
  }

  /// Facts in columns; a fact appears once for each of its subjects.
  struct Batch {
    let count: Int
    let rows: UnsafePointer<Int32>
    let subjects: UnsafePointer<Int32>
    /// The conditions that hold, a bit each.
    let masks: UnsafePointer<UInt32>
    /// The aggregated values; undefined without an argument.
    let values: UnsafePointer<Cell>
    let groups: UnsafePointer<Cell>

    /// Whether a condition or the value of a fact is out of range.
    @inline(__always)
    func isBeyond(_ lane: Int) -> Bool { masks[lane] & FactScan.beyondBit != 0 }
  }

  /// The bit of a fact whose condition or value is out of range.
  static let beyondBit: UInt32 = 1 << 31
  private static let batchSize = 1024

  func day(_ row: Int32) -> Int32 { days.isEmpty ? engine.lastDay : days[Int(row)] }

  /// Calls `body` with the facts of some rows.
  ///
  /// - Parameters:
  ///   - owned: only facts of these subjects; nil for all.
  ///   - readsGroups: whether `body` asks for groups.
  func forEachBatch(
    in range: Range<Int>, ownedBy owned: Range<Int32>? = nil, readsGroups: Bool = true, _ worker: Worker,
    _ body: (Batch) -> Void
  ) {
    let masks = CellMasks()
    let size = FactScan.batchSize
    let owned = owned ?? 0..<Int32.max
    worker.with(Int32.self, 7 * size) { memory in
      let (rows, owners, sums, own) = (memory, memory + 2 * size, memory + 4 * size, memory + 6 * size)
      sums.update(repeating: 0, count: 3 * size)
      var count = 0
      func finishBatch() {
        finish(rows, owners, sums, count, masks, readsGroups: readsGroups, worker, body)
        count = 0
      }
      var start = range.lowerBound
      while start < range.upperBound {
        let chunk = start..<min(start + size, range.upperBound)
        start = chunk.upperBound
        switch subjects {
        case .whole: gather(chunk, own, owned, rows, owners, &count)
        case .one(let subjects):
          subjects.copy(chunk, to: own)
          gather(chunk, own, owned, rows, owners, &count)
        case .several(let ends, let members):
          for row in chunk
          where ends[row] >= 0 && (days.isEmpty || countedDays.contains(days[row]))
            && readable?[row] ?? true
          {
            for member in members[Int(ends[row])] where owned.contains(member.subject) {
              rows[count] = Int32(truncatingIfNeeded: row)
              owners[count] = member.subject
              sums[count] = member.isSum ? 1 : 0
              count += 1
              if count == size { finishBatch() }
            }
          }
        }
        if count >= size { finishBatch() }
      }
      if count > 0 { finishBatch() }
    }
  }

  /// Puts the facts of some rows after those that are there; each has one subject at most. The loop has no branches:
  /// with them it took a fifth of a percentile's time.
  private func gather(
    _ chunk: Range<Int>, _ subjects: UnsafePointer<Int32>, _ owned: Range<Int32>,
    _ rows: UnsafeMutablePointer<Int32>,
    _ owners: UnsafeMutablePointer<Int32>, _ count: inout Int
  ) {
    var next = count
    days.withUnsafeBufferPointer { days in
      for row in chunk {
        let subject = subjects[row &- chunk.lowerBound]
        rows[next] = Int32(truncatingIfNeeded: row)
        owners[next] = subject
        let isCounted = days.isEmpty || countedDays.contains(days[row])
        next &+= isCounted && owned.contains(subject) ? 1 : 0
      }
    }
    if let readable {
      let gathered = next
      next = count
      for lane in count..<gathered {
        (rows[next], owners[next]) = (rows[lane], owners[lane])
        next &+= readable[Int(rows[next])] ? 1 : 0
      }
    }
    count = next
  }

  private func finish(
    _ rows: UnsafePointer<Int32>, _ owners: UnsafePointer<Int32>, _ sums: UnsafePointer<Int32>, _ count: Int,
    _ known: CellMasks, readsGroups: Bool, _ worker: Worker, _ body: (Batch) -> Void
  ) {
    let place = Place(count: count, rows: rows, subjects: owners)
    worker.with(UInt32.self, count) { masks in
      worker.withCells(3 * count) { cells in
        if let column = self.cells {
          known.fill(masks, place, column) { self.fill($0, $1, cells, worker) }
        } else {
          fill(masks, place, cells, worker)
        }
        let (values, groups) = (cells + count, cells + 2 * count)
        evaluate(place, sums, values, masks, worker)
        if readsGroups { group?(place, groups, worker) }
        body(Batch(count: count, rows: rows, subjects: owners, masks: masks, values: values, groups: groups))
      }
    }
  }

  private func fill(
    _ masks: UnsafeMutablePointer<UInt32>, _ place: Place, _ cells: UnsafeMutablePointer<Cell>,
    _ worker: Worker
  ) {
    masks.update(repeating: 0, count: place.count)
    for (index, condition) in conditions.enumerated() {
      let bit: UInt32 = 1 << UInt32(index)
      guard let condition else {
        for lane in 0..<place.count { masks[lane] |= bit }
        continue
      }
      condition(place, cells, worker)
      for lane in 0..<place.count {
        masks[lane] |= cells[lane] == 1 ? bit : cells[lane] == outOfRange ? FactScan.beyondBit : 0
      }
    }
  }

  /// What is aggregated; a fact without a value meets no condition (AGG-02).
  private func evaluate(
    _ place: Place, _ sums: UnsafePointer<Int32>, _ values: UnsafeMutablePointer<Cell>,
    _ masks: UnsafeMutablePointer<UInt32>, _ worker: Worker
  ) {
    guard argument != nil || one != nil else { return }
    if let argument {
      argument(place, values, worker)
    } else {
      values.update(repeating: noValue, count: place.count)
    }
    for lane in 0..<place.count {
      if let one, sums[lane] == 0 { values[lane] = one }
      if values[lane] == noValue {
        masks[lane] &= FactScan.beyondBit
      } else if values[lane] == outOfRange, masks[lane] != 0 {
        masks[lane] = FactScan.beyondBit
      }
    }
  }
}

/// Caches the outcome of conditions for each cell of the one column that they read. Evaluating them for each of ten
/// million facts took half of a funnel's time.
private final class CellMasks {
  private var known: [UInt32] = []

  private static let unknown = UInt32.max
  /// Cells beyond this are not remembered.
  private static let most = 1 << 20

  /// - Parameters:
  ///   - column: narrow, or with codes.
  ///   - ask: evaluates the conditions for a place.
  func fill(
    _ masks: UnsafeMutablePointer<UInt32>, _ place: Place, _ column: Column,
    _ ask: (UnsafeMutablePointer<UInt32>, Place) -> Void
  ) {
    switch column {
    case .narrow(let cells): fill(masks, place, cells, ask)
    case .coded(let codes, _): fill(masks, place, codes, ask)
    case .wide: preconditionFailure("a condition over numbers is evaluated for each")
    }
  }

  @inline(__always)
  private func fill<Number: BinaryInteger>(
    _ masks: UnsafeMutablePointer<UInt32>, _ place: Place, _ column: [Number],
    _ ask: (UnsafeMutablePointer<UInt32>, Place) -> Void
  ) {
    guard let rows = place.rows else { return }
    // Mostly all are known: one short loop, without a look at this object for each fact.
    let areKnown = known.withUnsafeBufferPointer { known in
      column.withUnsafeBufferPointer { column in
        var areKnown = true
        for lane in 0..<place.count {
          let cell = Int(column[Int(rows[lane])])
          masks[lane] = cell >= 0 && cell < known.count ? known[cell] : CellMasks.unknown
          areKnown = areKnown && masks[lane] != CellMasks.unknown
        }
        return areKnown
      }
    }
    if areKnown { return }
    for lane in 0..<place.count where masks[lane] == CellMasks.unknown {
      let cell = Int(column[Int(rows[lane])])
      if cell >= 0, cell < known.count, known[cell] != CellMasks.unknown {
        masks[lane] = known[cell]
        continue
      }
      ask(masks + lane, Place(count: 1, rows: rows + lane, subjects: place.subjects.map { $0 + lane }))
      guard cell >= 0, cell < CellMasks.most else { continue }
      if cell >= known.count {
        known += Array(repeating: CellMasks.unknown, count: max(cell + 1, 2 * known.count) - known.count)
      }
      known[cell] = masks[lane]
    }
  }
}

extension Engine {
  /// The one stored field of the fact that expressions read, if they read nothing else.
  fileprivate func onlyField(of expressions: [Expression]) -> FieldReference? {
    var fields: Set<FieldReference> = []
    var hasOthers = false
    for expression in expressions {
      expression.visit { part in
        switch part {
        case .field(let path):
          let isOwn = path.root == .row && path.references.isEmpty && library[path.field].computed == nil
          if isOwn { fields.insert(path.field) } else { hasOthers = true }
        case .day, .metric, .aggregate, .completions, .subjects: hasOthers = true
        case .literal, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
          .conditional, .function, .widened:
          break
        }
      }
    }
    return hasOthers || fields.count != 1 ? nil : fields.first
  }
}
