/// `count(habit where done)`: aggregates that take subjects as rows (OPD-07). The columns of the subjects are added up;
/// of `app` metrics on all threads.
extension Compiler {
  func compile(_ aggregate: SubjectAggregate) throws(EvaluationError) -> Program {
    let inner = within(.counted(aggregate.entity))
    let filter: Program? = try inner.compile(aggregate.filter)
    let argument: Program? = try inner.compile(aggregate.argument)
    let members = try engine.members(of: aggregate, self)
    let since = agreedSince(aggregate.entity)
    let isDecimal = aggregate.type == .decimal
    if aggregate.function == .count, argument == nil, let condition = aggregate.filter,
      let stretches = try inner.stretches(of: condition)
    {
      return Compiler.counting(stretches, members, since)
    }
    return { place, out, worker in
      let members = members(place, worker)
      let count = members.numbers.count
      let pieces = worker.isPart ? 1 : max(1, min(worker.engine.threads, count / 256))
      // Each day takes a few words, or the values of all subjects.
      let daysAtOnce =
        aggregate.function.keepsValues ? max(1, (1 << 22) / max(1, count)) : place.count
      for start in stride(from: 0, to: place.count, by: max(1, daysAtOnce)) {
        var part = place
        part.count = min(daysAtOnce, place.count - start)
        part.days = DayRange(first: place.days[start], step: place.days.step, count: part.count)
        let totals = Parallel.map(pieces: pieces) { piece in
          let worker = pieces == 1 ? worker : Worker(engine: worker.engine, isPart: true)
          return SubjectTotals(
            members, Parallel.part(piece, of: pieces, count), filter, argument, since, part,
            keepsValues: aggregate.function.keepsValues, worker)
        }
        SubjectTotals.write(totals, aggregate.function, isDecimal: isDecimal, to: out + start, part.count)
      }
    }
  }
}

extension Compiler {
  /// How many subjects a condition holds for, from its stretches.
  private static func counting(
    _ stretches: @escaping Stretches, _ members: CountedMembers, _ since: [Int32]?
  ) -> Program {
    { place, out, worker in
      let members = members(place, worker)
      let count = members.numbers.count
      let pieces = worker.isPart ? 1 : max(1, min(worker.engine.threads, count / 256))
      let counts = Parallel.map(pieces: pieces) { piece in
        let worker = pieces == 1 ? worker : Worker(engine: worker.engine, isPart: true)
        var counts = StretchCounts(place.days)
        counts.withChanges { counts in
          var place = place
          members.forEach(in: Parallel.part(piece, of: pieces, count)) { number, days in
            place.counted = Int(number)
            let agreed = place.days.indices(from: since?[Int(number)] ?? .min, through: .max)
            stretches(place, worker) { lanes in
              let counted = lanes.clamped(to: agreed)
              if days.isEmpty { counts.add(counted) }
              for stretch in days { counts.add(counted.clamped(to: place.days.indices(stretch))) }
            }
          }
        }
        return counts
      }
      StretchCounts.write(counts, to: out, place.count)
    }
  }

  /// By number of an entity, since when a team metric may count it.
  func agreedSince(_ entity: RecordID) -> [Int32]? {
    engine.agreedSince(engine.needs.subjects(of: entity, for: metric))
  }
}

extension Place {
  /// Makes a condition false on the asked days before one.
  func leaveOut(before day: Int32, _ holds: UnsafeMutablePointer<Cell>) {
    for lane in 0..<count where days[lane] < day { holds[lane] = 0 }
  }
}

extension AggregateFunction {
  /// Whether it needs each single value.
  fileprivate var keepsValues: Bool {
    ![.count, .sum, .min, .max, .average].contains(self)
  }
}

/// The contribution of some subjects to an aggregate on each asked day.
private struct SubjectTotals {
  private var counts: [Int]
  private var sums: [Int128]
  private var least: [Cell]
  private var greatest: [Cell]
  private var isOutOfRange: [Bool]
  private var values: [[Cell]]

  init(
    _ members: Members, _ places: Range<Int>, _ filter: Program?, _ argument: Program?, _ since: [Int32]?,
    _ place: Place, keepsValues: Bool, _ worker: Worker
  ) {
    counts = Array(repeating: 0, count: place.count)
    sums = Array(repeating: 0, count: place.count)
    least = Array(repeating: .max, count: place.count)
    greatest = Array(repeating: .min, count: place.count)
    isOutOfRange = Array(repeating: false, count: place.count)
    values = keepsValues ? Array(repeating: [], count: place.count) : []
    worker.withCells(2 * place.count) { memory in
      let (holds, cells) = (memory, memory + place.count)
      holds.update(repeating: 1, count: place.count)
      var place = place
      members.forEach(in: places) { number, days in
        place.counted = Int(number)
        if since != nil || !days.isEmpty { holds.update(repeating: 1, count: place.count) }
        filter?(place, holds, worker)
        if let since { place.leaveOut(before: since[Int(number)], holds) }
        place.leaveOut(outside: days, holds)
        guard let argument else { return count(holds) }
        argument(place, cells, worker)
        for lane in 0..<place.count { add(holds[lane], cells[lane], lane) }
      }
    }
  }

  private mutating func count(_ holds: UnsafePointer<Cell>) {
    let bits = counts.withUnsafeMutableBufferPointer { SubjectTotals.add(holds, to: $0) }
    if bits & 2 != 0 {
      for lane in counts.indices where holds[lane] == outOfRange { isOutOfRange[lane] = true }
    }
  }

  /// A loop without branches and comparisons, which the compiler turns into one over vectors: with them, a count of
  /// subjects over a year took a sixth longer. Of the cells that are not negative (0, 1 and `outOfRange`), the lowest bit
  /// tells the second; the third has the next bit, too.
  ///
  /// - Returns: all bits that some cell has.
  private static func add(
    _ holds: UnsafePointer<Cell>, to counts: UnsafeMutableBufferPointer<Int>
  ) -> UInt64 {
    var bits: UInt64 = 0
    guard let sums = counts.baseAddress else { return bits }
    for lane in 0..<counts.count {
      let cell = UInt64(bitPattern: holds[lane])
      sums[lane] &+= Int(truncatingIfNeeded: cell & ~(cell &>> 63) & 1)
      bits |= cell
    }
    return bits
  }

  @inline(__always)
  private mutating func add(_ holds: Cell, _ value: Cell, _ lane: Int) {
    if holds == outOfRange { isOutOfRange[lane] = true }
    guard holds == 1, value != noValue else { return }
    if value == outOfRange { isOutOfRange[lane] = true }
    counts[lane] &+= 1
    sums[lane] &+= Int128(value)
    least[lane] = min(least[lane], value)
    greatest[lane] = max(greatest[lane], value)
    if !values.isEmpty { values[lane].append(value) }
  }

  /// Fills the days with the totals of all parts.
  static func write(
    _ parts: [SubjectTotals], _ function: AggregateFunction, isDecimal: Bool,
    to out: UnsafeMutablePointer<Cell>,
    _ count: Int
  ) {
    for lane in 0..<count {
      out[lane] =
        parts.contains { $0.isOutOfRange[lane] } ? outOfRange : value(parts, function, isDecimal, lane)
    }
  }

  private static func value(
    _ parts: [SubjectTotals], _ function: AggregateFunction, _ isDecimal: Bool, _ lane: Int
  ) -> Cell {
    let count = parts.reduce(0) { $0 + $1.counts[lane] }
    let sum = parts.reduce(Int128(0)) { $0 + $1.sums[lane] }
    switch function {
    case .count: return Cell(count)
    case .sum: return Operators.checked(sum, isDecimal: isDecimal)
    case .distinct: return Cell(parts.reduce(into: Set<Cell>()) { $0.formUnion($1.values[lane]) }.count)
    case .percentile(let rank):
      var values = parts.flatMap { $0.values[lane] }
      return values.withUnsafeMutableBufferPointer { Statistics.percentile($0, rank: rank) }
    case .min where count > 0: return parts.map { $0.least[lane] }.min() ?? noValue
    case .max where count > 0: return parts.map { $0.greatest[lane] }.max() ?? noValue
    case .average where count > 0:
      return Operators.checked(Statistics.average(sum: sum, count: count), isDecimal: true)
    case .stddev: return parts.flatMap { $0.values[lane] }.withUnsafeBufferPointer(Statistics.deviation)
    // The resolver lets none of the others meet subjects.
    case .min, .max, .average, .days, .first, .last, .contribution: return noValue
    }
  }
}
