import MetricPlan

/// All that a library says of one metric: what a catalogue shows.
package struct MetricEntry: Sendable {
  package var planned: PlannedMetric
  /// The doc comment, without its slashes.
  package var doc: String?
  package var deprecated: String?
  /// What `reading` says: an observed number that may fall, and no score.
  package var reading: String?
  /// The warnings that the metric allows, by code, and why.
  package var allowed: [(code: String, reason: String)]
  /// What is computed, a sentence or more; code is in backticks.
  package var sentences: [String]
  package var definition: MetricDefinition?
  /// The tests that expect something of the metric, by place among `runTests(filter: nil)`, and how often.
  package var mentions: [(test: Int, expectationCount: Int)]
  package var findings: [Diagnostic]
  /// Whether its groups are people: it says `by` a reference to a user or a user's id.
  package var hasPersonalGroups: Bool
}

extension MetricLibrary {
  /// The metrics that have a plan, in the order of the sources.
  package var entries: [MetricEntry] {
    let definitions = definitions
    let findings = Dictionary(grouping: findings.filter { $0.metric != nil }) { $0.metric ?? "" }
    return plannedMetrics.compactMap { planned in
      let name = planned.summary.name
      guard let id = plan.metric(named: name) else { return nil }
      let metric = plan.metrics[id]
      return MetricEntry(
        planned: planned, doc: metric.doc, deprecated: metric.deprecated, reading: metric.readingReason,
        allowed: metric.allowed.sorted { $0.key < $1.key }.map { (code: $0.key, reason: $0.value) },
        sentences: PlanProse(plan: plan).sentences(of: metric), definition: definitions[name],
        mentions: plan.tests.enumerated().compactMap { index, test in
          let count = test.expectations.count { $0.metric == id }
          return count == 0 ? nil : (test: index, expectationCount: count)
        },
        findings: findings[name] ?? [],
        hasPersonalGroups: plan.showsUsers(metric).groups)
    }
  }
}
