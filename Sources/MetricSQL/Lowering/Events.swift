import MetricPlan

/// What funnels and retentions take as facts (FUN-08, RET-08).
extension Translation {
  /// `subject`, `day`, `instant`, `id`, `grp`, `user_id`: the facts of a source, those of subjects that the
  /// metric is for; of a completion, one on each complete day. `grp` is empty without a group, `user_id` is
  /// there where `at least` asks for it (a fact of several users has a row for each).
  func events(
    _ source: EventSource, _ id: MetricID, isTeam: Bool, grouping: Grouping?, needsUsers: Bool,
    named suffix: String
  ) -> String {
    let name = "\(library.metrics[id].name)_\(suffix)"
    let comment = "\(library.metrics[id].name): \(library.text(of: source))."
    switch source {
    case .fact(let record, let route, let filter):
      let paths = needsUsers ? library.userPaths(of: record) : []
      let queries = (paths.isEmpty ? [nil] : paths.map { Optional($0) }).map { path -> SQLQuery in
        let builder = SelectBuilder(from: facts(record, route, isTeam: isTeam), as: "f")
        let row = Row(record: record, alias: "f")
        let subject = builder.column("subject", of: "f")
        let day = day(of: row) ?? .integer(0)
        let scope = Scope(
          builder: builder, subject: subject, entity: library.metrics[id].subject.entity, day: day, row: row)
        if let filter { builder.conditions.append(expression(filter, scope)) }
        builder.conditions += conditions(on: subject, id, isTeam: isTeam, day, builder)
        let declaration = library.records[record]
        return builder.select([
          SQLColumn(subject, "subject"), SQLColumn(day, "day"),
          SQLColumn(column(record, declaration.orderField, of: "f") ?? .null(.number), "instant"),
          SQLColumn(column(record, declaration.idField, of: "f") ?? .null(.text), "id"),
          SQLColumn(cohort(day, grouping) ?? group(of: row, grouping, builder) ?? .text(""), "grp"),
          SQLColumn(path.map { follow($0, from: row, builder) } ?? .null(.text), "user_id"),
        ])
      }
      return define(name, comment, queries.count == 1 ? queries[0] : .union(queries, isDistinct: false))
    case .completion(let completion):
      return define(
        name, comment, completeDays(completion, id, isTeam: isTeam, grouping, needsUsers: needsUsers))
    }
  }

  /// For whom the metric is, and whether they agreed by a day.
  private func conditions(
    on subject: SQLExpression, _ id: MetricID, isTeam: Bool, _ day: SQLExpression, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    [
      subjectCondition(id, subject, builder),
      agrees(
        subject, of: library.metrics[id].subject.entity, reads: needs.reads[id] ?? [], isTeam: isTeam,
        on: day,
        builder),
    ].compactMap { $0 }
  }

  private func completeDays(
    _ completion: MetricID, _ id: MetricID, isTeam: Bool, _ grouping: Grouping?, needsUsers: Bool
  ) -> SQLQuery {
    let anchors = Anchors(relation: "", kind: .pairs)
    guard let windows = windows(completion, isTeam: isTeam, anchors, needsAll: true) else {
      return .values([])
    }
    let entity = library.metrics[id].subject.entity
    var paths: [[FieldReference]?] = [nil]
    if needsUsers, let entity {
      paths =
        library.records[entity].name == "User" ? [[]] : library.userPaths(of: entity).map { Optional($0) }
    }
    let queries = (paths.isEmpty ? [nil] : paths).map { path -> SQLQuery in
      let builder = SelectBuilder(from: complete(windows), as: "f")
      let (subject, day) = (builder.column("subject", of: "f"), builder.column("r", of: "f"))
      builder.conditions += conditions(on: subject, id, isTeam: isTeam, day, builder)
      var user = SQLExpression.null(.text)
      if let path, let entity {
        user = subject
        if !path.isEmpty, let row = row(of: entity, id: subject, builder) {
          user = follow(path, from: row, builder)
        }
      }
      return builder.select([
        SQLColumn(subject, "subject"), SQLColumn(day, "day"), SQLColumn(.null(.number), "instant"),
        SQLColumn(.null(.text), "id"), SQLColumn(cohort(day, grouping) ?? .text(""), "grp"),
        SQLColumn(user, "user_id"),
      ])
    }
    return queries.count == 1 ? queries[0] : .union(queries, isDistinct: false)
  }

  /// A cohort's group: its first day.
  private func cohort(_ day: SQLExpression, _ grouping: Grouping?) -> SQLExpression? {
    guard case .cohort(let unit)? = grouping else { return nil }
    switch unit {
    case .day: return .operation(.dayText, [day])
    case .week: return .operation(.dayText, [day - Stretch.daysIntoWeek(day, from: .monday)])
    case .month: return .operation(.dayText, [.operation(.startOfMonth, [day])])
    }
  }

  /// `r`: the days on which a metric of many subjects is asked for.
  func appDays(_ anchors: Anchors) -> String {
    if case .days(let days) = anchors.kind { return days }
    return relation(.appAnchors(anchors.relation), named: "\(anchors.relation)_days") {
      let builder = SelectBuilder(from: anchors.relation, as: "a")
      return builder.select([SQLColumn(builder.column("r", of: "a"), "r")], isDistinct: true)
    }
  }

  /// By day, those without an Instant first, then by Instant, id and group.
  func eventOrder(_ builder: SelectBuilder, _ alias: String) -> [SQLOrder] {
    ["day", "instant", "id", "grp"].map { SQLOrder(builder.column($0, of: alias)) }
  }

  /// The groups of a metric of many subjects on each day: those that are counted, and the empty one where
  /// nothing is grouped.
  ///
  /// - Parameters:
  ///   - counted: relation with `r`, `grp` and the columns.
  ///   - zeros: what the columns are where nobody is counted.
  func completed(_ counted: String, days: String, columns: [String], isGrouped: Bool) -> SQLQuery {
    if isGrouped {
      let builder = SelectBuilder(from: counted, as: "a")
      return builder.select(
        [SQLColumn(.text(""), "subject")]
          + keys(builder, ["r", "grp"] + columns))
    }
    let builder = SelectBuilder(from: days, as: "d")
    let alias = builder.join(.left, counted, as: "a") {
      [SQLExpression.column(relation: $0, name: "r").equals(.column(relation: "d", name: "r"))]
    }
    return builder.select(
      [
        SQLColumn(.text(""), "subject"), SQLColumn(builder.column("r", of: "d"), "r"),
        SQLColumn(.text(""), "grp"),
      ] + columns.map { SQLColumn(builder.column($0, of: alias).or(0), $0) })
  }
}
