import MetricEvaluate

extension MetricLibrary {
  /// What metrics say of a subject that none of their records names: false and 0 where its facts are counted, a target
  /// that is a number, otherwise no value. A row has no subject.
  ///
  /// A table with one row for each subject needs them, since a metric alone has rows only for those that it meets
  /// (RES-01). There are none of metrics with groups, of many subjects, under a condition on the subject, of metrics
  /// that need consent, since an absent row may be a refusal (PRIV-14), or that read numbers of all together.
  package func rowsOfAbsentSubject(_ names: [String], days: [DayKey]) -> [ResultRow] {
    let chosen = names.compactMap { plan.metric(named: $0) }.filter(isKnownOfAbsent)
    guard let entity = chosen.first.flatMap({ plan.metrics[$0].subject.entity }),
      let id = plan.records[entity].idField
    else { return [] }
    let pool = StringPool()
    var table = Table(schema: plan.schema(of: entity, fields: [id]))
    table.append([Int64(pool.intern("-"))])
    let rows = try? evaluate(
      metrics: chosen.map { plan.metrics[$0].name }, subjects: [], days: days,
      tables: [plan.records[entity].name: table], pool: pool, threads: 1, progress: nil,
      outOfRange: { _ in })
    return (rows ?? []).map { row in
      var row = row
      row.subject = ""
      return row
    }
  }

  private func isKnownOfAbsent(_ id: MetricID) -> Bool {
    let metric = plan.metrics[id]
    guard metric.subject.condition == nil, metric.grouping.isEmpty else { return false }
    // Itself among them.
    return DataNeeds(library: plan, metrics: [id]).reads.allSatisfy { read, records in
      plan.metrics[read].subject.entity != nil && !plan.metrics[read].isOfMany(plan)
        && (metric.audience == .user || plan.askedConsents(of: records).isEmpty)
    }
  }
}
