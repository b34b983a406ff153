/// What a number of a metric is. Its name follows from it; nothing decides by the name.
package enum PartRole: Hashable, Sendable {
  /// The metric's own value.
  case value
  /// Of a progress: what is to be reached, and how much of it has been.
  case target, fraction
  /// Of a streak that forgives: how many more windows may stay incomplete now.
  case left
  /// Of a level: the day on which the threshold at this place, from 1, was first reached.
  case firstReached(Int)
  /// Of a funnel: subjects that reached the step of this name.
  case step(String)
  /// Of a funnel: a percentile of the days from the first step to the one of this name.
  case stepDays(String, percentile: Int)
  /// Of a funnel in any order: subjects that took at least this many of its steps.
  case anySteps(Int)
  /// Of a retention, by its days: who could return, who did, and their quotient.
  case eligible(DaysAfter)
  case returned(DaysAfter)
  case rate(DaysAfter)
  /// Of a retention with a value: the value, and what it is for each who is eligible.
  case worth(DaysAfter)
  case mean(DaysAfter)

  /// What is in the `part` column.
  package var name: String {
    switch self {
    case .value: ""
    case .target: "target"
    case .fraction: "fraction"
    case .left: "left"
    case .firstReached(let place): "on\(place)"
    case .step(let name): name
    case .stepDays(let step, let percentile): "\(step).days\(percentile)"
    case .anySteps(let count): "any\(count)"
    case .eligible(let days): "\(days.name).eligible"
    case .returned(let days): "\(days.name).returned"
    case .rate(let days): "\(days.name).rate"
    case .worth(let days): "\(days.name).value"
    case .mean(let days): "\(days.name).mean"
    }
  }

  /// Whether it is a share of a whole, which people read as a percentage.
  package var isShare: Bool {
    switch self {
    case .fraction, .rate: true
    case .value, .target, .left, .firstReached, .step, .stepDays, .anySteps, .eligible, .returned, .worth,
      .mean:
      false
    }
  }

  /// Whether the metric's unit is its own.
  package var hasUnit: Bool {
    switch self {
    case .value, .target, .left, .worth, .mean: true
    case .fraction, .firstReached, .step, .stepDays, .anySteps, .eligible, .returned, .rate: false
    }
  }

  /// The days since day 0 of a quotient of a retention, and the part that those who are eligible divide.
  package var quotient: (days: DaysAfter, dividend: PartRole)? {
    switch self {
    case .rate(let days): (days, .returned(days))
    case .mean(let days): (days, .worth(days))
    case .value, .target, .fraction, .left, .firstReached, .step, .stepDays, .anySteps, .eligible, .returned,
      .worth:
      nil
    }
  }

  package var isStepDays: Bool { if case .stepDays = self { true } else { false } }

  package var isAnySteps: Bool { if case .anySteps = self { true } else { false } }
}

/// One number of a metric.
package struct Part: Hashable, Sendable {
  package var role: PartRole
  package var type: ValueType

  package var name: String { role.name }

  package init(_ role: PartRole, type: ValueType) {
    self.role = role
    self.type = type
  }
}
