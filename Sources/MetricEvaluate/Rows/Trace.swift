/// What the evaluator reads on its way to the value of a metric at one reference day. `why` shows it.
package struct Trace {
  private let compiler: Compiler
  private let day: Int32

  /// - Parameter library: with the team's readings.
  package init(
    _ metric: MetricID, at day: DayKey, library: Library, tables: [String: Table], pool: StringPool
  ) throws(EvaluationError) {
    let dataset = Dataset(library: library, tables: tables, pool: pool, threads: 1)
    try dataset.merge()
    let engine = Engine(
      library: library, dataset: dataset, needs: DataNeeds(library: library, metrics: [metric]), days: [day])
    compiler = Compiler(engine: engine, metric: metric, subject: library.metrics[metric].subject.entity)
    self.day = day.number
  }

  /// Nil if there is no such subject for the metric.
  private func number(of subject: String) -> Int? {
    guard let entity = compiler.subject else { return 0 }
    let engine = compiler.engine
    return engine.number(of: subject, entity).flatMap { number in
      engine.exists(number, engine.needs.subjects(of: entity, for: compiler.metric)) ? number : nil
    }
  }

  /// Whether a record that the metric reads names the subject, and the people behind it consent where that is needed.
  package func exists(_ subject: String) -> Bool { number(of: subject) != nil }

  /// The live facts of some days up to the reference day that an aggregate can look at, whatever its period: those that
  /// pass its `where` and have what it takes; by day and row, with their number.
  ///
  /// - Parameters:
  ///   - subject: nil for the facts of all subjects.
  ///   - group: only facts of this group of the metric.
  ///   - most: of more facts, only the number is right.
  package func facts(
    _ aggregate: Aggregate, of subject: String?, group: GroupKey?, in days: ClosedRange<DayKey>,
    atMost most: Int
  ) throws(EvaluationError) -> (facts: [TracedFact], count: Int) {
    var owned = 0..<Int32(compiler.engine.routing.subjectCount(compiler.subject))
    if let subject {
      guard let number = number(of: subject) else { return ([], 0) }
      owned = Int32(number)..<Int32(number + 1)
    }
    let grouping = group == nil ? [] : compiler.engine.library.metrics[compiler.metric].grouping
    let paths = grouping.compactMap { $0.paths[aggregate.record] }
    let (engine, worker) = (compiler.engine, Worker(engine: compiler.engine))
    let scan = try FactScan(
      aggregate.record, aggregate.route, conditions: [aggregate.filter], argument: aggregate.argument,
      group: paths, compiler)
    var (facts, count): ([TracedFact], Int) = ([], 0)
    scan.forEachBatch(in: 0..<scan.rowCount, ownedBy: owned, worker) { batch in
      for lane in 0..<batch.count where batch.masks[lane] == 1 {
        let day = DayKey(number: scan.day(batch.rows[lane]))
        let isInGroup = paths.isEmpty || engine.key(of: batch.groups[lane], grouping) == group
        guard days.contains(day), isInGroup else { continue }
        count += 1
        if count > most { continue }
        let value = aggregate.argument.map { engine.value(of: batch.values[lane], $0.type) }
        facts.append(TracedFact(row: Int(batch.rows[lane]), day: day, value: value))
      }
    }
    return (facts.sorted { ($0.day, $0.row) < ($1.day, $1.row) }, count)
  }

  /// The links over which facts reach a subject, by their rows (LINK-01 to LINK-04).
  ///
  /// - Parameter facts: rows of the aggregate's facts.
  package func links(
    _ aggregate: Aggregate, _ route: LinkRoute, of subject: String, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [TracedLink] {
    let (routing, dataset) = (compiler.engine.routing, compiler.engine.dataset)
    guard let number = number(of: subject), let entity = route.fromFact.last.flatMap(dataset.library.target)
    else { return [] }
    let ends = dataset.follow(route.fromFact, from: aggregate.record)
    let factsByEnd = Dictionary(grouping: facts) { ends[$0.row] }
    var seen: Set<Routing.Contribution> = []
    var links: [TracedLink] = []
    try routing.forEachContribution(route) { row, contribution, isBundled in
      guard contribution.subject == Int32(number) else { return }
      links.append(
        TracedLink(
          row: row, end: compiler.engine.id(entity, Int(contribution.end)), isBundled: isBundled,
          isSum: contribution.isSum, counts: seen.insert(contribution).inserted,
          facts: factsByEnd[contribution.end] ?? []))
    }
    return links
  }

  /// The windows of a completion.
  ///
  /// - Parameter most: how many windows are wanted.
  package func windows(of subject: String, atMost most: Int) throws(EvaluationError) -> WindowTrace {
    var trace = WindowTrace(firstFact: nil, windows: [], isCut: false)
    let (engine, worker) = (compiler.engine, Worker(engine: compiler.engine))
    try engine.compile(compiler.metric)
    let completion = engine.completion(compiler.metric)
    guard let number = number(of: subject), let first = completion.firstDay(of: number, worker), first <= day
    else { return trace }
    trace.firstFact = DayKey(number: first)
    WindowHistory.with(completion, subject: number, asked: DayRange(day), most: most + 1, worker) { windows in
      var index = windows.index(of: day)
      while index >= 0, trace.windows.count < most {
        // One that is out of range shows as incomplete: a number that rests on it has none to explain.
        let state = WindowState(rawValue: windows.states[index]) ?? .incomplete
        trace.windows.append(WindowTrace.Window(last: DayKey(number: windows.days[index]), state: state))
        index = windows.previous(index)
      }
      trace.isCut = index >= 0
    }
    return trace
  }

  /// The windows of a completion with those that a reading counts.
  package func windows(
    of subject: String, read reading: WindowReading, atMost most: Int
  ) throws(EvaluationError) -> WindowTrace {
    var trace = try windows(of: subject, atMost: most)
    let range = reading.range(in: trace.windows.map(\.state))
    let weights = reading.weights
    var age = 0
    let oldest = range.last { trace.windows[$0].state == .complete } ?? 0
    for index in range where trace.windows[index].state != .rest {
      trace.windows[index].counts = trace.windows[index].state == .complete
      trace.windows[index].isForgiven =
        reading.forgiveness != nil && index < oldest && !trace.windows[index].counts
      trace.windows[index].weight = weights?[age]
      age += 1
    }
    trace.range = range
    trace.isFull = age == reading.windows
    return trace
  }

  package func funnel(_ funnel: Funnel, of subject: String) throws(EvaluationError) -> FunnelTrace {
    let evaluation = try FunnelEvaluation(funnel, isTraced: true, compiler)
    guard let number = number(of: subject) else {
      return FunnelTrace(eventCounts: funnel.steps.map { _ in 0 }, attempt: nil)
    }
    return evaluation.trace(number, on: day, Worker(engine: compiler.engine))
  }

  package func retention(
    _ retention: Retention, of subject: String
  ) throws(EvaluationError) -> RetentionTrace {
    let evaluation = try RetentionEvaluation(retention, isTraced: true, compiler)
    guard let number = number(of: subject) else { return RetentionTrace(starts: [], returns: []) }
    return evaluation.trace(number, on: day, Worker(engine: compiler.engine))
  }
}

/// The windows of a completion for one subject, from the one that ends on the reference day back.
package struct WindowTrace {
  /// The first day with a fact that `when` names; nil if there is none up to the reference day.
  package var firstFact: DayKey?
  /// As long as their last days are not before the first fact.
  package var windows: [Window]
  /// Whether there are more.
  package var isCut: Bool
  /// Which of them a reading looked at, and whether these are as many as it ever looks at.
  package var range = 0..<0
  package var isFull = false

  package struct Window {
    package var last: DayKey
    package var state: WindowState
    /// Whether it is one of those that make the number.
    package var counts = false
    /// Whether it is incomplete, and a streak that forgives continues before it.
    package var isForgiven = false
    /// Of a `half life`: what it is worth where it is complete, in billionths.
    package var weight: Int64?
  }
}

/// A fact that an aggregate looks at.
package struct TracedFact {
  package var row: Int
  package var day: DayKey
  /// What the aggregate takes from it; nil if it takes nothing.
  package var value: Value?
}

/// A link, and what it leads to: directly, or as a member of a bundle.
package struct TracedLink {
  /// In the link's table.
  package var row: Int
  package var end: String
  package var isBundled: Bool
  /// Whether it sums the facts' values; otherwise each fact counts.
  package var isSum: Bool
  /// False if an earlier link already leads to the same.
  package var counts: Bool
  package var facts: [TracedFact]
}

/// A fact, or a day on which a completion held.
package struct TracedEvent {
  package var day: DayKey
  /// Nil for a completion.
  package var record: RecordID?
  package var row: Int
}

/// How far a subject came in a funnel.
package struct FunnelTrace {
  /// By step, how many events serve it by themselves.
  package var eventCounts: [Int]
  /// The best attempt, the earliest of these; nil if none began.
  package var attempt: Attempt?

  package struct Attempt {
    package var start: DayKey
    /// By step, what was taken for it.
    package var chosen: [TracedEvent?]
    package var group: GroupKey
  }
}

/// When a subject started and came back.
package struct RetentionTrace {
  package var starts: [Start]
  package var returns: [TracedEvent]

  /// A day 0 that the metric counts.
  package struct Start {
    package var day: DayKey
    package var group: GroupKey
    package var events: [TracedEvent]
    /// For each of the days after day 0 that the metric asks about, the day of the return that counts.
    package var returnDays: [DayKey?]
    /// And what its facts add up to, where the metric has a value.
    package var worths: [Value?]
  }
}
