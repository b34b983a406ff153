import MetricData
import MetricPlan

/// A retention: who came back on the Nth day after day 0. The start and the return are two columns of days.
struct RetentionEvaluation {
  private let retention: Retention
  private let many: ManySubjects

  init(_ retention: Retention, isTraced: Bool = false, _ compiler: Compiler) throws(EvaluationError) {
    self.retention = retention
    many = try ManySubjects(
      [retention.start, retention.returns], grouping: retention.grouping, atLeast: retention.atLeast,
      isTraced: isTraced, compiler)
  }

  func columns(_: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let count = retention.after.count
    let counts = many.count(days, parts: 2 * count, sets: 2 * count, worker, add: add)
    if worker.isOutOfRange { return [GroupColumn(outOfRangeOn: days, parts: 3 * count, worker)] }
    var columns = counts.columns.map { column in
      withRates(column, count, days.count)
    }
    many.hide(
      &columns, counts,
      (0..<count).flatMap { index -> [ManySubjects.PartSet] in
        let parts = 3 * index
        return [
          .init(parts: parts..<parts + 1), .init(parts: parts + 1..<parts + 3, behind: 2 * index),
        ]
      })
    return columns
  }

  /// From `eligible` and `returned` to these and `rate` (RET-02 to RET-04).
  private func withRates(_ counts: GroupColumn, _ count: Int, _ dayCount: Int) -> GroupColumn {
    var column = GroupColumn(
      group: counts.group, cells: Array(repeating: noRow, count: 3 * count * dayCount), dayCount: dayCount)
    counts.forEachDay { day in
      for index in 0..<count {
        let (eligible, returned) = (counts[2 * index, day], counts[2 * index + 1, day])
        column[3 * index, day] = eligible
        column[3 * index + 1, day] = returned
        column[3 * index + 2, day] = Operators.rate(returned, eligible)
      }
    }
    return column
  }

  private func add(
    _ events: UnsafeBufferPointer<Event>, _ origins: UnsafePointer<EventOrigin>?, _ subject: Int,
    _ counts: inout GroupCounts, _ worker: Worker
  ) {
    forEachStart(events, origins, worker) { first, ofDay in
      let users = many.asksForEvents ? many.users(behind: ofDay, origins, subject: subject) : []
      add(
        events[first].day, many.group(events[first], origins?[first], worker), users, events, &counts)
    }
  }

  /// Calls `body` with the start of each day 0, and where events are wanted, with all starts of that day.
  private func forEachStart(
    _ events: UnsafeBufferPointer<Event>, _ origins: UnsafePointer<EventOrigin>?, _ worker: Worker,
    _ body: (_ first: Int, _ ofDay: [Int]) -> Void
  ) {
    var index = 0
    while let start = events[index...].firstIndex(where: { $0.steps & 1 != 0 }) {
      let day = events[start].day
      index = events[start...].firstIndex { $0.day != day } ?? events.count
      if many.asksForEvents {
        let ofDay = (start..<index).filter { events[$0].steps & 1 != 0 }
        guard let first = many.earliest(ofDay, events, origins, worker) else { return }
        body(first, ofDay)
      } else {
        body(start, [])
      }
      // RET-01
      if !retention.startsEachDay { return }
    }
  }

  /// Adds a day 0 on the asked days on which it counts.
  private func add(
    _ zero: Int32, _ group: Cell, _ users: [Set<Int32>], _ events: UnsafeBufferPointer<Event>,
    _ counts: inout GroupCounts
  ) {
    // RET-06
    let counting = retention.over.references(holding: zero)
    let last = counting.upperBound
    counts.add(group, parts: 0..<0, on: counts.days.indices(counting))
    for (index, after) in retention.after.enumerated() {
      let wanted = zero + Int32(after)
      let eligible = counts.days.indices(from: max(wanted, counting.lowerBound), through: last)
      counts.add(group, parts: 2 * index..<2 * index + 1, on: eligible)
      counts.add(users: users, group, set: 2 * index, on: eligible)
      guard let found = returnDay(from: wanted, events) else { continue }
      let returned = counts.days.indices(from: max(found, counting.lowerBound), through: last)
      counts.add(group, parts: 2 * index + 1..<2 * index + 2, on: returned)
      counts.add(users: users, group, set: 2 * index + 1, on: returned)
    }
  }

  /// RET-03: the day of the return that counts for the one that is wanted.
  private func returnDay(from wanted: Int32, _ events: UnsafeBufferPointer<Event>) -> Int32? {
    let later = events[events.partitioningIndex { $0.day >= wanted }...]
    guard let found = later.first(where: { $0.steps & 2 != 0 }) else { return nil }
    return retention.orLater || found.day == wanted ? found.day : nil
  }

  /// When a subject started and came back, on a day.
  func trace(_ subject: Int, on day: Int32, _ worker: Worker) -> RetentionTrace {
    var trace = RetentionTrace(starts: [], returns: [])
    many.withEvents(of: subject, through: day, worker) { events, origins in
      trace.returns = events.indices.filter { events[$0].steps & 2 != 0 }.map {
        many.traced($0, events, origins)
      }
      forEachStart(events, origins, worker) { first, ofDay in
        let zero = events[first].day
        guard retention.over.references(holding: zero).contains(day) else { return }
        trace.starts.append(
          RetentionTrace.Start(
            day: DayKey(number: zero), group: many.groupName(events[first], origins?[first], worker),
            events: ofDay.map { many.traced($0, events, origins) },
            returnDays: retention.after.map { after in
              returnDay(from: zero + Int32(after), events).map { DayKey(number: $0) }
            }))
      }
    }
    return trace
  }
}
