import MetricData
import MetricPlan

/// The windows of a completion (WIN-01 to WIN-07), as completions, streaks and momenta look at them.
extension Explainer {
  /// The windows before a reference day, one by one, with their states.
  struct Windows {
    var completion: Completion
    /// From window 0 back to the first fact that `when` names.
    var windows: [WindowStory.Window]
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
    var reading = windows(
      completion,
      try prober.trace(work.metric, at: work.day).windows(of: work.subject, atMost: 1))
    if reading.windows.isEmpty { reading.windows = [window(completion.window, endingAt: work.day)] }
    reading.windows[0].state = work.explanation.parts.first?.value == .bool(true) ? .complete : .incomplete
    reading.windows[0].counts = true
    try add("when", completion.when, scope, at: work.day, to: &work)
    if let limit = completion.limit { try add("limit", limit.condition, scope, at: work.day, to: &work) }
    if reading.windows[0].state == .incomplete, let rest = completion.rest {
      try add("rest when", rest, scope, at: work.day, to: &work)
      if work.explanation.clauses.last?.expression.value == .bool(true) { reading.windows[0].state = .rest }
    }
    try tell(work.metric, reading, ending: .enough, readAt: work.day, &work)
  }

  func explain(_ metric: WindowMetric, _ work: inout Work) throws(EvaluationError) {
    guard case .completion(let completion) = library.metrics[metric.completion].body else { return }
    var (reading, start, hasRun) = (metric.reading, work.day, true)
    if reading.isBest { start = try dayReached(metric, work) }
    if reading == .previous {
      // The run is told as it was on its last day.
      let all = try prober.trace(metric.completion, at: work.day)
        .windows(of: work.subject, read: .previous, atMost: Int(DayKey.last.number))
      hasRun = !all.range.isEmpty
      if hasRun { start = all.windows[all.range.lowerBound].last }
      reading = .current
    }
    let trace = try prober.trace(metric.completion, at: start)
      .windows(of: work.subject, read: reading, atMost: Explainer.mostWindows)
    var windows = windows(completion, trace)
    // Without an earlier run the current one is shown, and nothing of it counts.
    if !hasRun { for index in windows.windows.indices { windows.windows[index].counts = false } }
    var ending = trace.firstFact.map { WindowStory.Ending.firstFact($0) } ?? .noFact
    if trace.isFull {
      ending = .enough
    } else if reading.kind == .streak, trace.range.upperBound < trace.windows.count {
      let end = trace.windows[trace.range.upperBound].last
      ending = reading.forgiveness == nil ? .incomplete(end) : .unforgiven(end)
    } else if trace.isCut {
      ending = .cut
    }
    // The window that ended a run is told with it.
    windows.keep(min(windows.windows.count, trace.range.upperBound + (reading.kind == .streak ? 1 : 0)))
    try explainEnds(windows, metric.completion, &work)
    try tell(metric.completion, windows, ending: ending, readAt: start, &work)
  }

  // MARK: Reading

  private func window(_ window: Window, endingAt day: DayKey) -> WindowStory.Window {
    let first = max(DayKey.first.number, window.start(endingAt: day.number))
    return WindowStory.Window(
      first: DayKey(number: first), last: day, state: .incomplete, counts: false, weight: nil, recordCount: 0)
  }

  private func windows(_ completion: Completion, _ trace: WindowTrace) -> Windows {
    let windows = trace.windows.map { read in
      var window = window(completion.window, endingAt: read.last)
      switch read.state {
      case .incomplete: window.state = read.isForgiven ? .forgiven : .incomplete
      case .complete: window.state = .complete
      case .rest: window.state = .rest
      }
      (window.counts, window.weight) = (read.counts, read.weight)
      return window
    }
    return Windows(completion: completion, windows: windows)
  }

  /// The first day when the best streak was as long as it is now.
  private func dayReached(_ metric: WindowMetric, _ work: Work) throws(EvaluationError) -> DayKey {
    let trace = try prober.trace(metric.completion, at: work.day)
      .windows(of: work.subject, atMost: 1)
    guard let value = work.explanation.parts.first?.value, value != .int(0), let first = trace.firstFact
    else { return work.day }
    let days = (first.number...work.day.number).map { DayKey(number: $0) }
    let rows = try prober.rows(of: work.metric, subject: work.subject, at: days)
    return rows.first { $0.value == value }?.at ?? work.day
  }

  // MARK: Telling

  /// The trees of the windows that matter most: the newest one, and the one that ended the run.
  private func explainEnds(
    _ reading: Windows, _ metric: MetricID, _ work: inout Work
  ) throws(EvaluationError) {
    let completion = reading.completion
    let scope = work.scope(over: completion.window.period, of: metric)
    var chosen: [WindowStory.Window] = []
    if let newest = reading.windows.first { chosen.append(newest) }
    if let oldest = reading.windows.last, reading.windows.count > 1, oldest.state == .incomplete {
      chosen.append(oldest)
    }
    for window in chosen {
      for (word, condition) in Body.completion(completion).clauses
      where word != "rest when" || window.state != .complete {
        try add(word, condition, scope, at: window.last, to: &work)
      }
    }
  }

  /// Adds the records of all windows, and the story.
  private func tell(
    _ metric: MetricID, _ reading: Windows, ending: WindowStory.Ending, readAt: DayKey,
    _ work: inout Work
  ) throws(EvaluationError) {
    var story = WindowStory(
      completion: library.metrics[metric].name, every: reading.completion.window.asWritten,
      windows: reading.windows, before: Array(reading.before), ending: ending, readAt: readAt, recordDays: [])
    var days: Set<DayKey> = []
    let scope = work.scope(over: reading.completion.window.period, of: metric)
    // Several aggregates may look at the same record.
    var records = story.windows.map { _ in Set<RecordReference>() }
    for aggregate in Body.completion(reading.completion).parts.compactMap(\.aggregate) {
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
      let aggregate = Aggregate(.count, of: source.record, source.route)
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
