/// Days as rows (OPD-09): a metric is read on each day of the periods, and aggregated as facts are.
extension NamedValues {
  func value(of reference: MetricReference, over aggregate: DayAggregate, _ scope: Scope) -> SQLExpression {
    let entity = translation.entity(of: reference.metric)
    let there = translation.anchors(anchors, for: entity, nil)
    let relation = define(reference, aggregate, there, entity)
    let subject = entity == nil ? "" : scope.subject ?? ""
    let alias = scope.builder.join(.left, relation, as: "n", on: ["subject": subject, "r": Alias("a")["r"]])
    let value = alias["value"]
    return aggregate.function == .sum ? translation.inRange(value.or(0), reference.type) : value
  }

  private func define(
    _ reference: MetricReference, _ aggregate: DayAggregate, _ anchors: Anchors, _ entity: RecordID?
  ) -> String {
    let period = aggregate.period ?? stretch
    let days =
      period == .allTime
      ? translation.daysSinceFirstFact(of: reference.metric)
      : translation.days(of: period, at: anchors, entity)
    let place = translation.metric(reference.metric, days)
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let read = builder.join(.inner, place.relation, as: "m", same: ["subject"]) { alias in
      translation.within(alias["r"], period, Alias("a")["r"])
    }
    let value = read[place.columns[reference.part] ?? ""]
    let keys = builder.columns(["subject", "r"])
    switch aggregate.function {
    case .first, .last, .percentile:
      let day = SQLOrder(read["r"], isDescending: aggregate.function == .last)
      return translation.pick(
        aggregate.function, of: value, by: [aggregate.function.rank == nil ? day : SQLOrder(value)],
        keys: keys, from: builder, named: name)
    case .count, .sum, .days, .distinct, .min, .max, .average, .stddev, .contribution:
      let type = library.metrics[reference.metric].parts.first { $0.name == reference.part }?.type
      return define(
        "days", "\(library.text(of: .metric(reference))), by subject and day.",
        builder.grouped(combined(aggregate.function, value, type ?? .int)))
    }
  }
}

extension Translation {
  fileprivate func days(of period: Period, at anchors: Anchors, _ entity: RecordID?) -> Anchors {
    let (source, isDays) =
      if case .days(let days) = anchors.kind { (days, true) } else { (anchors.relation, false) }
    let builder = SelectBuilder(from: source, as: "a")
    let day = builder["r"]
    guard let first = period.start(at: day) else { return anchors }
    let offset = builder.join(.inner, offsets((period.mostDays ?? 1) - 1), as: "o") {
      [(first + $0["n"]).isAtMost(period.end(at: day))]
    }
    let keys = isDays ? [] : builder.columns(["subject"])
    let name = define(
      "\(source)_each_day", "Each day of the periods.",
      builder.select(keys + [SQLColumn(first + offset["n"], "r")], isDistinct: true))
    guard isDays else { return Anchors(relation: name, kind: .pairs) }
    firstDays[name] = firstDays[source].map { DayKey(number: period.days(at: $0.number).lowerBound) }
    return self.anchors(entity, days: name)
  }
}
