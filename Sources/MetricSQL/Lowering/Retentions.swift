/// Retention (RET-01).
struct RetentionLowering: MetricLowering {
  let translation: Translation
  let id: MetricID
  private let retention: Retention
  private let starts: String
  private let returns: String
  /// The days 0, and `r`: the reference days.
  private var cohorts = ""
  private var days = ""

  init(_ translation: Translation, _ retention: Retention, _ id: MetricID, _ anchors: Anchors) {
    (self.translation, self.id, self.retention) = (translation, id, retention)
    starts = translation.events(
      retention.start, id, grouping: retention.grouping,
      ways: retention.atLeast == nil ? 0 : translation.library.ways(of: translation.library.metrics[id]),
      named: "starts")
    returns = translation.events(
      retention.returns, id, grouping: [], value: retention.value?.argument, named: "returns")
    let returnDays = SelectBuilder(from: returns, as: "e").select(["subject", "day"], isDistinct: true)
    cohorts = cohorts(dayZeros(), define("return_days", returnDays))
    days = translation.appDays(anchors)
  }

  func query() -> SQLQuery {
    let columns = metric.parts.map(\.role).filter { $0.quotient == nil }.map(\.name)
    let counted = counted()
    guard let atLeast = retention.atLeast else {
      return rated(define("all", completed(counted, days: days, columns: columns)))
    }
    let counts = retention.after.flatMap { ["users_\($0.name)", "returners_\($0.name)"] }
    let joined = withUsers(counted, columns: columns, counts: counts, lines: lines, users: userCounts)
    let others = columnsOfUsers(counts)
    let all = define("all", completed(joined, days: days, columns: columns + others))
    return hiding(define("open", rated(all, others)), users: counts, atLeast: atLeast)
  }

  /// `subject`, `day`, `grp`: each day 0 with the group of its earliest start.
  private func dayZeros() -> String {
    let builder = SelectBuilder(from: starts, as: "e")
    let keys = [builder["subject"]] + (retention.startsEachDay ? [builder["day"]] : [])
    // A cohort is a day as text, which rises with the day.
    let group = retention.grouping.isEmpty ? "" : SQLExpression.aggregate(.min, builder["grp"])
    let day = builder.columns(["subject"], ["day": .aggregate(.min, builder["day"])])
    if !retention.grouping.hasPaths {
      return define("day_0", "each day 0.", builder.select(day + [SQLColumn(group, "grp")], groupedBy: keys))
    }
    if !retention.startsEachDay {
      let days = define("first_days", builder.select(day, groupedBy: keys))
      builder.join(.inner, days, as: "d", same: ["subject", "day"])
    }
    let first = translation.placed(
      builder.columns(["subject", "day", "grp"]), of: builder, partition: keys,
      order: translation.eventOrder("e"), named: "\(name)_day_0_ranked")
    return define("day_0", "each day 0.", first)
  }

  /// The days 0 with `return_dN`, the day on which each counts as returned after N days; null where none does.
  private func cohorts(_ zeros: String, _ returns: String) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    var columns = builder.columns(["subject", "day", "grp"])
    for after in retention.after {
      let isOneDay = retention.span(after).count == 1 && !retention.orLater
      let target = builder["day"] + .integer(after.through)
      let relation = isOneDay ? returns : firstReturns(zeros, returns, after)
      let alias = builder.join(
        .left, relation, as: "r",
        on: ["subject": builder["subject"], "day": isOneDay ? target : builder["day"]])
      columns.append(SQLColumn(alias[isOneDay ? "day" : "return_day"], "return_\(after.name)"))
    }
    return define("cohorts", "each day 0 and the days of return.", builder.select(columns))
  }

  /// That a return counts for a day 0 after some days.
  private func isIn(_ after: DaysAfter, _ day: SQLExpression, of zero: SQLExpression) -> [SQLExpression] {
    let span = retention.span(after)
    return [day.isAtLeast(zero + .integer(span.lowerBound))]
      + (retention.orLater ? [] : [day.isAtMost(zero + .integer(span.upperBound))])
  }

  private func firstReturns(_ zeros: String, _ returns: String, _ after: DaysAfter) -> String {
    let builder = SelectBuilder(from: zeros, as: "z")
    let day = builder.join(.inner, returns, as: "r", same: ["subject"]) {
      isIn(after, $0["day"], of: builder["day"])
    }["day"]
    return define(
      "first_\(after.name)",
      builder.grouped(["return_day": .aggregate(.min, day)], by: builder.columns(["subject", "day"])))
  }

  /// The cohorts, called `c`, beside the reference days, called `d`, on which they count, by day and group.
  private func atDays() -> (builder: SelectBuilder, keys: [SQLColumn]) {
    let builder = SelectBuilder(from: cohorts, as: "c")
    // "`over P`: day 0 lies in P."
    let day = builder.join(.inner, days, as: "d") {
      translation.within(builder["day"], retention.over, $0["r"])
    }["r"]
    return (builder, builder.columns(["r": day, "grp": builder["grp"]]))
  }

  /// That a day 0 is eligible on a day, and that it has returned.
  private func states(_ after: DaysAfter) -> (eligible: SQLExpression, returned: SQLExpression) {
    let (cohort, day) = (Alias("c"), Alias("d")["r"])
    let eligible = (cohort["day"] + .integer(after.through)).isAtMost(day)
    return (eligible, eligible.and(cohort["return_\(after.name)"].isAtMost(day)))
  }

  private func counted() -> String {
    let (builder, keys) = atDays()
    let columns = retention.after.flatMap { after -> [SQLColumn] in
      let (eligible, returned) = states(after)
      let count = SQLColumn(.aggregate(.countTrue, eligible), PartRole.eligible(after).name)
      return retention.value == nil
        ? [count, SQLColumn(.aggregate(.countTrue, returned), PartRole.returned(after).name)] : [count]
    }
    let counts = define("counts", "who could return, and who did.", builder.grouped(columns, by: keys))
    guard let value = retention.value else { return counts }
    return withUsers(
      counts, columns: retention.after.map { PartRole.eligible($0).name },
      counts: retention.after.map { PartRole.worth($0).name }
    ) { _ in worths(value) }
  }

  /// What the facts of the eligible add up to, by `r` and `grp`.
  private func worths(_ value: Aggregate) -> String {
    let (builder, keys) = atDays()
    let event = builder.join(.inner, returns, as: "e", same: ["subject"])
    let columns = retention.after.map { after -> SQLColumn in
      let counts = isIn(after, event["day"], of: builder["day"])
        .reduce(states(after).eligible) { $0.and($1) }
      let sum = SQLAggregate.sum(of: value.type)
      let worth: SQLExpression =
        value.argument == nil
        ? .aggregate(.countTrue, counts) : .aggregate(sum, event["amount"].when(counts))
      return SQLColumn(worth, PartRole.worth(after).name)
    }
    return define("values", "what those who are eligible add up to.", builder.grouped(columns, by: keys))
  }

  /// `users_dN` and `returners_dN` by `r` and `grp`: the users behind the starts of those who could return after N days,
  /// and of those who did. Of a line in place of a group.
  private func userCounts(in line: Line?) -> String {
    var (builder, keys) = atDays()
    if let line { keys[1].expression = line.text(of: keys[1].expression) }
    let events = builder.join(.inner, starts, as: "e", same: ["subject", "day"])
    let users = (1...library.ways(of: metric)).map { events["user_\($0)"] }
    let counts = retention.after.flatMap { after in
      let (eligible, returned) = states(after)
      return builder.columns([
        "users_\(after.name)": translation.fewest([eligible], users),
        "returners_\(after.name)": translation.fewest([returned], users),
      ])
    }
    return define("users", "the users behind the starts.", builder.grouped(counts, by: keys))
  }

  private func rated(_ all: String, _ others: [String] = []) -> SQLQuery {
    let builder = SelectBuilder(from: all, as: "a")
    func column(_ role: PartRole) -> SQLExpression {
      let column = builder[role.name]
      guard let value = retention.value, case .worth = role else { return column }
      return translation.inRange(column, value.type)
    }
    let values = metric.parts.map(\.role).map { part -> SQLColumn in
      guard let (days, dividend) = part.quotient else { return SQLColumn(column(part), part.name) }
      let rate = quotient(column(dividend), column(.eligible(days)), retention.value?.type)
      return SQLColumn(rate, part.name)
    }
    return builder.select(builder.columns(["subject", "r", "grp"] + others) + values)
  }
}

/// A value or a number divided by another number; of a Decimal both in millionths.
func quotient(_ dividend: SQLExpression, _ number: SQLExpression, _ type: ValueType?) -> SQLExpression {
  let divisor = type == .decimal ? .infix(.multiply, number, .number(FixedDecimal.scale)) : number
  return .operation(.divideMillionths, [dividend, divisor])
}
