import MetricData
import MetricPlan

/// A number for each day up to the last one that is asked for: how many subjects or values are active.
struct ActiveDays: Sendable {
  private let firstDay: Int32
  /// The number on every day before the first.
  private let before: Cell
  private let counts: [Cell]

  subscript(day: Int32) -> Cell {
    let index = Int(day) - Int(firstDay)
    return index < 0 ? before : index < counts.count ? counts[index] : counts.last ?? before
  }

  /// - Parameter differences: what is added on each day.
  init(firstDay: Int32, before: Cell, differences: [[Int]]) {
    self.firstDay = firstDay
    self.before = before
    var sum = before
    counts = (differences.first ?? []).indices.map { day in
      for own in differences { sum += Cell(own[day]) }
      return sum
    }
  }
}

/// For how long a fact keeps its subject active: by its day, the last day whose period still holds it.
struct ActivePeriod: Sendable {
  let firstDay: Int32
  private let ends: [Int32]

  init(_ period: Period, _ sets: DaySets) {
    firstDay = sets.firstDay
    ends = (0..<Int32(sets.dayCount)).map { period.lastEnd(holding: sets.firstDay + $0) }
  }

  /// Calls `body` with the stretches of days on which a subject is active, in their order.
  @inline(__always)
  func forEachStretch(_ subject: Int, _ sets: DaySets, _ body: (_ first: Int32, _ last: Int32) -> Void) {
    var first = Int32.min
    var last = Int32.min
    sets.forEachDay(subject) { day in
      let end = ends[Int(day - firstDay)]
      if last != .min, Int(day) <= Int(last) + 1 {
        last = end
      } else {
        if last != .min { body(first, last) }
        (first, last) = (day, end)
      }
    }
    if last != .min { body(first, last) }
  }
}

extension Compiler {
  /// `distinct(F.x …)` over the whole dataset, for all days at once: a value is there as long as one of
  /// its facts lies in the period. Nil where it has to be counted day by day.
  func activeValues(_ aggregate: Aggregate) throws(EvaluationError) -> Program? {
    guard !engine.isGrowing, aggregate.function == .distinct, aggregate.route == .whole, groups == nil,
      case .field(let path)? = aggregate.argument, path.root == .row, path.references.isEmpty,
      path.type == .text, aggregate.filter?.staysInRange(dataset.library) ?? true,
      let period = aggregate.period ?? defaultPeriod,
      let table = try daySets(aggregate, path)?.active(in: period, engine)
    else { return nil }
    return { table[$0.place.windowEnd] }
  }

  /// For each value of a field the days of the facts that have it.
  private func daySets(_ aggregate: Aggregate, _ path: FieldPath) throws(EvaluationError) -> DaySets? {
    if let target = dataset.library.target(of: path.field) {
      // The values are subjects, to which other metrics may ask the same.
      return try daySets(
        aggregate.record, .references([path.field]), where: aggregate.filter,
        subjectCount: engine.routing.subjectCount(target))
    }
    guard case .narrow(let cells)? = dataset.table(aggregate.record).column(path.field.field) else {
      return nil
    }
    var key = aggregate
    key.period = nil
    return try engine.daySets(key, isTeam: isTeam) { () throws(EvaluationError) in
      guard
        let scan = try FactScan(
          aggregate.record, .whole, filters: [aggregate.filter], self, values: cells)
      else { return nil }
      return DaySets(
        scan, condition: 0, subjectCount: scan.valueCount, threads: engine.threads, lastDay: engine.lastDay)
    }
  }

  /// The period of aggregates without one of their own in the metric at work.
  var defaultPeriod: Period? {
    switch engine.library.metrics[metric].body {
    case .progress(let progress): progress.over
    case .measure(let measure): measure.over
    case .completion(let completion): completion.window.period
    case .streak, .momentum, .level, .funnel, .retention: nil
    }
  }
}

extension DaySets {
  /// How many subjects have a fact in the period that ends on a day, for each day.
  fileprivate func active(in period: Period, _ engine: Engine) -> ActiveDays? {
    guard dayCount > 0 else { return ActiveDays(firstDay: 0, before: 0, differences: []) }
    guard let length = engine.dayTableLength(from: firstDay) else { return nil }
    let ends = ActivePeriod(period, self)
    let pieces = max(1, min(engine.threads, subjectCount / 4096))
    let found = PieceList<[Int]>(count: pieces)
    let (first, count) = (firstDay, subjectCount)
    Parallel.perform(pieces: pieces) { number in
      var differences = [Int](repeating: 0, count: length)
      for subject in Parallel.part(number, of: pieces, count) {
        ends.forEachStretch(subject, self) { from, last in
          differences[Int(from - first)] += 1
          if Int(last) - Int(first) + 1 < length { differences[Int(last - first) + 1] -= 1 }
        }
      }
      found.set(differences, at: number)
    }
    return ActiveDays(firstDay: firstDay, before: 0, differences: found.values)
  }
}

extension Engine {
  /// How many days lie from one to the last that anything asks about; nil for more than thousands of years.
  func dayTableLength(from first: Int32) -> Int? {
    let length = Int(lastDay) - Int(first) + 1
    return length <= 1 << 21 ? max(0, length) : nil
  }
}

extension Expression {
  /// Whether no number on the way can leave its range: there is no arithmetic in it.
  func staysInRange(_ library: Library) -> Bool {
    var stays = true
    visit { part in
      switch part {
      case .arithmetic, .metric, .aggregate, .completions, .subjects: stays = false
      case .field(let path): if library[path.field].computed != nil { stays = false }
      case .literal, .day, .negated, .comparison, .membership, .isNone, .and, .or, .not, .conditional,
        .function, .widened:
        break
      }
    }
    return stays
  }
}
