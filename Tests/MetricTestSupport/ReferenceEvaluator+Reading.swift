import MetricPlan

/// Which records a metric reads, itself and through metrics: its facts, its links, and the entities on
/// its paths.
extension ReferenceEvaluator {
  /// An expression and all below it in the same scope.
  func parts(of expression: Expression) -> [Expression] {
    [expression] + expression.operands.flatMap { parts(of: $0) }
  }

  func recordsRead(by id: MetricID) -> Set<RecordID> {
    let metric = library.metrics[id]
    var found: Set<RecordID> = []
    if let condition = metric.subject.condition { found.formUnion(recordsRead(by: condition)) }
    switch metric.body {
    case .completion(let completion):
      found.formUnion(recordsRead(by: completion.when))
      if let limit = completion.limit { found.formUnion(recordsRead(by: limit.condition)) }
      if let rest = completion.rest { found.formUnion(recordsRead(by: rest)) }
    case .windows(let metric): found.formUnion(recordsRead(by: metric.completion))
    case .measure(let measure):
      found.formUnion(recordsRead(by: measure.value))
      if let target = measure.target { found.formUnion(recordsRead(by: target)) }
      found.formUnion(recordsRead(by: measure.grouping))
    case .level(let level): found.formUnion(recordsRead(by: level.metric))
    case .funnel(let funnel):
      for step in funnel.steps { found.formUnion(recordsRead(by: step.source)) }
      if let without = funnel.without { found.formUnion(recordsRead(by: without)) }
      found.formUnion(recordsRead(by: funnel.grouping))
    case .retention(let retention):
      found.formUnion(recordsRead(by: retention.start))
      found.formUnion(recordsRead(by: retention.returns))
      found.formUnion(recordsRead(by: retention.grouping))
    }
    return found
  }

  private func recordsRead(by grouping: [GroupField]) -> Set<RecordID> {
    grouping.expressions.reduce(into: []) { $0.formUnion(recordsRead(by: $1)) }
  }

  private func recordsRead(by source: EventSource) -> Set<RecordID> {
    switch source {
    case .completion(let id): return recordsRead(by: id)
    case .fact(let record, let route, let filter):
      return recordsRead(by: route).union([record]).union(filter.map { recordsRead(by: $0) } ?? [])
    }
  }

  private func recordsRead(by route: Route) -> Set<RecordID> {
    switch route {
    case .whole: return []
    case .references(let path): return Set(path.map(\.record))
    case .link(let link):
      var found = Set((link.fromFact + link.toSubject).map(\.record)).union([link.link])
      if link.bundle != nil, let members = library.record(named: "BundleMember") { found.insert(members) }
      return found
    }
  }

  func recordsRead(by expression: Expression) -> Set<RecordID> {
    var found: Set<RecordID> = []
    for part in parts(of: expression) {
      switch part {
      case .field(let path):
        found.formUnion((path.references + [path.field]).map(\.record))
        if let computed = library[path.field].computed { found.formUnion(recordsRead(by: computed)) }
      case .metric(let reference): found.formUnion(recordsRead(by: reference.metric))
      case .completions(let aggregate): found.formUnion(recordsRead(by: aggregate.completion))
      case .aggregate(let aggregate):
        found.insert(aggregate.record)
        found.formUnion(recordsRead(by: aggregate.route))
        for inner in [aggregate.filter, aggregate.argument].compactMap(\.self) {
          found.formUnion(recordsRead(by: inner))
        }
      case .subjects(let aggregate):
        found.insert(aggregate.entity)
        found.formUnion(aggregate.relation.map(\.record))
        for inner in [aggregate.filter, aggregate.argument].compactMap(\.self) {
          found.formUnion(recordsRead(by: inner))
        }
      case .literal, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    return found
  }

  // MARK: Links

  /// Data errors of the links that a metric reads.
  func checkLinks(of id: MetricID) throws {
    for aggregate in allAggregates(of: id) {
      guard case .link(let route) = aggregate.route else { continue }
      if route.bundle != nil { try checkBundles() }
      if aggregate.function == .contribution { try checkUnits(route) }
    }
  }

  /// The aggregates over facts of a metric and of those that it reads.
  private func allAggregates(of id: MetricID) -> [Aggregate] {
    func below(_ source: EventSource) -> [Aggregate] {
      if case .completion(let id) = source { allAggregates(of: id) } else { [] }
    }
    switch library.metrics[id].body {
    case .completion(let completion):
      return [completion.when, completion.limit?.condition, completion.rest].compactMap(\.self)
        .flatMap { allAggregates(in: $0) }
    case .windows(let metric): return allAggregates(of: metric.completion)
    case .measure(let measure):
      return allAggregates(in: measure.value) + (measure.target.map { allAggregates(in: $0) } ?? [])
        + measure.grouping.compactMap(\.read).flatMap { allAggregates(of: $0.metric) }
    case .level(let level): return allAggregates(of: level.metric)
    case .funnel(let funnel):
      return funnel.steps.flatMap { below($0.source) } + (funnel.without.map(below) ?? [])
    case .retention(let retention): return below(retention.start) + below(retention.returns)
    }
  }

  private func allAggregates(in expression: Expression) -> [Aggregate] {
    var found: [Aggregate] = []
    for part in parts(of: expression) {
      switch part {
      case .aggregate(let aggregate): found.append(aggregate)
      case .metric(let reference): found += allAggregates(of: reference.metric)
      case .completions(let aggregate): found += allAggregates(of: aggregate.completion)
      case .subjects(let aggregate):
        for inner in [aggregate.filter, aggregate.argument].compactMap(\.self) {
          found += allAggregates(in: inner)
        }
      case .literal, .field, .day, .arithmetic, .negated, .comparison, .membership, .isNone, .and, .or, .not,
        .conditional, .function, .widened:
        break
      }
    }
    return found
  }
}
