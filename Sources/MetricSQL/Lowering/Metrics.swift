import MetricPlan

/// Where the values of a metric are.
struct MetricPlace {
  var relation: String
  /// By part.
  var columns: [String: String] = [:]
  /// The relation while it gets columns, where metrics share it.
  var shared: OpenRelation?
}

/// One relation for each metric: `subject`, `r`, `grp` where it has groups, and a column for each part.
extension Translation {
  static func column(ofPart part: String) -> String { part.isEmpty ? "value" : part }

  /// Whether a metric has groups, itself or through the one it is a level of.
  func isGrouped(_ id: MetricID) -> Bool { !library.grouping(of: library.metrics[id]).isEmpty }

  /// Whether a metric is about all subjects at once: funnels, retentions and levels of them.
  func isWhole(_ id: MetricID) -> Bool {
    let metric = library.metrics[id]
    if case .level(let level) = metric.body { return isWhole(level.metric) }
    return metric.kind.countsSubjects || metric.subject.entity == nil
  }

  /// Whether a metric has rows of its own: of groups, of all subjects, or some that are hidden.
  private func standsAlone(_ id: MetricID) -> Bool {
    let metric = library.metrics[id]
    if case .level(let level) = metric.body { return standsAlone(level.metric) }
    return metric.kind.countsSubjects || !metric.grouping.isEmpty || metric.body.atLeast != nil
      || metric.nearest != nil
  }

  /// Where the values of a metric at some anchors are.
  func metric(_ id: MetricID, _ anchors: Anchors) -> MetricPlace {
    let key = RelationKey.metric(id, anchors)
    if let place = metricPlaces[key] { return place }
    let place =
      standsAlone(id)
      ? ownPlace(of: id, key, anchors) : sharedPlace(of: id, anchors)
    metricPlaces[key] = place
    return place
  }

  private func ownPlace(
    of id: MetricID, _ key: RelationKey, _ anchors: Anchors
  ) -> MetricPlace {
    let metric = library.metrics[id]
    let name = relation(key, named: metric.name, comment(id)) {
      let lowering: any MetricLowering
      switch metric.body {
      case .measure(let measure):
        lowering = MeasureLowering(translation: self, id: id, measure: measure, anchors: anchors)
      case .level(let level): return query(level, id, anchors)
      case .funnel(let funnel): lowering = FunnelLowering(self, funnel, id, anchors)
      case .retention(let retention): lowering = RetentionLowering(self, retention, id, anchors)
      case .completion, .windows, .progress: return impossible("they share a relation")
      }
      return lowering.rounded()
    }
    let columns = metric.parts.map { ($0.name, Translation.column(ofPart: $0.name)) }
    return MetricPlace(relation: name, columns: Dictionary(uniqueKeysWithValues: columns))
  }

  /// Columns of the relation that all metrics of a level share; null for subjects that the metric is not for.
  private func sharedPlace(of id: MetricID, _ anchors: Anchors) -> MetricPlace {
    let metric = library.metrics[id]
    let relation = values(at: anchors, level: level(of: id))
    let builder = relation.builder
    let subject = builder["subject"]
    let scope = Scope(builder: builder, subject: subject, entity: metric.subject.entity, day: builder["r"])
    let condition = subjectCondition(id, subject, builder)
    let values: [SQLExpression] =
      switch metric.body {
      case .completion(let completion): [value(completion, id, anchors, scope)]
      case .windows(let metric): values(metric, id, anchors, builder)
      case .progress(let progress): values(progress, id, anchors, scope)
      case .measure(let measure): [value(measure, id, anchors, scope)]
      case .level(let level): values(level, id, anchors, builder)
      case .funnel, .retention: impossible("they have relations of their own")
      }
    var place = MetricPlace(relation: relation.name, shared: relation)
    for (part, value) in zip(metric.parts, values) {
      let name = columnName(part.name.isEmpty ? metric.name : "\(metric.name)_\(part.name)")
      place.columns[part.name] = relation.add(value, where: condition.map { [$0] } ?? [], named: name)
    }
    return place
  }

  /// `daily_streak, a streak for habit: Days in a row.`
  func comment(_ id: MetricID) -> String {
    let metric = library.metrics[id]
    let subject = metric.subject.entity.map { library.records[$0].subjectName } ?? "app"
    let doc = metric.doc.map { ": " + $0.split(whereSeparator: \.isNewline).joined(separator: " ") } ?? "."
    return "\(metric.name), a \(metric.kind.rawValue) for \(subject)\(doc)"
  }

  // MARK: Subjects

  /// A query from anchors, of the subjects that the metric is for.
  func anchored(_ id: MetricID, _ anchors: Anchors) -> (builder: SelectBuilder, scope: Scope) {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let subject = builder["subject"]
    let entity = library.metrics[id].subject.entity
    if let condition = subjectCondition(id, subject, builder) { builder.conditions.append(condition) }
    let scope = Scope(builder: builder, subject: subject, entity: entity, day: builder["r"])
    return (builder, scope)
  }

  /// `for S where E`, over the subject's own row.
  func subjectCondition(_ id: MetricID, _ subject: SQLExpression, _ builder: SelectBuilder) -> SQLExpression?
  {
    let plan = library.metrics[id].subject
    guard let entity = plan.entity, let condition = plan.condition else { return nil }
    let row = row(of: entity, id: subject, builder)
    return expression(condition, Scope(builder: builder, subject: nil, row: row))
  }

  // MARK: Progress and levels

  private func values(
    _ progress: Progress, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> [SQLExpression] {
    var scope = scope
    scope.values = NamedValues(
      self, id, anchors, progress.over,
      expressions: [progress.value, progress.target].compactMap { $0 })
    let value = expression(progress.value, scope)
    guard let target = progress.target else { return [value] }
    let goal = expression(target, scope)
    func millionths(_ value: SQLExpression, _ type: ValueType) -> SQLExpression {
      type == .int ? .infix(.multiply, value, .number(1_000_000)) : value
    }
    let fraction = SQLExpression.operation(
      .divideMillionths, [millionths(value, progress.value.type), millionths(goal, target.type)])
    return [value, goal, fraction]
  }

  /// How many thresholds are reached (none by no value), and since when.
  private func values(
    _ level: Level, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let place = metric(level.metric, anchors)
    let value = builder[place.columns[level.part] ?? ""]
    let reached = areReached(level, value).map { $0.asNumber }
    guard level.hasDays else { return [.sum(reached)] }
    let names = ["subject"] + (isGrouped(level.metric) ? ["grp"] : [])
    let firsts = builder.join(.left, firstDays(level, id, names), as: "l", same: names)
    let days = library.metrics[id].parts.dropFirst().map { part in
      let first = firsts[part.name]
      return first.when(first.isAtMost(builder["r"]))
    }
    return [.sum(reached)] + days
  }

  private func areReached(_ level: Level, _ column: SQLExpression) -> [SQLExpression] {
    let part = library.metrics[level.metric].parts.first { $0.name == level.part }
    let value = part?.type == .int ? .infix(.multiply, column, .number(1_000_000)) : column
    return level.thresholds.map { value.isAtLeast(.number($0.millionths)) }
  }

  /// `subject`, `grp`?, `on1`…: the first day since the first fact on which each threshold is reached.
  private func firstDays(_ level: Level, _ id: MetricID, _ keys: [String]) -> String {
    let metric = library.metrics[id]
    let place = self.metric(
      level.metric, daysSinceFirstFact(of: level.metric))
    let builder = SelectBuilder(from: place.relation, as: "a")
    let reached = areReached(level, builder[place.columns[level.part] ?? ""])
    let day = builder["r"]
    let columns = zip(metric.parts.dropFirst(), reached).map { part, isReached in
      SQLColumn(.aggregate(.min, day.when(isReached)), part.name)
    }
    return define(
      of: metric.name, "first_days", "the first day on which each threshold is reached.",
      builder.select(builder.columns(keys) + columns, groupedBy: keys.map { builder[$0] }))
  }

  /// Groups are kept.
  private func query(_ level: Level, _ id: MetricID, _ anchors: Anchors) -> SQLQuery {
    let place = metric(level.metric, anchors)
    let builder = SelectBuilder(from: place.relation, as: "a")
    let names = ["subject", "r"] + (isGrouped(level.metric) ? ["grp"] : [])
    let values = values(level, id, anchors, builder)
    let columns = zip(library.metrics[id].parts, values).map {
      SQLColumn($1, Translation.column(ofPart: $0.name))
    }
    return builder.select(builder.columns(names) + columns)
  }

  // MARK: Measures

  private func value(
    _ measure: Measure, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> SQLExpression {
    var scope = scope
    scope.values = NamedValues(
      self, id, anchors, measure.over, expressions: [measure.value])
    return expression(measure.value, scope)
  }
}
