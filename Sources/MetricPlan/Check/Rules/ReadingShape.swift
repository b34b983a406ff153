/// A reading is an honest number that may fall, such as a weight: one aggregate over what was observed, and
/// nothing rests on it (RDG-01, RDG-02).
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
      isObservation(left) && isObservation(right) || isSum(left) && isSum(right)
    case .arithmetic(.divide, let left, let right): isAmount(left) && isAmount(right)
    case let other: isObservation(other)
    }
  }

  private static func isObservation(_ expression: Expression) -> Bool {
    expression.withoutWidening.aggregate.map { !$0.function.isNeverNone && isOfField($0) } ?? false
  }

  /// Two sums differ by a balance; two counts would by a score.
  private static func isSum(_ expression: Expression) -> Bool {
    expression.withoutWidening.aggregate.map { $0.function == .sum && isOfField($0) } ?? false
  }

  private static func isOfField(_ aggregate: Aggregate) -> Bool {
    aggregate.argument?.withoutWidening.path?.type.isNumber ?? false
  }

  private static func isAmount(_ expression: Expression) -> Bool {
    expression.withoutWidening.aggregate.map { $0.function.isNeverNone && $0.function != .contribution }
      ?? false
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
