import MetricData
import MetricPlan

/// Calls a function with the stretches of asked days on which a condition holds for a place, rising and apart.
typealias Stretches = (_ place: Place, _ worker: Worker, _ body: (Range<Int>) -> Void) -> Void

/// Stretches of days instead of columns, for conditions that only ask whether a period holds a fact. A user who was active
/// for a while has a few of them in a year, and a column of 365 cells: counting users by stretches takes a fifth of the
/// instructions of adding up their columns.
extension Compiler {
  /// The stretches of a condition; nil if only its column tells when it holds.
  func stretches(of condition: Expression) throws(EvaluationError) -> Stretches? {
    if case .metric(let reference) = condition { return try stretches(of: reference) }
    guard let (aggregate, negated) = condition.existence, !negated else { return nil }
    let source = try facts(aggregate)
    if case .list(let list) = source, list.beyond != nil { return nil }
    return { place, worker, body in
      source.forEachStretch(aggregate.period ?? place.period, place, worker, body)
    }
  }

  private func stretches(of reference: MetricReference) throws(EvaluationError) -> Stretches? {
    guard reference.offset == nil, reference.days == nil,
      case .completion = engine.library.metrics[reference.metric].body
    else { return nil }
    let metric = try engine.compile(reference.metric)
    let completion = engine.completion(reference.metric)
    guard let stretches = completion.stretches else { return nil }
    return { place, worker, body in
      let subject = reference.root == .row ? place.counted : place.subject
      guard metric.includes(subject) else { return }
      stretches(Place(subject: subject, days: place.days, period: completion.window.period), worker, body)
    }
  }
}

/// Joins stretches that meet or overlap, and come in the order of their starts.
private struct JoinedStretches {
  private var open = 0..<0

  @inline(__always)
  mutating func add(_ lanes: Range<Int>, _ body: (Range<Int>) -> Void) {
    if lanes.isEmpty { return }
    if !open.isEmpty, lanes.lowerBound <= open.upperBound {
      open = open.lowerBound..<max(open.upperBound, lanes.upperBound)
    } else {
      end(body)
      open = lanes
    }
  }

  @inline(__always)
  func end(_ body: (Range<Int>) -> Void) { if !open.isEmpty { body(open) } }
}

extension DayBits {
  /// Calls `body` with the stretches of asked days whose period holds one of the days.
  @inline(__always)
  func forEachStretch(_ units: inout PeriodUnits, _ asked: DayRange, _ body: (Range<Int>) -> Void) {
    var joined = JoinedStretches()
    forEach(through: .max) { joined.add(asked.indices(units.references(holding: $0)), body) }
    joined.end(body)
  }
}

extension FactSlice {
  /// Calls `body` with the stretches of asked days whose period holds a fact.
  @inline(__always)
  func forEachStretch(_ period: Period, _ asked: DayRange, _ body: (Range<Int>) -> Void) {
    // Facts without days count on each.
    if days == nil { return count > 0 && asked.count > 0 ? body(0..<asked.count) : () }
    var joined = JoinedStretches()
    forEachFact(period, asked) { joined.add($1, body) }
    joined.end(body)
  }
}

extension FactSlice {
  /// Calls `body` with the stretches of days up to `last` on which the facts of so many days add up to at least a number
  /// above 0. Between the facts nothing changes: a column of all days took 14 times the instructions of a streak's best.
  ///
  /// - Returns: false where a sum may leave the range of numbers.
  func forEachStretch(
    atLeast least: Cell, inDays length: Int32, through last: Int32, isDecimal: Bool,
    _ body: (Range<Int32>) -> Void
  ) -> Bool {
    guard let days, sumsStayInRange(isDecimal: isDecimal) else { return false }
    // The facts from `low` up to `high` are in the window; the next day on which that changes is one of the two.
    var (low, high, total, isMet, start) = (0, 0, Cell(0), false, Int32(0))
    while low < count {
      let leaving = days[low] &+ length
      let day = high < count ? min(days[high], leaving) : leaving
      if day > last { break }
      while high < count, days[high] == day {
        total &+= numbers?[high] ?? 1
        high &+= 1
      }
      while low < high, days[low] &+ length == day {
        total &-= numbers?[low] ?? 1
        low &+= 1
      }
      if (total >= least) != isMet {
        if isMet { body(start..<day) }
        (isMet, start) = (!isMet, day)
      }
    }
    if isMet { body(start..<last + 1) }
    return true
  }
}

extension FactSource {
  fileprivate func forEachStretch(
    _ period: Period, _ place: Place, _ worker: Worker, _ body: (Range<Int>) -> Void
  ) {
    if case .fold(let facts, let bundle) = self, facts.store.spec.bundles[bundle].keepsDays {
      var units = PeriodUnits(period)
      facts.days(bundle, of: place.subject).forEachStretch(&units, place.days, body)
    } else {
      withDays(of: place, worker) { $0.forEachStretch(period, place.days, body) }
    }
  }
}

/// How many stretches hold each asked day, noted where they begin and end.
struct StretchCounts {
  private var changes: [Int]

  init(_ asked: DayRange) { changes = Array(repeating: 0, count: asked.count + 1) }

  @inline(__always)
  mutating func add(_ lanes: Range<Int>) {
    changes[lanes.lowerBound] &+= 1
    changes[lanes.upperBound] &-= 1
  }

  static func write(_ parts: [StretchCounts], to out: UnsafeMutablePointer<Cell>, _ count: Int) {
    var sum = 0
    for lane in 0..<count {
      for part in parts { sum &+= part.changes[lane] }
      out[lane] = Cell(sum)
    }
  }
}
