/// Funnels whose steps have nothing between them: in strict order (FUN-06) no other fact of either step's record type,
/// and no fact that `without` names (FUN-10).
extension FunnelLowering {
  private static let start = ["subject", "start_day", "start_instant"]
  private static let event = ["subject", "day", "instant"]

  func attemptsWithGaps() -> String {
    let first = SelectBuilder(from: steps[0], as: "e")
    // Events of one day and Instant can be taken for each other, so that the pair stands for them.
    let opening = first.select(
      first.columns(["subject"], ["start_day": first["day"], "start_instant": first["instant"]])
        + first.columns(["day", "instant"]), isDistinct: true)
    var all = [define("taken_1", opening)]
    for step in 1..<steps.count {
      let comment = "what can take step \(step + 1) with nothing between that must not be."
      all.append(define("taken_\(step + 1)", comment, nextStep(step, all[step - 1])))
    }
    let builder = SelectBuilder(from: steps[0], as: "e")
    var columns = builder.columns(openingColumns)
    for (index, relation) in all.enumerated() {
      let taken = SelectBuilder(from: relation, as: "t")
      let first = taken.grouped(
        ["day": .aggregate(.min, taken["day"])], by: taken.columns(FunnelLowering.start))
      let alias = builder.join(
        .left, define("days_\(index + 1)", first), as: "t",
        on: ["subject": builder["subject"], "start_day": builder["day"]]
      ) { [same($0["start_instant"], builder["instant"])] }
      columns.append(SQLColumn(alias["day"], reachColumn(index + 1)))
    }
    return define(
      "attempts", "from each first step, the day on which it reached each.", builder.select(columns))
  }

  /// Equal, or both missing.
  private func same(_ left: SQLExpression, _ right: SQLExpression) -> SQLExpression {
    left.equals(right).or(left.isMissing.and(right.isMissing))
  }

  /// What can follow the events taken for a step, called `t`.
  private func nextStep(_ step: Int, _ taken: String) -> SQLQuery {
    let builder = SelectBuilder(from: taken, as: "t")
    let event =
      funnel.order == .strict
      ? strictNext(step, builder)
      : builder.join(.inner, steps[step], as: "e", same: ["subject"]) { alias in
        [.not(surelyBefore(alias, builder.own))]
      }
    if let within = funnel.within {
      builder.where(event["day"].isBelow(builder["start_day"] + .integer(within)))
    }
    if let parted = parted(step) {
      let alias = builder.join(.left, parted, as: "p", same: ["subject", "day"]) { alias in
        [
          same(alias["instant"], builder["instant"]), alias["next_day"].equals(event["day"]),
          same(alias["next_instant"], event["instant"]),
        ]
      }
      builder.where(alias["subject"].isMissing)
    }
    return builder.select(
      builder.columns(FunnelLowering.start) + event.columns(["day", "instant"]), isDistinct: true)
  }

  /// Whether the event of one relation is certainly before that of another: by day, or by Instant.
  private func surelyBefore(_ left: Alias, _ right: Alias) -> SQLExpression {
    let isEarlier = left["instant"].isPresent.and(right["instant"].isPresent)
      .and(left["instant"].isBelow(right["instant"]))
    return left["day"].isBelow(right["day"]).or(left["day"].equals(right["day"]).and(isEarlier))
  }

  /// `subject`, `day`, `instant`, `next_day`, `next_instant`: events of a step and the next one between which a fact lies
  /// that `without` names.
  private func parted(_ step: Int) -> String? {
    guard let without = funnel.without else { return nil }
    let between = translation.events(without, id, grouping: [], named: "without")
    let builder = SelectBuilder(from: steps[step - 1], as: "a")
    let fact = builder.join(.inner, between, as: "x", same: ["subject"]) {
      [surelyBefore(builder.own, $0)]
    }
    let event = builder.join(.inner, steps[step], as: "e", same: ["subject"]) { [surelyBefore(fact, $0)] }
    return define(
      "parted_\(step + 1)", "between which events a fact lies that must not be there.",
      builder.select(
        FunnelLowering.event, ["next_day": event["day"], "next_instant": event["instant"]],
        isDistinct: true))
  }

  /// Joins what can follow in strict order: of the event's own day, up to the next Instant at which one of the two record
  /// types has a fact; or, where there is none, of the next day with such a fact, up to its first Instant.
  private func strictNext(_ step: Int, _ builder: SelectBuilder) -> Alias {
    let facts = factsBetween(step)
    let day = builder.join(.left, dayBarriers(facts), as: "d", same: ["subject", "day"])
    let instant = builder.join(.left, instantBarriers(facts), as: "i", same: FunnelLowering.event)
    let (barrier, own) = (instant["next_instant"], builder["instant"])
    return builder.join(.inner, steps[step], as: "e", same: ["subject"]) { alias in
      let next = alias["instant"]
      let isSameDay = alias["day"].equals(builder["day"])
        .and(own.isMissing.or(next.isMissing).or(next.isAtLeast(own)))
        .and(barrier.isMissing.or(next.isMissing).or(next.isAtMost(barrier)))
      let first = day["next_first_instant"]
      let isNextDay = barrier.isMissing
        .and(alias["day"].equals(day["next_day"]))
        .and(first.isMissing.or(next.isMissing).or(next.isAtMost(first)))
      return [isSameDay.or(isNextDay)]
    }
  }

  private func factsBetween(_ step: Int) -> String {
    let kinds = funnel.steps[(step - 1)...step].map { kind($0.source) }
    let sources = funnel.steps.map(\.source).filter { kinds.contains(kind($0)) }
    let queries = sources.map { source in
      var all = source
      if case .fact(let record, let route, _) = source { all = .fact(record, route: route, filter: nil) }
      let relation = translation.relation(.events(id, all), named: "\(name)_all") {
        let events = translation.events(all, id, grouping: [], named: "any")
        return SelectBuilder(from: events, as: "e").select(FunnelLowering.event, isDistinct: true)
      }
      return SelectBuilder(from: relation, as: "e").select(FunnelLowering.event)
    }
    return define("between_\(step)", .union(queries.withoutRepeats, isDistinct: true))
  }

  private func kind(_ source: EventSource) -> [Int] {
    switch source {
    case .fact(let record, _, _): [0, record]
    case .completion(let id): [1, id]
    }
  }

  /// Each day with the next one.
  private func dayBarriers(_ facts: String) -> String {
    let days = SelectBuilder(from: facts, as: "e")
    let each = define(
      "between_days",
      days.grouped(
        ["first_instant": .aggregate(.min, days["instant"])], by: days.columns(["subject", "day"])))
    let builder = SelectBuilder(from: each, as: "e")
    func next(_ column: String) -> SQLExpression {
      .window(.lead, builder[column], of: [builder["subject"]], by: [builder["day"]])
    }
    return define(
      "next_days",
      builder.select(
        ["subject", "day"],
        ["next_day": next("day"), "next_first_instant": next("first_instant")]))
  }

  /// Each Instant of a day with the next one.
  private func instantBarriers(_ facts: String) -> String {
    let builder = SelectBuilder(from: facts, as: "e")
    let instant = builder["instant"]
    builder.where(instant.isPresent)
    let next = SQLExpression.window(.lead, instant, of: [builder["subject"], builder["day"]], by: [instant])
    return define("next_instants", builder.select(FunnelLowering.event, ["next_instant": next]))
  }
}
