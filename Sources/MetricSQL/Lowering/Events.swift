/// What funnels and retentions take as facts (FUN-08, RET-08).
extension Translation {
  /// `subject`, `day`, `instant`, `id`, `grp`, `user_1`…: the facts of a source, those of subjects that the
  /// metric is for; of a completion, one on each complete day. `grp` is empty without a group, `ways` is how
  /// many columns of users `at least` asks for, and `value` what is in `amount`.
  func events(
    _ source: EventSource, _ id: MetricID, grouping: [GroupField], ways: Int = 0,
    value: Expression? = nil, named suffix: String
  ) -> String {
    let (metric, entity) = (library.metrics[id].name, library.metrics[id].subject.entity)
    let builder: SelectBuilder
    var scope: Scope?
    switch source {
    case .fact(let record, let route, let filter):
      let facts = rows(of: facts(record, route, for: id), record, for: id)
      (builder, scope) = (facts.builder, facts.scope)
      if let filter { builder.where(expression(filter, facts.scope)) }
    case .completion(let completion):
      let windows = windows(completion, Anchors(relation: "", kind: .pairs), needsAll: true)
      builder = SelectBuilder(from: windows.complete(), as: "f")
    }
    let (subject, row, day) = (builder["subject"], scope?.row, scope?.day ?? builder["r"])
    // For whom the metric is, and whether they agreed by the day.
    let conditions = [
      subjectCondition(id, builder),
      entity.flatMap { agrees(subject, needs.subjects(of: $0, for: id), on: day, builder) },
    ]
    builder.conditions += conditions.compactMap { $0 }
    var users: [SQLExpression] = []
    if ways > 0, let row {
      users = self.users(behind: row, builder)
    } else if ways > 0, let entity {
      users = self.users(behind: subject, of: entity, builder)
    }
    let columns = builder.columns(
      ["subject"],
      [
        "day": day, "instant": instant(of: source).map { column($0, of: "f") } ?? .null(.int),
        "id": row.flatMap { column($0.record, library.records[$0.record].idField, of: "f") } ?? .null(.text),
        "grp": group(of: row, on: day, grouping, builder) ?? "",
      ])
    let amount = value.flatMap { value in scope.map { [SQLColumn(expression(value, $0), "amount")] } } ?? []
    return define(
      "\(metric)_\(suffix)", "\(metric): \(library.text(of: source)).",
      builder.select(columns + self.ways(users, count: ways) + amount))
  }

  /// The field that orders the events of a day.
  func instant(of source: EventSource) -> FieldReference? {
    guard case .fact(let record, _, _) = source, let field = library.records[record].orderField,
      needs.fields[record]?.contains(field) == true
    else { return nil }
    return FieldReference(record: record, field: field)
  }

  /// `user_1`…: by each way the user at its end or, where there is none, the first other one (PRIV-06).
  func ways(_ users: [SQLExpression], count: Int) -> [SQLColumn] {
    (0..<count).map { way in
      let user: SQLExpression =
        switch users.count {
        case 0: .null(.text)
        case 1: users[0]
        default: .coalesce([users[min(way, users.count - 1)]] + users)
        }
      return SQLColumn(user, "user_\(way + 1)")
    }
  }

  /// How many different users there are on each side, by the way that has the fewest.
  func fewest(_ sides: [SQLExpression?], _ ways: [SQLExpression]) -> SQLExpression {
    let counts = ways.flatMap { user in
      sides.map { side in SQLExpression.aggregate(.countDistinct, side.map { user.when($0) } ?? user) }
    }
    return .fewest(counts) ?? 0
  }

  /// `r`: the days when a metric of many subjects is requested.
  func appDays(_ anchors: Anchors) -> String {
    if case .days(let days) = anchors.kind { return days }
    return define(
      "\(anchors.relation)_days",
      SelectBuilder(from: anchors.relation, as: "a").select(["r"], isDistinct: true))
  }

  /// By day, those without an Instant first, then by Instant, id and group.
  func eventOrder(_ alias: Alias) -> [SQLOrder] {
    ["day", "instant", "id", "grp"].map { SQLOrder(alias[$0]) }
  }
}
