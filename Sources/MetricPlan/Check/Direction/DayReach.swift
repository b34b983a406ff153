/// How far the days that an expression gives lie before `day`: the reference day, or a window's last one.
/// No fact after it counts, and a period says how far back facts do. A `default` knows nothing.
extension ExpressionAnalysis {
  /// Whether a day is never after `day`.
  func isAtMostDay(_ expression: Expression) -> Bool {
    switch expression {
    case .day: true
    case .aggregate(let aggregate): isFactDay(aggregate)
    case .completions(let aggregate): aggregate.function != .count
    default: false
    }
  }

  /// The most days by which it lies before `day`; nil if nothing bounds it.
  func daysBack(_ expression: Expression) -> Int? {
    switch expression {
    case .day: 0
    case .aggregate(let aggregate) where isFactDay(aggregate): (aggregate.period ?? over)?.mostDaysBack
    default: nil
    }
  }

  /// `first(F)`, `last(F)`: the DayKey of a fact.
  private func isFactDay(_ aggregate: Aggregate) -> Bool {
    aggregate.argument == nil && (aggregate.function == .first || aggregate.function == .last)
  }
}
