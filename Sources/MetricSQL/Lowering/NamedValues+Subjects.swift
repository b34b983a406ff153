/// Subjects as rows: aggregates over the subjects that refer to the metric's own.
extension NamedValues {
  func value(of aggregate: SubjectAggregate, _ scope: Scope) -> SQLExpression {
    let relation = subjectPlaces[aggregate] ?? define(aggregate)
    subjectPlaces[aggregate] = relation
    let alias = join(relation, scope, hint: "s")
    let value = alias["value"]
    let result = aggregate.function.isNeverNone ? value.or(0) : value
    return aggregate.function == .sum ? translation.inRange(result, aggregate.type) : result
  }

  /// The counted subjects that meet `where`, with the anchors that they are counted at.
  func counted(_ aggregate: SubjectAggregate) -> (scope: Scope, keys: [SQLColumn]) {
    let members = translation.members(aggregate, id)
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    builder.join(.inner, members, as: "m", same: ["subject"])
    let member = Alias("m")["member"]
    counting = (memberAnchors(aggregate, members), member)
    let scope = Scope(
      builder: builder, subject: builder["subject"], entity: metric.subject.entity,
      day: builder["r"], row: translation.row(of: aggregate.entity, id: member, builder),
      values: self)
    if let filter = aggregate.filter { builder.where(translation.expression(filter, scope)) }
    let subjects = translation.needs.subjects(of: aggregate.entity, for: id)
    if let agrees = translation.agrees(member, subjects, on: builder["r"], builder) { builder.where(agrees) }
    var keys = builder.columns(["subject", "r"])
    if !grouping.isEmpty {
      let group = scope.row.flatMap { translation.group(of: $0, grouping, builder, in: scope) }
      keys.append(SQLColumn(group ?? "", "grp"))
    }
    return (scope, keys)
  }

  /// The members' own pairs of subject and day.
  private func memberAnchors(_ aggregate: SubjectAggregate, _ members: String) -> Anchors {
    if case .days(let days) = anchors.kind { return translation.anchors(aggregate.entity, days: days) }
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    builder.join(.inner, members, as: "m", same: ["subject"])
    let query = builder.select(["subject": Alias("m")["member"], "r": builder["r"]], isDistinct: true)
    return Anchors(relation: define("members", query), kind: .pairs)
  }

  private func define(_ aggregate: SubjectAggregate) -> String {
    let (scope, keys) = counted(aggregate)
    let argument = aggregate.argument.map { translation.expression($0, scope) }
    counting = nil
    if case .percentile = aggregate.function {
      let value = argument ?? impossible("a percentile is one of values")
      return translation.pick(
        aggregate.function, of: value, by: [SQLOrder(value)], keys: keys, from: scope.builder, named: name)
    }
    let value = combined(aggregate.function, argument, aggregate.argument?.type ?? .int)
    return define(
      "counted", "\(library.text(of: .subjects(aggregate))), by subject and day.",
      scope.builder.grouped(["value": value], by: keys))
  }
}
