enum WindowPart: Hashable {
  case candidates, each, states, complete, islands, spans, runs, units, positions, counted
  case stretches(Forgiveness)
  case forgiving(Forgiveness)
  case bests(Forgiveness?)
}

/// A completion's windows: which may be complete, which are, and which rest (WIN-01 to WIN-07).
struct Windows: MetricRelations {
  var translation: Translation
  let id: MetricID
  /// Which windows are examined: those that end on any day, or on a chain; and how facts find them.
  var kind: Anchors.Kind
  let completion: Completion
  /// What their reader forgives, which has to see incomplete windows too.
  var forgiveness: Forgiveness?

  var window: Window { completion.window }

  /// The length of rolling windows; nil for calendar units.
  var length: Int? { if case .rolling(let days) = window { days } else { nil } }

  var rests: Bool { completion.rest != nil }

  /// Whether all windows since the first fact are read, with their states.
  var hasEach: Bool { rests || forgiveness != nil }

  /// Whether the windows are read by spans: none rests, and a window's number tells its place.
  var hasSpans: Bool { !hasEach && length != nil }

  /// Which facts `when` needs one of.
  var presence: PresenceSources { library.presence(of: completion.when, subject: metric.subject.entity) }

  private var looksBackForever: Bool { presence.lookBack.contains(.allTime) }

  func part(
    _ part: WindowPart, named suffix: String, _ comment: String? = nil, _ query: () -> SQLQuery
  ) -> String {
    translation.relation(
      .windows(id, kind, part), named: "\(name)_\(suffix)", comment.map { "\(name): \($0)" }, query)
  }

  private func facts(_ source: PresenceSources.Fact) -> (builder: SelectBuilder, day: SQLExpression) {
    let facts = translation.facts(source.record, source.route, for: id)
    let (builder, scope) = translation.rows(of: facts, source.record, for: id)
    return (builder, scope.day ?? 0)
  }

  /// The ends (`subject`, `r`) of windows with a fact of what `when` names.
  private func present() -> SQLQuery {
    let (presence, anchors) = (presence, Anchors(relation: "", kind: kind))
    let queries = presence.facts.flatMap { source in
      stretches(presence.lookBack).map { stretch in
        let (builder, day) = facts(source)
        let end = translation.spread(day, over: stretch, to: anchors, builder)
        return builder.select(["subject"], ["r": end], isDistinct: true)
      }
    }
    return .rows(of: queries, isDistinct: true)
  }

  /// The window and the own periods of `when`; of several lengths of days the longest.
  private func stretches(_ lookBack: [Period]) -> [Period] {
    let all = [window.period] + lookBack
    if all.contains(.allTime) { return [.allTime] }
    func days(of period: Period) -> Int? { if case .lastDays(let days) = period { days } else { nil } }
    let longest = all.compactMap(days).max().map { [Period.lastDays($0)] } ?? []
    return longest + all.filter { days(of: $0) == nil }.withoutRepeats
  }

  /// `subject`, `r`: the windows from the first with a fact to the last day: what rests has none of its own.
  fileprivate func spine(from presence: [PresenceSources.Fact]) -> SQLQuery {
    func earliest(_ day: SQLExpression, _ builder: SelectBuilder) -> SQLQuery {
      builder.grouped(["day": .aggregate(.min, day)], by: builder.columns(["subject"]))
    }
    let queries = presence.map { source in
      let (builder, day) = facts(source)
      return earliest(day, builder)
    }
    let minimum = SelectBuilder(from: define("first_facts", .union(queries, isDistinct: false)), as: "f")
    let first = define(
      "first_fact", "the first day on which a window could be complete.",
      earliest(minimum["day"], minimum))
    return ends(from: first)
  }

  /// The ends of all windows from the first day of each subject on.
  private func ends(from first: String) -> SQLQuery {
    let (earliest, lastDay) = (SelectBuilder(from: first, as: "f"), translation.lastDay)
    let series = translation.relation(
      .spine(first), named: "day_numbers", columns: ["n"], "As many days as the facts span."
    ) {
      let span = lastDay - .aggregate(.min, earliest["day"])
      return .series(through: .subquery(earliest.select(["n": span])))
    }
    let builder = SelectBuilder(from: first, as: "f")
    let day = builder["day"]
    guard case .chain(let days, let length) = kind else {
      let number = builder.join(.inner, series, as: "s") { [(day + $0["n"]).isAtMost(lastDay)] }
      return builder.select(["subject"], ["r": day + number["n"]])
    }
    let last = builder.join(.inner, days, as: "d") { [day.isAtMost($0["r"])] }["r"]
    func end(_ series: Alias) -> SQLExpression { last - series["n"] * .integer(length) }
    let number = builder.join(.inner, series, as: "s") { [end($0).isAtLeast(day)] }
    return builder.select(["subject"], ["r": end(number)])
  }

  /// The windows (`subject`, `r`) that can be complete or rest.
  private func candidates() -> Anchors {
    let needsSpine = hasEach || looksBackForever
    let comment = needsSpine ? "its windows since the first fact." : "the windows that hold a fact."
    let relation = part(hasEach && !rests ? .each : .candidates, named: "windows", comment) {
      needsSpine ? spine(from: presence.facts) : present()
    }
    return Anchors(relation: relation, kind: kind)
  }

  /// `subject`, `r`: the complete windows.
  func complete() -> String {
    part(.complete, named: "complete", "the windows that are complete.") {
      if rests {
        let builder = SelectBuilder(from: states(), as: "a")
        return builder.where(builder["complete"].isOne).select(builder.columns())
      }
      if let table = stored() { return table.select(table.columns()) }
      // Where `when` asks for aggregates of one kind of fact alone, their relation holds every window that can be
      // complete, with the aggregates; no other list of windows is needed.
      let deciding =
        looksBackForever || completion.limit != nil
        ? nil : NamedValues(translation, id, kind, window.period, deciding: completion.when)
      let anchors = deciding?.base.map { Anchors(relation: $0, kind: kind) } ?? candidates()
      var (builder, scope) = translation.anchored(id, anchors)
      scope.values =
        deciding
        ?? NamedValues(translation, id, anchors, window.period, expressions: [completion.holds])
      return builder.where(translation.expression(completion.holds, scope)).select(builder.columns())
    }
  }

  /// `subject`, `r`, `complete`, `rest` (0 or 1): the state of each window since the first fact.
  func states() -> String {
    part(.states, named: "states", "which windows are complete, and which rest.") {
      if let table = stored() { return table.select(["subject", "r", "complete", "rest"]) }
      let anchors = candidates()
      var (builder, scope) = translation.anchored(id, anchors)
      let isComplete = isComplete(at: anchors, &scope, isSinceFirstFact: looksBackForever)
      let complete = isComplete.asNumber
      let isResting = completion.rest.map { translation.expression($0, scope) } ?? .bool(false)
      let rest = SQLExpression.cases([isComplete: 0, isResting: 1], otherwise: 0)
      return builder.select(["subject", "r"], ["complete": complete, "rest": rest])
    }
  }

  /// Whether `when` holds and, if it could without, a fact of what it names is there (WIN-06).
  fileprivate func isComplete(
    at anchors: Anchors, _ scope: inout Scope, isSinceFirstFact: Bool = false
  ) -> SQLExpression {
    let presence = presence
    let isImplied = completion.when.needsFact || isSinceFirstFact
    let counts = (isImplied ? [] : presence.facts).flatMap { fact in
      ([nil] + presence.lookBack).map {
        Expression.aggregate(Aggregate(.count, of: fact.record, fact.route, over: $0))
      }
    }
    scope.values = NamedValues(
      translation, id, anchors, window.period,
      expressions: [completion.holds, completion.rest].compactMap { $0 } + counts)
    let isPresent = SQLExpression.any(counts.map { translation.expression($0, scope).isAbove(0) })
    let holds = translation.expression(completion.holds, scope)
    return isPresent.map { $0.and(holds) } ?? holds
  }
}

extension Translation {
  /// The windows of a completion for a reader at some anchors; with `needsAll` it asks about any last day.
  func windows(
    _ id: MetricID, _ anchors: Anchors, needsAll: Bool, forgiveness: Forgiveness? = nil
  ) -> Windows {
    guard case .completion(let completion) = library.metrics[id].body else {
      return impossible("only a completion has windows")
    }
    var windows = Windows(
      translation: self, id: id, kind: .ends, completion: completion, forgiveness: forgiveness)
    if let length = windows.length, length > 1, case .days(let days) = anchors.kind,
      windows.presence.lookBack.isEmpty, !needsAll, !request.storesWindows, !completionsReadWhole.contains(id)
    {
      windows.kind = .chain(days: chainDays(days, length: length), length: length)
    }
    return windows
  }

  /// `subject`, `r`: the days since the first fact that a metric reads (LEV-03, OPD-09).
  func daysSinceFirstFact(of id: MetricID) -> Anchors {
    let day = Completion(window: .rolling(days: 1), when: .literal(.bool(true)), rest: nil)
    let days = Windows(translation: self, id: id, kind: .ends, completion: day)
    let name = days.part(.candidates, named: "windows", "its days since the first fact.") {
      days.spine(from: library.presence(of: id))
    }
    return Anchors(relation: name, kind: .pairs)
  }

  /// Whether window 0 is complete.
  func value(_ completion: Completion, _ id: MetricID, _ anchors: Anchors, _ scope: Scope) -> SQLExpression {
    if completionsReadByWindows.contains(id) {
      let complete = windows(id, anchors, needsAll: false).complete()
      return scope.builder.join(.left, complete, as: "c", same: ["subject", "r"])["subject"].isPresent
    }
    var scope = scope
    let windows = Windows(translation: self, id: id, kind: .ends, completion: completion)
    let isComplete = windows.isComplete(at: anchors, &scope)
    return SQLExpression.bool(true).when(isComplete, otherwise: .bool(false))
  }

  /// The completions whose windows on any day the statement asks about.
  func findCompletionsReadWhole() -> Set<MetricID> {
    var found: Set<MetricID> = []
    for id in needs.reads.keys {
      let body = library.metrics[id].body
      if case .windows(let metric) = body, metric.reading.isBest { found.insert(metric.completion) }
      for case .completion(let id) in body.sources { found.insert(id) }
      for case .completions(let aggregate) in body.expressions.flatMap(\.allParts) {
        found.insert(aggregate.completion)
      }
    }
    return found
  }

  /// The completions where a metric of the statement looks at more than window 0.
  func findCompletionsReadByWindows() -> Set<MetricID> {
    let bodies = needs.reads.keys.map { library.metrics[$0].body }
    return completionsReadWhole.union(bodies.filter { $0.kind != .level }.compactMap(\.base))
  }
}
