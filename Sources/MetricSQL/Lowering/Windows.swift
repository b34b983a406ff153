import MetricPlan

/// Which windows of a completion are examined.
enum WindowMode: Hashable {
  /// Those that end on any day.
  case all
  /// Those that end a whole number of lengths before some days.
  case chain(days: String)
}

enum WindowPart: Hashable {
  case candidates, each, states, complete, islands, spans, runs, units, positions, counted
  case stretches(Forgiveness)
  case forgiving(Forgiveness)
  case bests(Forgiveness?)
}

/// A completion's windows: which may be complete, which are, and which rest (WIN-01 to WIN-07).
struct Windows {
  var id: MetricID
  var mode: WindowMode
  var completion: Completion

  /// The length of rolling windows; nil for calendar units.
  var length: Int? { if case .rolling(let days) = completion.window { days } else { nil } }

  /// What their reader forgives, which has to see incomplete windows too.
  var forgiveness: Forgiveness?

  /// Whether all windows since the first fact are read, with their states.
  var hasEach: Bool { completion.rest != nil || forgiveness != nil }

  /// Whether the windows are read by spans: none rests, and a window's number tells its place.
  var hasSpans: Bool { !hasEach && length != nil }
}

extension Translation {
  /// The windows of a completion for a reader at some anchors.
  ///
  /// - Parameter needsAll: whether the reader asks about windows that end on any day.
  func windows(_ id: MetricID, _ anchors: Anchors, needsAll: Bool) -> Windows {
    guard case .completion(let completion) = library.metrics[id].body else {
      return impossible("only a completion has windows")
    }
    var mode = WindowMode.all
    let presence = library.presence(of: completion.when, subject: library.metrics[id].subject.entity)
    if case .rolling(let length) = completion.window, length > 1, case .days(let days) = anchors.kind,
      presence.lookBack.isEmpty, !needsAll, !request.storesWindows, !completionsReadWhole.contains(id)
    {
      mode = .chain(days: chainDays(days, length: length))
    }
    return Windows(id: id, mode: mode, completion: completion)
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

  // MARK: Presence

  /// The ends (`subject`, `r`) among anchors of windows with a fact of what `when` names.
  private func present(_ windows: Windows, at anchors: Anchors) -> SQLQuery {
    let presence = presence(of: windows)
    var queries: [SQLQuery] = []
    for source in presence.facts {
      for stretch in stretches(windows.completion.window, presence.lookBack) {
        let (builder, scope) = rows(
          of: facts(source.record, source.route, for: windows.id), source.record, for: windows.id)
        let row = Row(record: source.record, alias: builder.own)
        let end = spread(row, day: scope.day ?? 0, over: stretch, to: anchors, builder)
        queries.append(builder.select(builder.columns(["subject"]) + [SQLColumn(end, "r")], isDistinct: true))
      }
    }
    return queries.count == 1 ? queries[0] : .union(queries, isDistinct: true)
  }

  /// The window and the own periods of `when`; of several lengths of days the longest.
  private func stretches(_ window: Window, _ lookBack: [Period]) -> [Period] {
    let all = [window.period] + lookBack
    if all.contains(.allTime) { return [.allTime] }
    let longest = all.compactMap { if case .lastDays(let days) = $0 { days } else { nil } }.max()
    var found = longest.map { [Period.lastDays($0)] } ?? []
    for stretch in all {
      if case .lastDays = stretch { continue }
      if !found.contains(stretch) { found.append(stretch) }
    }
    return found
  }

  /// Which facts `when` needs one of.
  func presence(of windows: Windows) -> PresenceSources {
    library.presence(of: windows.completion.when, subject: library.metrics[windows.id].subject.entity)
  }

  private func looksBackForever(_ windows: Windows) -> Bool {
    presence(of: windows).lookBack.contains(.allTime)
  }

  /// How facts find the windows of a mode; `relation` lists them.
  private func kind(of windows: Windows) -> Anchors.Kind {
    switch windows.mode {
    case .all: .ends
    case .chain(let days): .chain(days: days, length: windows.length ?? 1)
    }
  }

  /// `subject`, `r`: every window from the first with a fact to the last reference day: what rests has no
  /// fact of its own.
  private func spine(_ windows: Windows, from presence: [PresenceSources.Fact]) -> SQLQuery {
    let name = library.metrics[windows.id].name
    let queries = presence.map { source -> SQLQuery in
      let (builder, scope) = rows(
        of: facts(source.record, source.route, for: windows.id), source.record, for: windows.id)
      return earliest(scope.day ?? 0, builder)
    }
    let each = define("\(name)_first_facts", .union(queries, isDistinct: false))
    let minimum = SelectBuilder(from: each, as: "f")
    let first = define(
      of: name, "first_fact", "the first day on which a window could be complete.",
      earliest(minimum["day"], minimum))
    return counted(from: first, windows)
  }

  private func earliest(_ day: SQLExpression, _ builder: SelectBuilder) -> SQLQuery {
    builder.grouped([SQLColumn(.aggregate(.min, day), "day")], by: builder.columns(["subject"]))
  }

  private func counted(from first: String, _ windows: Windows) -> SQLQuery {
    let earliest = SelectBuilder(from: first, as: "f")
    let span = lastDay - .aggregate(.min, earliest["day"])
    let series = relation(
      .spine(first), named: "day_numbers", columns: ["n"], "As many days as the facts span."
    ) {
      .series(through: .subquery(earliest.select([SQLColumn(span, "n")])))
    }
    let builder = SelectBuilder(from: first, as: "f")
    let day = builder["day"]
    let end: SQLExpression
    switch windows.mode {
    case .all:
      let number = builder.join(.inner, series, as: "s") { [(day + $0["n"]).isAtMost(lastDay)] }
      end = day + number["n"]
    case .chain(let days):
      let last = builder.join(.inner, days, as: "d") { [day.isAtMost($0["r"])] }["r"]
      let length = SQLExpression.integer(windows.length ?? 1)
      let number = builder.join(.inner, series, as: "s") { [(last - $0["n"] * length).isAtLeast(day)] }
      end = last - number["n"] * length
    }
    return builder.select([SQLColumn(builder["subject"], "subject"), SQLColumn(end, "r")])
  }

  // MARK: States

  /// The windows (`subject`, `r`) that can be complete or rest.
  private func candidates(_ windows: Windows) -> Anchors {
    let needsSpine = windows.hasEach || looksBackForever(windows)
    let list = windows.hasEach && windows.completion.rest == nil ? WindowPart.each : .candidates
    let comment = needsSpine ? "its windows since the first fact." : "the windows that hold a fact."
    let name = part(windows, list, named: "windows", comment) {
      needsSpine
        ? spine(windows, from: presence(of: windows).facts)
        : present(windows, at: Anchors(relation: "", kind: kind(of: windows)))
    }
    return Anchors(relation: name, kind: kind(of: windows))
  }

  /// `subject`, `r`: the days since the first fact that a metric reads (LEV-03, OPD-09).
  func daysSinceFirstFact(of id: MetricID) -> Anchors {
    let day = Completion(window: .rolling(days: 1), when: .literal(.bool(true)), rest: nil)
    let days = Windows(id: id, mode: .all, completion: day)
    let name = part(days, .candidates, named: "windows", "its days since the first fact.") {
      spine(days, from: library.presence(of: id))
    }
    return Anchors(relation: name, kind: .pairs)
  }

  private func evaluated(_ windows: Windows, at anchors: Anchors) -> (builder: SelectBuilder, scope: Scope) {
    let expressions = [windows.completion.holds, windows.completion.rest].compactMap { $0 }
    var (builder, scope) = anchored(windows.id, anchors)
    scope.values = NamedValues(
      self, windows.id, anchors, windows.completion.window.period,
      expressions: expressions)
    return (builder, scope)
  }

  /// Where `when` asks for aggregates of one kind of fact alone, their relation holds every window that can be
  /// complete, with the aggregates; no other list of windows is needed.
  private func decided(_ windows: Windows) -> (builder: SelectBuilder, scope: Scope)? {
    let when = windows.completion.when
    let stretch = windows.completion.window.period
    guard !looksBackForever(windows), windows.completion.limit == nil,
      let values = NamedValues(
        self, windows.id, kind(of: windows), stretch, deciding: when),
      let base = values.base
    else { return nil }
    var (builder, scope) = anchored(windows.id, Anchors(relation: base, kind: kind(of: windows)))
    scope.values = values
    return (builder, scope)
  }

  /// `subject`, `r`: the complete windows.
  func complete(_ windows: Windows) -> String {
    part(windows, .complete, named: "complete", "the windows that are complete.") {
      if windows.completion.rest != nil {
        let builder = SelectBuilder(from: states(windows), as: "a")
        builder.conditions.append(builder["complete"].isOne)
        return builder.select(builder.columns())
      }
      if let table = stored(windows) { return table.select(table.columns()) }
      let (builder, scope) = decided(windows) ?? evaluated(windows, at: candidates(windows))
      builder.conditions.append(expression(windows.completion.holds, scope))
      return builder.select(builder.columns())
    }
  }

  /// `subject`, `r`, `complete`, `rest` (0 or 1): the state of each window since the first fact.
  func states(_ windows: Windows) -> String {
    part(windows, .states, named: "states", "which windows are complete, and which rest.") {
      if let table = stored(windows) {
        return table.select(table.columns(["subject", "r", "complete", "rest"]))
      }
      let anchors = candidates(windows)
      let (builder, start) = anchored(windows.id, anchors)
      var scope = start
      let isComplete = isComplete(
        windows.completion, windows.id, anchors, &scope,
        isSinceFirstFact: looksBackForever(windows))
      let complete = isComplete.asNumber
      let rest = SQLExpression.conditional(
        [
          SQLBranch(condition: isComplete, value: 0),
          SQLBranch(
            condition: windows.completion.rest.map { expression($0, scope) } ?? .bool(false),
            value: 1),
        ], otherwise: 0)
      return builder.select(builder.columns() + [SQLColumn(complete, "complete"), SQLColumn(rest, "rest")])
    }
  }

  // MARK: The metric itself

  /// Whether window 0 is complete.
  func value(
    _ completion: Completion, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> SQLExpression {
    let builder = scope.builder
    if completionsReadByWindows.contains(id) {
      let windows = windows(id, anchors, needsAll: false)
      let alias = builder.join(.left, complete(windows), as: "c", same: ["subject", "r"])
      return alias["subject"].isPresent
    }
    var scope = scope
    let isComplete = isComplete(completion, id, anchors, &scope)
    return SQLExpression.bool(true).when(isComplete, otherwise: .bool(false))
  }

  /// Whether `when` holds and, if it could without, a fact of what it names is there (WIN-06).
  private func isComplete(
    _ completion: Completion, _ id: MetricID, _ anchors: Anchors, _ scope: inout Scope,
    isSinceFirstFact: Bool = false
  ) -> SQLExpression {
    let when = completion.when
    let presence = library.presence(of: when, subject: library.metrics[id].subject.entity)
    let isImplied = when.needsFact || isSinceFirstFact
    let counts = presence.facts.flatMap { fact in
      ([nil] + presence.lookBack).map {
        Expression.aggregate(Aggregate(.count, of: fact.record, fact.route, over: $0))
      }
    }
    scope.values = NamedValues(
      self, id, anchors, completion.window.period,
      expressions: [completion.holds, completion.rest].compactMap { $0 } + (isImplied ? [] : counts))
    let isPresent =
      isImplied ? nil : SQLExpression.any(counts.map { expression($0, scope).isAbove(0) })
    let holds = expression(completion.holds, scope)
    return isPresent.map { $0.and(holds) } ?? holds
  }

  /// The completions where a metric of the statement looks at more than window 0.
  func findCompletionsReadByWindows() -> Set<MetricID> {
    needs.reads.keys.reduce(into: completionsReadWhole) { found, reader in
      let body = library.metrics[reader].body
      if let completion = body.base, body.kind != .level { found.insert(completion) }
    }
  }
}
