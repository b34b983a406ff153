import MetricPlan

/// Retention (RET-01).
extension Translation {
  func query(_ retention: Retention, _ id: MetricID, _ anchors: Anchors) -> SQLQuery {
    let name = library.metrics[id].name
    let starts = events(
      retention.start, id, grouping: retention.grouping,
      ways: retention.atLeast == nil ? 0 : library.ways(of: library.metrics[id]), named: "starts")
    let returns = events(
      retention.returns, id, grouping: [], value: retention.value?.argument, named: "returns"
    )
    let zeros = dayZeros(retention, starts, name)
    let cohorts = cohorts(retention, zeros, returnDays(returns, name), name)
    let days = appDays(anchors)
    let parts = library.metrics[id].parts.map(\.role)
    let columns = parts.filter { $0.quotient == nil }.map(\.name)
    let counted = counted(retention, cohorts, days, returns, name)
    let isGrouped = !retention.grouping.isEmpty
    guard let atLeast = retention.atLeast else {
      let all = define("\(name)_all", completed(counted, days: days, columns: columns, isGrouped: isGrouped))
      return rated(all, retention, parts)
    }
    let users = userCounts(retention, id, starts, cohorts, days, name)
    let counts = retention.after.flatMap { ["users_\($0.name)", "returners_\($0.name)"] }
    let lines = lines(of: retention.grouping).map { line in
      (line, userCounts(retention, id, starts, cohorts, days, name, in: line))
    }
    let joined = withUsers(counted, users, columns: columns, counts: counts, lines, named: name)
    let others = counts + columnsOfLines(retention.grouping, counts)
    let open = define(
      "\(name)_all", completed(joined, days: days, columns: columns + others, isGrouped: isGrouped))
    let rates = rated(open, retention, parts, others)
    return hiding(
      define("\(name)_open", rates), keys: ["subject", "r", "grp"], users: counts, atLeast: atLeast, id)
  }

  // MARK: Cohorts

  /// `subject`, `day`, `grp`: each day 0 with the group of its earliest start.
  private func dayZeros(_ retention: Retention, _ starts: String, _ name: String) -> String {
    let builder = SelectBuilder(from: starts, as: "e")
    let keys = [builder["subject"]] + (retention.startsEachDay ? [builder["day"]] : [])
    let comment = "\(name): each day 0."
    // A cohort is a day as text, which rises with the day.
    let columns = [
      SQLColumn(builder["subject"], "subject"), SQLColumn(.aggregate(.min, builder["day"]), "day"),
      SQLColumn(retention.grouping.isEmpty ? .text("") : .aggregate(.min, builder["grp"]), "grp"),
    ]
    if !retention.grouping.hasPaths {
      return define("\(name)_day_0", comment, builder.select(columns, groupedBy: keys))
    }
    if !retention.startsEachDay {
      let days = define("\(name)_first_days", builder.select(Array(columns.dropLast()), groupedBy: keys))
      builder.join(.inner, days, as: "d", same: ["subject", "day"])
    }
    return first(
      of: builder, partition: keys, order: eventOrder(builder, "e"),
      builder.columns(["subject", "day", "grp"]), named: "\(name)_day_0", comment)
  }

  private func returnDays(_ returns: String, _ name: String) -> String {
    return define(
      "\(name)_return_days",
      SelectBuilder.columns(["subject", "day"], from: returns, as: "e", isDistinct: true))
  }

  /// The days 0 with `return_dN`, the day on which each counts as returned after N days; null where none does.
  private func cohorts(_ retention: Retention, _ zeros: String, _ returns: String, _ name: String) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    var columns = builder.columns(["subject", "day", "grp"])
    for after in retention.after {
      let isOneDay = retention.span(after).count == 1 && !retention.orLater
      let target = builder["day"] + .integer(after.through)
      let relation = isOneDay ? returns : firstReturns(retention, zeros, returns, after, name)
      let alias = builder.join(
        .left, relation, as: "r",
        on: ["subject": builder["subject"], "day": isOneDay ? target : builder["day"]])
      columns.append(SQLColumn(alias[isOneDay ? "day" : "return_day"], "return_\(after.name)"))
    }
    return define(of: name, "cohorts", "each day 0 and the days of return.", builder.select(columns))
  }

  /// That a return counts for a day 0 after some days.
  private func isIn(
    _ retention: Retention, _ after: DaysAfter, _ day: SQLExpression, of zero: SQLExpression
  ) -> [SQLExpression] {
    let span = retention.span(after)
    return [day.isAtLeast(zero + .integer(span.lowerBound))]
      + (retention.orLater ? [] : [day.isAtMost(zero + .integer(span.upperBound))])
  }

  /// The first return after some days.
  private func firstReturns(
    _ retention: Retention, _ zeros: String, _ returns: String, _ after: DaysAfter, _ name: String
  ) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    builder.join(.inner, returns, as: "r", same: ["subject"]) { alias in
      isIn(retention, after, alias["day"], of: builder["day"])
    }
    let keys = builder.columns(["subject", "day"])
    return define(
      "\(name)_first_\(after.name)",
      builder.grouped([SQLColumn(.aggregate(.min, Alias("r")["day"]), "return_day")], by: keys))
  }

  // MARK: Counts

  private func atDays(_ retention: Retention, _ cohorts: String, _ days: String) -> (
    SelectBuilder, [SQLColumn]
  ) {
    let builder = SelectBuilder(from: cohorts, as: "c")
    // "`over P`: day 0 lies in P."
    builder.join(.inner, days, as: "d") {
      self.within(builder["day"], retention.over, $0["r"])
    }
    return (builder, [SQLColumn(Alias("d")["r"], "r"), SQLColumn(builder["grp"], "grp")])
  }

  /// That a day 0 is eligible on a day, and that it has returned.
  private func states(
    _ after: DaysAfter, _ builder: SelectBuilder
  ) -> (eligible: SQLExpression, returned: SQLExpression) {
    let day = Alias("d")["r"]
    let eligible = (Alias("c")["day"] + .integer(after.through)).isAtMost(day)
    let returned = Alias("c")["return_\(after.name)"].isAtMost(day)
    return (eligible, eligible.and(returned))
  }

  private func counted(
    _ retention: Retention, _ cohorts: String, _ days: String, _ returns: String, _ name: String
  ) -> String {
    let (builder, keys) = atDays(retention, cohorts, days)
    var columns = keys
    for after in retention.after {
      let (eligible, returned) = states(after, builder)
      columns.append(SQLColumn(.aggregate(.countTrue, eligible), PartRole.eligible(after).name))
      if retention.value == nil {
        columns.append(SQLColumn(.aggregate(.countTrue, returned), PartRole.returned(after).name))
      }
    }
    let counts = define(
      of: name, "counts", "who could return, and who did.",
      builder.select(columns, groupedBy: keys.map(\.expression)))
    guard let value = retention.value else { return counts }
    return withUsers(
      counts, worths(retention, value, cohorts, days, returns, name),
      columns: retention.after.map { PartRole.eligible($0).name },
      counts: retention.after.map { PartRole.worth($0).name }, named: name)
  }

  /// What the facts of the eligible add up to, by `r` and `grp`.
  private func worths(
    _ retention: Retention, _ value: Aggregate, _ cohorts: String, _ days: String, _ returns: String,
    _ name: String
  ) -> String {
    let (builder, keys) = atDays(retention, cohorts, days)
    let event = builder.join(.inner, returns, as: "e", same: ["subject"], of: "c")
    let day = event["day"]
    let columns = retention.after.map { after -> SQLColumn in
      let counts = isIn(retention, after, day, of: builder["day"])
        .reduce(states(after, builder).eligible) { $0.and($1) }
      let worth: SQLExpression =
        value.argument == nil
        ? .aggregate(.countTrue, counts)
        : .aggregate(value.type == .decimal ? .sumMillionths : .sum, event["amount"].when(counts))
      return SQLColumn(worth, PartRole.worth(after).name)
    }
    return define(
      of: name, "values", "what those who are eligible add up to.",
      builder.grouped(columns, by: keys))
  }

  /// `users_dN` and `returners_dN` by `r` and `grp`: the users behind the starts of those who could return after N days,
  /// and of those who did. Of a line in place of a group.
  private func userCounts(
    _ retention: Retention, _ id: MetricID, _ starts: String, _ cohorts: String, _ days: String,
    _ name: String, in line: Line? = nil
  ) -> String {
    var (builder, keys) = atDays(retention, cohorts, days)
    if let line, let group = keys.popLast() { keys.append(SQLColumn(line.text(of: group.expression), "grp")) }
    let events = builder.join(.inner, starts, as: "e", same: ["subject", "day"], of: "c")
    let users = (1...library.ways(of: library.metrics[id])).map { events["user_\($0)"] }
    let counts = retention.after.flatMap { after in
      let (eligible, returned) = states(after, builder)
      return [
        SQLColumn(fewest([eligible], users), "users_\(after.name)"),
        SQLColumn(fewest([returned], users), "returners_\(after.name)"),
      ]
    }
    return define(of: name, "users", "the users behind the starts.", builder.grouped(counts, by: keys))
  }

  private func rated(
    _ all: String, _ retention: Retention, _ parts: [PartRole], _ others: [String] = []
  ) -> SQLQuery {
    let builder = SelectBuilder(from: all, as: "a")
    let values = parts.map { part -> SQLColumn in
      func column(_ role: PartRole) -> SQLExpression {
        let column = builder[role.name]
        guard let value = retention.value, case .worth = role else { return column }
        return inRange(column, value.type)
      }
      guard let (days, dividend) = part.quotient else { return SQLColumn(column(part), part.name) }
      return SQLColumn(quotient(column(dividend), column(.eligible(days)), retention.value?.type), part.name)
    }
    return builder.select(builder.columns(["subject", "r", "grp"] + others) + values)
  }

  /// A value or a number divided by another number; of a Decimal both in millionths.
  func quotient(_ dividend: SQLExpression, _ number: SQLExpression, _ type: ValueType?) -> SQLExpression {
    let divisor = type == .decimal ? .infix(.multiply, number, .number(FixedDecimal.scale)) : number
    return .operation(.divideMillionths, [dividend, divisor])
  }
}
