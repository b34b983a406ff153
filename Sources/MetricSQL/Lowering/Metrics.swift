struct MetricPlace {
  var relation: String
  /// By part.
  var columns: [String: String] = [:]
  /// The relation while it gets columns, where metrics share it.
  var shared: OpenRelation?
}

/// One relation for each metric: `subject`, `r`, `grp` where it has groups, and a column for each part.
extension Translation {
  /// Whether a metric has groups, itself or through the one it is a level of.
  func isGrouped(_ id: MetricID) -> Bool { !library.grouping(of: library.metrics[id]).isEmpty }

  /// Of whose subjects a metric has rows; nil if it is about all at once: funnels, retentions and levels of them.
  func entity(of id: MetricID) -> RecordID? {
    let metric = library.metrics[id]
    if case .level(let level) = metric.body { return entity(of: level.metric) }
    return metric.kind.countsSubjects ? nil : metric.subject.entity
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
    let place = standsAlone(id) ? ownPlace(of: id, key, anchors) : sharedPlace(of: id, anchors)
    metricPlaces[key] = place
    return place
  }

  private func ownPlace(of id: MetricID, _ key: RelationKey, _ anchors: Anchors) -> MetricPlace {
    let metric = library.metrics[id]
    let name = relation(key, named: metric.name, comment(id)) {
      let lowering: any MetricLowering =
        switch metric.body {
        case .measure(let measure):
          MeasureLowering(translation: self, id: id, measure: measure, anchors: anchors)
        case .level(let level): LevelLowering(translation: self, id: id, level: level, anchors: anchors)
        case .funnel(let funnel): FunnelLowering(self, funnel, id, anchors)
        case .retention(let retention): RetentionLowering(self, retention, id, anchors)
        case .completion, .windows: impossible("they share a relation")
        }
      return lowering.rounded()
    }
    let columns = metric.parts.map { ($0.name, $0.column) }
    return MetricPlace(relation: name, columns: Dictionary(uniqueKeysWithValues: columns))
  }

  /// Columns of the relation that all metrics of a level share; null for subjects that the metric is not for.
  private func sharedPlace(of id: MetricID, _ anchors: Anchors) -> MetricPlace {
    let metric = library.metrics[id]
    let relation = values(at: anchors, level: level(of: id))
    let builder = relation.builder
    let scope = scope(id, builder)
    let condition = subjectCondition(id, builder)
    let values: [SQLExpression] =
      switch metric.body {
      case .completion(let completion): [value(completion, id, anchors, scope)]
      case .windows(let metric): values(metric, id, anchors, builder)
      case .measure(let measure): values(measure, id, anchors, scope)
      case .level(let level):
        LevelLowering(translation: self, id: id, level: level, anchors: anchors).values(builder)
      case .funnel, .retention: impossible("they have relations of their own")
      }
    var place = MetricPlace(relation: relation.name, shared: relation)
    for (part, value) in zip(metric.parts, values) {
      let name = columnNames.takeIn(part.name.isEmpty ? metric.name : "\(metric.name)_\(part.name)")
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

  /// A query from anchors, of the subjects that the metric is for.
  func anchored(_ id: MetricID, _ anchors: Anchors) -> (builder: SelectBuilder, scope: Scope) {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let scope = scope(id, builder)
    if let condition = subjectCondition(id, builder) { builder.where(condition) }
    return (builder, scope)
  }

  private func scope(_ id: MetricID, _ builder: SelectBuilder) -> Scope {
    Scope(
      builder: builder, subject: builder["subject"], entity: library.metrics[id].subject.entity,
      day: builder["r"])
  }

  /// `for S where E`, over the subject's own row.
  func subjectCondition(_ id: MetricID, _ builder: SelectBuilder) -> SQLExpression? {
    let plan = library.metrics[id].subject
    guard let entity = plan.entity, let condition = plan.condition else { return nil }
    let row = row(of: entity, id: builder["subject"], builder)
    return expression(condition, Scope(builder: builder, subject: nil, row: row))
  }

  private func values(
    _ measure: Measure, _ id: MetricID, _ anchors: Anchors, _ scope: Scope
  ) -> [SQLExpression] {
    var scope = scope
    scope.values = NamedValues(
      self, id, anchors, measure.over, expressions: Body.measure(measure).expressions)
    let value = expression(measure.value, scope)
    guard let target = measure.target else { return [value] }
    let goal = expression(target, scope)
    let fraction = SQLExpression.operation(
      .divideMillionths, [value.millionths(measure.value.type), goal.millionths(target.type)])
    return [value, goal, fraction]
  }
}

extension Part {
  /// Its column in the relation of a metric.
  var column: String { name.isEmpty ? "value" : name }
}

extension SQLExpression {
  /// An Int as millionths, as a Decimal is.
  func millionths(_ type: ValueType) -> SQLExpression { type == .int ? self * .number(1_000_000) : self }
}
