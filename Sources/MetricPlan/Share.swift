/// Which numbers are parts of a whole, so that people read them in percent.
extension Library {
  /// A rate, a fraction, or a quotient of two numbers of the same things that has no unit of its own: `dau / mau`,
  /// `f.paid / f.opened`, `least(days, 3) / 3`; and what such a quotient leaves of 1.
  package func isShare(_ role: PartRole, of metric: Metric) -> Bool {
    role.isShare
      || role == .value && metric.unit == nil && (metric.body.shownExpression.map(isShare) ?? false)
  }

  private func isShare(_ expression: Expression) -> Bool {
    switch expression {
    case .arithmetic(.divide, let part, let whole):
      isCut(part, at: whole) || !things(part).isDisjoint(with: things(whole))
    case .arithmetic(.subtract, let one, let share): text(of: one) == "1" && isShare(share)
    case .conditional(_, let then, _): isShare(then)
    case .widened(let inner): isShare(inner)
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .comparison, .membership, .isNone, .and, .or, .not, .function:
      false
    }
  }

  /// `least(days, 3)` at 3
  private func isCut(_ part: Expression, at whole: Expression) -> Bool {
    guard case .function(.least, let operands) = part.withoutWidening else { return false }
    return operands.contains { text(of: $0) == text(of: whole) }
  }

  /// What a number counts or adds up: a record, a field of one, who goes through a funnel, or a metric's unit.
  private func things(_ expression: Expression) -> Set<String> {
    switch expression {
    case .widened(let inner): return things(inner)
    case .aggregate(let aggregate): return Set(things(aggregate).map { [$0] } ?? [])
    case .subjects(let aggregate) where aggregate.function == .count:
      return [records[aggregate.entity].name]
    case .metric(let reference):
      let metric = metrics[reference.metric]
      guard reference.part.isEmpty else {
        let role = metric.parts.first { $0.name == reference.part }?.role
        if case .step = role { return ["steps of \(metric.name)"] }
        return []
      }
      return (metric.body.shownExpression.map(things) ?? []).union(metric.unit.map { [$0] } ?? [])
    case .literal, .field, .day, .completions, .subjects, .arithmetic, .negated, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function:
      return []
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
  var shownExpression: Expression? { over == nil ? nil : expressions.first }
}
