import MetricDiagnostics
import MetricValues

@testable import MetricPlan

/// Metrics over random expressions: what is read of a completion, levels, hidden and rounded measures, fractions.
struct RandomMetrics {
  /// As `compare.ml` reads it, and what the checker says of it.
  struct Case {
    var text: String
    var behaviour: Behaviour
  }

  private static let here = Span(file: 0, start: 0, end: 0)

  static func next(_ expressions: inout RandomExpressions) -> Case {
    switch expressions.below(5) {
    case 0: level(&expressions)
    case 1: measure(&expressions)
    case 2: fraction(&expressions)
    default: completion(&expressions)
    }
  }

  /// The analysis of a library with these metrics, of which each may read those before it.
  private static func analysis(_ bodies: [Body], nearest: FixedDecimal? = nil) -> DirectionAnalysis {
    let metrics = bodies.enumerated().map { place, body in
      var metric = Metric(
        name: "m\(place)", subject: Subject(entity: nil), audience: .team, body: body,
        parts: [Part(.value, type: .decimal)], span: here)
      metric.nearest = nearest
      return metric
    }
    return DirectionAnalysis(
      library: Library(records: RandomExpressions.library.records, metrics: metrics, tests: []))
  }

  private static func behaviour(_ bodies: [Body], part: Int = 0, nearest: FixedDecimal? = nil) -> Behaviour {
    analysis(bodies, nearest: nearest).behaviours(of: MetricID(bodies.count - 1))[part]
  }

  private static func measure(of value: Expression, atLeast: Int? = nil) -> Body {
    .measure(Measure(value: value, over: .allTime, grouping: [], atLeast: atLeast))
  }

  // MARK: Of a number

  private static func level(_ expressions: inout RandomExpressions) -> Case {
    let value = expressions.nextNumber()
    let first = Int64(expressions.below(9)) - 2
    let thresholds = (0..<Int64(1 + expressions.below(3))).map {
      FixedDecimal(millionths: (first + 2 * $0) * FixedDecimal.scale / 2)
    }
    let level = Body.level(Level(metric: MetricID(0), part: "", thresholds: thresholds))
    let list = thresholds.map { " \($0.millionths)" }.joined()
    return Case(
      text: "(level (members\(list)) \(Bridge.text(value)))",
      behaviour: behaviour([measure(of: value), level]))
  }

  private static func measure(_ expressions: inout RandomExpressions) -> Case {
    let value = expressions.nextNumber()
    if expressions.below(3) == 0 {
      return Case(
        text: "(hidden \(Bridge.text(value)))", behaviour: behaviour([measure(of: value, atLeast: 3)]))
    }
    let step = FixedDecimal(millionths: Int64(1 + expressions.below(20)) * FixedDecimal.scale / 2)
    return Case(
      text: "(nearest \(step.millionths) \(Bridge.text(value)))",
      behaviour: behaviour([measure(of: value)], nearest: step))
  }

  private static func fraction(_ expressions: inout RandomExpressions) -> Case {
    let (value, target) = expressions.nextPair()
    var progress = Measure(value: value, over: .allTime)
    (progress.isProgress, progress.target) = (true, target)
    return Case(
      text: "(fraction \(target.type == .int) \(Bridge.text(value)) \(Bridge.text(target)))",
      behaviour: behaviour([.measure(progress)], part: 2))
  }

  // MARK: Of a completion

  /// Presence says something of one record alone, so there are at least two.
  private static func completion(_ expressions: inout RandomExpressions) -> Case {
    var when = expressions.nextTruth()
    while Set(aggregates(when).map(\.record)).count < 2 { when = expressions.nextTruth() }
    let window: Window = [.rolling(days: 1), .rolling(days: 7), .calendar(.month)][expressions.below(3)]
    // A window that lasts by its `when` may end by its limit; nothing else is known from a limit.
    let limit = expressions.below(4) == 0 ? Limit(condition: expressions.nextTruth(), reason: "why") : nil
    let body = Body.completion(Completion(window: window, when: when, limit: limit, rest: nil))
    let lasts = limit == nil && aggregates(when).contains { ($0.period ?? window.period) == .allTime }
    let (kind, found) = reading(of: body, window, expressions.below(16))
    return Case(
      text: "(of_completion \(kind) \(lasts) \(Bridge.text(when, over: window.period)))", behaviour: found)
  }

  private static func aggregates(_ expression: Expression) -> [Aggregate] {
    expression.parts.compactMap { part in
      if case .aggregate(let aggregate) = part { aggregate } else { nil }
    }
  }

  private static func reading(of completion: Body, _ window: Window, _ choice: Int) -> (String, Behaviour) {
    func windows(_ reading: WindowReading, part: Int = 0) -> Behaviour {
      let metric = WindowMetric(completion: MetricID(0), reading: reading)
      return behaviour([completion, .windows(metric)], part: part)
    }
    let forgiveness = Forgiveness(open: 2, in: 9)
    func days(_ function: CompletionFunction, _ period: Period?) -> Behaviour {
      let aggregate = CompletionAggregate(
        function: function, root: .subject, completion: MetricID(0), period: period)
      return analysis([completion]).completions(aggregate)
    }
    let (one, limit) = (Values.one, Values.limit)
    let most: Int64 =
      switch window {
      case .rolling(let length): 100 / Int64(length)
      case .calendar: 100 / 28
      }
    switch choice {
    case 0: return ("held", behaviour([completion]))
    case 1: return ("current", windows(.current))
    case 2: return ("current", windows(.grace(windows: 2)))
    case 3: return ("best", windows(.best))
    case 4: return ("previous", windows(.previous))
    case 5: return ("(read \(9 * one))", windows(.last(windows: 9)))
    case 6: return ("(read \(one))", windows(.halfLife(windows: 9)))
    case 7: return ("(counted \(limit) true)", days(.count, nil))
    case 8: return ("(counted \(most * one) false)", days(.count, .lastDays(100)))
    case 9: return ("(first true)", days(.first, nil))
    case 10: return ("(first false)", days(.first, .lastDays(100)))
    case 11: return ("(last true)", days(.last, nil))
    case 12: return ("(last false)", days(.last, .lastDays(100)))
    case 13: return ("current", windows(.forgiving(forgiveness)))
    case 14: return ("best", windows(.bestForgiving(forgiveness)))
    default: return ("(read \(2 * one))", windows(.forgiving(forgiveness), part: 1))
    }
  }
}
