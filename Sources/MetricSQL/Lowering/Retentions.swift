import MetricPlan

/// Retention (RET-01).
extension Translation {
  func query(_ retention: Retention, _ id: MetricID, isTeam: Bool, _ anchors: Anchors) -> SQLQuery {
    let name = library.metrics[id].name
    let starts = events(
      retention.start, id, isTeam: isTeam, grouping: retention.grouping,
      ways: retention.atLeast == nil ? 0 : ways(of: id), named: "starts")
    let returns = events(retention.returns, id, isTeam: isTeam, grouping: [], named: "returns")
    let zeros = dayZeros(retention, starts, name)
    let cohorts = cohorts(retention, zeros, returnDays(returns, name), name)
    let days = appDays(anchors)
    let counted = counted(retention, cohorts, days, name)
    let columns = retention.after.flatMap { [PartRole.eligible($0).name, PartRole.returned($0).name] }
    let isGrouped = !retention.grouping.isEmpty
    let parts = library.metrics[id].parts.map(\.role)
    guard let atLeast = retention.atLeast else {
      let all = define("\(name)_all", completed(counted, days: days, columns: columns, isGrouped: isGrouped))
      return rated(all, retention, parts)
    }
    let users = userCounts(retention, id, starts, cohorts, days, name)
    let counts = retention.after.flatMap { ["users_\($0)", "returners_\($0)"] }
    let joined = withUsers(counted, users, columns: columns, counts: counts, named: name)
    let open = define(
      "\(name)_all", completed(joined, days: days, columns: columns + counts, isGrouped: isGrouped))
    let rates = rated(open, retention, parts, counts)
    let sets = retention.after.flatMap { after in
      [
        PartSet(columns: [PartRole.eligible(after).name], users: "users_\(after)"),
        PartSet(
          columns: [PartRole.returned(after).name, PartRole.rate(after).name], users: "returners_\(after)",
          behind: "users_\(after)"),
      ]
    }
    return hiding(
      define("\(name)_open", rates), keys: ["subject", "r", "grp"], parts: sets, atLeast: atLeast, named: name
    )
  }

  // MARK: Cohorts

  /// `subject`, `day`, `grp`: each day 0 with the group of its earliest start.
  private func dayZeros(_ retention: Retention, _ starts: String, _ name: String) -> String {
    let builder = SelectBuilder(from: starts, as: "e")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "e") }
    let keys = [own("subject")] + (retention.startsEachDay ? [own("day")] : [])
    let comment = "\(name): each day 0."
    // A cohort is a day as text, which rises with the day.
    let columns = [
      SQLColumn(own("subject"), "subject"), SQLColumn(.aggregate(.min, own("day")), "day"),
      SQLColumn(retention.grouping.isEmpty ? .text("") : .aggregate(.min, own("grp")), "grp"),
    ]
    if !retention.grouping.hasPaths {
      return define("\(name)_day_0", comment, builder.select(columns, groupedBy: keys))
    }
    if !retention.startsEachDay {
      let days = define("\(name)_first_days", builder.select(Array(columns.dropLast()), groupedBy: keys))
      builder.join(.inner, days, as: "d") { alias in
        ["subject", "day"].map { SQLExpression.column(relation: alias, name: $0).equals(own($0)) }
      }
    }
    return first(
      of: builder, partition: keys, order: eventOrder(builder, "e"),
      ["subject", "day", "grp"].map { SQLColumn(own($0), $0) }, named: "\(name)_day_0", comment)
  }

  private func returnDays(_ returns: String, _ name: String) -> String {
    let builder = SelectBuilder(from: returns, as: "e")
    return define(
      "\(name)_return_days",
      builder.select(
        ["subject", "day"].map { SQLColumn(builder.column($0, of: "e"), $0) }, isDistinct: true))
  }

  /// The days 0 with `return_N`, the day on which each counts as returned after N days; null where none does.
  private func cohorts(_ retention: Retention, _ zeros: String, _ returns: String, _ name: String) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "z") }
    var columns = ["subject", "day", "grp"].map { SQLColumn(own($0), $0) }
    for after in retention.after {
      let target = own("day") + .integer(after)
      let relation = retention.orLater ? laterReturns(zeros, returns, after, name) : returns
      let key = retention.orLater ? own("day") : target
      let alias = builder.join(.left, relation, as: "r") { alias in
        [
          SQLExpression.column(relation: alias, name: "subject").equals(own("subject")),
          SQLExpression.column(relation: alias, name: "day").equals(key),
        ]
      }
      columns.append(
        SQLColumn(builder.column(retention.orLater ? "return_day" : "day", of: alias), "return_\(after)"))
    }
    return define("\(name)_cohorts", "\(name): each day 0 and the days of return.", builder.select(columns))
  }

  /// The first return on or after N days.
  private func laterReturns(_ zeros: String, _ returns: String, _ after: Int, _ name: String) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "z") }
    builder.join(.inner, returns, as: "r") { alias in
      [
        SQLExpression.column(relation: alias, name: "subject").equals(own("subject")),
        SQLExpression.column(relation: alias, name: "day").isAtLeast(own("day") + .integer(after)),
      ]
    }
    let keys = ["subject", "day"].map { SQLColumn(own($0), $0) }
    return define(
      "\(name)_later_\(after)",
      builder.select(
        keys + [SQLColumn(.aggregate(.min, builder.column("day", of: "r")), "return_day")],
        groupedBy: keys.map(\.expression)))
  }

  // MARK: Counts

  private func atDays(_ retention: Retention, _ cohorts: String, _ days: String) -> (
    SelectBuilder, [SQLColumn]
  ) {
    let builder = SelectBuilder(from: cohorts, as: "c")
    // "`over P`: day 0 lies in P."
    builder.join(.inner, days, as: "d") {
      self.within(builder.column("day", of: "c"), retention.over, .column(relation: $0, name: "r"))
    }
    return (
      builder,
      [SQLColumn(builder.column("r", of: "d"), "r"), SQLColumn(builder.column("grp", of: "c"), "grp")]
    )
  }

  private func counted(_ retention: Retention, _ cohorts: String, _ days: String, _ name: String) -> String {
    let (builder, keys) = atDays(retention, cohorts, days)
    let day = builder.column("r", of: "d")
    var columns = keys
    for after in retention.after {
      let eligible = (builder.column("day", of: "c") + .integer(after)).isAtMost(day)
      columns.append(SQLColumn(.aggregate(.countTrue, eligible), PartRole.eligible(after).name))
      columns.append(
        SQLColumn(
          .aggregate(.countTrue, builder.column("return_\(after)", of: "c").isAtMost(day)),
          PartRole.returned(after).name))
    }
    return define(
      "\(name)_counts", "\(name): who could return, and who did.",
      builder.select(columns, groupedBy: keys.map(\.expression)))
  }

  /// `users_N` and `returners_N` by `r` and `grp`: the users behind the starts of those who could return after N days,
  /// and of those who did.
  private func userCounts(
    _ retention: Retention, _ id: MetricID, _ starts: String, _ cohorts: String, _ days: String,
    _ name: String
  ) -> String {
    let (builder, keys) = atDays(retention, cohorts, days)
    let events = builder.join(.inner, starts, as: "e") { alias in
      ["subject", "day"].map {
        SQLExpression.column(relation: alias, name: $0).equals(builder.column($0, of: "c"))
      }
    }
    let day = builder.column("r", of: "d")
    let users = (1...ways(of: id)).map { builder.column("user_\($0)", of: events) }
    let counts = retention.after.flatMap { after in
      let eligible = (builder.column("day", of: "c") + .integer(after)).isAtMost(day)
      let returned = builder.column("return_\(after)", of: "c").isAtMost(day)
      return [
        SQLColumn(fewest([eligible], users), "users_\(after)"),
        SQLColumn(fewest([returned], users), "returners_\(after)"),
      ]
    }
    return define(
      "\(name)_users", "\(name): the users behind the starts.",
      builder.select(keys + counts, groupedBy: keys.map(\.expression)))
  }

  private func rated(
    _ all: String, _ retention: Retention, _ parts: [PartRole], _ others: [String] = []
  ) -> SQLQuery {
    let builder = SelectBuilder(from: all, as: "a")
    let values = parts.map { part -> SQLColumn in
      func column(_ role: PartRole) -> SQLExpression { builder.column(role.name, of: "a") }
      let value =
        part.daysOfRate.map {
          SQLExpression.operation(.divideMillionths, [column(.returned($0)), column(.eligible($0))])
        } ?? column(part)
      return SQLColumn(value, part.name)
    }
    return builder.select(keys(builder, ["subject", "r", "grp"] + others) + values)
  }
}
