/// Whose consent a metric needs (PRIV-01, PRIV-04, PRIV-14).
extension Library {
  /// The same metrics, and after them the team's readings: what a team metric reads from the user's is a metric of its
  /// own, with consent (PRIV-04). So the audience of a metric alone says which facts it may read.
  package func withTeamReadings(of metrics: some Sequence<MetricID>) -> Library {
    guard asksConsent else { return self }
    var plan = self
    var readings: [MetricID: MetricID] = [:]
    func reading(_ id: MetricID) -> MetricID {
      if let known = readings[id] ?? (plan.metrics[id].audience == .team ? id : nil) { return known }
      var metric = plan.metrics[id]
      (metric.audience, metric.declared) = (.team, id)
      metric.body = metric.body.mapMetrics(reading)
      plan.metrics.append(metric)
      readings[id] = plan.metrics.count - 1
      return plan.metrics.count - 1
    }
    for id in withRead(metrics) where self.metrics[id].audience == .team {
      plan.metrics[id].body = self.metrics[id].body.mapMetrics(reading)
    }
    return plan
  }

  /// What a metric needs to read a record's facts; nil where it needs none.
  package func consent(to record: RecordID, for metric: MetricID) -> AskedConsent? {
    metrics[metric].audience == .team ? askedConsent(of: record) : nil
  }
}

/// Which subjects of an entity there are for a metric: those that its table or a record that is read names (RES-01), from
/// the day on since which the people behind them agree (PRIV-14).
package struct SubjectScope: Hashable, Sendable {
  package var entity: RecordID
  package var reads: Set<RecordID>
  package var consents: [AskedConsent]

  package init(_ entity: RecordID, reads: Set<RecordID>, consents: [AskedConsent] = []) {
    self.entity = entity
    self.reads = reads
    self.consents = consents
  }
}

extension DataNeeds {
  package func subjects(of entity: RecordID, for metric: MetricID) -> SubjectScope {
    let reads = reads[metric] ?? []
    let isTeam = library.metrics[metric].audience == .team
    return SubjectScope(entity, reads: reads, consents: isTeam ? library.askedConsents(of: reads) : [])
  }
}
