import MetricPlan

/// A retention over sets of days: one pass over the facts, then a few questions to the bits of each
/// subject, whatever the number of reference days.
///
/// A class, so that a question to it costs no copy of what it holds: reference counts took a quarter of the time.
final class RetentionScan: @unchecked Sendable {
  private let retention: Retention
  private let starts: DaySets
  private let returns: DaySets
  private let subjectCount: Int
  /// The days after which a return is asked for, as many as `periods`.
  private let after: UnsafeMutablePointer<Int>
  private let periods: Int
  private let included: [Bool]?
  private let engine: Engine

  /// Nil where the retention asks for more than days; `RetentionEvaluation` can everything.
  init?(_ retention: Retention, _ compiler: Compiler) throws(EvaluationError) {
    guard !compiler.engine.isGrowing, retention.atLeast == nil else { return nil }
    if case .field = retention.grouping { return nil }
    engine = compiler.engine
    self.retention = retention
    periods = retention.after.count
    let plan = engine.library.metrics[compiler.metric]
    subjectCount = engine.routing.subjectCount(plan.subject.entity)
    guard let starts = try RetentionScan.sets(retention.start, subjectCount, compiler) else { return nil }
    self.starts = starts
    if retention.returns == retention.start {
      returns = starts
    } else {
      guard let sets = try RetentionScan.sets(retention.returns, subjectCount, compiler) else { return nil }
      returns = sets
    }
    // A set of counts for each cohort has to fit into memory.
    let cells = (2 * retention.after.count + 1) * (engine.days.count + 1)
    guard retention.grouping == nil || starts.dayCount * cells <= 1 << 25 else { return nil }
    included = try CompiledMetric.included(plan, compiler)
    after = .allocate(capacity: periods)
    after.initialize(from: retention.after, count: periods)
  }

  deinit { after.deallocate() }

  private static func sets(
    _ source: EventSource, _ subjectCount: Int, _ compiler: Compiler
  ) throws(EvaluationError) -> DaySets? {
    guard case .fact(let record, let route, let filter) = source else { return nil }
    return try compiler.daySets(record, route, where: filter, subjectCount: subjectCount)
  }

  /// The groups at each of some rising days.
  func values(_ days: [Int32], _ worker: Worker) -> [[GroupValues]] {
    let days = ReferenceDays(days)
    let pieces = max(1, min(engine.threads, subjectCount / 1024))
    let counts = PieceList<[Cell: DayCounts]>(count: pieces)
    Parallel.perform(pieces: pieces) { number in
      var own: [Cell: DayCounts] = [:]
      for subject in Parallel.part(number, of: pieces, subjectCount) where included?[subject] ?? true {
        count(subject, days, &own)
      }
      counts.set(own, at: number)
    }
    return groups(counts.values, days, worker)
  }

  /// Part 0 says on which reference days the group is there, the others who is eligible and returned.
  private func count(_ subject: Int, _ days: ReferenceDays, _ counts: inout [Cell: DayCounts]) {
    var zero = starts.next(subject, from: .min)
    while let day = zero {
      let last = retention.over.lastEnd(holding: day)
      let group = group(day)
      var place = counts.index(forKey: group)
      if place == nil {
        counts[group] = empty(days)
        place = counts.index(forKey: group)
      }
      if let place { count(day, subject, last, &counts.values[place]) }
      zero = retention.startsEachDay ? starts.next(subject, from: day + 1) : nil
    }
  }

  private func count(
    _ zero: Int32, _ subject: Int, _ last: Int32, _ counts: inout DayCounts
  ) {
    counts.add(part: 0, from: zero, through: last)
    for index in 0..<periods {
      let after = after[index]
      guard Int(zero) + after < Int(Int32.max) else { continue }
      let wanted = Int32(Int(zero) + after)
      counts.add(part: 2 * index + 1, from: wanted, through: last)
      if retention.orLater {
        guard let day = returns.next(subject, from: wanted) else { continue }
        counts.add(part: 2 * index + 2, from: day, through: last)
      } else if returns.contains(subject, wanted) {
        counts.add(part: 2 * index + 2, from: wanted, through: last)
      }
    }
  }

  private func group(_ day: Int32) -> Cell {
    if case .cohort(let unit) = retention.grouping { unit.first(day) } else { noValue }
  }

  private func empty(_ days: ReferenceDays) -> DayCounts {
    DayCounts(days, parts: 2 * retention.after.count + 1)
  }

  private func groups(
    _ pieces: [[Cell: DayCounts]], _ days: ReferenceDays, _ worker: Worker
  ) -> [[GroupValues]] {
    var groups: [Cell: DayCounts] = retention.grouping == nil ? [noValue: empty(days)] : [:]
    for own in pieces {
      groups.merge(own) { one, other in
        var sum = one
        sum.add(other)
        return sum
      }
    }
    var result = [[GroupValues]](repeating: [], count: days.count)
    for (group, counts) in groups {
      for (day, values) in counts.values.enumerated() where retention.grouping == nil || values[0] > 0 {
        let parts = retention.after.indices.flatMap { index in
          RetentionEvaluation.parts(
            eligible: values[2 * index + 1], returned: values[2 * index + 2], worker)
        }
        result[day].append(GroupValues(group: group, values: parts))
      }
    }
    return result
  }
}
