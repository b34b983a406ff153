import MetricData
import MetricEvaluate
import MetricPlan

/// The windows of a completion (WIN-01 to WIN-07), as completions, streaks and momenta look at them.
extension Explainer {
  /// The windows behind a reference day, one by one, with their states.
  struct WindowReading {
    var completion: Completion
    /// From window 0 back to the first fact that `when` names.
    var windows: [WindowStory.Window]
    /// The day of that fact; nil where there is none up to the reference day.
    var firstFact: DayKey?
    var isCut: Bool
    /// Older windows that are shown and no more.
    var before: ArraySlice<WindowStory.Window> = []

    /// Keeps the windows that the number was read from, and some before them.
    mutating func keep(_ count: Int) {
      let first = (windows.prefix(count).last ?? windows.first)?.first.number ?? 0
      before = windows.dropFirst(count).prefix { $0.last.number > first - Explainer.mostDaysBefore }
      windows.removeLast(windows.count - count)
    }
  }

  func explain(_ completion: Completion, _ work: inout Work) throws(EvaluationError) {
    let scope = work.scope(over: completion.window.period)
    var reading = try self.reading(of: work.metric, completion, work, from: work.day, atMost: 1)
    if reading.windows.isEmpty { reading.windows = [window(completion.window, endingAt: work.day)] }
    reading.windows[0].state = work.explanation.parts.first?.value == .bool(true) ? .complete : .incomplete
    reading.windows[0].counts = true
    try add("when", completion.when, scope, at: work.day, to: &work)
    if reading.windows[0].state == .incomplete, let rest = completion.rest {
      try add("rest when", rest, scope, at: work.day, to: &work)
      if work.explanation.clauses.last?.expression.value == .bool(true) { reading.windows[0].state = .rest }
    }
    try tell(work.metric, reading, ending: .enough, readAt: work.day, &work)
  }

  func explain(_ streak: Streak, _ work: inout Work) throws(EvaluationError) {
    guard case .completion(let completion) = library.metrics[streak.completion].body,
      case .int(let value)? = work.explanation.parts.first?.value
    else { return }
    let start =
      switch streak.reading {
      case .best: try dayReached(value, streak, completion, work)
      case .previous: try dayEnded(streak, completion, work)
      case .current, .grace: work.day
      }
    var reading = try self.reading(
      of: streak.completion, completion, work, from: start, atMost: Explainer.mostWindows)
    var skipped = 0
    if case .grace(let windows) = streak.reading {
      let runs = (0...min(windows, reading.windows.count)).map {
        Explainer.run(reading.windows.dropFirst($0)).count
      }
      skipped = runs.firstIndex(of: runs.max() ?? 0) ?? 0
    }
    let length = Explainer.run(reading.windows.dropFirst(skipped)).length
    let used = min(reading.windows.count, skipped + length + 1)
    for index in reading.windows.indices.prefix(skipped + length).dropFirst(skipped) where value > 0 {
      reading.windows[index].counts = reading.windows[index].state == .complete
    }
    let ending = Explainer.ending(reading, after: skipped + length)
    reading.keep(used)
    try explainEnds(reading, streak.completion, &work)
    try tell(streak.completion, reading, ending: ending, readAt: start, &work)
  }

  func explain(_ momentum: Momentum, _ work: inout Work) throws(EvaluationError) {
    guard case .completion(let completion) = library.metrics[momentum.completion].body else { return }
    var weights: [Int64]?
    let most: Int
    switch momentum.reading {
    case .last(let windows): most = windows
    case .halfLife(let windows):
      weights = HalfLife.weights(windows: windows)
      most = weights?.count ?? 0
    }
    var reading = try self.reading(
      of: momentum.completion, completion, work, from: work.day, atMost: Explainer.mostWindows)
    var existing = 0
    var used = 0
    for index in reading.windows.indices {
      guard existing < most else { break }
      used = index + 1
      guard reading.windows[index].state != .rest else { continue }
      reading.windows[index].counts = reading.windows[index].state == .complete
      reading.windows[index].weight = weights?[existing]
      existing += 1
    }
    let ending = existing == most ? .enough : Explainer.ending(reading, after: reading.windows.count)
    reading.keep(used)
    try explainEnds(reading, momentum.completion, &work)
    try tell(momentum.completion, reading, ending: ending, readAt: work.day, &work)
  }

  // MARK: Reading

  /// How many complete windows stand at the beginning, and over how many windows, rest included.
  static func run(_ windows: ArraySlice<WindowStory.Window>) -> (count: Int, length: Int) {
    var count = 0
    var length = 0
    for window in windows {
      if window.state == .incomplete { break }
      if window.state == .complete { count += 1 }
      length += 1
    }
    return (count, length)
  }

  private static func ending(_ reading: WindowReading, after index: Int) -> WindowStory.Ending {
    if index < reading.windows.count { return .incomplete(reading.windows[index].last) }
    if reading.isCut { return .cut }
    return reading.firstFact.map { .firstFact($0) } ?? .noFact
  }

  private func window(_ window: Window, endingAt day: DayKey) -> WindowStory.Window {
    let first = max(DayKey.first.number, window.start(endingAt: day.number))
    return WindowStory.Window(
      first: DayKey(number: first), last: day, state: .incomplete, counts: false, weight: nil, recordCount: 0)
  }

  /// The windows from a day back to the first fact. One that is out of range shows as incomplete: a number that rests on
  /// it has none to explain.
  private func reading(
    of metric: MetricID, _ completion: Completion, _ work: Work, from day: DayKey, atMost most: Int
  ) throws(EvaluationError) -> WindowReading {
    let trace = try prober.trace(metric, isTeam: work.isTeam, at: day).windows(of: work.subject, atMost: most)
    let windows = trace.windows.map { last, state in
      var window = window(completion.window, endingAt: last)
      if state == WindowState.complete { window.state = .complete }
      if state == WindowState.rest { window.state = .rest }
      return window
    }
    return WindowReading(
      completion: completion, windows: windows, firstFact: trace.firstFact, isCut: trace.isCut)
  }

  /// The first day on which the best streak was as long as it is now.
  private func dayReached(
    _ value: Int64, _ streak: Streak, _ completion: Completion, _ work: Work
  ) throws(EvaluationError) -> DayKey {
    let reading = try reading(of: streak.completion, completion, work, from: work.day, atMost: 1)
    guard value > 0, let first = reading.firstFact else { return work.day }
    let days = (first.number...work.day.number).map { DayKey(number: $0) }
    let rows = try prober.rows(of: work.metric, subject: work.subject, isTeam: work.isTeam, at: days)
    return rows.first { $0.value == .int(value) }?.at ?? work.day
  }

  /// The last day of the run before the current one.
  private func dayEnded(
    _ streak: Streak, _ completion: Completion, _ work: Work
  ) throws(EvaluationError) -> DayKey {
    let windows = try reading(
      of: streak.completion, completion, work, from: work.day, atMost: Int(DayKey.last.number)
    ).windows
    let earlier = windows.dropFirst(Explainer.run(windows[...]).length)
    return earlier.first { $0.state == .complete }?.last ?? work.day
  }

  // MARK: Telling

  /// The trees of the windows that matter most: the newest one, and the one that ended the run.
  private func explainEnds(
    _ reading: WindowReading, _ metric: MetricID, _ work: inout Work
  ) throws(EvaluationError) {
    let completion = reading.completion
    var scope = work.scope(over: completion.window.period)
    scope.metric = metric
    var chosen: [WindowStory.Window] = []
    if let newest = reading.windows.first { chosen.append(newest) }
    if let oldest = reading.windows.last, reading.windows.count > 1, oldest.state == .incomplete {
      chosen.append(oldest)
    }
    for window in chosen {
      try add("when", completion.when, scope, at: window.last, to: &work)
      if let rest = completion.rest, window.state != .complete {
        try add("rest when", rest, scope, at: window.last, to: &work)
      }
    }
  }

  /// Adds the records of all windows, and the story.
  private func tell(
    _ metric: MetricID, _ reading: WindowReading, ending: WindowStory.Ending, readAt: DayKey,
    _ work: inout Work
  ) throws(EvaluationError) {
    var story = WindowStory(
      completion: library.metrics[metric].name, every: reading.completion.window.words,
      windows: reading.windows, before: Array(reading.before), ending: ending, readAt: readAt, recordDays: [])
    var days: Set<DayKey> = []
    var scope = work.scope(over: reading.completion.window.period)
    scope.metric = metric
    // Several aggregates may look at the same record.
    var records = story.windows.map { _ in Set<RecordReference>() }
    for aggregate in reading.completion.aggregates {
      let found = try facts(aggregate, scope, at: readAt)
      guard let listed = found.facts else { continue }
      // Older windows are shown with their records, which the number does not rest on.
      for window in story.before {
        days.formUnion(listed.lazy.map(\.day).filter { window.first <= $0 && $0 <= window.last })
      }
      for index in story.windows.indices {
        let window = story.windows[index]
        let held = aggregate.period?.days(at: window.last.number) ?? window.first.number...window.last.number
        let own = listed.filter { held.contains($0.day.number) }
        days.formUnion(own.map(\.day))
        records[index].formUnion(own.map { reader.reference(aggregate.record, $0.row) })
      }
    }
    for index in story.windows.indices {
      story.windows[index].recordCount = records[index].count
      work.add(records[index])
    }
    try addPresence(to: &story, metric, reading.completion, scope, &days, &work)
    story.recordDays = days.sorted()
    work.explanation.windows = story
  }

  /// A window that is complete although no aggregate looks at a record of it rests on one all the same.
  private func addPresence(
    to story: inout WindowStory, _ metric: MetricID, _ completion: Completion, _ scope: Prober.Scope,
    _ days: inout Set<DayKey>, _ work: inout Work
  ) throws(EvaluationError) {
    guard story.windows.contains(where: { $0.state == .complete && $0.recordCount == 0 }) else { return }
    let sources = library.presence(of: completion.when, subject: library.metrics[metric].subject.entity)
    for source in sources.facts {
      let aggregate = Aggregate(
        function: .count, record: source.record, route: source.route, argument: nil, filter: nil,
        period: nil, type: .int)
      let listed = try facts(aggregate, scope, at: story.readAt).facts ?? []
      for index in story.windows.indices where story.windows[index].state == .complete {
        let window = story.windows[index]
        guard window.recordCount == 0 else { continue }
        let held = [completion.window.period] + sources.lookBack
        let fact = listed.last { fact in
          held.contains { $0.days(at: window.last.number).contains(fact.day.number) }
        }
        guard let fact else { continue }
        days.insert(fact.day)
        work.add([reader.reference(source.record, fact.row)])
      }
    }
  }
}

extension Completion {
  /// The aggregates over facts that its conditions name.
  var aggregates: [Aggregate] {
    var found: [Aggregate] = []
    for expression in [when, rest].compactMap({ $0 }) {
      expression.visit { if case .aggregate(let aggregate) = $0 { found.append(aggregate) } }
    }
    return found
  }
}
