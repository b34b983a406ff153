/// Which numbers are parts of a whole, so that people read them in percent.
extension Library {
  /// A rate, a fraction, or a quotient of two numbers of the same things that has no unit of its own: `dau / mau`,
  /// `least(days, 3) / 3`.
  package func isShare(_ role: PartRole, of metric: Metric) -> Bool {
    role.isShare || role == .value && metric.unit == nil && (metric.body.own.map(isShare) ?? false)
  }

  private func isShare(_ expression: Expression) -> Bool {
    switch expression {
    case .arithmetic(.divide, let part, let whole):
      isCut(part, at: whole) || things(part).map { $0 == things(whole) } ?? false
    case .conditional(_, let then, _): isShare(then)
    case .widened(let inner): isShare(inner)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .comparison, .membership, .isNone, .and, .or, .not, .function:
      false
    }
  }

  /// `least(days, 3)` at 3
  private func isCut(_ part: Expression, at whole: Expression) -> Bool {
    if case .widened(let inner) = part { return isCut(inner, at: whole) }
    guard case .function(.least, let operands) = part else { return false }
    return operands.contains { text(of: $0) == text(of: whole) }
  }

  /// What a number counts or adds up: a record, a field of one, or a metric's unit.
  private func things(_ expression: Expression) -> String? {
    switch expression {
    case .widened(let inner): things(inner)
    case .aggregate(let aggregate): things(aggregate)
    case .subjects(let aggregate) where aggregate.function == .count: records[aggregate.entity].name
    case .metric(let reference) where reference.part.isEmpty:
      metrics[reference.metric].unit ?? metrics[reference.metric].body.own.flatMap(things)
    case .literal, .field, .day, .metric, .completions, .subjects, .arithmetic, .negated, .comparison,
      .membership, .isNone, .and, .or, .not, .conditional, .function:
      nil
    }
  }

  private func things(_ aggregate: Aggregate) -> String? {
    let record = records[aggregate.record].name
    switch aggregate.function {
    case .count: return record
    case .sum, .distinct: return aggregate.argument.map { "\(record).\(text(of: $0))" }
    case .days: return "days"
    case .average, .min, .max, .percentile, .stddev, .first, .last, .contribution: return nil
    }
  }
}

extension Body {
  /// The expression of a value that stands for itself.
  fileprivate var own: Expression? {
    switch self {
    case .measure(let measure): measure.value
    case .progress(let progress): progress.value
    case .completion, .windows, .level, .funnel, .retention: nil
    }
  }
}
