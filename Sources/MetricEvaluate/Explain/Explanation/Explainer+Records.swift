/// The facts that aggregates look at, and the links that lead to them.
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

  /// The facts of a subject on some days up to the reference day that an aggregate looks at: those that pass its
  /// `where` and have what it takes.
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

  // MARK: Links

  /// Which links led to the facts of an aggregate, and what each of them adds (LINK-01 to LINK-04).
  func links(
    _ aggregate: Aggregate, _ route: LinkRoute, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [LinkStory] {
    let amounts = try self.amounts(aggregate, scope, facts)
    let trace = try prober.trace(scope.metric, at: facts.last?.day ?? .last)
    func text(_ field: FieldReference?, _ row: Int) -> String? { field.flatMap { reader.text($0, row) } }
    let contribution = library.field("contribution", of: route.link)
    return try trace.links(aggregate, route, of: scope.subject ?? "", facts).map { link in
      var story = LinkStory(
        link: reader.reference(route.link, link.row), end: link.end,
        bundle: link.isBundled ? text(route.bundle, link.row) : nil,
        contribution: text(contribution, link.row) ?? "", counts: link.counts, factCount: link.facts.count)
      if aggregate.function == .contribution {
        let given = link.facts.map { link.isSum ? amounts[$0.row]?.millionths ?? 0 : FixedDecimal.scale }
        let sum = Int64(clamping: given.reduce(Int128(0)) { $0 + Int128($1) })
        story.amount =
          aggregate.type == .int
          ? .int(sum / FixedDecimal.scale) : .decimal(FixedDecimal(millionths: sum))
      }
      return story
    }
  }

  /// What each fact gives to a link that sums.
  private func amounts(
    _ aggregate: Aggregate, _ scope: Prober.Scope, _ facts: [TracedFact]
  ) throws(EvaluationError) -> [Int: Value] {
    guard aggregate.function == .contribution, let last = facts.last else { return [:] }
    var question = aggregate
    question.function = .sum
    let valued = try prober.facts(question, scope, at: last.day).facts
    return Dictionary(
      valued.compactMap { fact in fact.value.map { (fact.row, $0) } }, uniquingKeysWith: { one, _ in one })
  }
}
