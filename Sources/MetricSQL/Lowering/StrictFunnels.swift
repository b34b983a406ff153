import MetricPlan

/// Funnels whose steps have nothing between them: in strict order (FUN-06) no other fact of either step's record type,
/// and no fact that `without` names (FUN-10).
extension Translation {
  func attemptsWithGaps(_ lowering: FunnelLowering) -> String {
    let first = SelectBuilder(from: lowering.steps[0], as: "e")
    func own(_ name: String) -> SQLExpression { first.column(name, of: "e") }
    // Events of one day and Instant can be taken for each other, so that the pair stands for them.
    var taken = define(
      "\(lowering.name)_taken_1",
      first.select(
        [
          SQLColumn(own("subject"), "subject"), SQLColumn(own("day"), "start_day"),
          SQLColumn(own("instant"), "start_instant"), SQLColumn(own("day"), "day"),
          SQLColumn(own("instant"), "instant"),
        ], isDistinct: true))
    var all = [taken]
    for step in 1..<lowering.steps.count {
      taken = define(
        "\(lowering.name)_taken_\(step + 1)",
        "\(lowering.name): what can take step \(step + 1) with nothing between that must not be.",
        nextStep(lowering, step, taken))
      all.append(taken)
    }
    let builder = SelectBuilder(from: lowering.steps[0], as: "e")
    var columns = lowering.openingColumns.map { SQLColumn(builder.column($0, of: "e"), $0) }
    for (index, relation) in all.enumerated() {
      let days = firstDays(relation, "\(lowering.name)_days_\(index + 1)")
      let alias = builder.join(.left, days, as: "t") { alias in
        func column(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
        return [
          column("subject").equals(builder.column("subject", of: "e")),
          column("start_day").equals(builder.column("day", of: "e")),
          self.same(column("start_instant"), builder.column("instant", of: "e")),
        ]
      }
      columns.append(SQLColumn(builder.column("day", of: alias), reachColumn(index + 1)))
    }
    return define(
      "\(lowering.name)_attempts",
      "\(lowering.name): from each first step, the day on which it reached each.",
      builder.select(columns))
  }

  private func firstDays(_ taken: String, _ name: String) -> String {
    let builder = SelectBuilder(from: taken, as: "t")
    let keys = ["subject", "start_day", "start_instant"].map { SQLColumn(builder.column($0, of: "t"), $0) }
    return define(
      name,
      builder.select(
        keys + [SQLColumn(.aggregate(.min, builder.column("day", of: "t")), "day")],
        groupedBy: keys.map(\.expression)))
  }

  /// Equal, or both missing.
  private func same(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    left.equals(right).or(left.isMissing.and(right.isMissing))
  }

  /// What can follow the events taken for a step, called `t`.
  private func nextStep(_ lowering: FunnelLowering, _ step: Int, _ taken: String) -> SQLQuery {
    let builder = SelectBuilder(from: taken, as: "t")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "t") }
    let event =
      lowering.funnel.order == .strict
      ? strictNext(lowering, step, builder)
      : builder.join(.inner, lowering.steps[step], as: "e", same: ["subject"], of: "t") { alias in
        [.not(surelyBefore(alias, "t"))]
      }
    if let within = lowering.funnel.within {
      builder.conditions.append(
        builder.column("day", of: event).isBelow(own("start_day") + .integer(within)))
    }
    if let parted = parted(lowering, step) {
      let alias = builder.join(.left, parted, as: "p") { alias in
        func column(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
        let (day, instant) = (builder.column("day", of: event), builder.column("instant", of: event))
        return [
          column("subject").equals(own("subject")), column("day").equals(own("day")),
          self.same(column("instant"), own("instant")), column("next_day").equals(day),
          self.same(column("next_instant"), instant),
        ]
      }
      builder.conditions.append(builder.column("subject", of: alias).isMissing)
    }
    return builder.select(
      [
        SQLColumn(own("subject"), "subject"), SQLColumn(own("start_day"), "start_day"),
        SQLColumn(own("start_instant"), "start_instant"), SQLColumn(builder.column("day", of: event), "day"),
        SQLColumn(builder.column("instant", of: event), "instant"),
      ], isDistinct: true)
  }

  /// Whether the event of one relation is certainly before that of another: by day, or by Instant.
  private func surelyBefore(_ left: String, _ right: String) -> SQLExpression {
    func column(_ alias: String, _ name: String) -> SQLExpression { .column(relation: alias, name: name) }
    let isEarlier = column(left, "instant").isPresent.and(column(right, "instant").isPresent)
      .and(column(left, "instant").isBelow(column(right, "instant")))
    return column(left, "day").isBelow(column(right, "day"))
      .or(column(left, "day").equals(column(right, "day")).and(isEarlier))
  }

  /// `subject`, `day`, `instant`, `next_day`, `next_instant`: events of a step and the next one between which a fact lies
  /// that `without` names.
  private func parted(_ lowering: FunnelLowering, _ step: Int) -> String? {
    guard let without = lowering.funnel.without else { return nil }
    let between = events(without, lowering.id, grouping: [], named: "without")
    let builder = SelectBuilder(from: lowering.steps[step - 1], as: "a")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "a") }
    let fact = builder.join(.inner, between, as: "x", same: ["subject"], of: "a") { [surelyBefore("a", $0)] }
    let event = builder.join(.inner, lowering.steps[step], as: "e", same: ["subject"], of: "a") {
      [surelyBefore(fact, $0)]
    }
    return define(
      "\(lowering.name)_parted_\(step + 1)",
      "\(lowering.name): between which events a fact lies that must not be there.",
      builder.select(
        [
          SQLColumn(own("subject"), "subject"), SQLColumn(own("day"), "day"),
          SQLColumn(own("instant"), "instant"), SQLColumn(builder.column("day", of: event), "next_day"),
          SQLColumn(builder.column("instant", of: event), "next_instant"),
        ], isDistinct: true))
  }

  /// Joins what can follow in strict order: of the event's own day, up to the next Instant at which one of the two record
  /// types has a fact; or, where there is none, of the next day with such a fact, up to its first Instant.
  private func strictNext(_ lowering: FunnelLowering, _ step: Int, _ builder: SelectBuilder) -> String {
    let (days, instants) = strictBarriers(lowering, step)
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "t") }
    let day = builder.join(.left, days, as: "d", same: ["subject", "day"], of: "t")
    let instant = builder.join(.left, instants, as: "i", same: ["subject", "day", "instant"], of: "t")
    let barrier = builder.column("next_instant", of: instant)
    return builder.join(.inner, lowering.steps[step], as: "e") { alias in
      func column(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
      let isSameDay = column("day").equals(own("day"))
        .and(
          own("instant").isMissing.or(column("instant").isMissing).or(
            column("instant").isAtLeast(own("instant")))
        )
        .and(barrier.isMissing.or(column("instant").isMissing).or(column("instant").isAtMost(barrier)))
      let first = SQLExpression.column(relation: day, name: "next_first_instant")
      let isNextDay = barrier.isMissing
        .and(column("day").equals(.column(relation: day, name: "next_day")))
        .and(first.isMissing.or(column("instant").isMissing).or(column("instant").isAtMost(first)))
      return [column("subject").equals(own("subject")), isSameDay.or(isNextDay)]
    }
  }

  /// Of the facts of two steps' record types: each day with the next one, and each Instant of a day with the
  /// next one.
  private func strictBarriers(_ lowering: FunnelLowering, _ step: Int) -> (days: String, instants: String) {
    let kinds = [kind(lowering.funnel.steps[step - 1].source), kind(lowering.funnel.steps[step].source)]
    let sources = lowering.funnel.steps.map(\.source).filter { kinds.contains(kind($0)) }
    var queries: [SQLQuery] = []
    for source in sources {
      var all = source
      if case .fact(let record, let route, _) = source { all = .fact(record, route: route, filter: nil) }
      let relation = self.relation(
        .events(lowering.id, all), named: "\(lowering.name)_all"
      ) {
        let events = events(
          all, lowering.id, grouping: [], named: "any")
        let builder = SelectBuilder(from: events, as: "e")
        return builder.select(
          ["subject", "day", "instant"].map { SQLColumn(builder.column($0, of: "e"), $0) }, isDistinct: true)
      }
      let builder = SelectBuilder(from: relation, as: "e")
      let query = builder.select(
        ["subject", "day", "instant"].map { SQLColumn(builder.column($0, of: "e"), $0) })
      if !queries.contains(query) { queries.append(query) }
    }
    let facts = define("\(lowering.name)_between_\(step)", .union(queries, isDistinct: true))
    return (dayBarriers(facts, lowering.name), instantBarriers(facts, lowering.name))
  }

  private func kind(_ source: EventSource) -> [Int] {
    switch source {
    case .fact(let record, _, _): [0, record]
    case .completion(let id): [1, id]
    }
  }

  private func dayBarriers(_ facts: String, _ name: String) -> String {
    let days = SelectBuilder(from: facts, as: "e")
    let keys = ["subject", "day"].map { SQLColumn(days.column($0, of: "e"), $0) }
    let each = define(
      "\(name)_between_days",
      days.select(
        keys + [SQLColumn(.aggregate(.min, days.column("instant", of: "e")), "first_instant")],
        groupedBy: keys.map(\.expression)))
    let builder = SelectBuilder(from: each, as: "e")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "e") }
    let window = SQLWindow(partition: [own("subject")], order: [SQLOrder(own("day"))])
    return define(
      "\(name)_next_days",
      builder.select([
        SQLColumn(own("subject"), "subject"), SQLColumn(own("day"), "day"),
        SQLColumn(.window(.lead(own("day")), window), "next_day"),
        SQLColumn(.window(.lead(own("first_instant")), window), "next_first_instant"),
      ]))
  }

  private func instantBarriers(_ facts: String, _ name: String) -> String {
    let builder = SelectBuilder(from: facts, as: "e")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "e") }
    builder.conditions.append(own("instant").isPresent)
    let window = SQLWindow(partition: [own("subject"), own("day")], order: [SQLOrder(own("instant"))])
    return define(
      "\(name)_next_instants",
      builder.select(
        ["subject", "day", "instant"].map { SQLColumn(own($0), $0) }
          + [SQLColumn(.window(.lead(own("instant")), window), "next_instant")]))
  }
}
