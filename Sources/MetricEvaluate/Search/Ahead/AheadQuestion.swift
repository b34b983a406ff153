/// What there is to keep or to reach of a number today.
package struct AheadQuestion {
  let library: Library
  let metric: MetricID
  let subject: String
  let day: DayKey
  private let session: EvaluationSession

  /// Whether a metric is one whose windows, target or thresholds additions of a day can reach.
  package static func takes(_ metric: Metric, in library: Library) -> Bool {
    switch metric.body {
    case .completion, .windows: true
    case .measure(let measure): measure.isProgress
    case .level: !metric.isOfMany(library) && library.grouping(of: metric).isEmpty
    case .funnel, .retention: false
    }
  }

  /// What is ahead of a metric for a subject that some record names.
  ///
  /// - Parameter tables: by record name, live records with the columns that the metric reads.
  package static func answer(
    _ metric: MetricID, for subject: String, on day: DayKey, library: Library, tables: [String: Table],
    pool: StringPool
  ) throws(EvaluationError) -> Ahead {
    let session = EvaluationSession(library: library, metrics: [metric], tables: tables, pool: pool)
    let question = AheadQuestion(
      library: library, metric: metric, subject: subject, day: day, session: session)
    let plan = library.metrics[metric]
    let window = library.windows(behind: metric)?.window
    let counted = window?.period ?? library.metrics[library.completion(behind: metric)].body.over
    var ahead = Ahead(
      metric: plan.name, metricKind: plan.kind, subject: subject, at: day, unit: library.unit(of: metric),
      value: try question.value(), kept: .none, measured: .none, isKept: true, window: window?.asWritten,
      by: counted.flatMap { $0.lastDay(of: day) })
    // Who has no row has nothing ahead; a progress may have no value yet.
    if ahead.value == .none, plan.kind != .progress {
      ahead.isKept = false
      return ahead
    }
    guard let goal = try question.set(&ahead) else { return ahead }
    let guide = plan.subject.entity.flatMap { entity in
      question.condition(ahead).map { condition, over in
        Guide(
          library: library, subject: entity, goals: [[Requirement(condition: condition, wanted: .isTrue)]],
          of: [condition], over: over)
      }
    }
    let search = AheadSearch(question, led: guide, tables: tables, pool: pool)
    let (now, kept, next) = (ahead.value, ahead.kept, ahead.next)
    let found = search.additions { value in
      switch goal {
      case .complete: value == .bool(true)
      case .keep: !value.isBelow(kept)
      case .raise, .threshold: now.isBelow(value)
      case .target: next.map { !value.isBelow(.decimal($0).alike(value)) } ?? false
      }
    }
    ahead.step = found.map {
      Ahead.Step(goal: goal, additions: search.described($0.rows), value: $0.value, rows: $0.rows)
    }
    return ahead
  }

  private func value(
    of metric: MetricID? = nil, part: String = "", on day: DayKey? = nil
  ) throws(EvaluationError) -> Value {
    try session.rows(of: metric ?? self.metric, subject: subject, days: [day ?? self.day])
      .first { $0.part == part }?.value ?? .none
  }

  /// Completes what is known of a number; nil if nothing is to be added.
  private func set(_ ahead: inout Ahead) throws(EvaluationError) -> Ahead.Step.Goal? {
    switch library.metrics[metric].body {
    case .completion:
      ahead.isKept = ahead.value == .bool(true)
      return ahead.isKept ? nil : .complete
    case .windows(let windows):
      if let window = library.windows(behind: metric)?.window { try keep(before: window.period, &ahead) }
      if library.metrics[metric].parts.contains(where: { $0.role == .left }), windows.reading.isRunning {
        ahead.left = try value(part: PartRole.left.name).whole
      }
    case .measure(let measure):
      guard measure.isProgress else { return nil }
      if measure.target != nil, let target = try value(part: PartRole.target.name).millionths {
        let next = FixedDecimal(millionths: target)
        ahead.next = next
        ahead.isKept = !ahead.value.isBelow(.decimal(next).alike(ahead.value))
        return ahead.isKept ? nil : .target
      }
      if case .lastDays = measure.over { try keep(before: .lastDays(1), &ahead) }
    case .level(let level):
      ahead.measured = try value(of: level.metric, part: level.part)
      ahead.next = level.thresholds.dropFirst(ahead.value.whole ?? 0).first
      return ahead.next == nil ? nil : .threshold
    case .funnel, .retention: return nil
    }
    return ahead.isKept ? .raise : .keep
  }

  private func keep(before period: Period, _ ahead: inout Ahead) throws(EvaluationError) {
    let before = DayKey(number: period.days(at: day.number).lowerBound - 1)
    if DayKey.all.contains(before) { ahead.kept = try value(on: before) }
    ahead.isKept = !ahead.value.isBelow(ahead.kept)
  }

  /// What has to hold, which leads the search.
  private func condition(_ ahead: Ahead) -> (Expression, Period)? {
    if let completion = library.windows(behind: metric) {
      let id = library.completion(behind: metric)
      return (.and(completion.holds, Guide.complete(id)), completion.window.period)
    }
    func atLeast(_ value: Expression, _ number: FixedDecimal?) -> Expression? {
      number.map { .comparison(.greaterOrEqual, value, .literal(.decimal($0))) }
    }
    switch library.metrics[metric].body {
    case .measure(let progress):
      let kept = ahead.isKept ? nil : ahead.kept.millionths.map(FixedDecimal.init)
      let now = FixedDecimal(millionths: ahead.value.millionths ?? 0)
      return (
        atLeast(progress.value, ahead.next ?? kept)
          ?? .comparison(.greater, progress.value, .literal(.decimal(now))), progress.over
      )
    case .level(let level):
      let base = library.metrics[level.metric].body
      let measured = level.part.isEmpty ? base.expressions.first : nil
      return atLeast(measured ?? level.number, ahead.next).map { ($0, base.over ?? .allTime) }
    case .completion, .windows, .funnel, .retention: return nil
    }
  }
}

extension Library {
  /// The completion that a metric is, or rests on.
  func completion(behind metric: MetricID) -> MetricID {
    metrics[metric].body.base.map(completion) ?? metric
  }

  /// What a metric by whose windows alone its numbers move makes a window complete by; nil for any other.
  func windows(behind metric: MetricID) -> Completion? {
    if case .completion(let completion) = metrics[completion(behind: metric)].body { completion } else { nil }
  }

  /// A level's numbers are those of what it rests on.
  fileprivate func unit(of metric: MetricID) -> String? {
    metrics[metric].unit ?? (metrics[metric].kind == .level ? metrics[metric].body.base.flatMap(unit) : nil)
  }
}

extension Period {
  /// The last day on which a fact counts with those of a day; nil without an end.
  fileprivate func lastDay(of day: DayKey) -> DayKey? {
    switch self {
    case .lastDays, .previous: day
    case .calendar(let unit): DayKey(number: unit.days(holding: day.number).upperBound)
    case .allTime: nil
    }
  }
}

extension Value {
  fileprivate var whole: Int? { if case .int(let value) = self { Int(value) } else { nil } }

  /// The same number in the type of another, so that they can be compared; an Int not below it.
  fileprivate func alike(_ other: Value) -> Value {
    guard case .int = other, let number = millionths else { return self }
    return .int(-FixedDecimal.floor(-number))
  }
}
