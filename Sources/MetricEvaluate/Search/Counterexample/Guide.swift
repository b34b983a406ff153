/// What leads a search: the goals of a metric, and the values by which the way to them is measured.
struct Guide {
  /// The library with one measure more for each value that is examined.
  private(set) var library: Library
  private var probes: [MetricID] = []
  private let goals: [GoalFinder.Goal]
  /// By goal: the places in the list of values that decide its conditions.
  private var places: [[Int]] = []
  private var known: [Expression: Int] = [:]
  private let subject: RecordID
  /// Whole numbers by which the expressions multiply.
  private let factors: [Int64]
  /// Whether a goal is about the window before.
  let looksBack: Bool
  let over: Period

  var goalCount: Int { goals.count }

  func probes(of goals: [Int]) -> [MetricID] { Set(goals.flatMap { places[$0] }).sorted().map { probes[$0] } }

  /// Goals about some expressions, whose aggregates look at `over` where they have no period of their own.
  init(
    library: Library, subject: RecordID, goals: [GoalFinder.Goal], of roots: [Expression], over: Period
  ) {
    self.library = library
    (self.subject, self.goals, self.over) = (subject, goals, over)
    let multiplied = roots.flatMap(\.parts).flatMap { part -> [Int64] in
      guard case .arithmetic(.multiply, let left, let right) = part else { return [] }
      return [left, right].compactMap {
        if case .literal(let literal) = $0.withoutWidening { literal.whole } else { nil }
      }
    }
    factors = Set(multiplied.filter { abs($0) > 1 }).sorted()
    looksBack = goals.joined().contains(where: \.isEarlier)
    for goal in goals { places.append(goal.flatMap(\.condition.deciding).map { probe($0) }) }
  }

  private mutating func probe(_ expression: Expression) -> Int {
    if let place = known[expression] { return place }
    let place = probes.count
    known[expression] = place
    probes.append(library.metrics.count)
    library.metrics.append(
      Metric(
        name: "probe \(place)", subject: Subject(entity: subject), audience: .user,
        body: .measure(Measure(value: expression, over: over)),
        parts: [Part(.value, type: expression.type)], span: library.records[subject].span))
    return place
  }

  func values(in rows: [ResultRow], of subject: String, at day: DayKey) -> [Value] {
    var values = [Value](repeating: .none, count: probes.count)
    for row in rows where row.subject == subject && row.at == day && row.metric.hasPrefix("probe ") {
      if let place = Int(row.metric.dropFirst(6)) { values[place] = row.value }
    }
    return values
  }

  func distance(to goal: Int, now: [Value], before: [Value]) -> Double {
    let distance = goals[goal].reduce(0) {
      $0 + $1.condition.distance(to: $1.wanted, lookUp(in: $1.isEarlier ? before : now))
    }
    // The last condition is the one that is to turn.
    guard let last = goals[goal].last else { return distance }
    return distance + Guide.reach * last.condition.gap(lookUp(in: last.isEarlier ? before : now))
  }

  private func lookUp(in values: [Value]) -> (Expression) -> Value {
    { known[$0].map { values[$0] } ?? .none }
  }

  /// Below this distance a goal is reached; what is left says how far the compared numbers are apart, since
  /// the next fact turns what is on the edge.
  static let reach = 0.2

  /// Numbers that may bring a goal nearer, in millionths: what its conditions compare, and by how much they miss.
  func numbers(for goal: Int, _ values: [Value]) -> [Int64] {
    var gaps = goals[goal].flatMap { $0.condition.gaps(lookUp(in: values)) }
    // Where a number is multiplied it moves its side by more than it moves itself.
    gaps += gaps.flatMap { gap in factors.map { gap / $0 } }
    return places[goal].compactMap { values[$0].millionths } + gaps.flatMap { [$0, -$0] }
  }
}

extension Guide {
  /// The goals of a metric for a subject; nil if there is nothing to lead by.
  init?(library: Library, metric id: MetricID) {
    let metric = library.metrics[id]
    guard let subject = metric.subject.entity else { return nil }
    func guide(_ roots: [Expression], _ over: Period, besides: GoalFinder.Goal = []) -> Guide {
      let goals = roots.flatMap { GoalFinder($0, besides: besides).goals }
      return Guide(library: library, subject: subject, goals: goals, of: roots, over: over)
    }
    switch metric.body {
    case .completion(let completion):
      self = guide(
        [completion.when], completion.window.period,
        besides: [Requirement(condition: Guide.complete(id), wanted: .isTrue)])
    case .measure(let measure): self = guide(metric.body.expressions, measure.over)
    // As days pass a window need not rest to be lost.
    case .level(let level):
      self.init(library: library, metric: library.metrics[level.metric].body.base ?? level.metric)
    // A window that rests, after one that is complete; or one that is complete.
    case .windows(let windows):
      guard case .completion(let completion) = library.metrics[windows.completion].body else { return nil }
      // A window without presence is not complete, whatever `when` says.
      let condition = Expression.and(completion.when, Guide.complete(windows.completion))
      let complete = Requirement(condition: condition, wanted: .isTrue, isEarlier: true)
      let open = Requirement(condition: condition, wanted: .notTrue)
      self = guide(
        [completion.rest ?? completion.when], completion.window.period,
        besides: completion.rest == nil ? [] : [complete, open])
    case .funnel, .retention: return nil
    }
  }

  /// Whether the window that ends on the day is complete.
  static func complete(_ completion: MetricID) -> Expression {
    .metric(MetricReference(root: .subject, metric: completion, part: "", type: .bool))
  }
}
