import MetricData
import MetricPlan

/// A retention: who came back on the Nth day after day 0.
struct RetentionEvaluation {
  private let retention: Retention
  /// The same over bits, where days are all that counts.
  private let scan: RetentionScan?
  private let general: Parts?

  /// What the general evaluation needs.
  private struct Parts {
    let starts: EventStream
    let returns: EventStream
    let shared: WholeEvaluation
  }

  init(_ retention: Retention, _ compiler: Compiler) throws(EvaluationError) {
    self.retention = retention
    scan = try RetentionScan(retention, compiler)
    guard scan == nil else {
      general = nil
      return
    }
    general = Parts(
      starts: try EventStream(retention.start, compiler),
      returns: try EventStream(retention.returns, compiler),
      shared: try WholeEvaluation(
        grouping: retention.grouping, atLeast: retention.atLeast, sources: [retention.start], compiler))
  }

  /// The groups at each of some rising days.
  func values(_ days: [Int32], _ worker: Worker) -> [[GroupValues]] {
    if let scan { return scan.values(days, worker) }
    guard let general, let last = days.last else { return [] }
    return values(general, ReferenceDays(days), last, worker)
  }

  private func values(
    _ parts: Parts, _ days: ReferenceDays, _ last: Int32, _ worker: Worker
  ) -> [[GroupValues]] {
    let (count, shared) = (retention.after.count, parts.shared)
    var sweep = GroupSweep(days, parts: 2 * count, sets: retention.atLeast == nil ? 0 : count)
    for subject in shared.subjects {
      let zeros = dayZeros(parts.starts.events(of: subject, through: last, worker))
      guard !zeros.isEmpty else { continue }
      let returnDays = parts.returns.events(of: subject, through: last, worker).map(\.day)
      for starts in zeros {
        guard let first = shared.earliest(Array(starts)) else { continue }
        let users = shared.atLeast == nil ? [] : shared.users(behind: starts, subject: subject)
        add(first.day, shared.group(of: first), users, returnDays, to: &sweep)
      }
    }
    var result: [[GroupValues]] = []
    sweep.forEachDay(always: retention.grouping == nil ? noValue : nil) { day in
      let rows = day.groups.map { row in
        GroupValues(
          group: row.group,
          values: (0..<count).flatMap { index in
            RetentionEvaluation.parts(
              eligible: row.values[2 * index], returned: row.values[2 * index + 1], worker)
          })
      }
      result.append(shared.hide(rows, users: day.users, partsPerSet: 3))
    }
    return result
  }

  /// `eligible`, `returned`, `rate`
  static func parts(eligible: Cell, returned: Cell, _ worker: Worker) -> [Cell] {
    let rate = Arithmetic.divide(
      returned * FixedDecimal.scale, eligible * FixedDecimal.scale, &worker.overflow)
    return [eligible, returned, rate]
  }

  /// What a day 0 adds, and on which reference days.
  private func add(
    _ zero: Int32, _ group: Cell, _ users: Set<Int32>, _ returnDays: [Int32], to sweep: inout GroupSweep
  ) {
    let last = retention.over.lastEnd(holding: zero)
    sweep.add(group, parts: 0..<0, on: sweep.days.range(from: zero, through: last))
    for (index, after) in retention.after.enumerated() {
      guard Int(zero) + after < Int(Int32.max) else { continue }
      let wanted = Int32(Int(zero) + after)
      let eligible = sweep.days.range(from: wanted, through: last)
      sweep.add(group, parts: 2 * index..<2 * index + 1, on: eligible)
      sweep.add(users: users, group, set: index, on: eligible)
      guard let found = firstDay(returnDays, from: wanted), found == wanted || retention.orLater
      else { continue }
      sweep.add(
        group, parts: 2 * index + 1..<2 * index + 2, on: sweep.days.range(from: found, through: last))
    }
  }

  /// The first of some rising days that is not before `day`.
  private func firstDay(_ days: [Int32], from day: Int32) -> Int32? {
    var low = 0
    var high = days.count
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < day { low = middle + 1 } else { high = middle }
    }
    return low < days.count ? days[low] : nil
  }

  /// The starts of the first day that has one, or with `start each` those of each such day.
  private func dayZeros(_ events: [Event]) -> [ArraySlice<Event>] {
    var zeros: [ArraySlice<Event>] = []
    var start = 0
    while start < events.count {
      let end = events[start...].firstIndex { $0.day != events[start].day } ?? events.count
      zeros.append(events[start..<end])
      if !retention.startsEachDay { break }
      start = end
    }
    return zeros
  }
}
