/// A reading, such as a weight, may fall: it is what was observed, and nothing rests on it (RDG-01, RDG-02).
enum ReadingShape: MetricRule {
  static let page = Page.checklist("C410")

  static func findings(of metric: Metric, _: MetricID, in scope: CheckScope) -> [Diagnostic] {
    [shape(metric)].compactMap { $0 } + readers(metric, scope.library)
  }

  private static func shape(_ metric: Metric) -> Diagnostic? {
    guard metric.readingReason != nil, case .measure(let measure) = metric.body else { return nil }
    guard metric.audience == .user else {
      return metric.error(
        page.code, "`\(metric.name)` is for the team; only a number for the user can be a reading",
        at: "reading", notes: ["leave `reading` out"])
    }
    guard !isReading(measure.value) else { return nil }
    return metric.error(
      page.code,
      "`\(metric.name)` is a reading but not an aggregate of observations, nor a difference or quotient of two",
      at: "value", "reading",
      notes: [
        "a reading is one `last`, `first`, `min`, `max`, `average` or `percentile` of a fact's field, the difference of two of these or of two sums, or the quotient of two counts or sums"
      ])
  }

  private static func isReading(_ expression: Expression) -> Bool {
    switch expression.withoutWidening {
    case .arithmetic(.subtract, let left, let right):
      // Two sums differ by a balance; two counts would by a score.
      areAggregates([left, right], where: isObservation)
        || areAggregates([left, right], where: { $0.function == .sum && isOfField($0) })
    case .arithmetic(.divide, let left, let right):
      areAggregates([left, right], where: { $0.function.isNeverNone && $0.function != .contribution })
    case let other: areAggregates([other], where: isObservation)
    }
  }

  private static func areAggregates(_ operands: [Expression], where holds: (Aggregate) -> Bool) -> Bool {
    operands.compactMap(\.withoutWidening.aggregate).filter(holds).count == operands.count
  }

  private static func isObservation(_ aggregate: Aggregate) -> Bool {
    !aggregate.function.isNeverNone && isOfField(aggregate)
  }

  private static func isOfField(_ aggregate: Aggregate) -> Bool {
    aggregate.argument?.withoutWidening.path?.type.isNumber ?? false
  }

  private static func readers(_ metric: Metric, _ library: Library) -> [Diagnostic] {
    guard metric.audience == .user else { return [] }
    return library.metricsRead(by: metric).filter { $0.readingReason != nil }.map { read in
      metric.error(
        page.code, "`\(metric.name)` rests on `\(read.name)`, a reading that may fall",
        notes: [
          Note("`\(read.name)` is declared here", at: .source(read.span)),
          "show the reading as it is, and count what was done beside it",
        ])
    }
  }
}
