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
    if source.hasBeyond { return nil }
    return { place, worker, body in
      source.forEachStretch(aggregate.period ?? place.period, place, worker, body)
    }
  }

  private func stretches(of reference: MetricReference) throws(EvaluationError) -> Stretches? {
    guard reference.offset == nil, reference.days == nil,
      case .completion = engine.library.metrics[reference.metric].body
    else { return nil }
    let metric = try engine.compile(reference.metric)
    let completion = try engine.completion(reference.metric)
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
  private var (start, end) = (0, 0)

  @inline(__always)
  mutating func add(_ stretch: Range<Int>, _ body: (Range<Int>) -> Void) {
    if start < end, stretch.lowerBound <= end {
      end = max(end, stretch.upperBound)
    } else {
      finish(body)
      (start, end) = (stretch.lowerBound, stretch.upperBound)
    }
  }

  @inline(__always)
  func finish(_ body: (Range<Int>) -> Void) { if start < end { body(start..<end) } }
}

extension DayBits {
  /// Calls `body` with the stretches of asked days whose period holds one of the days. These are joined before it is known
  /// which of them are asked for: with that done for each day, users active in a year of days took 4 % more instructions.
  @inline(__always)
  func forEachStretch(_ units: inout PeriodUnits, _ asked: DayRange, _ body: (Range<Int>) -> Void) {
    func clip(_ days: Range<Int>) {
      let lanes = asked.indices(from: Int32(days.lowerBound), through: Int32(days.upperBound - 1))
      if !lanes.isEmpty { body(lanes) }
    }
    var joined = JoinedStretches()
    forEach(through: asked.last) {
      let held = units.references(holding: $0)
      joined.add(Range(uncheckedBounds: (Int(held.lowerBound), Int(held.upperBound) &+ 1)), clip)
    }
    joined.finish(clip)
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
    joined.finish(body)
  }
}

extension FactSource {
  fileprivate func forEachStretch(
    _ period: Period, _ place: Place, _ worker: Worker, _ body: (Range<Int>) -> Void
  ) {
    if let days = bits(of: place.subject) {
      var units = PeriodUnits(period)
      days.forEachStretch(&units, place.days, body)
    } else {
      withDays(of: place, worker) { $0.forEachStretch(period, place.days, body) }
    }
  }
}

/// How many stretches hold each asked day, noted where they begin and end.
struct StretchCounts {
  private var changes: [Int]

  init(_ asked: DayRange) { changes = Array(repeating: 0, count: asked.count + 1) }

  mutating func add(_ lanes: Range<Int>) { withChanges { $0.add(lanes) } }

  /// Where stretches begin and end, for loops: an array asks at each change whether it has another owner.
  struct Changes {
    fileprivate let places: UnsafeMutableBufferPointer<Int>

    @inline(__always)
    func add(_ lanes: Range<Int>) {
      places[lanes.lowerBound] &+= 1
      places[lanes.upperBound] &-= 1
    }
  }

  @inline(__always)
  mutating func withChanges(_ body: (Changes) -> Void) {
    changes.withUnsafeMutableBufferPointer { body(Changes(places: $0)) }
  }

  static func write(_ parts: [StretchCounts], to out: UnsafeMutablePointer<Cell>, _ count: Int) {
    var sum = 0
    for lane in 0..<count {
      for part in parts { sum &+= part.changes[lane] }
      out[lane] = Cell(sum)
    }
  }
}
