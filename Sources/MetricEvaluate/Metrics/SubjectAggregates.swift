/// `count(habit where done)`: aggregates that take subjects as rows (OPD-07). The columns of the subjects are added up;
/// of `app` metrics on all threads.
extension Compiler {
  func compile(_ aggregate: SubjectAggregate) throws(EvaluationError) -> Program {
    let inner = within(.counted(aggregate.entity))
    let filter: Program? = try inner.compile(aggregate.filter)
    let argument: Program? = try inner.compile(aggregate.argument)
    let counted = try engine.members(of: aggregate, self)
    let (function, isDecimal) = (aggregate.function, aggregate.type == .decimal)
    if function == .count, argument == nil, let condition = aggregate.filter,
      let stretches = try inner.stretches(of: condition)
    {
      return Compiler.counting(stretches, counted)
    }
    return { place, out, worker in
      let members = counted(place, worker)
      let count = members.numbers.count
      // Each day takes a few words, or the values of all subjects.
      let daysAtOnce = function.keepsValues ? max(1, (1 << 22) / max(1, count)) : max(1, place.count)
      for start in stride(from: 0, to: place.count, by: daysAtOnce) {
        var part = place
        part.count = min(daysAtOnce, place.count - start)
        part.days = DayRange(first: place.days[start], step: place.days.step, count: part.count)
        let totals = worker.map(count) { places, worker in
          var totals = SubjectTotals(dayCount: part.count, keepsValues: function.keepsValues)
          totals.add(members, places, counted, filter, argument, part, worker)
          return totals
        }
        SubjectTotals.write(totals, function, isDecimal: isDecimal, to: out + start, part.count)
      }
    }
  }

  /// How many subjects a condition holds for, from its stretches.
  private static func counting(_ stretches: @escaping Stretches, _ counted: CountedMembers) -> Program {
    { place, out, worker in
      let members = counted(place, worker)
      let counts = worker.map(members.numbers.count) { places, worker in
        var counts = StretchCounts(place.days)
        counts.withChanges { counts in
          var place = place
          members.forEach(in: places) { number, days in
            place.counted = Int(number)
            let agreed = place.days.indices(from: counted.since?[Int(number)] ?? .min, through: .max)
            stretches(place, worker) { lanes in
              let lanes = lanes.clamped(to: agreed)
              if days.isEmpty { counts.add(lanes) }
              for stretch in days { counts.add(lanes.clamped(to: place.days.indices(stretch))) }
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

  init(dayCount: Int, keepsValues: Bool) {
    counts = Array(repeating: 0, count: dayCount)
    sums = Array(repeating: 0, count: dayCount)
    least = Array(repeating: .max, count: dayCount)
    greatest = Array(repeating: .min, count: dayCount)
    isOutOfRange = Array(repeating: false, count: dayCount)
    values = keepsValues ? Array(repeating: [], count: dayCount) : []
  }

  mutating func add(
    _ members: Members, _ places: Range<Int>, _ counted: CountedMembers, _ filter: Program?,
    _ argument: Program?, _ place: Place, _ worker: Worker
  ) {
    worker.withCells(place.count) { cells in
      counted.forEach(of: members, in: places, place, where: filter, worker) { place, holds in
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
    to out: UnsafeMutablePointer<Cell>, _ count: Int
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
    case .average: return Statistics.average(sum: sum, count: count)
    case .stddev: return parts.flatMap { $0.values[lane] }.withUnsafeBufferPointer(Statistics.deviation)
    // The resolver lets none of the others meet subjects.
    case .min, .max, .days, .first, .last, .contribution: return noValue
    }
  }
}
