/// The facts that aggregates look at.
extension Explainer {
  struct FactsKey: Hashable {
    var aggregate: Aggregate
    var subject: ByteKey
    var group: GroupKey?
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

  /// The facts on some days up to a reference day that an aggregate looks at: they pass its `where` and have what it takes.
  func facts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, in days: ClosedRange<DayKey> = DayKey.all, at day: DayKey
  ) throws(EvaluationError) -> FactsFound {
    var aggregate = aggregate
    aggregate.period = nil
    // A contribution takes only from the facts of some links what they give.
    if [.count, .days, .contribution].contains(aggregate.function) { aggregate.argument = nil }
    let isWhole = aggregate.route == .whole
    let key = FactsKey(
      aggregate: aggregate, subject: ByteKey(scope.subject ?? ""), group: scope.group, metric: scope.metric,
      days: isWhole ? days : nil, day: day)
    let found =
      if let known = knownFacts[key] { known } else {
        try read(aggregate, scope, in: isWhole ? days : DayKey.all, at: day)
      }
    knownFacts[key] = found
    guard let facts = found.facts?.filter({ days.contains($0.day) }) else { return found }
    return FactsFound(facts: facts, count: facts.count, withheld: found.withheld)
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
