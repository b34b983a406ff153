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
      grouping: retention.grouping, atLeast: retention.atLeast, first: retention.start, compiler)
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

  /// The users who are eligible on any of the days.
  func users(_ day: Int32, _ worker: Worker) -> Set<Int32> {
    tally(day, worker).values.reduce(into: []) { found, tally in
      for users in tally.users { found.formUnion(users) }
    }
  }

  private func tally(_ day: Int32, _ worker: Worker) -> [Cell: Tally] {
    let from = retention.over.start(endingAt: day)
    var tallies: [Cell: Tally] = retention.grouping == nil ? [noValue: empty] : [:]
    for subject in shared.subjects {
      let zeros = dayZeros(subject, day, worker).filter { $0.day >= from }
      guard !zeros.isEmpty else { continue }
      let returnDays = returns.events(of: subject, through: day, worker).map(\.day)
      for zero in zeros {
        let group = shared.group(of: zero, day: zero.day)
        count(zero, subject, returnDays, day, in: &tallies[group, default: empty])
      }
    }
    return tallies
  }

  private func count(
    _ zero: Event, _ subject: Int, _ returnDays: [Int32], _ day: Int32, in tally: inout Tally
  ) {
    for (index, after) in retention.after.enumerated() {
      let wanted = Int(zero.day) + after
      guard wanted <= Int(day) else { continue }
      tally.eligible[index] += 1
      let found = firstDay(returnDays, from: Int32(wanted))
      if found == Int32(wanted) || (retention.orLater && found != nil) { tally.returned[index] += 1 }
      if retention.atLeast != nil, let user = shared.user(of: zero, subject: subject) {
        tally.users[index].insert(user)
      }
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

  /// The first start, or with `start each` the first of every day that has one.
  private func dayZeros(_ subject: Int, _ day: Int32, _ worker: Worker) -> [Event] {
    let events = starts.events(of: subject, through: day, worker)
    guard retention.startsEachDay else { return Array(events.prefix(1)) }
    return events.reduce(into: []) { zeros, event in
      if zeros.last?.day != event.day { zeros.append(event) }
    }
  }
}
