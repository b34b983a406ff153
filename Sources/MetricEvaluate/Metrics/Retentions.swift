import MetricData
import MetricDiagnostics
import MetricPlan

/// A retention: who came back on the Nth day after day 0. The start and the return are two columns of days.
struct RetentionEvaluation {
  private let retention: Retention
  private let many: ManySubjects

  init(_ retention: Retention, _ compiler: Compiler) throws(EvaluationError) {
    self.retention = retention
    many = try ManySubjects(
      [retention.start, retention.returns], grouping: retention.grouping, atLeast: retention.atLeast, compiler
    )
  }

  func columns(_: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let count = retention.after.count
    let counts = many.count(days, parts: 2 * count, sets: 2 * count, worker, add: add)
    if worker.isOutOfRange { return [GroupColumn(outOfRangeOn: days, parts: 3 * count, worker)] }
    var columns = counts.columns.map { column in
      GroupColumn(
        group: column.group,
        parts: (0..<count).flatMap {
          parts(eligible: column.parts[2 * $0], returned: column.parts[2 * $0 + 1])
        },
        exists: column.exists)
    }
    many.hide(
      &columns, counts,
      (0..<count).flatMap { index -> [ManySubjects.PartSet] in
        let parts = 3 * index
        return [
          .init(parts: parts..<parts + 1, follows: false), .init(parts: parts + 1..<parts + 3, follows: true),
        ]
      })
    return columns
  }

  /// `eligible`, `returned`, `rate` (RET-02 to RET-04).
  private func parts(eligible: [Cell], returned: [Cell]) -> [[Cell]] {
    [eligible, returned, zip(returned, eligible).map(Operators.rate)]
  }

  private func add(
    _ events: UnsafeBufferPointer<Event>, _ origins: UnsafePointer<EventOrigin>?, _ subject: Int,
    _ counts: inout GroupCounts, _ worker: Worker
  ) {
    var index = 0
    while let start = events[index...].firstIndex(where: { $0.steps & 1 != 0 }) {
      let day = events[start].day
      index = events[start...].firstIndex { $0.day != day } ?? events.count
      var first = start
      var users: [Set<Int32>] = []
      if many.asksForEvents {
        let ofDay = (start..<index).filter { events[$0].steps & 1 != 0 }
        guard let earliest = many.earliest(ofDay, events, origins, worker) else { return }
        first = earliest
        users = many.users(behind: ofDay, origins, subject: subject)
      }
      add(day, many.group(events[first], origins?[first], worker), users, events, &counts)
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
    let last = retention.over.lastEnd(holding: zero)
    counts.add(group, parts: 0..<0, on: counts.days.indices(from: zero, through: last))
    for (index, after) in retention.after.enumerated() {
      let wanted = zero + Int32(after)
      let eligible = counts.days.indices(from: wanted, through: last)
      counts.add(group, parts: 2 * index..<2 * index + 1, on: eligible)
      counts.add(users: users, group, set: 2 * index, on: eligible)
      // RET-03
      let later = events[events.partitioningIndex { $0.day >= wanted }...]
      guard let found = later.first(where: { $0.steps & 2 != 0 }), retention.orLater || found.day == wanted
      else {
        continue
      }
      let returned = counts.days.indices(from: found.day, through: last)
      counts.add(group, parts: 2 * index + 1..<2 * index + 2, on: returned)
      counts.add(users: users, group, set: 2 * index + 1, on: returned)
    }
  }
}
