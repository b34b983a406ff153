/// What leads a search: the goals of a metric, and the values by which the way to them is measured.
struct Guide {
  /// One requirement of a goal, over places in the list of values.
  private struct Step {
    var distance: ConditionDistance
    var wanted: ConditionOutcome
    var isEarlier: Bool
  }

  /// The library with one measure more for each value that is examined.
  private(set) var library: Library
  private var probes: [MetricID] = []
  private var goals: [[Step]] = []
  /// By goal: the places whose values its comparisons meet.
  private var places: [[Int]] = []
  private var known: [Expression: Int] = [:]
  private let subject: RecordID
  /// Whole numbers by which the expressions multiply.
  private var factors: [Int64] = []
  /// Whether a goal is about the window before.
  private(set) var looksBack = false
  let over: Period

  var goalCount: Int { goals.count }

  /// The measures that some goals look at.
  func probes(of goals: [Int]) -> [MetricID] { Set(goals.flatMap { places[$0] }).sorted().map { probes[$0] } }

  /// - Parameters:
  ///   - roots: the expressions that may fall.
  ///   - over: the period of aggregates without their own.
  init(
    library: Library, subject: RecordID, roots: [Expression], over: Period, besides: GoalFinder.Goal = []
  ) {
    self.library = library
    self.subject = subject
    self.over = over
    factors = Guide.factors(in: roots)
    for goal in roots.flatMap({ GoalFinder($0, besides: besides).goals }) { add(goal) }
  }

  /// The way to a condition: one goal, which is that it holds.
  init(library: Library, subject: RecordID, to condition: Expression, over: Period) {
    self.init(library: library, subject: subject, roots: [], over: over)
    factors = Guide.factors(in: [condition])
    add([Requirement(condition: condition, wanted: .isTrue)])
  }

  private mutating func add(_ goal: GoalFinder.Goal) {
    var found: [Int] = []
    let steps = goal.map { requirement in
      Step(
        distance: ConditionDistance(requirement.condition) { expression in
          let place = probe(expression)
          found.append(place)
          return place
        }, wanted: requirement.wanted, isEarlier: requirement.isEarlier)
    }
    goals.append(steps)
    places.append(found)
    if steps.contains(where: \.isEarlier) { looksBack = true }
  }

  /// Whole numbers that are written as factors.
  private static func factors(in roots: [Expression]) -> [Int64] {
    var factors: Set<Int64> = []
    for root in roots {
      root.visit { part in
        guard case .arithmetic(.multiply, let left, let right) = part else { return }
        for case .literal(let literal) in [left, right].map(\.withoutWidening) {
          guard let number = literal.whole, abs(number) > 1 else { continue }
          factors.insert(number)
        }
      }
    }
    return factors.sorted()
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

  /// The values of the probes for one subject on one day.
  func values(in rows: [ResultRow], of subject: String, at day: DayKey) -> [Value] {
    var values = [Value](repeating: .none, count: probes.count)
    for row in rows where row.subject == subject && row.at == day && row.metric.hasPrefix("probe ") {
      if let place = Int(row.metric.dropFirst(6)) { values[place] = row.value }
    }
    return values
  }

  func distance(to goal: Int, now: [Value], before: [Value]) -> Double {
    let distance = goals[goal].reduce(0) { $0 + $1.distance.from($1.wanted, $1.isEarlier ? before : now) }
    // The last condition is the one that is to turn.
    guard let last = goals[goal].last else { return distance }
    return distance + Guide.reach * last.distance.gap(last.isEarlier ? before : now)
  }

  /// Below this distance a goal is reached; what is left says how far the compared numbers are apart, since
  /// the next fact turns what is on the edge.
  static let reach = 0.2

  /// Numbers that may bring a goal nearer, in millionths: what its conditions compare, and by how much
  /// the two sides miss each other.
  func numbers(for goal: Int, _ values: [Value]) -> [Int64] {
    var gaps = goals[goal].flatMap { $0.distance.gaps(values) }
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
      Guide(library: library, subject: subject, roots: roots, over: over, besides: besides)
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
