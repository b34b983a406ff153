import MetricData
import MetricEvaluate
import MetricPlan
import MetricValues

/// The facts that aggregates look at.
extension Explainer {
  struct FactsKey: Hashable {
    /// The aggregate in words, the subject and the group.
    var texts: [ByteKey]
    var metric: MetricID
    var isTeam: Bool
    var first: DayKey?
    var last: DayKey
  }

  struct FactsFound {
    /// By day and row; nil where they are too many to list.
    var facts: [Prober.Fact]?
    var count: Int
    /// How many more there would be without consent.
    var withheld: Int
  }

  /// The facts of a subject in `first...last` that an aggregate looks at: those that pass its `where`
  /// and have what it takes.
  func facts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, from first: DayKey, through last: DayKey
  ) throws(EvaluationError) -> FactsFound {
    var aggregate = aggregate
    aggregate.period = nil
    if aggregate.function == .count || aggregate.function == .days { aggregate.argument = nil }
    // A contribution takes only from the facts of some links what they give.
    if aggregate.function == .contribution { aggregate.argument = nil }
    // A whole dataset may hold very many facts: first they are counted.
    let isWhole = aggregate.route == .whole
    let texts = [
      library.text(of: .aggregate(aggregate)), scope.subject ?? "", scope.group.map { "g" + $0 } ?? "",
    ]
    let key = FactsKey(
      texts: texts.map(ByteKey.init), metric: scope.metric, isTeam: scope.isTeam,
      first: isWhole ? first : nil, last: last)
    var found: FactsFound
    if let known = knownFacts[key] {
      found = known
    } else {
      found = try read(aggregate, scope, from: isWhole ? first : nil, through: last)
      knownFacts[key] = found
    }
    if let facts = found.facts {
      let inPeriod = facts.filter { $0.day >= first }
      found = FactsFound(facts: inPeriod, count: inPeriod.count, withheld: found.withheld)
    }
    return found
  }

  private func read(
    _ aggregate: Aggregate, _ scope: Prober.Scope, from first: DayKey?, through last: DayKey
  ) throws(EvaluationError) -> FactsFound {
    var withheld = 0
    if scope.isTeam, library.askedConsent(of: aggregate.record) != nil {
      var open = scope
      open.isTeam = false
      withheld =
        count(aggregate, open, from: first, at: last) - count(aggregate, scope, from: first, at: last)
    }
    if aggregate.route == .whole {
      let all = count(aggregate, scope, from: first, at: last)
      if all > Explainer.mostRecords { return FactsFound(facts: nil, count: all, withheld: withheld) }
    }
    let facts = try prober.facts(aggregate, scope, from: first, through: last)
    return FactsFound(facts: facts, count: facts.count, withheld: withheld)
  }

  /// How many facts there are from a day on; in all groups together.
  private func count(
    _ aggregate: Aggregate, _ scope: Prober.Scope, from first: DayKey?, at last: DayKey
  ) -> Int {
    var question = aggregate
    (question.function, question.argument, question.type) = (.count, nil, .int)
    question.period = first.map { .lastDays(Int(last.number - $0.number) + 1) } ?? .allTime
    var scope = scope
    scope.group = nil
    guard
      case .int(let count) = prober.ask([.aggregate(question)], scope, at: [last])[0]
        .value(scope.subject ?? "", last)
    else { return 0 }
    return Int(count)
  }
}
