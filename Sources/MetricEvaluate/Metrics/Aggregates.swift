/// Aggregates over facts: a column is filled in one pass over the subject's facts, for any number of days.
extension Compiler {
  func compile(_ aggregate: Aggregate) throws(EvaluationError) -> Program {
    if aggregate.function == .contribution, dataset.table(aggregate.record).folded != nil {
      return try foldedContribution(aggregate)
    }
    if aggregate.route == .whole, aggregate.function == .distinct, let (facts, bundle) = folded(aggregate) {
      return distinctKeys(facts, bundle, aggregate.period)
    }
    let source = try facts(aggregate, isWhole: true)
    let (function, isDecimal) = (aggregate.function, aggregate.type == .decimal)
    switch (source, function) {
    case (.fold(let facts, let bundle), .count), (.fold(let facts, let bundle), .sum),
      (.fold(let facts, let bundle), .average):
      // The same facts may be kept by day for another question.
      if function == .average || !facts.spec.bundles[bundle].keepsDaily {
        return { place, out, _ in
          let (count, sum) = facts.total(bundle, of: place.subject)
          let total =
            function == .count
            ? Cell(count)
            : function == .average
              ? Statistics.average(sum: sum, count: count) : Operators.checked(sum, isDecimal: isDecimal)
          out.update(repeating: total, count: place.count)
        }
      }
      return { place, out, worker in
        let period = aggregate.period ?? place.period
        facts.withDailySums(bundle, of: place.subject, worker) {
          $0.sums(period, place.days, isDecimal: isDecimal, out, worker)
        }
      }
    case (.fold(let facts, let bundle), .min), (.fold(let facts, let bundle), .max):
      return { place, out, _ in
        let extremes = facts.extremes(bundle, of: place.subject)
        let extreme = function == .min ? extremes?.least : extremes?.greatest
        out.update(repeating: extreme ?? noValue, count: place.count)
      }
    case (.fold(let facts, let bundle), .days):
      return { place, out, _ in
        facts.days(bundle, of: place.subject).counts(aggregate.period ?? place.period, place.days, out)
      }
    case (.list(let list), _):
      return { place, out, worker in
        let period = aggregate.period ?? place.period
        if let value = list.summarised(function, place, isDecimal: isDecimal) {
          out.update(repeating: value, count: place.count)
        } else {
          list.slice(place).fill(out, function, period, place.days, isDecimal: isDecimal, worker)
        }
        list.markBeyond(place, period, out)
      }
    case (.fold, _), (.filtered, _):
      return { place, out, worker in
        source.withDays(of: place, worker) {
          $0.fill(
            out, function, aggregate.period ?? place.period, place.days, isDecimal: isDecimal, worker)
        }
      }
    }
  }

  /// The number of distinct keys of a folded record: each counts on the days whose period holds one of its facts.
  private func distinctKeys(_ facts: FoldedFacts, _ bundle: Int, _ period: Period?) -> Program {
    { place, out, worker in
      let period = period ?? place.period
      let slots = facts.slotCount
      let pieces = worker.isPart ? 1 : Parallel.pieces(rows: slots * 16, threads: worker.engine.threads)
      let counts = Parallel.map(pieces: pieces) { piece in
        var counts = StretchCounts(place.days)
        counts.withChanges { counts in
          var units = PeriodUnits(period)
          for slot in Parallel.part(piece, of: pieces, slots) {
            facts.days(bundle, of: slot).forEachStretch(&units, place.days) { counts.add($0) }
          }
        }
        return counts
      }
      StretchCounts.write(counts, to: out, place.count)
    }
  }

  /// `contribution(F through Link)` over folded facts: of each contributing entity its sum or its number (LINK-04).
  private func foldedContribution(_ aggregate: Aggregate) throws(EvaluationError) -> Program {
    guard case .link(let route) = aggregate.route,
      let (facts, counts) = folded(aggregate.countingAll, isWhole: true)
    else {
      preconditionFailure("the records were folded for other metrics than these")
    }
    let sums = aggregate.argument == nil ? nil : folded(aggregate, isWhole: true)?.bundle
    var bySubject: [Int: [(end: Int, bundle: Int?, scale: Cell)]] = [:]
    let one = aggregate.type == .decimal ? FixedDecimal.scale : 1
    for (end, members) in try engine.routing.members(route, counting: true).enumerated() {
      for member in members {
        bySubject[Int(member.subject), default: []].append(
          (end, member.isSum ? sums : counts, member.isSum ? 1 : one))
      }
    }
    let isDecimal = aggregate.type == .decimal
    return { place, out, worker in
      let period = aggregate.period ?? place.period
      worker.with(Int128.self, place.count) { total in
        total.update(repeating: 0, count: place.count)
        for case (let end, let bundle?, let scale) in bySubject[place.subject] ?? [] {
          facts.add(bundle, of: end, period, place.days, scale: Int128(scale), to: total, worker)
        }
        for lane in 0..<place.count { out[lane] = Operators.checked(total[lane], isDecimal: isDecimal) }
      }
    }
  }

  /// `count(F …) >= 1` and its like: whether there is a fact.
  func compileExistence(_ expression: Expression) throws(EvaluationError) -> Program? {
    guard let (aggregate, negated) = expression.existence else { return nil }
    let source = try facts(aggregate)
    return { place, out, worker in
      let period = aggregate.period ?? place.period
      out.update(repeating: negated ? 1 : 0, count: place.count)
      source.mark(negated ? 0 : 1, period, place, out, worker)
      if case .list(let list) = source { list.markBeyond(place, period, out) }
    }
  }
}

extension FactList {
  /// An aggregate has no result where its period holds a fact whose condition or value is out of range.
  fileprivate func markBeyond(_ place: Place, _ period: Period, _ out: UnsafeMutablePointer<Cell>) {
    beyond?.slice(place.subject).mark(outOfRange, period, place.days, out)
  }
}

extension FoldedFacts {
  /// Adds what a bundle has for a subject in the periods that end on some days.
  fileprivate func add(
    _ bundle: Int, of subject: Int, _ period: Period, _ days: DayRange, scale: Int128,
    to total: UnsafeMutablePointer<Int128>, _ worker: Worker
  ) {
    let kept = spec.bundles[bundle]
    guard kept.keepsDaily else {
      let (count, sum) = self.total(bundle, of: subject)
      for lane in 0..<days.count { total[lane] += (kept.amount == nil ? Int128(count) : sum) * scale }
      return
    }
    withDailySums(bundle, of: subject, worker) { facts in
      worker.with(Int128.self, days.count) { sums in
        facts.exactSums(period, days, sums)
        for lane in 0..<days.count { total[lane] += sums[lane] * scale }
      }
    }
  }
}

extension DayBits {
  /// How many of the days lie in the period of each asked day.
  func counts(_ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>) {
    var units = PeriodUnits(period)
    for lane in 0..<asked.count {
      let held = units.days(at: asked[lane])
      out[lane] = Cell(count(from: held.lowerBound, through: held.upperBound))
    }
  }
}

/// Aggregates of the facts in a period.
extension FactSlice {
  func fill(
    _ out: UnsafeMutablePointer<Cell>, _ function: AggregateFunction, _ period: Period, _ asked: DayRange,
    isDecimal: Bool, _ worker: Worker
  ) {
    switch function {
    case .count: counts(period, asked, out)
    case .days: distinctDays(period, asked, out)
    case .sum, .contribution: sums(period, asked, isDecimal: isDecimal, out, worker)
    case .average: averages(period, asked, out, worker)
    case .stddev: deviations(period, asked, out, worker)
    case .min: extremes(period, asked, out, worker) { $0 <= $1 }
    case .max: extremes(period, asked, out, worker) { $0 >= $1 }
    case .distinct: distinct(period, asked, out)
    case .percentile(let rank): percentiles(rank, period, asked, out, worker)
    case .first: ends(period, asked, out) { $0.lowerBound }
    case .last: ends(period, asked, out) { $0.upperBound - 1 }
    }
  }

  /// AGG-01
  func counts(_ period: Period, _ days: DayRange, _ out: UnsafeMutablePointer<Cell>) {
    accumulate(period, days, out) { _ in 1 }
  }

  /// What the aggregated values add up to, exactly; facts without values are counted.
  func exactSums(_ period: Period, _ asked: DayRange, _ sums: UnsafeMutablePointer<Int128>) {
    accumulate(period, asked, sums) { Int128(numbers?[$0] ?? 1) }
  }

  /// AGG-02, exact in any order (NUM-02).
  func sums(
    _ period: Period, _ asked: DayRange, isDecimal: Bool, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker
  ) {
    guard let numbers else { return counts(period, asked, out) }
    if sumsStayInRange(isDecimal: isDecimal) {
      return accumulate(period, asked, out) { numbers[$0] }
    }
    worker.with(Int128.self, asked.count) { sums in
      exactSums(period, asked, sums)
      for lane in 0..<asked.count { out[lane] = Operators.checked(sums[lane], isDecimal: isDecimal) }
    }
  }

  /// No sum leaves the range where the sum of the magnitudes does not.
  func sumsStayInRange(isDecimal: Bool) -> Bool {
    guard let numbers else { return true }
    let limit = UInt64(isDecimal ? FixedDecimal.limit : FixedDecimal.intLimit)
    // The bits of all magnitudes are no less than any of them, and mostly small enough to be added up in the worst case.
    var bits: UInt64 = 0
    for fact in 0..<count { bits |= numbers[fact].magnitude }
    let (most, isBeyond) = bits.multipliedReportingOverflow(by: UInt64(count))
    if !isBeyond, most <= limit { return true }
    var (size, isLarge) = (UInt64(0), false)
    for fact in 0..<count {
      let (sum, isBeyond) = size.addingReportingOverflow(numbers[fact].magnitude)
      (size, isLarge) = (sum, isLarge || isBeyond)
    }
    return !isLarge && size <= limit
  }

  func averages(_ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker) {
    counts(period, asked, out)
    worker.with(Int128.self, asked.count) { sums in
      exactSums(period, asked, sums)
      for lane in 0..<asked.count {
        out[lane] = Statistics.average(sum: sums[lane], count: Int(out[lane]))
      }
    }
  }

  /// AGG-09: from running sums of the values and of their squares, or period by period where these might not fit.
  func deviations(_ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker) {
    guard let numbers else { return }
    let greatest = Int128((0..<count).reduce(0) { Swift.max($0, numbers[$1].magnitude) })
    guard greatest * greatest <= Statistics.mostSquares / Int128(Swift.max(1, count)) else {
      return forEachPeriod(period, asked) { lane, facts in
        out[lane] = Statistics.deviation(
          UnsafeBufferPointer(start: numbers + facts.lowerBound, count: facts.count))
      }
    }
    counts(period, asked, out)
    worker.with(Int128.self, 2 * asked.count) { memory in
      let (sums, squares) = (memory, memory + asked.count)
      exactSums(period, asked, sums)
      accumulate(period, asked, squares) { Int128(numbers[$0]) * Int128(numbers[$0]) }
      for lane in 0..<asked.count {
        out[lane] = Statistics.deviation(count: Int(out[lane]), sum: sums[lane], squares: squares[lane])
      }
    }
  }

  /// AGG-04: how many different days.
  func distinctDays(_ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>) {
    accumulate(period, asked, out) { $0 > 0 && days?[$0] == days?[$0 - 1] ? 0 : 1 }
  }

  /// The least or the greatest: a monotonic queue of candidates, the best first.
  func extremes(
    _ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker,
    isAtLeastAsGood: (Cell, Cell) -> Bool
  ) {
    guard let numbers else { return }
    worker.with(Int32.self, count) { queue in
      var (head, tail) = (0, 0)
      forEachPeriod(
        period, asked,
        enter: { fact in
          while tail > head, isAtLeastAsGood(numbers[fact], numbers[Int(queue[tail - 1])]) { tail -= 1 }
          queue[tail] = Int32(truncatingIfNeeded: fact)
          tail += 1
        }
      ) { lane, facts in
        while head < tail, Int(queue[head]) < facts.lowerBound { head += 1 }
        out[lane] = head < tail ? numbers[Int(queue[head])] : noValue
      }
    }
  }

  /// AGG-03
  func percentiles(
    _ rank: Int, _ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>, _ worker: Worker
  ) {
    guard let numbers else { return }
    worker.withCells(count) { values in
      forEachPeriod(period, asked) { lane, facts in
        values.update(from: numbers + facts.lowerBound, count: facts.count)
        out[lane] = Statistics.percentile(
          UnsafeMutableBufferPointer(start: values, count: facts.count), rank: rank)
      }
    }
  }

  /// AGG-04
  func distinct(_ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>) {
    guard let numbers else { return }
    var counts = DistinctCounts(asked)
    forEachFact(period, asked) { counts.add(numbers[$0], $1) }
    counts.write(to: out)
  }

  /// AGG-08: the first or the last fact's value, or its day.
  @inline(__always)
  func ends(
    _ period: Period, _ asked: DayRange, _ out: UnsafeMutablePointer<Cell>, _ place: (Range<Int>) -> Int
  ) {
    forEachPeriod(period, asked) { lane, facts in
      out[lane] =
        facts.isEmpty ? noValue : numbers?[place(facts)] ?? days.map { Cell($0[place(facts)]) } ?? noValue
    }
  }
}

/// Formulas that aggregates over facts and over subjects share.
enum Statistics {
  /// The sum divided by the count, rounded half away from zero to millionths.
  static func average(sum: Int128, count: Int) -> Cell {
    count == 0
      ? noValue : Operators.checked(FixedDecimal.divideRounding(sum, by: Int128(count)), isDecimal: true)
  }

  /// The greatest sum of squares of millionths: four times as much fits, and nearly what the engines hold.
  static let mostSquares: Int128 = 10_000_000_000_000_000_000_000_000_000_000_000_000

  /// The standard deviation of a population in millionths, rounded half away from zero (AGG-09): half of the root of
  /// 4·(n·Σx² − (Σx)²) / n². With m = Σx div n and what t is left of it, Σ(x − m)² is Σx² − m·(Σx + t), so that no
  /// product is larger than the squares.
  static func deviation(count: Int, sum: Int128, squares: Int128) -> Cell {
    guard count > 0 else { return noValue }
    guard squares <= mostSquares else { return outOfRange }
    let n = Int128(count)
    let (mean, rest) = sum.quotientAndRemainder(dividingBy: n)
    let four = (4 * (squares - mean * (sum + rest)) - (4 * rest * rest + n - 1) / n) / n
    return Cell((root(of: four) + 1) / 2)
  }

  static func deviation(_ values: UnsafeBufferPointer<Cell>) -> Cell {
    var (sum, squares) = (Int128(0), Int128(0))
    for value in values {
      (sum, squares) = (sum + Int128(value), squares + Int128(value) * Int128(value))
      guard squares <= mostSquares else { return outOfRange }
    }
    return deviation(count: values.count, sum: sum, squares: squares)
  }

  /// The whole root: one step of Newton's method from that of a floating-point number is never too small, and at most
  /// 1 too great.
  private static func root(of number: Int128) -> Int128 {
    let near = Int128(Double(number).squareRoot())
    guard near > 0 else { return 0 }
    let root = (near + number / near) / 2
    return root * root > number ? root - 1 : root
  }

  /// The value of rank (P·n+99) div 100 among the values in rising order (AGG-03); moves them.
  static func percentile(_ values: UnsafeMutableBufferPointer<Cell>, rank percent: Int) -> Cell {
    values.isEmpty ? noValue : select((percent * values.count + 99) / 100 - 1, values)
  }

  /// The value that would stand at an index among the sorted values: quickselect with the median of three.
  private static func select(_ index: Int, _ values: UnsafeMutableBufferPointer<Cell>) -> Cell {
    var (low, high) = (0, values.count)
    while high - low > 16 {
      let (a, b, c) = (values[low], values[(low + high) / 2], values[high - 1])
      let pivot = max(min(a, b), min(max(a, b), c))
      let smaller = partition(values, low..<high) { $0 < pivot }
      if index < smaller {
        high = smaller
      } else {
        low = partition(values, smaller..<high) { $0 == pivot }
        if index < low { return pivot }
      }
    }
    return values[low..<high].sorted()[index - low]
  }

  /// Moves the values that belong to the front there, and says where the others start. Nothing branches on a value, which
  /// no processor predicts.
  @inline(__always)
  private static func partition(
    _ values: UnsafeMutableBufferPointer<Cell>, _ range: Range<Int>, _ belongs: (Cell) -> Bool
  ) -> Int {
    var end = range.lowerBound
    for index in range {
      let value = values[index]
      values[index] = values[end]
      values[end] = value
      end &+= belongs(value) ? 1 : 0
    }
    return end
  }
}

/// Counts different values by asked day: each value counts on the days whose period holds one of its facts. As facts
/// come by rising day, so do the stretches of asked days on which they count, and a value only has to remember how
/// far it has been counted.
struct DistinctCounts {
  private let asked: DayRange
  private var counts: StretchCounts
  private var values: [Cell] = Array(repeating: 0, count: 64)
  /// How far the value of a place has been counted; 0 is a free place.
  private var ends: [Int32] = Array(repeating: 0, count: 64)
  private var used = 0

  init(_ asked: DayRange) {
    self.asked = asked
    counts = StretchCounts(asked)
  }

  /// A fact that counts on some of the asked days, which do not start before those of the facts before it.
  @inline(__always)
  mutating func add(_ value: Cell, _ lanes: Range<Int>) {
    let place = place(of: value)
    let end = Int(ends[place])
    guard end < lanes.upperBound else { return }
    counts.add(max(end, lanes.lowerBound)..<lanes.upperBound)
    ends[place] = Int32(truncatingIfNeeded: lanes.upperBound)
    guard end == 0 else { return }
    values[place] = value
    used += 1
    if used * 2 > values.count { grow() }
  }

  @inline(__always)
  private func place(of value: Cell) -> Int {
    var place = Hashing.mix(UInt64(bitPattern: value)) & (values.count &- 1)
    while ends[place] != 0, values[place] != value { place = (place &+ 1) & (values.count &- 1) }
    return place
  }

  private mutating func grow() {
    let known = zip(values, ends)
    values = Array(repeating: 0, count: 2 * values.count)
    ends = Array(repeating: 0, count: 2 * ends.count)
    for (value, end) in known where end != 0 {
      let place = place(of: value)
      (values[place], ends[place]) = (value, end)
    }
  }

  func write(to out: UnsafeMutablePointer<Cell>) { StretchCounts.write([counts], to: out, asked.count) }

  var column: [Cell] {
    [Cell](unsafeUninitializedCapacity: asked.count) { column, count in
      count = asked.count
      if let base = column.baseAddress { write(to: base) }
    }
  }
}
