/// The facts without which a completion's window is never complete (WIN-06).
package struct PresenceSources: Sendable {
  package struct Fact: Hashable, Sendable {
    package var record: RecordID
    package var route: Route
  }

  /// Record types that `when` names, by the routes of its aggregates.
  package var facts: [Fact] = []
  /// The own periods of its aggregates; all time where it reads metrics.
  package var lookBack: [Period] = []

  mutating func add(_ fact: Fact) {
    if !facts.contains(fact) { facts.append(fact) }
  }

  mutating func add(_ period: Period) {
    if !lookBack.contains(period) { lookBack.append(period) }
  }
}

extension Library {
  /// What `when` names: the records of its aggregates and, where it reads metrics, of theirs.
  package func presence(of when: Expression, subject: RecordID?) -> PresenceSources {
    var sources = PresenceSources()
    /// What a metric of many subjects reads, `app` reads as a whole.
    func toSubject(_ route: Route) -> Route { subject == nil ? .whole : route }
    when.visit { part in
      switch part {
      case .aggregate(let aggregate):
        sources.add(aggregate.source)
        if let period = aggregate.period { sources.add(period) }
      case .metric(let reference):
        addFacts(of: reference.metric, to: &sources, toSubject)
        sources.add(.allTime)
      case .completions(let aggregate):
        addFacts(of: aggregate.completion, to: &sources, toSubject)
        sources.add(.allTime)
      case .subjects(let aggregate):
        for fact in aggregate.inner.flatMap({ presence(of: $0, subject: aggregate.entity).facts }) {
          sources.add(.init(record: fact.record, route: fact.route.continued(by: aggregate.relation)))
        }
        sources.add(.allTime)
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or,
        .not, .conditional, .function, .widened:
        break
      }
    }
    return sources
  }

  /// The facts that a metric reads: its days begin with the first of them (LEV-03, OPD-09).
  package func presence(of id: MetricID) -> [PresenceSources.Fact] {
    let metric = metrics[id]
    var sources = PresenceSources()
    addFacts(of: id, to: &sources) {
      metric.kind.countsSubjects || metric.subject.entity == nil ? .whole : $0
    }
    return sources.facts
  }

  /// The facts that a metric reads, itself or through metrics.
  private func addFacts(
    of id: MetricID, to sources: inout PresenceSources, _ route: (Route) -> Route
  ) {
    let metric = metrics[id]
    for fact in metric.body.expressions.flatMap({ presence(of: $0, subject: metric.subject.entity).facts }) {
      sources.add(.init(record: fact.record, route: route(fact.route)))
    }
    if let base = metric.body.base { addFacts(of: base, to: &sources, route) }
    for source in metric.body.sources {
      switch source {
      case .fact(let record, let own, _): sources.add(.init(record: record, route: route(own)))
      case .completion(let id): addFacts(of: id, to: &sources, route)
      }
    }
  }
}

extension Aggregate {
  /// The facts that it looks at.
  package var source: PresenceSources.Fact { PresenceSources.Fact(record: record, route: route) }
}

extension Route {
  /// The route to the subject that the end of this one refers to; with no references to `app`.
  func continued(by references: [FieldReference]) -> Route {
    guard !references.isEmpty else { return .whole }
    switch self {
    case .whole: return .whole
    case .references(let own): return .references(own + references)
    case .link(var link):
      link.toSubject += references
      return .link(link)
    }
  }
}
