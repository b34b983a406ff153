/// A funnel: for each subject the best attempt, then how many subjects reached each step. One pass over a subject's
/// events finds for each opening the days when its attempt reaches each step; what is best on an asked day follows from
/// these days.
struct FunnelEvaluation {
  private let funnel: Funnel
  private let many: ManySubjects
  /// Whether only the steps that are reached matter, of attempts in order or in any; a later opening then counts on all
  /// days on which an earlier one still would, which it does not for a unit before.
  private let countsSteps: Bool
  /// Before how many days after the opening a step must be taken, and for how long the opening counts; nil is for ever.
  private let within: Int
  private let over: Period?
  /// Whether it matters which attempt is the best.
  private let asksForAttempts: Bool

  init(_ funnel: Funnel, isTraced: Bool = false, _ compiler: Compiler) throws(EvaluationError) {
    self.funnel = funnel
    within = funnel.within ?? .max
    over = funnel.over == .allTime ? nil : funnel.over
    many = try ManySubjects(
      keepsAll: funnel.order == .strict, isTraced: isTraced || !funnel.percentiles.isEmpty, compiler)
    asksForAttempts = !funnel.grouping.isEmpty || many.asksForEvents
    countsSteps =
      funnel.order != .strict && funnel.without == nil && !asksForAttempts && funnel.over.holdsReferenceDay
  }

  func columns(_: Int, _ days: DayRange, _ worker: Worker) -> [GroupColumn] {
    let steps = funnel.steps.count
    let parts = steps + funnel.stepDays.count
    let counts = many.count(days, parts: steps, sets: steps, worker, add: add)
    if worker.isOutOfRange { return [GroupColumn(outOfRangeOn: days, parts: parts, worker)] }
    let samples = counts.samples { $0 }
    var columns = counts.columns.map { withDays($0, samples[$0.group] ?? []) }
    many.hide(&columns, counts, worker)
    return columns
  }

  /// With the percentiles of days after the counts.
  private func withDays(_ counts: GroupColumn, _ samples: [GroupCounts.Sample]) -> GroupColumn {
    var column = counts
    for (step, percentile) in funnel.stepDays {
      column.cells += (0..<counts.dayCount).map { day in
        guard counts.exists(on: day) else { return noRow }
        return GroupCounts.percentile(percentile, of: samples.filter { $0.is(step, day) })
      }
    }
    return column
  }

  /// Whether facts without an Instant, which may follow anything of their day, are beside others on it.
  private static func hasMixedDay(_ events: EventList) -> Bool {
    events.indices.dropFirst().contains {
      events[$0 &- 1].instant == Event.noInstant && events[$0].instant != Event.noInstant
        && events[$0].day == events[$0 &- 1].day
    }
  }

  /// How far a subject has come at a step.
  private struct Reached: BitwiseCopyable {
    /// The day of the latest opening that has reached it.
    var opening = Int32.min
    /// The last asked day for which it was counted.
    var counted = Int32.min
  }

  /// Counts the steps that attempts reach, in one pass over the moments, of which only the days matter in any order. Of the
  /// openings that have reached a step only the latest is kept, as it reaches in time whatever an earlier one does, and
  /// leaves the period last. Attempts for each opening took 14 % of a funnel's time, this takes 5 %.
  ///
  /// In any order the k-th step is reached when k different steps have been taken (FUN-05): the latest opening from which
  /// they were is the day of the k-th latest of all steps.
  private func addSteps(_ events: EventList, _ counts: inout GroupCounts, _ worker: Worker) {
    let (steps, isInOrder) = (funnel.steps.count, funnel.order == .inOrder)
    worker.with(Reached.self, steps) { reached in
      reached.update(repeating: Reached(), count: steps)
      worker.with((step: Int32, day: Int32).self, steps) { latest in
        for step in 0..<steps { latest[step] = (Int32(step), .min) }
        var index = 0
        while index < events.count, reached[steps - 1].counted != .max {
          let (day, instant) = (events[index].day, events[index].instant)
          var serves: UInt32 = 0
          while index < events.count, events[index].day == day,
            !isInOrder || events[index].instant == instant
          {
            serves |= events[index].steps
            index &+= 1
          }
          guard isInOrder else {
            FunnelEvaluation.move(serves, on: day, latest)
            for place in 0..<steps where latest[place].day != .min {
              reach(place, on: day, from: latest[place].day, reached, &counts)
            }
            continue
          }
          // Facts of one moment may follow each other.
          while serves != 0 {
            let step = serves.trailingZeroBitCount
            serves &= serves &- 1
            reach(step, on: day, from: step == 0 ? day : reached[step &- 1].opening, reached, &counts)
          }
        }
      }
    }
  }

  /// Moves the steps that were taken on a day to the front of all steps, of which the latest come first.
  private static func move(
    _ serves: UInt32, on day: Int32, _ latest: UnsafeMutablePointer<(step: Int32, day: Int32)>
  ) {
    var serves = serves
    while serves != 0 {
      let step = Int32(serves.trailingZeroBitCount)
      serves &= serves &- 1
      var place = 0
      var moved = (step: step, day: day)
      repeat {
        swap(&latest[place], &moved)
        place &+= 1
      } while moved.step != step
    }
  }

  /// Counts a step that is reached on a day from an opening, where that is in time and later than those before.
  @inline(__always)
  private func reach(
    _ step: Int, on day: Int32, from opening: Int32, _ reached: UnsafeMutablePointer<Reached>,
    _ counts: inout GroupCounts
  ) {
    guard opening > reached[step].opening, Int(day) &- Int(opening) < within else { return }
    reached[step].opening = opening
    let counted = reached[step].counted
    let last = over?.references(holding: opening).upperBound ?? .max
    guard counted < last else { return }
    let first = max(day, counted == .min ? .min : counted + 1)
    counts.add(noValue, parts: step..<step + 1, on: counts.days.indices(from: first, through: last))
    reached[step].counted = last
  }

  /// The attempts of one subject.
  private struct Attempts {
    /// The events that open one, rising.
    let openings: UnsafeBufferPointer<Int32>
    /// By opening and step, the day on which the step is reached; `.max` where it never is.
    let reached: UnsafeBufferPointer<Int32>
  }

  private func add(_ events: EventList, _ subject: Int, _ counts: inout GroupCounts, _ worker: Worker) {
    if countsSteps, funnel.order == .any || !FunnelEvaluation.hasMixedDay(events) {
      return addSteps(events, &counts, worker)
    }
    withAttempts(events, through: counts.days.last, worker) { attempts, _ in
      forEachSegment(attempts, events, counts.days) { lanes in
        add(attempts, events, subject, lanes, &counts, worker)
      }
    }
  }

  /// Calls `body` with the attempts that open up to a day, where there are some.
  private func withAttempts(
    _ events: EventList, through last: Int32, _ worker: Worker, _ body: (Attempts, FunnelPath) -> Void
  ) {
    // FUN-07: in any order each step's fact opens a window.
    let opens: UInt32 = funnel.order == .any ? .max : 1
    let steps = funnel.steps.count
    worker.with(Int32.self, events.count * (2 * steps + 1) + steps) { memory in
      let (next, openings) = (memory, memory + steps * (events.count + 1))
      let reached = openings + events.count
      let path = FunnelPath(
        funnel: funnel, events: events, sourceOfStep: many.events.sourceOfStep, next: next)
      path.fillNext()
      var count = 0
      for index in events.indices where events[index].steps & opens != 0 && events[index].day <= last {
        openings[count] = Int32(truncatingIfNeeded: index)
        path.fill(reached + count * steps, from: index)
        count += 1
      }
      if count == 0 { return }
      let attempts = Attempts(
        openings: UnsafeBufferPointer(start: openings, count: count),
        reached: UnsafeBufferPointer(start: reached, count: count * steps))
      body(attempts, path)
    }
  }

  /// Calls `body` with ranges of asked days on which the same attempts are open and have reached the same steps.
  private func forEachSegment(
    _ attempts: Attempts, _ events: EventList, _ days: DayRange, _ body: (Range<Int>) -> Void
  ) {
    let first = days.firstIndex(notBefore: events[Int(attempts.openings[0])].day)
    guard days.count - first > 1 else { return first < days.count ? body(first..<days.count) : () }
    var starts = attempts.reached.map { days.firstIndex(notBefore: $0) }
    if funnel.over != .allTime {
      for opening in attempts.openings {
        let counting = days.indices(funnel.over.references(holding: events[Int(opening)].day))
        starts += [counting.lowerBound, counting.upperBound]
      }
    }
    starts = (starts + [first, days.count]).filter { $0 >= first }.sorted()
    for (start, end) in zip(starts, starts.dropFirst()) where start < end { body(start..<end) }
  }

  /// The attempts of a subject on a day: how many steps the best one reaches; and where events are wanted, the openings
  /// of the best ones and of all.
  private func best(
    of attempts: Attempts, _ events: EventList, on day: Int32
  ) -> (reached: Int, openings: [Int], all: [Int]) {
    let counting = funnel.over.days(at: day)
    let steps = funnel.steps.count
    var (most, best, open): (Int, [Int], [Int]) = (0, [], [])
    for (attempt, number) in attempts.openings.enumerated() {
      let opening = Int(number)
      guard counting.contains(events[opening].day) else { continue }
      if asksForAttempts { open.append(opening) }
      var reached = 0
      while reached < steps, attempts.reached[attempt * steps + reached] <= day { reached += 1 }
      if reached > most { (most, best) = (reached, []) }
      if reached == most, asksForAttempts { best.append(opening) }
    }
    return (most, best, open)
  }

  /// Counts the best attempt of a subject, the earliest of these (FUN-01, GRP-04), on days that are alike.
  private func add(
    _ attempts: Attempts, _ events: EventList, _ subject: Int, _ lanes: Range<Int>,
    _ counts: inout GroupCounts, _ worker: Worker
  ) {
    let (most, best, open) = best(of: attempts, events, on: counts.days[lanes.lowerBound])
    guard asksForAttempts else {
      return counts.add(noValue, parts: 0..<most, on: most > 0 ? lanes : 0..<0)
    }
    guard let first = many.earliest(best, events, worker) else { return }
    let group = many.group(events[first], events.origins?[first], worker)
    counts.add(group, parts: 0..<most, on: lanes)
    let users = many.users(behind: open, events, subject: subject)
    for step in 0..<most { counts.add(users: users, group, set: step, on: lanes) }
    let attempt = attempts.openings.firstIndex(of: Int32(first))
    guard !funnel.percentiles.isEmpty, let attempt else { return }
    for step in 1..<max(1, most) {
      let day = attempts.reached[attempt * funnel.steps.count + step]
      counts.add(days: day - events[first].day, group, step: step, users: users, on: lanes)
    }
  }

  /// How far a subject came on a day, and the records that were taken for it.
  func story(of subject: Int?, on day: Int32, _ worker: Worker) -> FunnelStory {
    var story = FunnelStory(
      steps: funnel.steps.map { FunnelStory.Step(name: $0.name, isReached: false, factCount: 0) }, reached: 0,
      group: "")
    guard let subject else { return story }
    many.withEvents(of: subject, through: day, worker) { events in
      for step in story.steps.indices { story.steps[step].factCount = events.count { $0.serves(step) } }
      withAttempts(events, through: day, worker) { attempts, path in
        let found = best(of: attempts, events, on: day)
        guard let first = many.earliest(found.openings, events, worker) else { return }
        story.group = many.groupName(events, first, worker)
        let start = DayKey(number: events[first].day)
        story.deadline = funnel.within.map { start.advanced(by: $0 - 1) }
        for case (let step, let event?) in path.chosen(from: first).enumerated() {
          story.steps[step].isReached = true
          story.steps[step].day = DayKey(number: events[event].day)
          story.steps[step].record = many.record(of: event, events)
          story.reached += 1
        }
      }
    }
    return story
  }
}

/// On which days an attempt reaches the steps of a funnel.
private struct FunnelPath {
  let funnel: Funnel
  let events: EventList
  let sourceOfStep: [Int]
  /// By step and event, the first event from there on that can serve the step: one more number than there are events, for
  /// each step.
  let next: UnsafeMutablePointer<Int32>

  func fillNext() {
    for step in funnel.steps.indices {
      let own = next + step * (events.count + 1)
      own[events.count] = Int32(truncatingIfNeeded: events.count)
      for index in events.indices.reversed() {
        own[index] = events[index].serves(step) ? Int32(truncatingIfNeeded: index) : own[index + 1]
      }
    }
  }

  /// Fills by step the day on which an attempt reaches it that opens with an event; `.max` where it never does.
  func fill(_ days: UnsafeMutablePointer<Int32>, from opening: Int) {
    days.update(repeating: .max, count: funnel.steps.count)
    choose(from: opening) { step, event in days[step] = events[event].day }
    // FUN-05: the k-th of the days when different steps are first taken.
    if funnel.order == .any {
      var sorted = UnsafeMutableBufferPointer(start: days, count: funnel.steps.count)
      sorted.sort()
    }
  }

  /// By step the event that an attempt takes; nil if it takes none. In strict order what is earliest for one step may
  /// not lead to the next: one way back from the last step.
  func chosen(from opening: Int) -> [Int?] {
    var chosen = [Int?](repeating: nil, count: funnel.steps.count)
    var layers: [[Int]] = []
    choose(from: opening, reached: { layers.append($0) }, take: { step, event in chosen[step] = event })
    for step in layers.indices.dropFirst().reversed() {
      guard let to = chosen[step] else { continue }
      chosen[step - 1] = layers[step - 1].first {
        events[$0].mayPrecede(events[to]) && isClean($0, to, step)
      }
    }
    return chosen
  }

  /// Calls `take` with the earliest event that serves each step of an attempt, and in strict order `reached` with all
  /// that it can reach.
  @inline(__always)
  private func choose(
    from opening: Int, reached: ([Int]) -> Void = { _ in }, take: (_ step: Int, _ event: Int) -> Void
  ) {
    switch funnel.order {
    case .inOrder where funnel.without == nil: inOrder(opening, take)
    case .any: anyOrder(opening, take)
    case .inOrder, .strict: withGaps(opening, reached, take)
    }
  }

  private func next(_ step: Int, from index: Int) -> Int { Int(next[step * (events.count + 1) + index]) }

  /// Whether an event lies less than N days after the opening.
  private func isInTime(_ index: Int, _ opening: Int) -> Bool {
    guard index < events.count else { return false }
    return funnel.within.map { Int(events[index].day) - Int(events[opening].day) < $0 } ?? true
  }

  private func dayStart(_ index: Int) -> Int {
    var index = index
    while index > 0, events[index - 1].day == events[index].day { index -= 1 }
    return index
  }

  /// Greedy: from a given opening, the earliest fact that may follow is always the best choice.
  @inline(__always)
  private func inOrder(_ opening: Int, _ take: (_ step: Int, _ event: Int) -> Void) {
    take(0, opening)
    var current = opening
    for step in 1..<funnel.steps.count {
      current = following(current, step)
      guard isInTime(current, opening) else { return }
      take(step, current)
    }
  }

  /// The earliest event that may follow one and serves a step: of its day those without an Instant, which come first
  /// and may follow anything, then those that are not before it.
  private func following(_ index: Int, _ step: Int) -> Int {
    let first = next(step, from: dayStart(index))
    if first < events.count, events[index].mayPrecede(events[first]) { return first }
    var moment = index
    while moment > 0, events[moment - 1].day == events[index].day,
      events[moment - 1].instant == events[index].instant
    {
      moment -= 1
    }
    return next(step, from: moment)
  }

  @inline(__always)
  private func anyOrder(_ opening: Int, _ take: (_ step: Int, _ event: Int) -> Void) {
    let start = dayStart(opening)
    for step in funnel.steps.indices {
      let event = next(step, from: start)
      if isInTime(event, opening) { take(step, event) }
    }
  }

  /// FUN-06, FUN-10: all events that some choice reaches with nothing between, step by step.
  private func withGaps(
    _ opening: Int, _ reached: ([Int]) -> Void, _ take: (_ step: Int, _ event: Int) -> Void
  ) {
    take(0, opening)
    var last = [opening]
    reached(last)
    for step in 1..<funnel.steps.count {
      var found: Set<Int> = []
      for from in last { addClean(after: from, step, opening, &found) }
      guard let first = found.min() else { return }
      take(step, first)
      last = found.sorted()
      reached(last)
    }
  }

  /// Adds the events that serve a step and may follow one with nothing surely between that must not be. After the next
  /// day that has such a fact none can.
  private func addClean(
    after from: Int, _ step: Int, _ opening: Int, _ found: inout Set<Int>
  ) {
    /// The first such fact that is surely after `from`.
    var blocker: Int?
    var index = dayStart(from)
    while isInTime(index, opening) {
      let event = events[index]
      if let blocker, events[blocker].day < event.day { return }
      if event.serves(step), events[from].mayPrecede(event), isClean(from, index, step) {
        found.insert(index)
      }
      if blocker == nil, blocks(step, index), events[from].isSurelyBefore(event) { blocker = index }
      index += 1
    }
  }

  /// Whether a fact must not be between a step and the one before: in strict order one of the record type of either.
  private func blocks(_ step: Int, _ index: Int) -> Bool {
    if funnel.without != nil, events[index].serves(funnel.steps.count) { return true }
    guard funnel.order == .strict else { return false }
    guard let source = events.origins?[index].source else { return true }
    return source == sourceOfStep[step - 1] || source == sourceOfStep[step]
  }

  private func isClean(_ from: Int, _ to: Int, _ step: Int) -> Bool {
    var index = to
    // Facts that are surely before an event precede it.
    while index > 0 {
      index -= 1
      if events[index].day < events[from].day { return true }
      if blocks(step, index), events[from].isSurelyBefore(events[index]),
        events[index].isSurelyBefore(events[to])
      {
        return false
      }
    }
    return true
  }
}
