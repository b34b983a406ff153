/// What a number is, for those who put several together.
extension Library {
  /// Whether a metric, or one that it reads, has a number of a calendar month, quarter or year.
  package func isOfMonths(_ id: MetricID) -> Bool {
    func isOfMonths(_ period: Period?) -> Bool {
      switch period {
      case .calendar(.months), .previous(.months): true
      case .calendar, .previous, .lastDays, .allTime, nil: false
      }
    }
    let metric = metrics[id]
    let own =
      switch metric.body {
      case .completion(let completion): if case .calendar(.months) = completion.window { true } else { false }
      case .progress(let progress): isOfMonths(progress.over)
      case .measure(let measure): isOfMonths(measure.over)
      case .funnel(let funnel): isOfMonths(funnel.over)
      case .retention(let retention): isOfMonths(retention.over)
      case .windows, .level: false
      }
    let periods = metric.body.parts.map { part -> Period? in
      switch part {
      case .aggregate(let aggregate): aggregate.period
      case .completions(let aggregate): aggregate.period
      default: nil
      }
    }
    return own || periods.contains(where: isOfMonths) || reads(metric).contains(where: self.isOfMonths)
  }
}

extension Metric {
  /// Whether the values of a part for several groups or subjects add up to that of all of them together: each fact, and
  /// each counted subject, is in one group, but not each different value.
  package func addsUp(_ part: PartRole) -> Bool {
    guard nearest == nil else { return false }
    return switch (body, part) {
    case (.measure(let measure), .value): measure.value.addsUp
    case (.progress(let progress), .value): progress.value.addsUp
    case (.funnel, .step), (.funnel, .anySteps), (.retention, .eligible), (.retention, .returned): true
    default: false
    }
  }
}

extension Expression {
  fileprivate var addsUp: Bool {
    switch self {
    case .aggregate(let aggregate): aggregate.function.addsOverParts
    case .subjects(let aggregate): aggregate.function.addsOverParts
    case .completions(let aggregate): aggregate.function == .count
    case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right):
      left.addsUp && right.addsUp
    case .arithmetic(.multiply, let left, let right):
      left.isLiteral && right.addsUp || left.addsUp && right.isLiteral
    case .arithmetic(.divide, let left, let right): left.addsUp && right.isLiteral
    case .negated(let operand), .widened(let operand): operand.addsUp
    default: false
    }
  }

  private var isLiteral: Bool {
    switch self {
    case .literal: true
    case .negated(let operand), .widened(let operand): operand.isLiteral
    default: false
    }
  }
}

extension AggregateFunction {
  /// Whether its value for two sets of facts without a common one is the sum of those for each.
  fileprivate var addsOverParts: Bool { self == .count || self == .sum || self == .contribution }
}
