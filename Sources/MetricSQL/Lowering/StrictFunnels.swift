import MetricPlan

/// Funnels whose steps have nothing between them: in strict order (FUN-06) no other fact of either step's record type,
/// and no fact that `without` names (FUN-10).
extension Translation {
  func attemptsWithGaps(_ lowering: FunnelLowering) -> String {
    let first = SelectBuilder(from: lowering.steps[0], as: "e")
    // Events of one day and Instant can be taken for each other, so that the pair stands for them.
    var taken = define(
      "\(lowering.name)_taken_1",
      first.select(
        [
          SQLColumn(first["subject"], "subject"), SQLColumn(first["day"], "start_day"),
          SQLColumn(first["instant"], "start_instant"),
        ] + first.columns(["day", "instant"]), isDistinct: true))
    var all = [taken]
    for step in 1..<lowering.steps.count {
      taken = define(
        of: lowering.name, "taken_\(step + 1)",
        "what can take step \(step + 1) with nothing between that must not be.",
        nextStep(lowering, step, taken))
      all.append(taken)
    }
    let builder = SelectBuilder(from: lowering.steps[0], as: "e")
    var columns = builder.columns(lowering.openingColumns)
    for (index, relation) in all.enumerated() {
      let days = firstDays(relation, "\(lowering.name)_days_\(index + 1)")
      let alias = builder.join(.left, days, as: "t") { alias in
        [
          alias["subject"].equals(builder["subject"]),
          alias["start_day"].equals(builder["day"]),
          self.same(alias["start_instant"], builder["instant"]),
        ]
      }
      columns.append(SQLColumn(alias["day"], reachColumn(index + 1)))
    }
    return define(
      of: lowering.name, "attempts", "from each first step, the day on which it reached each.",
      builder.select(columns))
  }

  private func firstDays(_ taken: String, _ name: String) -> String {
    let builder = SelectBuilder(from: taken, as: "t")
    let keys = builder.columns(["subject", "start_day", "start_instant"])
    return define(name, builder.grouped([SQLColumn(.aggregate(.min, builder["day"]), "day")], by: keys))
  }

  /// Equal, or both missing.
  private func same(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    left.equals(right).or(left.isMissing.and(right.isMissing))
  }

  /// What can follow the events taken for a step, called `t`.
  private func nextStep(_ lowering: FunnelLowering, _ step: Int, _ taken: String) -> SQLQuery {
    let builder = SelectBuilder(from: taken, as: "t")
    let event =
      lowering.funnel.order == .strict
      ? strictNext(lowering, step, builder)
      : builder.join(.inner, lowering.steps[step], as: "e", same: ["subject"]) { alias in
        [.not(surelyBefore(alias, builder.own))]
      }
    if let within = lowering.funnel.within {
      builder.conditions.append(event["day"].isBelow(builder["start_day"] + .integer(within)))
    }
    if let parted = parted(lowering, step) {
      let alias = builder.join(.left, parted, as: "p") { alias in
        let (day, instant) = (event["day"], event["instant"])
        return [
          alias["subject"].equals(builder["subject"]), alias["day"].equals(builder["day"]),
          self.same(alias["instant"], builder["instant"]), alias["next_day"].equals(day),
          self.same(alias["next_instant"], instant),
        ]
      }
      builder.conditions.append(alias["subject"].isMissing)
    }
    return builder.select(
      builder.columns(["subject", "start_day", "start_instant"]) + event.columns(["day", "instant"]),
      isDistinct: true)
  }

  /// Whether the event of one relation is certainly before that of another: by day, or by Instant.
  private func surelyBefore(_ left: Alias, _ right: Alias) -> SQLExpression {
    let isEarlier = left["instant"].isPresent.and(right["instant"].isPresent)
      .and(left["instant"].isBelow(right["instant"]))
    return left["day"].isBelow(right["day"]).or(left["day"].equals(right["day"]).and(isEarlier))
  }

  /// `subject`, `day`, `instant`, `next_day`, `next_instant`: events of a step and the next one between which a fact lies
  /// that `without` names.
  private func parted(_ lowering: FunnelLowering, _ step: Int) -> String? {
    guard let without = lowering.funnel.without else { return nil }
    let between = events(without, lowering.id, grouping: [], named: "without")
    let builder = SelectBuilder(from: lowering.steps[step - 1], as: "a")
    let fact = builder.join(.inner, between, as: "x", same: ["subject"]) {
      [surelyBefore(builder.own, $0)]
    }
    let event = builder.join(.inner, lowering.steps[step], as: "e", same: ["subject"]) {
      [surelyBefore(fact, $0)]
    }
    return define(
      of: lowering.name, "parted_\(step + 1)", "between which events a fact lies that must not be there.",
      builder.select(
        builder.columns(["subject", "day", "instant"]) + [
          SQLColumn(event["day"], "next_day"), SQLColumn(event["instant"], "next_instant"),
        ], isDistinct: true))
  }

  /// Joins what can follow in strict order: of the event's own day, up to the next Instant at which one of the two record
  /// types has a fact; or, where there is none, of the next day with such a fact, up to its first Instant.
  private func strictNext(_ lowering: FunnelLowering, _ step: Int, _ builder: SelectBuilder) -> Alias {
    let (days, instants) = strictBarriers(lowering, step)
    let day = builder.join(.left, days, as: "d", same: ["subject", "day"], of: "t")
    let instant = builder.join(.left, instants, as: "i", same: ["subject", "day", "instant"], of: "t")
    let barrier = instant["next_instant"]
    return builder.join(.inner, lowering.steps[step], as: "e") { alias in
      let isSameDay = alias["day"].equals(builder["day"])
        .and(
          builder["instant"].isMissing.or(alias["instant"].isMissing).or(
            alias["instant"].isAtLeast(builder["instant"]))
        )
        .and(barrier.isMissing.or(alias["instant"].isMissing).or(alias["instant"].isAtMost(barrier)))
      let first = day["next_first_instant"]
      let isNextDay = barrier.isMissing
        .and(alias["day"].equals(day["next_day"]))
        .and(first.isMissing.or(alias["instant"].isMissing).or(alias["instant"].isAtMost(first)))
      return [alias["subject"].equals(builder["subject"]), isSameDay.or(isNextDay)]
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
      let relation = self.relation(.events(lowering.id, all), named: "\(lowering.name)_all") {
        let events = events(all, lowering.id, grouping: [], named: "any")
        return SelectBuilder.columns(["subject", "day", "instant"], from: events, as: "e", isDistinct: true)
      }
      let query = SelectBuilder.columns(["subject", "day", "instant"], from: relation, as: "e")
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
    let keys = days.columns(["subject", "day"])
    let each = define(
      "\(name)_between_days",
      days.grouped([SQLColumn(.aggregate(.min, days["instant"]), "first_instant")], by: keys))
    let builder = SelectBuilder(from: each, as: "e")
    let window = SQLWindow(partition: [builder["subject"]], order: [SQLOrder(builder["day"])])
    return define(
      "\(name)_next_days",
      builder.select(
        builder.columns(["subject", "day"]) + [
          SQLColumn(.window(.lead(builder["day"]), window), "next_day"),
          SQLColumn(.window(.lead(builder["first_instant"]), window), "next_first_instant"),
        ]))
  }

  private func instantBarriers(_ facts: String, _ name: String) -> String {
    let builder = SelectBuilder(from: facts, as: "e")
    builder.conditions.append(builder["instant"].isPresent)
    let window = SQLWindow(
      partition: [builder["subject"], builder["day"]], order: [SQLOrder(builder["instant"])])
    return define(
      "\(name)_next_instants",
      builder.select(
        builder.columns(["subject", "day", "instant"])
          + [SQLColumn(.window(.lead(builder["instant"]), window), "next_instant")]))
  }
}
