import MetricData
import MetricPlan

import func Foundation.exp2

/// What a window is. "Rest windows do not exist."
enum WindowState: Hashable {
  case complete, rest, incomplete
}

/// Completions and what is counted over their windows (LANGUAGE, Windows).
extension ReferenceEvaluator {
  func completion(_ id: MetricID) -> Completion {
    guard case .completion(let completion) = library.metrics[id].body else {
      preconditionFailure("\(library.metrics[id].name) is no completion")
    }
    return completion
  }

  /// The state of window 0 at a day; window k of r is window 0 at the last day of window k.
  ///
  /// "A window is a rest window when `rest when E` holds in it and it is not complete."
  func state(_ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool) throws -> WindowState {
    if try isComplete(id, subject, at: day, asksConsent: asksConsent) { return .complete }
    guard let rest = completion(id).rest else { return .incomplete }
    let key = StateKey(metric: id, subject: subject, day: day, asksConsent: asksConsent)
    if let known = restMemo[key] { return known ? .rest : .incomplete }
    let isRest = try evaluate(rest, scope(id, subject, at: day, asksConsent: asksConsent)).isTrue
    restMemo[key] = isRest
    return isRest ? .rest : .incomplete
  }

  /// "Bool: is window 0 complete"; "`when` … take[s] none as false"; "a completion is false in a rest
  /// window", for such a window is not complete.
  func isComplete(_ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool) throws -> Bool {
    let key = StateKey(metric: id, subject: subject, day: day, asksConsent: asksConsent)
    if let known = completeMemo[key] { return known }
    let scope = scope(id, subject, at: day, asksConsent: asksConsent)
    let when = completion(id).when
    // "`when` and `limit` hold"
    let isComplete =
      try isSubject(subject, of: id) && isPresent(when, scope) && evaluate(when, scope).isTrue
      && (completion(id).limit.map { try evaluate($0.condition, scope).isTrue } ?? true)
    completeMemo[key] = isComplete
    return isComplete
  }

  /// "In both conditions `day` is the window's last DayKey."
  private func scope(
    _ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) -> ReferenceScope {
    ReferenceScope(
      metric: id, subject: subject, day: day,
      span: DaySpan(window: completion(id).window, endingAt: day), asksConsent: asksConsent)
  }

  /// The last day of the window before the one that ends at `day`.
  private func endBefore(_ day: DayKey, _ window: Window) -> DayKey? {
    DaySpan(window: window, endingAt: day).first.map { $0.advanced(by: -1) }
  }

  /// Last days of the windows 0, 1, … of r, up to "the first such fact", where the search ends.
  func windowEnds(_ id: MetricID, _ subject: ByteText, at day: DayKey, asksConsent: Bool) throws -> [DayKey] {
    let completion = completion(id)
    let named = try factsNamed(by: completion.when, for: subject, in: id, asksConsent: asksConsent)
    guard let first = named.map(self.day).min() else { return [] }
    var ends: [DayKey] = []
    var end: DayKey? = day
    while let current = end, current >= first {
      ends.append(current)
      end = endBefore(current, completion.window)
    }
    return ends
  }

  // MARK: Presence

  /// "A window (with its look-back) without a live fact of the record types that `when` names is never
  /// complete."
  private func isPresent(_ when: Expression, _ scope: ReferenceScope) throws -> Bool {
    var spans = [scope.span]
    for part in parts(of: when) {
      switch part {
      case .aggregate(let aggregate):
        if let period = aggregate.period { spans.append(DaySpan(period, at: scope.day)) }
      case .metric, .completions, .subjects:
        spans.append(DaySpan(.allTime, at: scope.day))
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    let named = try factsNamed(
      by: when, for: scope.subject, in: scope.metric, asksConsent: scope.asksConsent)
    return named.contains { fact in spans.contains { $0.contains(day(fact)) } }
  }

  /// The subject's facts of the record types that an expression names, itself or through metrics;
  /// filters and periods do not matter.
  func factsNamed(
    by expression: Expression, for subject: ByteText, in metric: MetricID, row: RowScope? = nil,
    asksConsent: Bool
  ) throws -> [ReferenceFact] {
    var found: [ReferenceFact] = []
    for part in parts(of: expression) {
      switch part {
      case .aggregate(let aggregate):
        found += facts(aggregate.record, aggregate.route, of: subject, asksConsent: asksConsent)
      case .metric(let reference):
        let owner = reference.root == .row ? row?.id : subject
        found += try factsBehind(reference.metric, for: owner ?? subject, asksConsent: asksConsent)
      case .completions(let aggregate):
        let owner = aggregate.root == .row ? row?.id : subject
        found += try factsBehind(aggregate.completion, for: owner ?? subject, asksConsent: asksConsent)
      case .subjects(let aggregate):
        // Who is counted does not matter: `app` reads the facts of a record type without a `consent` line as a whole.
        for row in related(aggregate, to: subject, readBy: metric, asksConsent: false) {
          for inner in [aggregate.filter, aggregate.argument].compactMap(\.self) {
            found += try factsNamed(by: inner, for: subject, in: metric, row: row, asksConsent: asksConsent)
          }
        }
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    return found
  }

  /// All facts of a subject that a metric reads.
  func factsBehind(
    _ id: MetricID, for subject: ByteText, asksConsent: Bool
  ) throws -> [ReferenceFact] {
    func named(_ expressions: [Expression?]) throws -> [ReferenceFact] {
      try expressions.compactMap(\.self).flatMap {
        try factsNamed(by: $0, for: subject, in: id, asksConsent: asksConsent)
      }
    }
    func events(_ source: EventSource) throws -> [ReferenceFact] {
      switch source {
      case .completion(let id): try factsBehind(id, for: subject, asksConsent: asksConsent)
      case .fact(let record, _, _): facts(record, .whole, of: subject, asksConsent: asksConsent)
      }
    }
    switch library.metrics[id].body {
    case .completion(let completion):
      return try named([completion.when, completion.limit?.condition, completion.rest])
    case .windows(let metric):
      return try factsBehind(metric.completion, for: subject, asksConsent: asksConsent)
    case .measure(let measure): return try named([measure.value, measure.target])
    case .level(let level): return try factsBehind(level.metric, for: subject, asksConsent: asksConsent)
    case .funnel(let funnel):
      return try (funnel.steps.map(\.source) + [funnel.without].compactMap(\.self)).flatMap(events)
    case .retention(let retention): return try events(retention.start) + events(retention.returns)
    }
  }

  // MARK: Streaks

  /// "consecutive complete windows ending with window 0, and 0 where window 0 is incomplete"; "a streak
  /// passes over [rest windows] and neither starts, ends nor grows on one". Looks no further than needed.
  private func run(
    _ ends: ArraySlice<DayKey>, _ id: MetricID, _ subject: ByteText, asksConsent: Bool
  ) throws -> Int {
    var count = 0
    for end in ends {
      switch try state(id, subject, at: end, asksConsent: asksConsent) {
      case .complete: count += 1
      case .rest: continue
      case .incomplete: return count
      }
    }
    return count
  }

  func values(
    _ metric: WindowMetric, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> [ReferenceValue] {
    switch metric.reading {
    case .current, .grace, .best, .previous, .bestForgiving:
      return [try streak(metric, subject, at: day, asksConsent: asksConsent)]
    case .last, .halfLife: return [try momentum(metric, subject, at: day, asksConsent: asksConsent)]
    case .forgiving(let forgiveness):
      let own = try streak(metric, subject, at: day, asksConsent: asksConsent)
      // "N less the windows among the first M that do not rest and are not complete; those before the first fact are
      // not complete"
      var (complete, seen) = (0, 0)
      for end in try windowEnds(metric.completion, subject, at: day, asksConsent: asksConsent)
      where seen < forgiveness.windows {
        let state = try state(metric.completion, subject, at: end, asksConsent: asksConsent)
        if state != .rest { seen += 1 }
        if state == .complete { complete += 1 }
      }
      return [own, .int(Int128(max(0, forgiveness.open - (forgiveness.windows - complete))))]
    }
  }

  /// "the longest stretch that ends with window 0 and in which no M in a row hold more than N incomplete ones", grown
  /// back by a window at a time; its complete ones.
  private func stretch(
    _ ends: [DayKey], _ forgiveness: Forgiveness, _ id: MetricID, _ subject: ByteText, asksConsent: Bool
  ) throws -> Int {
    var states: [WindowState] = []
    for end in ends {
      let state = try state(id, subject, at: end, asksConsent: asksConsent)
      if state == .rest { continue }
      let open = (states + [state]).suffix(forgiveness.windows).count { $0 == .incomplete }
      if open > forgiveness.open { break }
      states.append(state)
    }
    return states.count { $0 == .complete }
  }

  private func streak(
    _ metric: WindowMetric, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> ReferenceValue {
    let id = metric.completion
    let ends = try windowEnds(id, subject, at: day, asksConsent: asksConsent)
    var readings: [Int] = [0]
    switch metric.reading {
    case .current:
      readings.append(try run(ends[...], id, subject, asksConsent: asksConsent))
    case .forgiving(let forgiveness):
      readings.append(try stretch(ends, forgiveness, id, subject, asksConsent: asksConsent))
    // "the largest value that the streak has when read from windows 0, 1, … N (rest windows count in
    // this numbering)"
    case .grace(let windows):
      for start in ends.indices.prefix(windows + 1) {
        readings.append(try run(ends[start...], id, subject, asksConsent: asksConsent))
      }
    // "what the streak is when read from the newest complete window behind those of the current run"
    case .previous:
      let states = try ends.map { try state(id, subject, at: $0, asksConsent: asksConsent) }
      let current = states.firstIndex(of: .incomplete) ?? states.count
      if let start = states[current...].firstIndex(of: .complete) {
        readings.append(try run(ends[start...], id, subject, asksConsent: asksConsent))
      }
    // "the greatest value that the streak had at any day ≤ r"
    case .best, .bestForgiving:
      var current = day
      while true {
        let ends = try windowEnds(id, subject, at: current, asksConsent: asksConsent)
        if ends.isEmpty { break }
        readings.append(
          try metric.reading.forgiveness.map {
            try stretch(ends, $0, id, subject, asksConsent: asksConsent)
          } ?? run(ends[...], id, subject, asksConsent: asksConsent))
        current = current.advanced(by: -1)
      }
    case .last, .halfLife: preconditionFailure("no streak")
    }
    return .int(Int128(readings.max() ?? 0))
  }

  // MARK: Momentum

  private func momentum(
    _ metric: WindowMetric, _ subject: ByteText, at day: DayKey, asksConsent: Bool
  ) throws -> ReferenceValue {
    let id = metric.completion
    // "`round₆(min(1, Σ wₖ·completeₖ))`" in billionths; "complete windows among windows 0…N-1".
    var strength: Int128 = 0
    var complete: Int128 = 0
    var index = 0
    for end in try windowEnds(id, subject, at: day, asksConsent: asksConsent) {
      var weight: Int128 = 0
      switch metric.reading {
      case .last(let windows): if index == windows { return .int(complete) }
      // "… up to the first wₖ that is 0"
      case .halfLife(let windows): weight = halfLifeWeight(index, windows: windows)
      default: preconditionFailure("no momentum")
      }
      if case .halfLife = metric.reading, weight == 0 { break }
      // "momentum looks at the last N windows that do exist"
      switch try state(id, subject, at: end, asksConsent: asksConsent) {
      case .rest: continue
      case .incomplete: break
      case .complete:
        complete += 1
        strength += weight
      }
      index += 1
    }
    if case .last = metric.reading { return .int(complete) }
    return try ReferenceNumber.decimal(ReferenceNumber.rounded(min(1_000_000_000, strength), over: 1000))
  }

  /// "wₖ = (1-m)·mᵏ rounded to 9 digits, m = 0.5^(1/N windows)", in billionths.
  func halfLifeWeight(_ index: Int, windows: Int) -> Int128 {
    let m = exp2(-1 / Double(windows))
    return Int128(((1 - m) * exp2(-Double(index) / Double(windows)) * 1e9).rounded())
  }

  // MARK: Completions as numbers

  func evaluate(_ aggregate: CompletionAggregate, _ scope: ReferenceScope) throws -> ReferenceValue {
    let id = aggregate.completion
    let subject = try subject(aggregate.root, scope)
    let window = completion(id).window
    let period = DaySpan(aggregate.period ?? .allTime, at: scope.day)
    let complete = try completeDays(id, subject, upTo: scope.day, asksConsent: scope.asksConsent)
    // "With a period: windows wholly inside it."
    let held = complete.filter { day in
      aggregate.period == nil || DaySpan(window: window, endingAt: day).isInside(period)
    }
    switch aggregate.function {
    // "the first / last day ≤ r on which c held"
    case .first: return held.min().map { .day($0) } ?? .none
    case .last: return held.max().map { .day($0) } ?? .none
    // "complete windows ending ≤ r; for rolling windows longer than a day the greatest such number over
    // the L ways to tile them"
    case .count:
      switch window {
      case .rolling(let days):
        let tilings = (0..<Int32(days)).map { offset in
          held.filter { (scope.day.number - $0.number - offset) % Int32(days) == 0 }.count
        }
        return .int(Int128(tilings.max() ?? 0))
      case .calendar(let unit): return .int(Int128(held.filter { unit.isLast($0) }.count))
      }
    }
  }

  /// The days ≤ r on which a completion is true; none lies before the first fact that it names.
  func completeDays(
    _ id: MetricID, _ subject: ByteText, upTo last: DayKey, asksConsent: Bool
  ) throws -> [DayKey] {
    guard
      let first = try factsNamed(
        by: completion(id).when, for: subject, in: id, asksConsent: asksConsent
      ).map(day).min(), first <= last
    else { return [] }
    return try (first.number...last.number).map { DayKey(number: $0) }.filter {
      try isComplete(id, subject, at: $0, asksConsent: asksConsent)
    }
  }
}
