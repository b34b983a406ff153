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
      case .best: try dayReached(Int(value), streak, work)
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
    let shown = try explainEnds(reading, completion, streak.completion, &work)
    try tell(streak.completion, shown, ending: ending, readAt: start, &work)
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
    let shown = try explainEnds(reading, completion, momentum.completion, &work)
    try tell(momentum.completion, shown, ending: ending, readAt: work.day, &work)
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

  /// The windows from a day back to the first fact.
  func reading(
    of metric: MetricID, _ completion: Completion, _ work: Work, from day: DayKey, atMost most: Int
  ) throws(EvaluationError) -> WindowReading {
    let first = try firstFact(metric, completion, work, upTo: day)
    var reading = WindowReading(completion: completion, windows: [], firstFact: first, isCut: false)
    guard let first else { return reading }
    var end = day.number
    while end >= first.number {
      guard reading.windows.count < most else {
        reading.isCut = true
        break
      }
      reading.windows.append(window(completion.window, endingAt: DayKey(number: end)))
      end = completion.window.start(endingAt: end) - 1
    }
    try addStates(to: &reading, metric, work)
    return reading
  }

  private func addStates(
    to reading: inout WindowReading, _ metric: MetricID, _ work: Work
  ) throws(EvaluationError) {
    let ends = reading.windows.map(\.last)
    guard !ends.isEmpty else { return }
    let rows = try prober.rows(of: metric, subject: work.subject, isTeam: work.isTeam, at: ends)
    let complete = Set(rows.filter { $0.value == .bool(true) }.map(\.at))
    for index in ends.indices where complete.contains(ends[index]) {
      reading.windows[index].state = .complete
    }
    guard let rest = reading.completion.rest else { return }
    var scope = work.scope(over: reading.completion.window.period)
    scope.metric = metric
    let open = ends.filter { !complete.contains($0) }
    let answers = prober.ask([rest], scope, at: open)[0]
    for index in ends.indices where answers.value(work.subject, ends[index]) == .bool(true) {
      if reading.windows[index].state == .incomplete { reading.windows[index].state = .rest }
    }
  }

  /// The first day with a fact that `when` names, where it is not after `day`.
  private func firstFact(
    _ metric: MetricID, _ completion: Completion, _ work: Work, upTo day: DayKey
  ) throws(EvaluationError) -> DayKey? {
    let plan = library.metrics[metric]
    let questions = library.presence(of: completion.when, subject: plan.subject.entity).facts.map { fact in
      Expression.aggregate(
        Aggregate(
          function: .first, record: fact.record, route: fact.route, argument: nil, filter: nil,
          period: .allTime, type: .dayKey))
    }
    var scope = work.scope(over: .allTime)
    scope.metric = metric
    let days = prober.ask(questions, scope, at: [day]).compactMap { answers -> DayKey? in
      if case .day(let day) = answers.value(work.subject, day) { day } else { nil }
    }
    return days.min()
  }

  /// The first day on which the best streak was as long as it is now: it never falls, so that each
  /// round of questions leaves a thousandth of the days.
  private func dayReached(
    _ value: Int, _ streak: Streak, _ work: Work
  ) throws(EvaluationError) -> DayKey {
    guard value > 0, case .completion(let completion) = library.metrics[streak.completion].body,
      let first = try firstFact(streak.completion, completion, work, upTo: work.day)
    else { return work.day }
    var (low, high) = (first.number, work.day.number)
    while low < high {
      let step = max(1, (high - low) / 1000)
      let days = stride(from: low, through: high, by: Int(step)).map { DayKey(number: $0) }
      let rows = try prober.rows(of: work.metric, subject: work.subject, isTeam: work.isTeam, at: days)
      guard let reached = rows.sorted(by: { $0.at < $1.at }).first(where: { $0.value == .int(Int64(value)) })
      else {
        low = (days.last?.number ?? high) + 1
        continue
      }
      if step == 1 { return reached.at }
      high = reached.at.number
      low = max(low, high - step + 1)
    }
    return DayKey(number: high)
  }

  /// The last day of the run before the current one.
  private func dayEnded(
    _ streak: Streak, _ completion: Completion, _ work: Work
  ) throws(EvaluationError) -> DayKey {
    let windows = try reading(of: streak.completion, completion, work, from: work.day, atMost: .max).windows
    let earlier = windows.dropFirst(Explainer.run(windows[...]).length)
    return earlier.first { $0.state == .complete }?.last ?? work.day
  }

  // MARK: Telling

  /// The trees of the windows that matter most: the newest one, and the one that ended the run.
  private func explainEnds(
    _ reading: WindowReading, _ completion: Completion, _ metric: MetricID, _ work: inout Work
  ) throws(EvaluationError) -> WindowReading {
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
    return reading
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
    let aggregates = reading.completion.aggregates
    for aggregate in aggregates {
      let found = try facts(aggregate, scope, from: .first, through: readAt)
      guard let listed = found.facts else { continue }
      // Older windows are shown with their records, which the number does not rest on.
      for window in story.before {
        days.formUnion(listed.lazy.map(\.day).filter { window.first <= $0 && $0 <= window.last })
      }
      for index in story.windows.indices {
        let window = story.windows[index]
        let first = aggregate.period?.start(endingAt: window.last.number) ?? window.first.number
        let own = listed.filter { $0.day.number >= first && $0.day <= window.last }
        story.windows[index].recordCount += own.count
        days.formUnion(own.map(\.day))
        work.add(own.map { reader.reference(aggregate.record, $0.row) })
      }
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
      let listed = try facts(aggregate, scope, from: .first, through: story.readAt).facts ?? []
      for index in story.windows.indices where story.windows[index].state == .complete {
        let window = story.windows[index]
        guard window.recordCount == 0 else { continue }
        let first = sources.lookBack.map { $0.start(endingAt: window.last.number) }
          .reduce(window.first.number, min)
        guard let fact = listed.last(where: { $0.day.number >= first && $0.day <= window.last }) else {
          continue
        }
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
