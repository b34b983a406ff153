/// A retention: who came back on the Nth day after day 0. The start and the return are two columns of days; of a value
/// there is a third one, of what each fact adds. An object, as it is passed on for each subject.
final class RetentionEvaluation {
  private let retention: Retention
  private let many: ManySubjects
  private let amount: Program?
  /// For each of `after`, in days since day 0, when it counts, and on which days a return does. Laid out once: the plan's
  /// own values, copied for each day 0, took an eighth of a retention's instructions.
  private let spans: [(eligible: Int32, first: Int32, last: Int32)]
  private let over: Period
  private let startsEachDay: Bool
  /// The facts of the start and of the return, where these are days alone: without them as events, a retention of folded
  /// facts takes a tenth fewer instructions.
  private let folded: (starts: FoldedStep, returns: FoldedStep)?

  init(_ retention: Retention, isTraced: Bool = false, _ compiler: Compiler) throws(EvaluationError) {
    self.retention = retention
    (over, startsEachDay) = (retention.over, retention.startsEachDay)
    spans = retention.after.map { after in
      let span = retention.span(after)
      let last = retention.orLater ? Int32.max : Int32(span.upperBound)
      return (Int32(after.through), Int32(span.lowerBound), last)
    }
    many = try ManySubjects(
      keepsOrigins: retention.value?.argument != nil, isTraced: isTraced, compiler)
    let inner = retention.value.map { compiler.within(.rows($0.record, isFact: true)) }
    amount = try inner?.compile(retention.value?.argument)
    let steps = retention.value == nil && !many.asksForEvents ? many.events.foldedSteps : nil
    folded = steps.map { ($0[0], $0[1]) }
  }

  func columns(_: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let counts = counts(days, worker)
    let count = retention.after.count
    if worker.isOutOfRange { return [GroupColumn(outOfRangeOn: days, parts: 3 * count, worker)] }
    var columns = counts.columns.map { withQuotients($0, counts) }
    many.hide(&columns, counts, worker)
    return columns
  }

  private func counts(_ days: DayRange, _ worker: Worker) -> GroupCounts {
    let count = retention.after.count
    let (parts, amounts) = (2 * count, retention.value == nil ? 0 : count)
    guard let folded else {
      return many.count(days, parts: parts, amounts: amounts, sets: parts, worker, add: add)
    }
    // As constants they are not retained for each subject, for which threads wait for each other.
    let (starts, returns) = (folded.starts, folded.returns)
    return many.count(days, parts: parts, sets: parts, readsEvents: false, worker) {
      _, subject, counts, worker in
      let days = FoldedDays(starts: starts.days(of: subject), returns: returns.days(of: subject))
      self.add(days, subject, &counts, worker)
    }
  }

  /// From `eligible` and `returned`, or what the eligible add up to, to these and their quotient (RET-02 to RET-04,
  /// RET-10).
  private func withQuotients(_ counted: GroupColumn, _ counts: GroupCounts) -> GroupColumn {
    let isDecimal = retention.value?.type == .decimal
    var column = GroupColumn(
      group: counted.group, parts: 3 * retention.after.count, dayCount: counted.dayCount)
    for index in retention.after.indices {
      let worth = retention.value.map { _ in
        counts.amounts(of: counted.group, index).map { Operators.checked($0, isDecimal: isDecimal) }
      }
      counted.forEachDay { day in
        let (eligible, dividend) = (counted[2 * index, day], worth?[day] ?? counted[2 * index + 1, day])
        column[3 * index, day] = eligible
        column[3 * index + 1, day] = dividend
        column[3 * index + 2, day] = Operators.rate(dividend, eligible, isDecimal: isDecimal)
      }
    }
    return column
  }

  private func add(_ events: EventList, _ subject: Int, _ counts: inout GroupCounts, _ worker: Worker) {
    withSums(events, worker) { sums in
      forEachStart(events, worker) { first, ofDay in
        let users = many.asksForEvents ? many.users(behind: ofDay, events, subject: subject) : []
        let group = many.group(events[first], events.origins?[first], worker)
        add(events[first].day, group, users, EventDays(events: events), sums, &counts)
      }
    }
  }

  /// Of facts that are days alone.
  private func add(_ days: FoldedDays, _ subject: Int, _ counts: inout GroupCounts, _ worker: Worker) {
    var from = many.firstDay(of: subject)
    while let zero = days.starts.firstDay(from: from, through: counts.days.last) {
      let event = Event(instant: Event.noInstant, day: zero, steps: 1)
      add(zero, many.group(event, nil, worker), [], days, nil, &counts)
      // RET-01
      if !startsEachDay || zero == .max { return }
      from = zero + 1
    }
  }

  /// Calls `body` with what the events before each place, and before their end, add up to; nil without a value.
  private func withSums(_ events: EventList, _ worker: Worker, _ body: (UnsafePointer<Int128>?) -> Void) {
    guard retention.value != nil else { return body(nil) }
    worker.with(Int32.self, events.count) { rows in
      for index in events.indices {
        rows[index] = events[index].serves(1) ? events.origins?[index].row ?? -1 : -1
      }
      worker.withCells(events.count) { cells in
        amount?(Place(count: events.count, rows: rows), cells, worker)
        worker.with(Int128.self, events.count + 1) { sums in
          sums[0] = 0
          for index in events.indices {
            let cell = !events[index].serves(1) ? 0 : amount == nil ? 1 : cells[index]
            sums[index + 1] = sums[index] + Int128(cell.isSpecial ? 0 : cell)
          }
          body(sums)
        }
      }
    }
  }

  /// Calls `body` with the start of each day 0, and where events are wanted, with all starts of that day.
  private func forEachStart(
    _ events: EventList, _ worker: Worker, _ body: (_ first: Int, _ ofDay: [Int]) -> Void
  ) {
    var index = 0
    while let start = events[index...].firstIndex(where: { $0.steps & 1 != 0 }) {
      let day = events[start].day
      index = events[start...].firstIndex { $0.day != day } ?? events.count
      if many.asksForEvents {
        let ofDay = (start..<index).filter { events[$0].steps & 1 != 0 }
        guard let first = many.earliest(ofDay, events, worker) else { return }
        body(first, ofDay)
      } else {
        body(start, [])
      }
      // RET-01
      if !startsEachDay { return }
    }
  }

  /// Adds a day 0 on the asked days on which it counts.
  private func add(
    _ zero: Int32, _ group: Cell, _ users: [Set<Int32>], _ days: some ReturnDays,
    _ sums: UnsafePointer<Int128>?, _ counts: inout GroupCounts
  ) {
    // RET-06
    let counting = over.references(holding: zero)
    let last = counting.upperBound
    counts.add(group, parts: 0..<0, on: counts.days.indices(counting))
    for index in spans.indices {
      let wanted = max(zero + spans[index].eligible, counting.lowerBound)
      let eligible = counts.days.indices(from: wanted, through: last)
      counts.add(group, parts: 2 * index..<2 * index + 1, on: eligible)
      counts.add(users: users, group, set: 2 * index, on: eligible)
      let span = self.days(index, since: zero)
      if let sums { counts.add(days.worth(sums, span), group, index, on: eligible) }
      guard let found = days.firstReturn(in: span) else { continue }
      let returned = counts.days.indices(from: max(found, wanted), through: last)
      counts.add(group, parts: 2 * index + 1..<2 * index + 2, on: returned)
      counts.add(users: users, group, set: 2 * index + 1, on: returned)
    }
  }

  /// The days on which a return counts.
  private func days(_ index: Int, since zero: Int32) -> ClosedRange<Int32> {
    let span = spans[index]
    return zero + span.first...(span.last == .max ? .max : zero + span.last)
  }

  private func value(_ worth: Int128) -> Value {
    let type = retention.value?.type ?? .int
    let cell = Operators.checked(worth, isDecimal: type == .decimal)
    return many.engine.value(of: cell.isSpecial ? noValue : cell, type)
  }

  /// When a subject started and came back, on a day, and the records that say so.
  func story(
    of subject: Int?, on day: Int32, _ worker: Worker
  ) -> (story: RetentionStory, records: [RecordReference]) {
    var (story, records) = (RetentionStory(starts: [], returnDays: []), [RecordReference]())
    guard let subject else { return (story, records) }
    many.withEvents(of: subject, through: day, worker) { events in
      withSums(events, worker) { sums in
        forEachStart(events, worker) { first, ofDay in
          guard over.references(holding: events[first].day).contains(day) else { return }
          let checks = spans.indices.map {
            check($0, since: events[first].day, on: day, EventDays(events: events), sums)
          }
          story.starts.append(
            RetentionStory.Start(
              day: DayKey(number: events[first].day),
              group: many.groupName(events, first, worker), checks: checks))
          records += ofDay.compactMap { many.record(of: $0, events) }
        }
      }
      guard let first = story.starts.first?.day.number else { return }
      let returns = events.indices.filter { events[$0].serves(1) && events[$0].day >= first }
      story.returnDays = Set(returns.map { DayKey(number: events[$0].day) }).sorted()
      records += returns.compactMap { many.record(of: $0, events) }
    }
    return (story, records)
  }

  private func check(
    _ index: Int, since zero: Int32, on day: Int32, _ days: EventDays, _ sums: UnsafePointer<Int128>?
  ) -> RetentionStory.Check {
    let (after, span) = (retention.after[index], self.days(index, since: zero))
    let wanted = DayKey(number: zero).advanced(by: after.through)
    let returnDay = days.firstReturn(in: span).map { DayKey(number: $0) }
    return RetentionStory.Check(
      name: after.name, day: wanted, isEligible: wanted.number <= day,
      hasReturned: wanted.number <= day && returnDay != nil, returnDay: returnDay,
      worth: sums.map { value(days.worth($0, span)) })
  }
}

/// The facts that may be returns of a subject.
private protocol ReturnDays {
  /// RET-03, RET-09: the day of the first return that counts.
  func firstReturn(in days: ClosedRange<Int32>) -> Int32?

  /// What the facts of some days add up to, from what those before each place do.
  func worth(_ sums: UnsafePointer<Int128>, _ days: ClosedRange<Int32>) -> Int128
}

private struct EventDays: ReturnDays {
  let events: EventList

  func firstReturn(in days: ClosedRange<Int32>) -> Int32? {
    let later = events[events.partitioningIndex { $0.day >= days.lowerBound }...]
    return later.first { $0.serves(1) }.flatMap { $0.day <= days.upperBound ? $0.day : nil }
  }

  func worth(_ sums: UnsafePointer<Int128>, _ days: ClosedRange<Int32>) -> Int128 {
    sums[events.partitioningIndex { $0.day > days.upperBound }]
      - sums[events.partitioningIndex { $0.day >= days.lowerBound }]
  }
}

/// The start's and the return's days of folded facts, which have no values.
private struct FoldedDays: ReturnDays {
  let starts: DayBits
  let returns: DayBits

  func firstReturn(in days: ClosedRange<Int32>) -> Int32? {
    returns.firstDay(from: days.lowerBound, through: days.upperBound)
  }

  func worth(_: UnsafePointer<Int128>, _: ClosedRange<Int32>) -> Int128 { 0 }
}
