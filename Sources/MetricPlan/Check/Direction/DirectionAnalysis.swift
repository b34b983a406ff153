struct Conditions {
  var isNeverComplete: Bool
  /// Whether a complete window may become incomplete when a fact is added.
  var whenMayFall: Bool
  /// Whether one that rests may come to be neither.
  var restMayFall = false
  /// Whether a window that ends a day later is complete where one is: `when` cannot stop being true as days
  /// pass, and presence lasts. The complete windows are then the latest ones, without a gap.
  var staysComplete: Bool
  /// Whether each day is complete or rests, so that nothing ends a run.
  var neverBreaks = false
}

/// The analysis of the fourth question: for every part of every metric its values, its value on no data and
/// its moves. The table that it follows is in `Documentation/Checker.md`.
package final class DirectionAnalysis {
  package let library: Library
  private var known: [MetricID: [Behaviour]] = [:]
  private var knownConditions: [Completion: Conditions] = [:]
  private var knownSettings: [MetricID: Bool] = [:]
  /// By passing, those of the first metrics.
  private var knownMoves: [Passing: [Moves]] = [:]
  private var memos: [Period?: ExpressionAnalysis.Memo] = [:]

  /// How many expressions one metric may still cost. Nested `if`s are examined with and without their
  /// conditions, so a hostile one could double with each level; beyond the budget nothing is claimed.
  var budget = DirectionAnalysis.fullBudget
  static let fullBudget = 100_000

  package init(library: Library) {
    self.library = library
  }

  /// What was found where nothing around an expression says more.
  func memo(over: Period?) -> ExpressionAnalysis.Memo {
    if let memo = memos[over] { return memo }
    let memo = ExpressionAnalysis.Memo()
    memos[over] = memo
    return memo
  }

  /// What is known where nothing around an expression says more, at a cost of at most `budget` expressions.
  func scope(
    over: Period?, budget: Int = fullBudget, passing: Passing = .everything
  ) -> ExpressionAnalysis {
    self.budget = budget
    return ExpressionAnalysis(self, over: over, passing: passing)
  }

  /// By part, in the order of the plan.
  func behaviours(of id: MetricID) -> [Behaviour] {
    if let behaviours = known[id] { return behaviours }
    let behaviours = withFullBudget { compute(id) }
    known[id] = behaviours
    return behaviours
  }

  private func withFullBudget<Result>(_ body: () -> Result) -> Result {
    let outer = budget
    budget = DirectionAnalysis.fullBudget
    defer { budget = outer }
    return body()
  }

  func behaviour(of id: MetricID, part: String) -> Behaviour {
    let index = library.metrics[id].parts.firstIndex { $0.name == part } ?? 0
    return behaviours(of: id)[index]
  }

  func conditions(of completion: Completion) -> Conditions {
    if let conditions = knownConditions[completion] { return conditions }
    let conditions = withFullBudget { computeConditions(of: completion) }
    knownConditions[completion] = conditions
    return conditions
  }

  private func computeConditions(of completion: Completion) -> Conditions {
    let presence = WindowPresence(completion)
    let free = ExpressionAnalysis(self, over: completion.window.period)
    var present = free
    present.refinement = presence.refinement(library)
    let when = free.behaviour(of: completion.when)
    // A complete window has presence, and keeps it when a fact is added.
    let cases = [when, present.behaviour(of: completion.when)]
    var conditions = Conditions(
      isNeverComplete: cases.contains { $0.values.certainty == false },
      whenMayFall: cases.allSatisfy { $0.added.contains(.falls) },
      staysComplete: completion.limit == nil && presence.lastsForever && !when.passing.contains(.falls))
    guard let rest = completion.rest else { return conditions }
    conditions.neverBreaks =
      completion.window == .rolling(days: 1) && free.values(of: rest).certainty == true
    // Without complete windows there is nothing that a rest could keep; of windows that stay complete only their
    // number counts, and all others lie before them.
    if conditions.isNeverComplete || conditions.staysComplete { return conditions }
    var resting = free
    var without = free
    without.absent = presence
    if completion.limit != nil {
      // A window that its limit ends has all that `when` asks for.
    } else if cases.contains(where: { $0.values.certainty == true }) {
      // Where presence is all that `when` asks for, a window that is not complete has none of its facts.
      resting.absent = presence
    } else if without.values(of: completion.when).certainty == false {
      // Where `when` asks for presence itself, it is not true in a window that is not complete.
      resting = free.knowing(completion.when, .notTrue)
    }
    conditions.restMayFall = resting.behaviour(of: rest).added.contains(.falls)
    return conditions
  }

  /// The moves of a metric. Those of the metrics before it come first, among which are all that it reads: a chain of 500
  /// that each read the next took 4,400 frames of the stack.
  func moves(of id: MetricID, _ passing: Passing) -> Moves {
    while knownMoves[passing, default: []].count <= id {
      let next = knownMoves[passing, default: []].count
      let moves = withFullBudget { passing.moves(of: next, self) }
      knownMoves[passing, default: []].append(moves)
    }
    return knownMoves[passing, default: []][id]
  }

  func restsOnSettings(_ expression: Expression) -> Bool {
    switch expression {
    case .aggregate(let aggregate): library.records[aggregate.record].isSetting
    case .metric(let reference): restsOnSettings(reference.metric)
    case .completions(let aggregate): restsOnSettings(aggregate.completion)
    case .subjects(let aggregate): aggregate.inner.contains(where: restsOnSettings)
    case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
      .conditional, .function, .widened:
      expression.operands.contains(where: restsOnSettings)
    }
  }

  private func restsOnSettings(_ id: MetricID) -> Bool {
    if let known = knownSettings[id] { return known }
    let body = library.metrics[id].body
    let result =
      body.base.map(restsOnSettings)
      ?? (!body.sources.isEmpty || body.expressions.contains(where: restsOnSettings))
    knownSettings[id] = result
    return result
  }

  private func compute(_ id: MetricID) -> [Behaviour] {
    let metric = library.metrics[id]
    switch metric.body {
    case .completion(let completion): return [self.completion(completion)]
    case .windows(let metric):
      guard case .forgiving(let forgiveness) = metric.reading else { return [windows(metric)] }
      // `left` is a momentum less what is never left.
      let most = Int64(forgiveness.open) * Values.one
      return [windows(metric), windows(of: metric.completion, high: most, passing: [.rises, .falls])]
    case .measure(let measure): return self.measure(measure, nearest: metric.nearest?.millionths)
    case .level(let level): return self.level(level)
    case .funnel(let funnel):
      // More facts can only carry a subject further, except where they come between two steps, or where a
      // completion stops being true.
      let hasGaps = funnel.order == .strict || funnel.without != nil
      let mayLose = hasGaps || funnel.steps.contains { mayStop($0.source) }
      let added: Moves = mayLose || funnel.atLeast != nil || !funnel.grouping.isEmpty ? .all : .rises
      let passing: Moves = funnel.over == .allTime && !hasGaps ? .rises : .all
      return metric.parts.map { part in
        part.role.isStepDays
          ? counting(added: .all, passing: .all, mayBeNone: true)
          : counting(added: added, passing: passing, mayBeNone: funnel.atLeast != nil)
      }
    case .retention(let retention):
      return metric.parts.map { part in
        // A start fact on an earlier day moves day 0.
        let isQuotient = part.role.quotient != nil
        let isOfValue = retention.value != nil && part.role.hasUnit
        // The first day is not moved by a later one, and who has come back has come back.
        let isKept = retention.over == .allTime && retention.atLeast == nil && !isQuotient && !isOfValue
        var behaviour = counting(
          added: .all, passing: isKept ? .rises : .all, mayBeNone: retention.atLeast != nil || isQuotient)
        if isQuotient { (behaviour.values.high, behaviour.onNoData) = (Values.one, .none) }
        if isOfValue { (behaviour.values.low, behaviour.values.high) = (-Values.limit, Values.limit) }
        return behaviour
      }
    }
  }

  /// Whether an added fact may take away an event: a day on which a completion held.
  private func mayStop(_ source: EventSource) -> Bool {
    guard case .completion(let id) = source, case .completion(let completion) = library.metrics[id].body
    else { return false }
    return conditions(of: completion).whenMayFall
  }

  private func counting(added: Moves, passing: Moves, mayBeNone: Bool) -> Behaviour {
    Behaviour(
      values: .range(0, Values.limit, mayBeNone: mayBeNone),
      // Nobody contributes to no data, so it is hidden.
      onNoData: mayBeNone ? .none : .exactly(0),
      added: added, passing: passing)
  }

  /// Not constant if it can be complete: the first fact of a window can turn it on, whatever `when` says.
  private func completion(_ completion: Completion) -> Behaviour {
    let conditions = conditions(of: completion)
    if conditions.isNeverComplete { return .constant(.exactly(0)) }
    return Behaviour(
      values: .range(0, Values.one), onNoData: .exactly(0),
      added: conditions.whenMayFall ? .all : [.rises, .vanishes], passing: .all)
  }

  private func windows(of id: MetricID, high: Int64, passing: Moves) -> Behaviour {
    var (added, passing): (Moves, Moves) = (.rises, passing)
    if case .completion(let completion) = library.metrics[id].body {
      let conditions = conditions(of: completion)
      if conditions.isNeverComplete { return .constant(.exactly(0)) }
      if conditions.whenMayFall || conditions.restMayFall { added.insert(.falls) }
      if conditions.staysComplete || conditions.neverBreaks { passing = .rises }
    }
    return Behaviour(values: .range(0, high), onNoData: .exactly(0), added: added, passing: passing)
  }

  private func windows(_ metric: WindowMetric) -> Behaviour {
    let reading = metric.reading
    var behaviour = windows(
      of: metric.completion, high: reading.greatest.map { Int64($0) * Values.one } ?? Values.limit,
      passing: reading.isBest ? .rises : [.rises, .falls])
    // A new fact can join the previous run to the current one, and a short run can end after a long one.
    if reading == .previous, behaviour.values.mayBePositive {
      behaviour.added.insert(.falls)
      behaviour.passing.insert(.falls)
    }
    return behaviour
  }

  /// `first(c)`, `last(c)`, `count(c)`.
  func completions(_ aggregate: CompletionAggregate) -> Behaviour {
    guard case .completion(let completion) = library.metrics[aggregate.completion].body else {
      return .constant(.any)
    }
    let conditions = conditions(of: completion)
    if conditions.isNeverComplete {
      return .constant(aggregate.function == .count ? .exactly(0) : .none)
    }
    // A rest window is not complete either way.
    let mayFall = conditions.whenMayFall
    let isAllTime = aggregate.period ?? .allTime == .allTime
    switch aggregate.function {
    case .count:
      return Behaviour(
        values: .range(0, mostWindows(completion.window, aggregate.period)), onNoData: .exactly(0),
        added: mayFall ? [.rises, .falls] : .rises,
        passing: isAllTime ? .rises : [.rises, .falls])
    case .first:
      return Behaviour(
        values: .any, onNoData: .none, added: mayFall ? .all : [.falls, .appears],
        passing: isAllTime ? .appears : .all)
    case .last:
      return Behaviour(
        values: .any, onNoData: .none, added: mayFall ? .all : [.rises, .appears],
        passing: isAllTime ? [.rises, .appears] : .all)
    }
  }

  /// The most windows that lie wholly inside a period.
  private func mostWindows(_ window: Window, _ period: Period?) -> Int64 {
    guard let days = period?.mostDays else { return Values.limit }
    let least =
      switch window {
      case .rolling(let length): length
      // One that has not ended does not count.
      case .calendar(let unit): unit.leastDays
      }
    return Int64(days / least) * Values.one
  }

  private func measure(_ measure: Measure, nearest: Int64?) -> [Behaviour] {
    let analysis = ExpressionAnalysis(self, over: measure.over)
    var behaviour = analysis.behaviour(of: measure.value)
    if let goal = measure.target {
      let target = analysis.behaviour(of: goal)
      let fraction = Operators.quotient(behaviour, target, step: goal.type == .int ? Values.one : 1)
      return [behaviour, target, fraction.tidied(isBool: false)]
    }
    if measure.atLeast != nil {
      behaviour.values.mayBeNone = true
      behaviour.onNoData = .none
      (behaviour.added, behaviour.passing) = (.all, .all)
    }
    if !measure.grouping.isEmpty {
      behaviour = inGroups(measure, behaviour)
      // A group without facts in any of its periods has no row.
      behaviour.values.mayBeNone = true
      let periods = measure.value.parts.compactMap(\.aggregate).map { $0.period ?? measure.over }
      if periods.contains(where: { $0 != .allTime }) { behaviour.passing.insert(.vanishes) }
      // A subject leaves its group when a metric has another value.
      if measure.grouping.vary { (behaviour.added, behaviour.passing) = (.all, .all) }
    }
    guard let nearest else { return [behaviour] }
    return [behaviour.mapped({ $0.rounded(toNearest: nearest) }, moves: { $0 }).tidied(isBool: false)]
  }

  private func level(_ level: Level) -> [Behaviour] {
    let rested = behaviour(of: level.metric, part: level.part)
    func reached(_ values: Values, low: Bool) -> Int64 {
      if !values.mayBePresent || (low && values.mayBeNone) { return 0 }
      let value = low ? values.low : values.high
      return Int64(level.thresholds.count { $0.millionths <= value }) * Values.one
    }
    var behaviour = rested.mapped { values in
      .range(reached(values, low: true), reached(values, low: false))
    } moves: { moves in
      Moves(.rises, if: !moves.isDisjoint(with: [.rises, .appears]))
        .union(Moves(.falls, if: !moves.isDisjoint(with: [.falls, .vanishes])))
    }.tidied(isBool: false)
    if case .measure(let measure) = library.metrics[level.metric].body, !measure.grouping.isEmpty {
      // The level's row goes with the group's.
      behaviour.values.mayBeNone = true
      behaviour.passing.formUnion(rested.passing.intersection(.vanishes))
    }
    guard level.hasDays else { return [behaviour] }
    // The first day stays the first. A fact that may lower the number may take it away.
    let first = Behaviour(
      values: .any, onNoData: .none,
      added: behaviour.added.contains(.falls) ? .all : [.falls, .appears],
      passing: behaviour.passing.intersection(.vanishes).union(.appears))
    return [behaviour] + level.thresholds.map { _ in first }
  }

  /// A group is there only where a fact passes one of the aggregates, and so the one over the facts of all.
  private func inGroups(_ measure: Measure, _ behaviour: Behaviour) -> Behaviour {
    var scope = ExpressionAnalysis(self, over: measure.over)
    scope.refinement = scope.knownOfFacts(in: measure.value)
    guard !scope.refinement.isEmpty else { return behaviour }
    let known = scope.behaviour(of: measure.value)
    var behaviour = behaviour
    behaviour.values.low = max(behaviour.values.low, known.values.low)
    behaviour.added.formIntersection(known.added)
    return behaviour
  }
}
