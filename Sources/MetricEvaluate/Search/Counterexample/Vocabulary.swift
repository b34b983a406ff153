/// The literals that a metric compares with, also in what it reads: around them lies what makes it move.
struct Vocabulary {
  private(set) var numbers: Set<Int64> = []
  private(set) var texts: Set<String> = []
  private(set) var days: Set<DayKey> = []
  /// Whole numbers that may be counts.
  private(set) var counts: Set<Int> = []
  /// The aggregates over facts that anything of the metric rests on.
  private(set) var aggregates: [Aggregate] = []
  /// Lengths of windows, periods and offsets, in days: facts this far back are about to leave one.
  private(set) var spans: Set<Int> = []
  /// Whether a window or period is a calendar month.
  private(set) var countsMonths = false
  /// Whether anything aggregates subjects, so that several of them matter.
  private(set) var countsSubjects = false
  /// Of a long list a few members lead a search as well as all of them.
  static let mostMembers = 16
  private let library: Library
  private var seen: Set<MetricID> = []

  init(library: Library, metric: MetricID) {
    self.library = library
    add(metric)
  }

  private mutating func add(_ id: MetricID) {
    guard seen.insert(id).inserted else { return }
    let metric = library.metrics[id]
    if let condition = metric.subject.condition { add(condition) }
    for expression in metric.body.expressions { add(expression) }
    for case .fact(let record, let route, let filter) in metric.body.sources {
      add(.aggregate(Aggregate(.count, of: record, route, where: filter, over: .allTime)))
    }
    for length in metric.body.lengths { add(.int(Int64(length))) }
    if let period = metric.body.period { add(period) }
    if let base = metric.body.base { add(base) }
    if case .level(let level) = metric.body { for threshold in level.thresholds { add(.decimal(threshold)) } }
  }

  private mutating func add(_ period: Period) {
    switch period {
    case .lastDays(let days): spans.insert(days)
    case .calendar(let unit), .previous(let unit):
      spans.insert(unit.mostDays)
      if case .months = unit { countsMonths = true }
    case .allTime: break
    }
  }

  /// What it contains first, then the metrics that it reads, then its own aggregates: the search draws from them in order.
  private mutating func add(_ expression: Expression) {
    let parts = expression.parts
    for part in parts {
      switch part {
      case .literal(let literal): add(literal)
      case .membership(_, let members, _):
        for member in members.spread(Vocabulary.mostMembers) { add(member) }
      case .aggregate(let aggregate): for inner in aggregate.inner { add(inner) }
      case .subjects(let aggregate):
        countsSubjects = true
        for inner in aggregate.inner { add(inner) }
      case .field(let path): if let computed = library[path.field].computed { add(computed) }
      case .day, .metric, .completions, .arithmetic, .negated, .comparison, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    for part in parts {
      if case .completions(let aggregate) = part { add(aggregate.completion) }
      guard case .metric(let reference) = part else { continue }
      add(reference.metric)
      if let period = reference.days?.period { add(period) }
      switch reference.offset {
      case .days(let days): spans.insert(days)
      case .months(let months): spans.insert(31 * months)
      case nil: break
      }
    }
    for case .aggregate(let aggregate) in parts {
      if let period = aggregate.period { add(period) }
      if !aggregates.contains(aggregate) { aggregates.append(aggregate) }
    }
  }

  private mutating func add(_ literal: Literal) {
    switch literal {
    case .int, .decimal:
      if let number = literal.inMillionths { numbers.insert(number) }
      if let whole = literal.whole, (1...120).contains(whole) { counts.insert(Int(whole)) }
    case .text(let text): texts.insert(text)
    case .day(let day): days.insert(day)
    case .none, .bool: break
    }
  }
}

extension Array {
  /// At most this many elements, starting with the first, evenly spread.
  func spread(_ most: Int) -> [Element] {
    count <= most ? self : (0..<most).map { self[$0 * count / most] }
  }
}
