/// Which metrics an expectation leads to: for whom, and at which days.
struct CoverageVisits {
  struct Visit: Hashable {
    var metric: MetricID
    /// Nil for all subjects.
    var subject: ByteKey?

    var name: String? { subject.map { String(decoding: $0.bytes, as: UTF8.self) } }
  }

  let library: Library
  /// No window before this day is examined: the first day of all facts.
  let firstDay: DayKey
  private(set) var days: [Visit: Set<DayKey>] = [:]
  /// Parts of metrics that were evaluated.
  private(set) var parts: [MetricID: Set<String>] = [:]

  /// More days than this are not examined, for tests whose facts lie ages apart.
  private static let mostDays = 400

  mutating func add(_ expectation: Expectation) {
    let metric = library.metrics[expectation.metric]
    let isWhole = metric.subject.entity == nil || metric.kind.countsSubjects
    visit(
      expectation.metric, isWhole ? nil : ByteKey(expectation.subject), [expectation.day],
      part: expectation.part)
  }

  private mutating func visit(_ id: MetricID, _ subject: ByteKey?, _ at: Set<DayKey>, part: String = "") {
    let metric = library.metrics[id]
    parts[metric.declared ?? id, default: []].insert(part)
    // A metric for `app` has the empty subject, and all subjects are asked with none.
    let visit = Visit(metric: id, subject: metric.subject.entity == nil ? nil : subject)
    let new = at.subtracting(days[visit] ?? [])
    guard !new.isEmpty else { return }
    days[visit, default: []].formUnion(new)
    for expression in metric.body.expressions {
      read(expression, metric.body.period ?? .allTime, visit, new)
    }
    for case .completion(let id) in metric.body.sources { self.visit(id, nil, everyDay(through: new)) }
    if case .level(let level) = metric.body {
      self.visit(level.metric, subject, new, part: level.part)
    } else if let completion = metric.body.base {
      let isBest = if case .windows(let windows) = metric.body { windows.reading.isBest } else { false }
      self.visit(completion, subject, isBest ? everyDay(through: new) : ends(completion, from: new))
    }
  }

  private mutating func read(_ expression: Expression, _ over: Period, _ visit: Visit, _ at: Set<DayKey>) {
    let parts = expression.parts
    for case .metric(let reference) in parts {
      let days = at.flatMap { day -> [DayKey] in
        guard let days = reference.days else {
          return [reference.offset.map { DayKey(number: $0.applied(to: day.number)) } ?? day]
        }
        let held = (days.period ?? over).days(at: day.number)
        let first = max(held.lowerBound, firstDay.number, held.upperBound - Int32(CoverageVisits.mostDays))
        return first > held.upperBound ? [] : (first...held.upperBound).map { DayKey(number: $0) }
      }
      self.visit(
        reference.metric, reference.root == .row ? nil : visit.subject, Set(days), part: reference.part)
    }
    for case .completions(let aggregate) in parts {
      self.visit(
        aggregate.completion, aggregate.root == .row ? nil : visit.subject, everyDay(through: at))
    }
    for case .subjects(let aggregate) in parts {
      for inner in aggregate.inner { read(inner, over, visit, at) }
    }
  }

  private func everyDay(through at: Set<DayKey>) -> Set<DayKey> {
    guard let last = at.max(), firstDay <= last else { return at }
    return at.union((max(firstDay, last.advanced(by: -CoverageVisits.mostDays))...last).days)
  }

  /// The last days of the windows from each of some days back.
  private func ends(_ completion: MetricID, from at: Set<DayKey>) -> Set<DayKey> {
    guard case .completion(let body) = library.metrics[completion].body else { return at }
    var found = at
    for day in at {
      var end = day.number
      for _ in 0..<CoverageVisits.mostDays where end >= firstDay.number {
        found.insert(DayKey(number: end))
        end = body.window.start(endingAt: end) - 1
      }
    }
    return found
  }
}
