import MetricData
import MetricPlan

/// The facts that aggregates look at.
extension Explainer {
  struct FactsKey: Hashable {
    /// The aggregate in words, the subject and the group.
    var texts: [ByteKey]
    var metric: MetricID
    /// Of a whole dataset only these days are read.
    var days: ClosedRange<DayKey>?
    var day: DayKey
  }

  struct FactsFound {
    /// By day and row; nil if they are too many to list.
    var facts: [TracedFact]?
    var count: Int
    /// How many more there would be without consent.
    var withheld: Int
  }

  /// The facts of a subject on some days up to the reference day that an aggregate looks at: those that pass its
  /// `where` and have what it takes.
  func facts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, in days: ClosedRange<DayKey> = DayKey.all, at day: DayKey
  ) throws(EvaluationError) -> FactsFound {
    var aggregate = aggregate
    aggregate.period = nil
    if aggregate.function == .count || aggregate.function == .days { aggregate.argument = nil }
    // A contribution takes only from the facts of some links what they give.
    if aggregate.function == .contribution { aggregate.argument = nil }
    let isWhole = aggregate.route == .whole
    let texts = [
      library.text(of: .aggregate(aggregate)), scope.subject ?? "", scope.group.map { "g\($0)" } ?? "",
    ]
    let key = FactsKey(
      texts: texts.map(ByteKey.init), metric: scope.metric, days: isWhole ? days : nil, day: day)
    var found: FactsFound
    if let known = knownFacts[key] {
      found = known
    } else {
      found = try read(aggregate, scope, in: isWhole ? days : DayKey.all, at: day)
      knownFacts[key] = found
    }
    if let facts = found.facts {
      let inPeriod = facts.filter { days.contains($0.day) }
      found = FactsFound(facts: inPeriod, count: inPeriod.count, withheld: found.withheld)
    }
    return found
  }

  private func read(
    _ aggregate: Aggregate, _ scope: Prober.Scope, in days: ClosedRange<DayKey>, at day: DayKey
  ) throws(EvaluationError) -> FactsFound {
    var withheld = 0
    if library.consent(to: aggregate.record, for: scope.metric) != nil {
      // In all groups together.
      var (all, closed) = (aggregate, scope)
      (all.argument, closed.group) = (nil, nil)
      let open = prober.withoutConsent(scope.metric)
      withheld =
        try open.facts(all, closed, in: days, at: day, atMost: 0).count
        - prober.facts(all, closed, in: days, at: day, atMost: 0).count
    }
    // A whole dataset may hold very many facts.
    let most = aggregate.route == .whole ? Explainer.mostRecords : .max
    let found = try prober.facts(aggregate, scope, in: days, at: day, atMost: most)
    return FactsFound(facts: found.count > most ? nil : found.facts, count: found.count, withheld: withheld)
  }
}
