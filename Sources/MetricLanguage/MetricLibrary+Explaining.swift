import MetricEvaluate

extension MetricLibrary {
  /// Why a metric is what it is for a subject at a day.
  ///
  /// - Parameters:
  ///   - metric: its name; one that the library does not have gives nil.
  ///   - subject: its id. Of a funnel or a retention the counted one, or empty for none; empty for a metric `for app`.
  ///   - group: nil for the only group there is, or the one that the subject counts in.
  ///   - tables: by record name, decoded with `schemas(explaining:)`.
  /// - Throws: what makes the whole result meaningless, as `evaluate` does.
  package func explain(
    _ metric: String, subject: String, group: GroupKey?, at day: DayKey, tables: [String: Table],
    pool: StringPool
  ) throws(EvaluationError) -> Explanation? {
    guard let id = plan.metric(named: metric) else { return nil }
    return try Explainer(library: plan, tables: tables, pool: pool)
      .explain(id, subject: subject, group: group, at: day)
  }

  /// What keeps or raises a metric today; nil if it has no value for the subject, or its kind has nothing ahead.
  package func ahead(
    _ metric: String, subject: String, at day: DayKey, tables: [String: Table], pool: StringPool
  ) throws(EvaluationError) -> Ahead? {
    guard let id = plan.metric(named: metric), AheadQuestion.takes(plan.metrics[id], in: plan)
    else { return nil }
    return try AheadQuestion.answer(id, for: subject, on: day, library: plan, tables: tables, pool: pool)
  }

  /// What has to be loaded to explain a metric: what it reads, and the ids of its records where a file has them.
  package func schemas(explaining metric: String) -> [TableSchema] {
    schemas(for: [metric]).map { schema in
      guard let record = plan.record(named: schema.record), let id = plan.records[record].idField,
        var column = plan.schema(of: record, fields: [id]).columns.first,
        !schema.columns.contains(where: { $0.name == column.name })
      else { return schema }
      // Nothing but the explanation asks for it.
      column.isRequired = false
      return TableSchema(record: schema.record, columns: schema.columns + [column])
    }
  }

  /// Whether a metric has one row for all its subjects: a funnel, a retention, or a level of one.
  package func speaksOfMany(_ metric: String) -> Bool {
    plan.metric(named: metric).map { plan.metrics[$0].isOfMany(plan) } ?? false
  }

  /// The entity whose id a metric takes as its subject, by its name in the language; nil for `app`.
  package func subjectName(of metric: String) -> String? {
    plan.metric(named: metric).flatMap { plan.metrics[$0].subject.entity }.map {
      plan.records[$0].subjectName
    }
  }
}
