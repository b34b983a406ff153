/// The windows of a completion (WIN-01 to WIN-07), as completions, streaks and momenta look at them.
extension Explainer {
  func explain(_ completion: Completion, _ work: inout Work) throws(EvaluationError) {
    let trace = try prober.trace(work.metric, at: work.day).windows(of: work.subject, atMost: 1)
    var story = story(work.metric, completion, trace, readAt: work.day)
    if story.windows.isEmpty { story.windows = [.init(completion.window, endingAt: work.day, .incomplete)] }
    story.windows[0].state = work.explanation.parts.first?.value == .bool(true) ? .complete : .incomplete
    story.windows[0].counts = true
    story.ending = .enough
    try explainEnds(story, work.metric, completion, &work)
    let last = work.explanation.clauses.last
    if last?.word == "rest when", last?.expression.value == .bool(true) { story.windows[0].state = .rest }
    try tell(story, work.metric, completion, &work)
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
    var story = story(metric.completion, completion, trace, readAt: start)
    // Without an earlier run the current one is shown, and nothing of it counts.
    if !hasRun { for index in story.windows.indices { story.windows[index].counts = false } }
    if trace.isFull {
      story.ending = .enough
    } else if reading.kind == .streak, trace.range.upperBound < trace.windows.count {
      let end = trace.windows[trace.range.upperBound].last
      story.ending = reading.forgiveness == nil ? .incomplete(end) : .unforgiven(end)
    } else if trace.isCut {
      story.ending = .cut
    }
    // The window that ended a run is told with it; older ones are shown and no more.
    let all = story.windows
    story.windows = Array(all.prefix(trace.range.upperBound + (reading.kind == .streak ? 1 : 0)))
    let first = (story.windows.last ?? all.first)?.first.number ?? 0
    let older = all.dropFirst(story.windows.count)
    story.before = Array(older.prefix { $0.last.number > first - Explainer.mostDaysBefore })
    try explainEnds(story, metric.completion, completion, &work)
    try tell(story, metric.completion, completion, &work)
  }

  /// The windows from the day back to the first fact that `when` names.
  private func story(
    _ metric: MetricID, _ completion: Completion, _ trace: WindowTrace, readAt day: DayKey
  ) -> WindowStory {
    WindowStory(
      completion: library.metrics[metric].name, every: completion.window.asWritten, windows: trace.windows,
      ending: trace.firstFact.map { .firstFact($0) } ?? .noFact, readAt: day, recordDays: [])
  }

  /// The first day when the best streak was as long as it is now.
  private func dayReached(_ metric: WindowMetric, _ work: Work) throws(EvaluationError) -> DayKey {
    let trace = try prober.trace(metric.completion, at: work.day).windows(of: work.subject, atMost: 1)
    guard let value = work.explanation.parts.first?.value, value != .int(0), let first = trace.firstFact
    else { return work.day }
    let rows = try prober.rows(of: work.metric, subject: work.subject, at: (first...work.day).days)
    return rows.first { $0.value == value }?.at ?? work.day
  }

  /// The trees of the windows that matter most: the newest one, and the one that ended the run.
  private func explainEnds(
    _ story: WindowStory, _ metric: MetricID, _ completion: Completion, _ work: inout Work
  ) throws(EvaluationError) {
    let scope = work.scope(over: completion.window.period, of: metric)
    let ended = story.windows.dropFirst().suffix(1).filter { $0.state == .incomplete }
    for window in story.windows.prefix(1) + ended {
      for (word, condition) in Body.completion(completion).clauses
      where word != "rest when" || window.state != .complete {
        try add(word, condition, scope, at: window.last, to: &work)
      }
    }
  }

  /// Adds the records of all windows, and the story.
  private func tell(
    _ story: WindowStory, _ metric: MetricID, _ completion: Completion, _ work: inout Work
  ) throws(EvaluationError) {
    var story = story
    var days: Set<DayKey> = []
    let scope = work.scope(over: completion.window.period, of: metric)
    // Several aggregates may look at the same record.
    var records = story.windows.map { _ in Set<RecordReference>() }
    for aggregate in Body.completion(completion).parts.compactMap(\.aggregate) {
      let found = try facts(aggregate, scope, at: story.readAt)
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
        records[index].formUnion(own.map { dataset.reference(aggregate.record, $0.row) })
      }
    }
    for index in story.windows.indices {
      story.windows[index].recordCount = records[index].count
      work.add(records[index])
    }
    try addPresence(to: story, metric, completion, scope, &days, &work)
    story.recordDays = days.sorted()
    work.explanation.windows = story
  }

  /// A window that is complete although no aggregate looks at a record of it rests on one all the same.
  private func addPresence(
    to story: WindowStory, _ metric: MetricID, _ completion: Completion, _ scope: Prober.Scope,
    _ days: inout Set<DayKey>, _ work: inout Work
  ) throws(EvaluationError) {
    let bare = story.windows.filter { $0.state == .complete && $0.recordCount == 0 }
    guard !bare.isEmpty else { return }
    let sources = library.presence(of: completion.when, subject: library.metrics[metric].subject.entity)
    let held = [completion.window.period] + sources.lookBack
    for source in sources.facts {
      let aggregate = Aggregate(.count, of: source.record, source.route)
      let listed = try facts(aggregate, scope, at: story.readAt).facts ?? []
      for window in bare {
        let fact = listed.last { fact in
          held.contains { $0.days(at: window.last.number).contains(fact.day.number) }
        }
        guard let fact else { continue }
        days.insert(fact.day)
        work.add([dataset.reference(source.record, fact.row)])
      }
    }
  }
}
