import MetricPlan

/// Subjects as rows: aggregates over the subjects that refer to the metric's own.
extension NamedValues {
  func value(of aggregate: SubjectAggregate, _ scope: Scope) -> SQLExpression {
    let relation = subjectPlaces[aggregate] ?? define(aggregate)
    subjectPlaces[aggregate] = relation
    let alias = join(relation, scope, hint: "s")
    let value = scope.builder.column("value", of: alias)
    let result = aggregate.function.isNeverNone ? value.or(0) : value
    return aggregate.function == .sum ? translation.inRange(result, aggregate.type) : result
  }

  /// The counted subjects that meet `where`, with the anchors that they are counted at.
  func counted(_ aggregate: SubjectAggregate) -> (scope: Scope, keys: [SQLColumn]) {
    let members = translation.members(aggregate, metric)
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    builder.join(.inner, members, as: "m", same: ["subject"], of: "a")
    let member = builder.column("member", of: "m")
    counting = Counting(anchors: memberAnchors(aggregate, members), subject: member)
    let scope = Scope(
      builder: builder, subject: builder.column("subject", of: "a"), entity: entity,
      day: builder.column("r", of: "a"), row: translation.row(of: aggregate.entity, id: member, builder),
      values: self)
    if let filter = aggregate.filter { builder.conditions.append(translation.expression(filter, scope)) }
    let subjects = translation.needs.subjects(of: aggregate.entity, for: metric)
    if let agrees = translation.agrees(member, subjects, on: builder.column("r", of: "a"), builder) {
      builder.conditions.append(agrees)
    }
    var keys = ["subject", "r"].map { SQLColumn(builder.column($0, of: "a"), $0) }
    if !grouping.isEmpty {
      let group = scope.row.flatMap { translation.group(of: $0, grouping, builder, in: scope) }
      keys.append(SQLColumn(group ?? .text(""), "grp"))
    }
    return (scope, keys)
  }

  /// The members' own pairs of subject and day.
  private func memberAnchors(_ aggregate: SubjectAggregate, _ members: String) -> Anchors {
    if case .days(let days) = anchors.kind { return translation.anchors(aggregate.entity, days: days) }
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    builder.join(.inner, members, as: "m", same: ["subject"], of: "a")
    let relation = translation.define(
      "\(name)_members",
      builder.select(
        [
          SQLColumn(builder.column("member", of: "m"), "subject"),
          SQLColumn(builder.column("r", of: "a"), "r"),
        ], isDistinct: true))
    return Anchors(relation: relation, kind: .pairs)
  }

  private func define(_ aggregate: SubjectAggregate) -> String {
    let (scope, keys) = counted(aggregate)
    let argument = aggregate.argument.map { translation.expression($0, scope) }
    counting = nil
    let text = translation.library.text(of: .subjects(aggregate))
    let comment = "\(name): \(text), by subject and day."
    if case .percentile = aggregate.function {
      let value = argument ?? impossible("a percentile is one of values")
      return translation.pick(
        aggregate.function, of: value, by: [SQLOrder(value)], keys: keys, from: scope.builder, named: name)
    }
    let value = combined(aggregate.function, argument, aggregate.argument?.type ?? .int)
    return translation.define(
      "\(name)_counted", comment,
      scope.builder.select(keys + [SQLColumn(value, "value")], groupedBy: keys.map(\.expression)))
  }
}
