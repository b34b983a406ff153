import MetricData
import MetricPlan

/// A retention: who came back on the Nth day after day 0.
struct RetentionEvaluation {
  private let retention: Retention
  private let starts: EventStream
  private let returns: EventStream
  private let shared: WholeEvaluation

  private struct Tally {
    var eligible: [Cell]
    var returned: [Cell]
    var users: [Set<Int32>]
  }

  init(_ retention: Retention, _ compiler: Compiler) throws(EvaluationError) {
    self.retention = retention
    starts = try EventStream(retention.start, compiler)
    returns = try EventStream(retention.returns, compiler)
    shared = try WholeEvaluation(
      grouping: retention.grouping, atLeast: retention.atLeast, sources: [retention.start], compiler)
  }

  private var empty: Tally {
    let zeros = [Cell](repeating: 0, count: retention.after.count)
    return Tally(eligible: zeros, returned: zeros, users: Array(repeating: [], count: zeros.count))
  }

  func values(_ day: Int32, _ worker: Worker) -> [GroupValues] {
    let tallies = tally(day, worker)
    let rows = tallies.map { group, tally in
      GroupValues(group: group, values: parts(tally, worker))
    }
    let users = retention.after.indices.map { index in tallies.mapValues { $0.users[index] } }
    return shared.hide(rows, users: users, partsPerSet: 3)
  }

  private func parts(_ tally: Tally, _ worker: Worker) -> [Cell] {
    retention.after.indices.flatMap { index in
      let (eligible, returned) = (tally.eligible[index], tally.returned[index])
      let rate = Arithmetic.divide(
        returned * FixedDecimal.scale, eligible * FixedDecimal.scale, &worker.overflow)
      return [eligible, returned, rate]
    }
  }

  private func tally(_ day: Int32, _ worker: Worker) -> [Cell: Tally] {
    let from = retention.over.start(endingAt: day)
    var tallies: [Cell: Tally] = retention.grouping == nil ? [noValue: empty] : [:]
    for subject in shared.subjects {
      let zeros = dayZeros(subject, day, worker).filter { $0[$0.startIndex].day >= from }
      guard !zeros.isEmpty else { continue }
      let returnDays = returns.events(of: subject, through: day, worker).map(\.day)
      for starts in zeros {
        guard let first = shared.earliest(Array(starts)) else { continue }
        let users = shared.atLeast == nil ? [] : shared.users(behind: starts, subject: subject)
        count(first.day, users, returnDays, day, in: &tallies[shared.group(of: first), default: empty])
      }
    }
    return tallies
  }

  private func count(
    _ zero: Int32, _ users: Set<Int32>, _ returnDays: [Int32], _ day: Int32, in tally: inout Tally
  ) {
    for (index, after) in retention.after.enumerated() {
      let wanted = Int(zero) + after
      guard wanted <= Int(day) else { continue }
      tally.eligible[index] += 1
      let found = firstDay(returnDays, from: Int32(wanted))
      if found == Int32(wanted) || (retention.orLater && found != nil) { tally.returned[index] += 1 }
      tally.users[index].formUnion(users)
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
  private func dayZeros(_ subject: Int, _ day: Int32, _ worker: Worker) -> [ArraySlice<Event>] {
    let events = starts.events(of: subject, through: day, worker)
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
