/// What the evaluator reads on its way to the value of a metric at one reference day. `why` shows it.
struct Trace {
  private let compiler: Compiler
  private let day: Int32

  /// - Parameter library: with the team's readings.
  init(
    _ metric: MetricID, at day: DayKey, library: Library, _ dataset: Dataset
  ) throws(EvaluationError) {
    try dataset.merge()
    let engine = Engine(
      library: library, dataset: dataset, needs: DataNeeds(library: library, metrics: [metric]), days: [day])
    compiler = Compiler(engine: engine, metric: metric, subject: library.metrics[metric].subject.entity)
    self.day = day.number
  }

  /// Nil if there is no such subject for the metric.
  private func number(of subject: String) -> Int? {
    let engine = compiler.engine
    return compiler.subject.map {
      engine.number(of: subject, engine.needs.subjects(of: $0, for: compiler.metric))
    } ?? 0
  }

  /// Whether a record that the metric reads names the subject, and the people behind it consent where that is needed.
  func exists(_ subject: String) -> Bool { number(of: subject) != nil }

  /// The live facts of some days up to the reference day that an aggregate can look at, whatever its period: those that
  /// pass its `where` and have what it takes; by day and row, with their number.
  ///
  /// - Parameters:
  ///   - subject: nil for the facts of all subjects.
  ///   - group: only facts of this group of the metric.
  ///   - most: of more facts, only the number is right.
  func facts(
    _ aggregate: Aggregate, of subject: String?, group: GroupKey?, in days: ClosedRange<DayKey> = DayKey.all,
    atMost most: Int = .max
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

  /// Which links led to the facts of an aggregate, and what each of them adds (LINK-01 to LINK-04).
  func links(
    _ aggregate: Aggregate, _ route: LinkRoute, of subject: String?, group: GroupKey?, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [LinkStory] {
    let (routing, dataset) = (compiler.engine.routing, compiler.engine.dataset)
    guard let number = number(of: subject ?? ""),
      let entity = route.fromFact.last.flatMap(dataset.library.target)
    else { return [] }
    let ends = dataset.follow(route.fromFact, from: aggregate.record)
    let factsByEnd = Dictionary(grouping: facts) { ends[$0.row] }
    let adds = aggregate.function == .contribution
    var summed = aggregate
    summed.function = .sum
    /// By row of a fact, what it gives to a link that sums.
    let amounts: [Int: Value] = try (adds ? self.facts(summed, of: subject, group: group).facts : [])
      .reduce(into: [:]) { $0[$1.row] = $1.value }
    let word = dataset.library.field("contribution", of: route.link)
    func text(_ field: FieldReference?, _ row: Int) -> String? { field.flatMap { dataset.text($0, row) } }
    var seen: Set<Routing.Contribution> = []
    var links: [LinkStory] = []
    try routing.forEachContribution(route) { row, contribution, isBundled in
      guard contribution.subject == Int32(number) else { return }
      let own = factsByEnd[contribution.end] ?? []
      var story = LinkStory(
        link: dataset.reference(route.link, row), end: compiler.engine.id(entity, Int(contribution.end)),
        bundle: isBundled ? text(route.bundle, row) : nil, contribution: text(word, row) ?? "",
        counts: seen.insert(contribution).inserted, factCount: own.count)
      if adds {
        let given = own.map { contribution.isSum ? amounts[$0.row]?.millionths ?? 0 : FixedDecimal.scale }
        let sum = Int64(clamping: given.reduce(Int128(0)) { $0 + Int128($1) })
        story.amount =
          aggregate.type == .int
          ? .int(sum / FixedDecimal.scale) : .decimal(FixedDecimal(millionths: sum))
      }
      links.append(story)
    }
    return links
  }

  /// The windows of a completion, with those that a reading counts.
  ///
  /// - Parameter most: how many windows are wanted.
  func windows(
    of subject: String, read reading: WindowReading? = nil, atMost most: Int
  ) throws(EvaluationError) -> WindowTrace {
    var (trace, states) = (WindowTrace(), [WindowState]())
    let (engine, worker) = (compiler.engine, Worker(engine: compiler.engine))
    let completion = try engine.completion(compiler.metric)
    guard let number = number(of: subject), let first = completion.firstDay(of: number, worker), first <= day
    else { return trace }
    trace.firstFact = DayKey(number: first)
    WindowHistory.with(completion, subject: number, asked: DayRange(day), most: most + 1, worker) { windows in
      var index = windows.index(of: day)
      while index >= 0, states.count < most {
        // One that is out of range shows as incomplete: a number that rests on it has none to explain.
        let state = WindowState(rawValue: windows.states[index]) ?? .incomplete
        states.append(state)
        trace.windows.append(
          WindowStory.Window(completion.window, endingAt: DayKey(number: windows.days[index]), state))
        index = windows.previous(index)
      }
      trace.isCut = index >= 0
    }
    guard let reading else { return trace }
    trace.range = reading.range(in: states)
    let oldest = trace.range.last { states[$0] == .complete } ?? 0
    var age = 0
    for index in trace.range where states[index] != .rest {
      trace.windows[index].counts = states[index] == .complete
      trace.windows[index].weight = reading.weights?[age]
      if reading.forgiveness != nil, index < oldest, states[index] != .complete {
        trace.windows[index].state = .forgiven
      }
      age += 1
    }
    trace.isFull = age == reading.windows
    return trace
  }

  /// How far the subject came (FUN-01).
  func funnel(_ funnel: Funnel, of subject: String) throws(EvaluationError) -> FunnelStory {
    try FunnelEvaluation(funnel, isTraced: true, compiler)
      .story(of: number(of: subject), on: day, Worker(engine: compiler.engine))
  }

  /// When the subject started and came back (RET-01 to RET-04), and the records that say so.
  func retention(
    _ retention: Retention, of subject: String
  ) throws(EvaluationError) -> (story: RetentionStory, records: [RecordReference]) {
    try RetentionEvaluation(retention, isTraced: true, compiler)
      .story(of: number(of: subject), on: day, Worker(engine: compiler.engine))
  }
}

/// The windows of a completion for one subject, from the one that ends on the reference day back.
struct WindowTrace {
  /// The first day with a fact that `when` names; nil if there is none up to the reference day.
  var firstFact: DayKey?
  /// As long as their last days are not before the first fact.
  var windows: [WindowStory.Window] = []
  /// Whether there are more.
  var isCut = false
  /// Which of them a reading looked at, and whether these are as many as it ever looks at.
  var range = 0..<0
  var isFull = false
}

extension WindowStory.Window {
  init(_ window: Window, endingAt day: DayKey, _ state: WindowState) {
    first = DayKey(number: max(DayKey.first.number, window.start(endingAt: day.number)))
    last = day
    self.state =
      switch state {
      case .incomplete: .incomplete
      case .complete: .complete
      case .rest: .rest
      }
    (counts, weight, recordCount) = (false, nil, 0)
  }
}

/// A fact that an aggregate looks at.
struct TracedFact {
  var row: Int
  var day: DayKey
  /// What the aggregate takes from it; nil if it takes nothing.
  var value: Value?
}
