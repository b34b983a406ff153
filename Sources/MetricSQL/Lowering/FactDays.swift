/// Facts counted by day, which several metrics may share.
extension Translation {
  func factDaysKey(
    _ record: RecordID, _ route: Route, for metric: MetricID, filter: Expression?
  ) -> RelationKey {
    .factDays(
      record, route, library.consent(to: record, for: metric), filter: filter,
      entity: filter.flatMap { _ in library.metrics[metric].subject.entity })
  }

  /// `subject`, `day`, `n`: on which days a subject has facts of a record that pass a filter, and how many.
  func factDays(_ record: RecordID, _ route: Route, for metric: MetricID, filter: Expression?) -> String {
    let facts = facts(record, route, for: metric)
    let condition = filter.map { " where \(library.text(of: $0))" } ?? ""
    return relation(
      factDaysKey(record, route, for: metric, filter: filter), named: "\(facts)_by_day",
      "\(library.records[record].name)\(condition), counted by subject and day."
    ) {
      let (builder, scope) = rows(of: facts, record, for: metric)
      if let filter { builder.where(expression(filter, scope)) }
      return builder.grouped(
        ["n": .aggregate(.count, nil)], by: builder.columns(["subject"], ["day": scope.day ?? 0]))
    }
  }
}

extension Expression {
  /// The facts that all aggregates read, where an expression reads one kind of fact over one stretch and
  /// nothing else that is computed; `first`, `last`, `percentile` and `contribution` are computed apart.
  func onlyBatch(over stretch: Period) -> NamedValues.Batch? {
    var batches: Set<NamedValues.Batch> = []
    for part in parts {
      switch part {
      case .aggregate(let aggregate):
        if aggregate.needsOrder || aggregate.function == .contribution { return nil }
        batches.insert(NamedValues.Batch(aggregate, over: stretch))
      case .metric, .completions, .subjects: return nil
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    return batches.count == 1 ? batches.first : nil
  }

  /// Whether a condition cannot hold where its aggregates read no fact.
  var needsFact: Bool {
    switch self {
    case .and(let left, let right): left.needsFact || right.needsFact
    case .or(let left, let right): left.needsFact && right.needsFact
    case .comparison(let comparison, let left, let right):
      switch (left.ofNothing, right.ofNothing) {
      case (.missing, _), (_, .missing): true
      case (.number(let left), .number(let right)): !comparison.holds(left, right)
      case (.unknown, _), (_, .unknown): false
      }
    case .literal, .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .negated,
      .membership, .isNone, .not, .conditional, .function, .widened:
      false
    }
  }

  private enum ValueOfNothing {
    case missing, unknown
    case number(Int64)
  }

  /// The value where aggregates read no fact, in millionths if it is a Decimal.
  private var ofNothing: ValueOfNothing {
    switch self {
    case .literal(.int(let value)): .number(value)
    case .literal(.decimal(let value)): .number(value.millionths)
    case .aggregate(let aggregate): aggregate.function.isNeverNone ? .number(0) : .missing
    case .widened(let inner):
      if case .number(let value) = inner.ofNothing {
        value.multipliedReportingOverflow(by: 1_000_000).overflow ? .unknown : .number(value * 1_000_000)
      } else {
        inner.ofNothing
      }
    case .literal, .field, .day, .metric, .completions, .subjects, .arithmetic, .negated, .comparison,
      .membership, .isNone, .and, .or, .not, .conditional, .function:
      .unknown
    }
  }
}
