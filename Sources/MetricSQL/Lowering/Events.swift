/// What funnels and retentions take as facts (FUN-08, RET-08).
extension Translation {
  /// `subject`, `day`, `instant`, `id`, `grp`, `user_1`…: the facts of a source, those of subjects that the
  /// metric is for; of a completion, one on each complete day. `grp` is empty without a group.
  ///
  /// - Parameters:
  ///   - ways: how many columns of users `at least` asks for.
  ///   - value: what is in `amount`.
  func events(
    _ source: EventSource, _ id: MetricID, grouping: [GroupField], ways: Int = 0,
    value: Expression? = nil, named suffix: String
  ) -> String {
    let name = "\(library.metrics[id].name)_\(suffix)"
    let comment = "\(library.metrics[id].name): \(library.text(of: source))."
    switch source {
    case .fact(let record, let route, let filter):
      let (builder, scope) = rows(of: facts(record, route, for: id), record, for: id)
      let (subject, day) = (builder["subject"], scope.day ?? 0)
      let row = Row(record: record, alias: builder.own)
      if let filter { builder.where(expression(filter, scope)) }
      builder.conditions += conditions(on: subject, id, day, builder)
      let declaration = library.records[record]
      let users = ways == 0 ? [] : users(behind: row, builder)
      let columns = builder.columns(
        ["subject"],
        [
          "day": day, "instant": instant(of: source).map { column($0, of: "f") } ?? .null(.int),
          "id": column(record, declaration.idField, of: "f") ?? .null(.text),
          "grp": group(of: row, on: day, grouping, builder) ?? "",
        ])
      let amount = value.map { [SQLColumn(expression($0, scope), "amount")] } ?? []
      return define(name, comment, builder.select(columns + self.ways(users, count: ways) + amount))
    case .completion(let completion):
      return define(name, comment, completeDays(completion, id, grouping, ways: ways))
    }
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

  /// For whom the metric is, and whether they agreed by a day.
  private func conditions(
    on subject: SQLExpression, _ id: MetricID, _ day: SQLExpression, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let entity = library.metrics[id].subject.entity
    return [
      subjectCondition(id, subject, builder),
      entity.flatMap { agrees(subject, needs.subjects(of: $0, for: id), on: day, builder) },
    ].compactMap { $0 }
  }

  private func completeDays(
    _ completion: MetricID, _ id: MetricID, _ grouping: [GroupField], ways: Int
  ) -> SQLQuery {
    let windows = windows(completion, Anchors(relation: "", kind: .pairs), needsAll: true)
    let builder = SelectBuilder(from: windows.complete(), as: "f")
    let (subject, day) = (builder["subject"], builder["r"])
    builder.conditions += conditions(on: subject, id, day, builder)
    let entity = ways == 0 ? nil : library.metrics[id].subject.entity
    let users = entity.map { self.users(behind: subject, of: $0, builder) } ?? []
    let columns = builder.columns(
      ["subject"],
      [
        "day": day, "instant": .null(.int), "id": .null(.text),
        "grp": group(of: nil, on: day, grouping, builder) ?? "",
      ])
    return builder.select(columns + self.ways(users, count: ways))
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
