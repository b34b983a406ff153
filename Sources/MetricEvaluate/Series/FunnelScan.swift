import MetricData
import MetricPlan

/// An ordered funnel over facts in one pass: the events of each subject are read once, in their order,
/// whatever the number of reference days.
///
/// For each step it keeps the latest day on which an attempt began that has reached the step: whatever
/// an earlier start could still reach within its days, the latest one can, too. That day rises, and with
/// it the reference days from which the step counts are known: from the day of the event on, until the
/// start leaves the funnel's period.
struct FunnelScan {
  private let steps: Int
  private let within: Int?
  private let over: Period
  private let cohort: CohortUnit?
  private let sources: [(scan: FactScan, instants: [Int64]?)]
  private let subjectCount: Int
  private let included: [Bool]?
  private let engine: Engine
  private let events: Lazy<StepEvents>

  /// Nil where the funnel asks for more than this can do; `FunnelEvaluation` can everything.
  init?(_ funnel: Funnel, _ compiler: Compiler) throws(EvaluationError) {
    guard !compiler.engine.isGrowing, funnel.order == .inOrder, funnel.atLeast == nil,
      funnel.steps.count <= 32
    else { return nil }
    switch funnel.grouping {
    case nil: cohort = nil
    case .cohort(let unit):
      // Which attempt is the best changes where starts leave the period; and a set of counts for each
      // cohort has to fit into memory.
      guard funnel.over == .allTime, compiler.engine.days.count * funnel.steps.count <= 1 << 13 else {
        return nil
      }
      cohort = unit
    case .field: return nil
    }
    engine = compiler.engine
    steps = funnel.steps.count
    within = funnel.within
    over = funnel.over
    var sources: [(scan: FactScan, instants: [Int64]?)] = []
    for (record, route) in try FunnelScan.routes(funnel) {
      guard let source = try FunnelScan.source(record, route, funnel, compiler) else { return nil }
      sources.append(source)
    }
    guard !sources.isEmpty else { return nil }
    self.sources = sources
    let plan = engine.library.metrics[compiler.metric]
    subjectCount = engine.routing.subjectCount(plan.subject.entity)
    included = try CompiledMetric.included(plan, compiler)
    let (given, count, threads) = (sources, subjectCount, compiler.engine.threads)
    events = Lazy { StepEvents(given, subjectCount: count, threads: threads) }
  }

  /// The record types of the steps with their routes, each once; none where a step is no fact or one type
  /// takes several routes.
  private static func routes(_ funnel: Funnel) throws(EvaluationError) -> [(RecordID, Route)] {
    var routes: [(RecordID, Route)] = []
    for step in funnel.steps {
      guard case .fact(let record, let route, _) = step.source else { return [] }
      if routes.contains(where: { $0 == (record, route) }) { continue }
      guard !routes.contains(where: { $0.0 == record }) else { return [] }
      routes.append((record, route))
    }
    return routes
  }

  private static func source(
    _ record: RecordID, _ route: Route, _ funnel: Funnel, _ compiler: Compiler
  ) throws(EvaluationError) -> (scan: FactScan, instants: [Int64]?)? {
    let filters = funnel.steps.map { step -> Expression? in
      guard case .fact(let own, _, let filter) = step.source else { return nil }
      return own == record ? filter : .literal(.bool(false))
    }
    guard let scan = try FactScan(record, route, filters: filters, compiler) else { return nil }
    let field = compiler.engine.library.records[record].orderField
    guard case .wide(let instants)? = field.flatMap({ compiler.dataset.table(record).column($0) }) else {
      return (scan, nil)
    }
    return (scan, instants)
  }

  // MARK: Series

  /// What one thread has counted.
  private struct Counts {
    var whole: DayCounts
    /// Of the subject at hand, for each step the first day on which it was reached; for cohorts.
    var firstDays: [Int32]
    var groups: [Cell: DayCounts] = [:]
  }

  /// The groups at each reference day.
  func values(_ days: [Int32]) -> [[GroupValues]] {
    let days = ReferenceDays(days)
    if let streamed = streamed(days) { return ungrouped(streamed) }
    let events = events.value
    let pieces = max(1, min(engine.threads, subjectCount / 1024))
    let counts = PieceList<Counts>(count: pieces)
    Parallel.perform(pieces: pieces) { number in
      var own = Counts(whole: DayCounts(days, parts: steps), firstDays: Array(repeating: .max, count: steps))
      let state = UnsafeMutablePointer<Reached>.allocate(capacity: steps)
      defer { state.deallocate() }
      for subject in Parallel.part(number, of: pieces, subjectCount) where included?[subject] ?? true {
        let events = events.sorted(of: subject)
        if !events.isEmpty { count(events, state, &own) }
      }
      counts.set(own, at: number)
    }
    return cohort == nil ? ungrouped(counts.values) : grouped(counts.values, days)
  }

  /// The counts of facts that come in the order of time for each subject; nil where they do not, or the funnel asks
  /// for more.
  private func streamed(_ days: ReferenceDays) -> [Counts]? {
    guard cohort == nil, sources.count == 1, let instants = sources[0].instants else { return nil }
    // Each thread looks at all facts and takes those of its subjects.
    let pieces = max(1, min(engine.threads, FunnelScan.mostStreams, subjectCount / 1024))
    let counts = PieceList<Counts>(count: pieces)
    Parallel.perform(pieces: pieces) { number in
      let stream = FunnelStream(Parallel.part(number, of: pieces, subjectCount), steps: steps)
      var own = Counts(whole: DayCounts(days, parts: steps), firstDays: Array(repeating: .max, count: steps))
      let isInOrder = stream.run(sources[0].scan, instants, included: included) { mask, day, state in
        meet(mask, day, state, &own)
      }
      if isInOrder { counts.set(own, at: number) }
    }
    let made = counts.values
    return made.count == pieces ? made : nil
  }

  /// More threads than this would spend most of their time with the facts of others.
  private static let mostStreams = 8

  private func ungrouped(_ counts: [Counts]) -> [[GroupValues]] {
    guard var sum = counts.first?.whole else { return [] }
    for other in counts.dropFirst() { sum.add(other.whole) }
    return sum.values.map { [GroupValues(group: noValue, values: $0)] }
  }

  /// A group is there from the day on that an attempt of it is the best of its subject.
  private func grouped(_ counts: [Counts], _ days: ReferenceDays) -> [[GroupValues]] {
    var groups: [Cell: DayCounts] = [:]
    for own in counts {
      groups.merge(own.groups) { one, other in
        var sum = one
        sum.add(other)
        return sum
      }
    }
    var result = [[GroupValues]](repeating: [], count: days.count)
    for (group, counts) in groups {
      for (day, values) in counts.values.enumerated() where values[0] > 0 {
        result[day].append(GroupValues(group: group, values: values))
      }
    }
    return result
  }

  // MARK: One subject

  /// How far a subject has come at a step.
  struct Reached: BitwiseCopyable {
    /// The latest start that has reached it.
    var start = Int32.min
    /// The last reference day for which it has been counted.
    var counted = Int32.min
  }

  private func count(
    _ events: UnsafeMutableBufferPointer<StepEvent>, _ state: UnsafeMutablePointer<Reached>,
    _ counts: inout Counts
  ) {
    state.initialize(repeating: Reached(), count: steps)
    if cohort != nil { for step in 0..<steps { counts.firstDays[step] = .max } }
    // Facts without an Instant come first in their day, and yet may follow all others of it.
    if !events.contains(where: { $0.instant == Event.noInstant }) {
      var index = 0
      while index < events.count {
        let event = events[index]
        var mask = event.steps
        index += 1
        while index < events.count, events[index].instant == event.instant, events[index].day == event.day {
          mask |= events[index].steps
          index += 1
        }
        meet(mask, event.day, state, &counts)
        if cohort == nil, state[steps - 1].counted == .max { break }
      }
    } else {
      countWithoutInstants(events, state, &counts)
    }
    if let cohort { group(events, cohort, &counts) }
  }

  /// Facts of one moment: each step may follow the one before it.
  @inline(__always)
  private func meet(
    _ mask: UInt32, _ day: Int32, _ state: UnsafeMutablePointer<Reached>, _ counts: inout Counts
  ) {
    var mask = mask
    while mask != 0 {
      let step = mask.trailingZeroBitCount
      mask &= mask - 1
      let start = step == 0 ? day : state[step - 1].start
      if start != .min { reach(step, start, day, state, &counts) }
    }
  }

  /// An attempt that began on `start` has a fact for a step on `day`.
  @inline(__always)
  private func reach(
    _ step: Int, _ start: Int32, _ day: Int32, _ state: UnsafeMutablePointer<Reached>,
    _ counts: inout Counts
  ) {
    if let within, Int(day) - Int(start) >= within { return }
    guard start > state[step].start else { return }
    state[step].start = start
    if cohort != nil {
      counts.firstDays[step] = min(counts.firstDays[step], day)
      return
    }
    guard state[step].counted != .max else { return }
    let last = over.lastEnd(holding: start)
    let first = max(day, state[step].counted == .min ? .min : state[step].counted + 1)
    counts.whole.add(part: step, from: first, through: last)
    state[step].counted = max(last, state[step].counted)
  }

  /// The same step by step, for events of which some have no Instant: an event follows all that are
  /// before it or at its moment, and on its day also those after it where it has no Instant.
  private func countWithoutInstants(
    _ events: UnsafeMutableBufferPointer<StepEvent>, _ state: UnsafeMutablePointer<Reached>,
    _ counts: inout Counts
  ) {
    // By event: behind the last one that it may follow, and the latest start up to it.
    let ends = FunnelScan.ends(events)
    var latest = [Int32](repeating: .min, count: events.count)
    for step in 0..<steps {
      var now = latest
      var best = Int32.min
      for index in events.indices {
        if events[index].steps >> UInt32(step) & 1 == 1 {
          let day = events[index].day
          let start = step == 0 ? day : latest[ends[index] - 1]
          if start != .min, within.map({ Int(day) - Int(start) < $0 }) ?? true {
            best = max(best, start)
            reach(step, start, day, state, &counts)
          }
        }
        now[index] = best
      }
      latest = now
    }
  }

  private static func ends(_ events: UnsafeMutableBufferPointer<StepEvent>) -> [Int] {
    var ends = [Int](repeating: 0, count: events.count)
    var dayEnd = events.count
    var momentEnd = events.count
    for index in events.indices.reversed() {
      if index + 1 < events.count {
        if events[index].day != events[index + 1].day { dayEnd = index + 1 }
        if events[index].isBefore(events[index + 1]) { momentEnd = index + 1 }
      }
      ends[index] = events[index].instant == Event.noInstant ? dayEnd : momentEnd
    }
    return ends
  }

  // MARK: Cohorts

  /// From the day on that a step is reached, the subject belongs to the earliest start that reaches it:
  /// the first that is not too long ago, as every start before one that reaches a step in time reaches
  /// it, too.
  private func group(
    _ events: UnsafeMutableBufferPointer<StepEvent>, _ cohort: CohortUnit, _ counts: inout Counts
  ) {
    for step in 0..<steps where counts.firstDays[step] != .max {
      let from = counts.firstDays[step]
      let next = step + 1 < steps ? counts.firstDays[step + 1] : .max
      let through = next == .max ? next : next - 1
      guard from <= through else { continue }
      let start = events.first { event in
        event.steps & 1 == 1 && (within.map { Int(from) - Int(event.day) < $0 } ?? true)
      }
      guard let start else { continue }
      let group = cohort.first(start.day)
      for part in 0...step {
        counts.groups[group, default: DayCounts(counts.whole.days, parts: steps)]
          .add(part: part, from: from, through: through)
      }
    }
  }
}

extension CohortUnit {
  /// The first day of the cohort that holds a day.
  func first(_ day: Int32) -> Cell {
    switch self {
    case .day: Cell(day)
    case .week: Cell(DayKey(number: day).startOfWeek(from: .monday).number)
    case .month: Cell(DayKey(number: day).startOfMonth.number)
    }
  }
}
