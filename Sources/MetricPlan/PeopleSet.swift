/// Some parts of a metric with `at least K users`, and the people who are counted for them (PRIV-06).
///
/// Facts may lead to users in several ways, one for each shortest path: then the way that has the fewest counts.
package struct PeopleSet: Hashable, Sendable {
  package enum People: Hashable, Sendable {
    /// Of a measure, those behind the aggregate that has the fewest.
    case behind(Supporters)
    /// Of a funnel, those behind the openings of all who reached the step at this place; and of these the ones on the
    /// side of a percentile of the days that has fewer.
    case reached(Int)
    case took(Int, percentile: Int)
    /// Of a retention, those behind the starts of all who could return after the days at this place, and who did.
    case eligible(Int)
    case returned(Int)
  }

  package var people: People
  /// What is hidden where they are too few.
  package var parts: Range<Int>
  /// The set with which the parts are hidden, too, as they follow from its own.
  package var behind: Int?
}

extension Metric {
  /// In the order in which they decide; those that follow from others come after them.
  package var peopleSets: [PeopleSet] {
    switch body {
    case .measure(let measure):
      // Whether some of those behind an aggregate have a value and add nothing.
      let hasIdle = measure.value.parts.contains { part in
        if case .subjects(let aggregate) = part {
          return aggregate.supporting(.valued) != aggregate.supporting()
        }
        return part.aggregate.map { $0.supporting(.valued) != $0.supporting() } ?? false
      }
      // Of one value nothing but itself can be hidden.
      guard hasIdle, !measure.grouping.isEmpty else {
        return [PeopleSet(people: .behind(.adding), parts: 0..<1)]
      }
      return [
        PeopleSet(people: .behind(.valued), parts: 0..<0),
        PeopleSet(people: .behind(.adding), parts: 0..<1, behind: 0),
      ]
    case .funnel(let funnel):
      let steps = funnel.steps.indices.map {
        PeopleSet(people: .reached($0), parts: $0..<$0 + 1, behind: $0 > 0 ? $0 - 1 : nil)
      }
      return steps
        + funnel.stepDays.enumerated().map { offset, days in
          let part = steps.count + offset
          return PeopleSet(
            people: .took(days.step, percentile: days.percentile), parts: part..<part + 1, behind: days.step)
        }
    case .retention(let retention):
      return retention.after.indices.flatMap { index in
        [
          PeopleSet(people: .eligible(index), parts: 3 * index..<3 * index + 1),
          PeopleSet(people: .returned(index), parts: 3 * index + 1..<3 * index + 3, behind: 2 * index),
        ]
      }
    case .completion, .windows, .level: return []
    }
  }
}

extension Funnel {
  /// The step, from 0, and the percentile of each part that says how many days it took (FUN-09).
  package var stepDays: [(step: Int, percentile: Int)] {
    steps.indices.dropFirst().flatMap { step in percentiles.map { (step, $0) } }
  }
}

extension Library {
  /// In how many ways the events of a metric lead to users.
  package func ways(of metric: Metric) -> Int {
    let counts = metric.body.sources.map { source in
      switch source {
      case .fact(let record, _, _): userPaths(of: record).count
      case .completion: metric.subject.entity.map { userPaths(of: $0).count } ?? 0
      }
    }
    return max(1, counts.max() ?? 0)
  }
}

/// Whose facts or subjects an aggregate counts.
package enum Supporters: Hashable, Sendable {
  /// Of those that have a value: how many there are may be published, too, so that they decide first which groups are
  /// hidden (PRIV-07).
  case valued
  /// Of those that add to what adds up (PRIV-06).
  case adding
}

extension Aggregate {
  /// What counts the facts that its value rests on.
  package func supporting(_ supporters: Supporters = .adding) -> Aggregate {
    var count = self
    (count.function, count.argument, count.type) = (.count, nil, .int)
    count.filter = function.filter(of: argument, filter, supporters)
    return count
  }
}

extension SubjectAggregate {
  /// As for facts.
  package func supporting(_ supporters: Supporters = .adding) -> SubjectAggregate {
    var count = self
    (count.function, count.argument, count.type) = (.count, nil, .int)
    count.filter = function.filter(of: argument, filter, supporters)
    return count
  }
}

extension AggregateFunction {
  fileprivate func filter(of argument: Expression?, _ filter: Expression?, _ supporters: Supporters)
    -> Expression?
  {
    guard let argument, self != .contribution else { return filter }
    // A person who adds 0 counts alike in all: otherwise an average beside the count would reveal a hidden sum.
    let adds =
      traits.addsUp && supporters == .adding
      ? Expression.comparison(
        .notEqual, argument, .literal(argument.type == .int ? .int(0) : .decimal(FixedDecimal(millionths: 0)))
      )
      : .isNone(argument, negated: true)
    return filter.map { .and($0, adds) } ?? adds
  }
}
