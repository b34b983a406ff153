/// What a number is, for those who put several together.
extension Library {
  /// Whether a metric, or one that it reads, has a number of a calendar month, quarter or year.
  package func isOfMonths(_ id: MetricID) -> Bool {
    DataNeeds(library: self, metrics: [id]).reads.keys.contains { read in
      let body = metrics[read].body
      return ([body.period] + body.parts.map(\.ownPeriod)).contains { period in
        switch period {
        case .calendar(.months), .previous(.months): true
        case .calendar, .previous, .lastDays, .allTime, nil: false
        }
      }
    }
  }
}

extension Metric {
  /// Whether the values of a part for several groups or subjects add up to that of all of them together: each fact, and
  /// each counted subject, is in one group, but not each different value.
  package func addsUp(_ part: PartRole) -> Bool {
    guard nearest == nil else { return false }
    switch part {
    case .step, .anySteps, .eligible, .returned: return true
    case .target, .fraction, .left, .firstReached, .stepDays, .rate, .worth, .mean: return false
    case .value: return body.shownExpression?.addsUp ?? false
    }
  }
}

extension Expression {
  /// The period that stands in an aggregate.
  var ownPeriod: Period? {
    switch self {
    case .aggregate(let aggregate): aggregate.period
    case .completions(let aggregate): aggregate.period
    case .metric(let reference): reference.days?.period
    case .literal, .field, .day, .subjects, .arithmetic, .negated, .comparison, .membership, .isNone, .and,
      .or, .not, .conditional, .function, .widened:
      nil
    }
  }

  fileprivate var addsUp: Bool {
    switch self {
    case .aggregate(let aggregate): aggregate.function.addsOverParts
    case .subjects(let aggregate): aggregate.function.addsOverParts
    case .completions(let aggregate): aggregate.function == .count
    case .arithmetic(.add, let left, let right), .arithmetic(.subtract, let left, let right):
      left.addsUp && right.addsUp
    case .arithmetic(.multiply, let left, let right):
      left.isConstant && right.addsUp || left.addsUp && right.isConstant
    case .arithmetic(.divide, let left, let right): left.addsUp && right.isConstant
    case .negated(let operand), .widened(let operand): operand.addsUp
    case .literal, .field, .day, .metric, .comparison, .membership, .isNone, .and, .or, .not, .conditional,
      .function:
      false
    }
  }

  /// A number that is written, perhaps with a sign.
  var isConstant: Bool {
    switch self {
    case .literal: true
    case .negated(let operand), .widened(let operand): operand.isConstant
    case .field, .day, .metric, .aggregate, .completions, .subjects, .arithmetic, .comparison, .membership,
      .isNone, .and, .or, .not, .conditional, .function:
      false
    }
  }
}

extension AggregateFunction {
  /// Whether its value for two sets of facts without a common one is the sum of those for each.
  fileprivate var addsOverParts: Bool { self == .count || self == .sum || self == .contribution }
}
