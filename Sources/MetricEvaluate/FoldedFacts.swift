import MetricData
import MetricPlan

/// A folded record by the subjects that its key names.
final class FoldedFacts: Sendable {
  /// With the subjects in their order, which metric after metric goes through.
  let store: OrderedFold

  init(_ store: FoldStore, _ space: EntitySpace) {
    var slots = [Int32](repeating: -1, count: space.count)
    for (slot, key) in store.keys.enumerated() {
      if let number = space.number(ofPool: Cell(key)) { slots[number] = Int32(slot) }
    }
    self.store = OrderedFold(store, by: slots)
  }

  /// The bundle that answers a shape; nil where the records were folded for other metrics.
  func bundle(_ shape: FoldShape) -> Int? {
    store.spec.bundles.firstIndex { $0.condition == shape.condition && $0.amount == shape.amount }
  }

  @inline(__always)
  func slot(of subject: Int) -> Int {
    subject >= 0 && subject < store.slotCount ? subject : -1
  }

  /// The days on which a subject has facts of a bundle.
  @inline(__always)
  func days(_ bundle: Int, of subject: Int) -> DayBits {
    let slot = slot(of: subject)
    return slot < 0 ? .empty : store.days(bundle, slot)
  }

  /// How many subjects have facts of a bundle in a stretch of days.
  func subjectCount(_ bundle: Int, from first: Int32, through last: Int32) -> Int {
    (0..<store.slotCount).count { !store.days(bundle, $0).isEmpty(from: first, through: last) }
  }

  /// How many facts of a bundle a subject has in all, and their sum.
  func total(_ bundle: Int, of subject: Int) -> (count: Int, sum: Int128) {
    let slot = slot(of: subject)
    return slot < 0 ? (0, 0) : store.total(bundle, slot)
  }
}

extension Compiler {
  /// An aggregate over folded facts; nil where the facts themselves are loaded.
  func compileFolded(_ aggregate: Aggregate) -> Program? {
    guard aggregate.function != .contribution, let (facts, bundle) = folded(aggregate) else { return nil }
    let period = aggregate.period
    let isDecimal = aggregate.type == .decimal
    if facts.store.spec.bundles[bundle].keepsDaily, aggregate.function.isSumOrCount {
      return compileDaily(facts, bundle, period, isDecimal: isDecimal)
    }
    /// The days of the subject in the aggregate's own period, or in the place's window.
    func over(_ body: @escaping (DayBits, Int32, Int32) -> Cell) -> Program {
      { worker in
        let place = worker.place
        let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
        return body(facts.days(bundle, of: place.subject), start, place.windowEnd)
      }
    }
    switch aggregate.function {
    case .days: return over { Cell($0.count(from: $1, through: $2)) }
    case .first: return over { $0.firstDay(from: $1, through: $2).map { Cell($0) } ?? noValue }
    case .last: return over { $0.lastDay(from: $1, through: $2).map { Cell($0) } ?? noValue }
    case .count: return { Cell(facts.total(bundle, of: $0.place.subject).count) }
    case .sum:
      return { worker in
        let sum = facts.total(bundle, of: worker.place.subject).sum
        return Arithmetic.checked(sum, isDecimal: isDecimal, &worker.overflow)
      }
    case .average:
      return { worker in
        let (count, sum) = facts.total(bundle, of: worker.place.subject)
        guard count > 0 else { return noValue }
        return Arithmetic.checked(
          Statistics.average(sum: sum, count: count), isDecimal: true, &worker.overflow)
      }
    case .distinct:
      return { worker in
        let place = worker.place
        let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
        return Cell(facts.subjectCount(bundle, from: start, through: place.windowEnd))
      }
    case .min, .max, .percentile, .contribution: return nil
    }
  }

  /// `count(F …) >= 1` and its like, over folded facts.
  func compileExistence(_ aggregate: Aggregate, negated: Bool) -> Program? {
    guard let (facts, bundle) = folded(aggregate) else { return nil }
    let period = aggregate.period
    return { worker in
      let place = worker.place
      let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
      let isEmpty = facts.days(bundle, of: place.subject).isEmpty(from: start, through: place.windowEnd)
      return isEmpty == negated ? 1 : 0
    }
  }

  /// The sum or number of a subject's facts in a period, from those of its days.
  private func compileDaily(
    _ facts: FoldedFacts, _ bundle: Int, _ period: Period?, isDecimal: Bool
  ) -> Program {
    let cache = engine.dailyCache(facts, bundle)
    return { worker in
      let place = worker.place
      let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
      let sum = worker.daily(cache, facts, bundle, of: place.subject).sum(
        from: start, through: place.windowEnd)
      return Arithmetic.checked(Int128(sum), isDecimal: isDecimal, &worker.overflow)
    }
  }

  /// `contribution(F through Link)` over folded facts: of each contributing entity its sum or its number.
  func compileFoldedContribution(_ aggregate: Aggregate) throws(EvaluationError) -> Program? {
    guard aggregate.function == .contribution, case .link(let route) = aggregate.route,
      let (facts, counts) = folded(aggregate.countingAll)
    else { return nil }
    let sums = aggregate.argument == nil ? nil : folded(aggregate)?.bundle
    let links = try engine.routing.linkPairs(route)
    try engine.routing.checkUnits(route, links)
    var bySubject: [Int32: [(end: Int, isSum: Bool)]] = [:]
    for item in links.contributionsByEnd.values.joined() {
      bySubject[item.subject, default: []].append((Int(item.end), item.isSum))
    }
    let countOf = numberProgram(facts, counts, aggregate.period)
    let sumOf = sums.map { numberProgram(facts, $0, aggregate.period) }
    let isDecimal = aggregate.type == .decimal
    let one: Int128 = isDecimal ? Int128(FixedDecimal.scale) : 1
    return { worker in
      var total: Int128 = 0
      for item in bySubject[Int32(worker.place.subject)] ?? [] {
        total += item.isSum ? sumOf?(item.end, worker) ?? 0 : countOf(item.end, worker) * one
      }
      return Arithmetic.checked(total, isDecimal: isDecimal, &worker.overflow)
    }
  }

  /// What a bundle has for an entity in a period: the sum where it has one, else the number of facts.
  private func numberProgram(
    _ facts: FoldedFacts, _ bundle: Int, _ period: Period?
  ) -> (_ entity: Int, _ worker: Worker) -> Int128 {
    guard facts.store.spec.bundles[bundle].keepsDaily else {
      let isSum = facts.store.spec.bundles[bundle].amount != nil
      return { entity, _ in
        let (count, sum) = facts.total(bundle, of: entity)
        return isSum ? sum : Int128(count)
      }
    }
    let cache = engine.dailyCache(facts, bundle)
    return { entity, worker in
      let place = worker.place
      let start = period?.start(endingAt: place.windowEnd) ?? place.windowStart
      return Int128(worker.daily(cache, facts, bundle, of: entity).sum(from: start, through: place.windowEnd))
    }
  }

  /// The fold that answers an aggregate, where its record was folded.
  func folded(_ aggregate: Aggregate) -> (facts: FoldedFacts, bundle: Int)? {
    guard let schema = dataset.table(aggregate.record).foldedSchema,
      let shape = dataset.library.foldShape(aggregate, schema),
      let facts = engine.routing.folded(aggregate.record, by: shape.key), let bundle = facts.bundle(shape)
    else { return nil }
    return (facts, bundle)
  }
}

extension AggregateFunction {
  fileprivate var isSumOrCount: Bool { self == .sum || self == .count }
}

/// The days on which a subject has a fact of some record and route.
enum PresenceDays {
  case facts(FactIndex)
  case folded(FoldedFacts, bundle: Int)

  func isEmpty(_ subject: Int, from first: Int32, through last: Int32) -> Bool {
    switch self {
    case .facts(let index): index.slots(of: subject, from: first, through: last).isEmpty
    case .folded(let facts, let bundle): facts.days(bundle, of: subject).isEmpty(from: first, through: last)
    }
  }

  /// The first day that has one.
  func first(of subject: Int) -> Int32? {
    switch self {
    case .facts(let index): index.slots(of: subject).first.map { index.days[$0] }
    case .folded(let facts, let bundle): facts.days(bundle, of: subject).firstDay(from: .min, through: .max)
    }
  }

  /// Calls `body` with each day, rising, perhaps several times.
  func forEach(of subject: Int, _ body: (Int32) -> Void) {
    switch self {
    case .facts(let index): for slot in index.slots(of: subject) { body(index.days[slot]) }
    case .folded(let facts, let bundle): facts.days(bundle, of: subject).forEach(through: .max, body)
    }
  }
}
