extension Body {
  /// The metrics that it reads itself.
  package var reads: Set<MetricID> {
    var found: Set<MetricID> = []
    _ = mapMetrics { found.insert($0).memberAfterInsert }
    return found
  }

  /// The body with other metrics in place of those that it reads.
  package func mapMetrics(_ id: (MetricID) -> MetricID) -> Body {
    switch self {
    case .completion(var completion):
      completion.when = completion.when.mapMetrics(id)
      if let limit = completion.limit { completion.limit?.condition = limit.condition.mapMetrics(id) }
      completion.rest = completion.rest?.mapMetrics(id)
      return .completion(completion)
    case .windows(var metric):
      metric.completion = id(metric.completion)
      return .windows(metric)
    case .measure(var measure):
      measure.value = measure.value.mapMetrics(id)
      measure.target = measure.target?.mapMetrics(id)
      measure.grouping = measure.grouping.map { $0.mapMetrics(id) }
      measure.slices = measure.slices.map { $0.mapMetrics(id) }
      return .measure(measure)
    case .level(var level):
      level.metric = id(level.metric)
      return .level(level)
    case .funnel(var funnel):
      funnel.steps = funnel.steps.map { FunnelStep(name: $0.name, source: $0.source.mapMetrics(id)) }
      funnel.without = funnel.without?.mapMetrics(id)
      return .funnel(funnel)
    case .retention(var retention):
      retention.start = retention.start.mapMetrics(id)
      retention.returns = retention.returns.mapMetrics(id)
      return .retention(retention)
    }
  }
}

extension GroupField {
  fileprivate func mapMetrics(_ id: (MetricID) -> MetricID) -> GroupField {
    guard case .metric(let name, var reference, let entity) = self else { return self }
    reference.metric = id(reference.metric)
    return .metric(name, reference, of: entity)
  }
}

extension EventSource {
  fileprivate func mapMetrics(_ id: (MetricID) -> MetricID) -> EventSource {
    if case .completion(let metric) = self { .completion(id(metric)) } else { self }
  }
}

extension Expression {
  /// The `where` of a fact reads no metric.
  fileprivate func mapMetrics(_ id: (MetricID) -> MetricID) -> Expression {
    switch self {
    case .metric(var reference):
      reference.metric = id(reference.metric)
      return .metric(reference)
    case .completions(var aggregate):
      aggregate.completion = id(aggregate.completion)
      return .completions(aggregate)
    case .subjects(var aggregate):
      aggregate.filter = aggregate.filter?.mapMetrics(id)
      aggregate.argument = aggregate.argument?.mapMetrics(id)
      return .subjects(aggregate)
    case .literal, .field, .day, .aggregate, .arithmetic, .negated, .comparison, .membership, .isNone, .and,
      .or, .not, .conditional, .function, .widened:
      return mapOperands { $0.mapMetrics(id) }
    }
  }
}
