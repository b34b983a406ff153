import MetricPlan

/// Streaks, momenta and completions as numbers, read from the spans or the runs of complete windows.
extension Translation {
  /// A query of anchors with some windows of a completion beside each, called `w`.
  private func reading(
    _ id: MetricID, _ windows: Windows, _ anchors: Anchors,
    where conditions: (_ day: SQLExpression, _ window: Alias) -> [SQLExpression]
  ) -> SelectBuilder {
    let (builder, _) = anchored(id, anchors)
    builder.join(.left, runs(windows), as: "w", same: ["subject"]) { conditions(builder["r"], $0) }
    return builder
  }

  func grouped(_ builder: SelectBuilder, _ value: SQLExpression) -> SQLQuery {
    builder.grouped([SQLColumn(value, "value")], by: builder.columns())
  }

  // MARK: Readings

  func values(
    _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let own = value(metric, id, anchors, builder)
    guard case .forgiving(let forgiveness) = metric.reading else { return [own] }
    let last = WindowMetric(completion: metric.completion, reading: .last(windows: forgiveness.windows))
    let momentum = value(last, id, anchors, builder)
    return [own, .operation(.higher, [momentum - .integer(forgiveness.leastMomentum), 0])]
  }

  private func value(
    _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> SQLExpression {
    var windows = windows(metric.completion, anchors, needsAll: metric.reading.isBest)
    windows.forgiveness = metric.reading.forgiveness
    let window: Alias = "w"
    /// The value of the windows beside each anchor of which some conditions hold.
    func read(
      _ value: SQLExpression, where conditions: (_ day: SQLExpression, _ window: Alias) -> [SQLExpression]
    ) -> SQLExpression {
      joined(id, grouped(reading(id, windows, anchors, where: conditions), value), builder)
    }
    switch metric.reading {
    case .current where windows.hasSpans && request.days.areFew && anchors.isDays:
      return longestStreak(windows, anchors, grace: 0, builder)
    case .current, .forgiving:
      return builder.join(.left, runs(windows), as: "w", same: ["subject", "r"])["run"].or(0)
    case .best where windows.hasSpans: return longestStreak(windows, anchors, grace: nil, builder)
    case .grace(let count) where windows.hasSpans:
      return longestStreak(windows, anchors, grace: count, builder)
    case .best where windows.completion.rest != nil, .bestForgiving:
      return builder.join(.left, bests(windows), as: "w", same: ["subject", "r"])["best"].or(0)
    case .best: return read(.aggregate(.max, window["run"])) { [$1["r"].isAtMost($0)] }
    case .previous: return joined(id, previousRun(id, windows, anchors), builder)
    case .grace(let count):
      return read(.aggregate(.max, window["run"])) { among(windows, $0, $1, first: count + 1) }
    case .last(let count) where windows.completion.rest != nil:
      let read = resting(count, id, windows, anchors).builder
      return joined(id, grouped(read, .aggregate(.count, window["r"])), builder)
    case .last(let count) where windows.hasSpans: return momentum(windows, anchors, last: count, builder)
    case .last(let count):
      return read(.aggregate(.count, window["r"])) { among(windows, $0, $1, first: count) }
    case .halfLife(let count):
      let most = HalfLife.weights(windows: count).count
      if windows.completion.rest != nil {
        let (read, age) = resting(most, id, windows, anchors)
        return joined(id, grouped(read, weighted(age: age, halfLife: count)), builder)
      }
      let age = windowNumber(Alias("a")["r"], windows.completion.window) - window["number"]
      return read(weighted(age: age, halfLife: count)) { among(windows, $0, $1, first: most) }
    }
  }

  /// The value of a query by anchors, 0 where it has none.
  private func joined(_ id: MetricID, _ query: SQLQuery, _ builder: SelectBuilder) -> SQLExpression {
    let relation = define(library.metrics[id].name, comment(id), query)
    return builder.join(.left, relation, as: "w", same: ["subject", "r"])["value"].or(0)
  }

  /// The run of the newest window after those of the current run. A place and a run in one number, so that the
  /// greatest says both.
  private func previousRun(_ id: MetricID, _ windows: Windows, _ anchors: Anchors) -> SQLQuery {
    let (builder, _) = anchored(id, anchors)
    let day = builder["r"]
    let own = builder.join(.left, runs(windows), as: "o", same: ["subject", "r"])
    let rests = windows.completion.rest != nil
    let name = rests ? "place" : "number"
    let newest = (rests ? own[name] : windowNumber(day, windows.completion.window)) - own["run"].or(0)
    let window = builder.join(.left, runs(windows), as: "w", same: ["subject"]) { window in
      [window[name].isAtMost(newest)] + (rests ? [window["complete"].isOne] : [])
        + among(windows, day, window)
    }
    let unit = SQLExpression.integer(1_000_000)
    let packed = (window[name] + unit) * unit + window["run"]
    return grouped(builder, SQLExpression.aggregate(.max, packed).modulo(unit))
  }

  /// That a window is window 0, 1, … of a day, or one of so many, rest windows counted too.
  private func among(
    _ windows: Windows, _ day: SQLExpression, _ window: Alias, first count: Int? = nil
  ) -> [SQLExpression] {
    let end = window["r"]
    guard let length = windows.length else {
      let (number, own) = (window["number"], windowNumber(day, windows.completion.window))
      var isEarlier = window["whole"].isOne.and(number.isBelow(own))
      if let count { isEarlier = isEarlier.and(number.isAbove(own - .integer(count))) }
      return [end.equals(day).or(isEarlier)]
    }
    return [end.isAtMost(day)] + (length > 1 ? [window["phase"].equals(phase(day, length))] : [])
      + (count.map { [end.isAbove(day - .integer(length * $0))] } ?? [])
  }

  /// `round₆(min(1, Σ weights))` of the complete windows beside each anchor.
  private func weighted(age: SQLExpression, halfLife: Int) -> SQLExpression {
    let weight = SQLExpression.operation(.element(HalfLife.weights(windows: halfLife)), [age])
    let sum = SQLExpression.aggregate(.sum, weight).or(0)
    let capped = SQLExpression.operation(.lower, [sum, .integer(Int(HalfLife.unit))])
    return (capped + 500).divided(by: 1000)
  }

  /// The complete ones of the first windows that do not rest, and how many exist between each and window 0.
  private func resting(
    _ most: Int, _ id: MetricID, _ windows: Windows, _ anchors: Anchors
  ) -> (builder: SelectBuilder, age: SQLExpression) {
    let (builder, _) = anchored(id, anchors)
    let own = builder.join(.left, runs(windows), as: "o", same: ["subject", "r"])
    let window = builder.join(.left, runs(windows), as: "w", same: ["subject"], of: own) { window in
      [window["complete"].isOne, window["place"].isAbove(own["place"] - .integer(most))]
        + among(windows, builder["r"], window)
    }
    return (builder, own["place"] - window["place"])
  }

  // MARK: Completions as numbers

  /// The first or last day on which a completion held, or how often it did, by `subject` and `r`.
  func number(
    _ aggregate: CompletionAggregate, _ anchors: Anchors
  ) -> (relation: String, column: String) {
    let windows = windows(aggregate.completion, anchors, needsAll: true)
    if windows.hasSpans { return spanNumber(aggregate, windows, anchors) }
    let name = library.metrics[aggregate.completion].name
    let text = library.text(of: .completions(aggregate))
    let relation = relation(
      .numbers(aggregate, anchors), named: "\(name)_\(aggregate.function.rawValue)",
      "\(text), by subject and day."
    ) {
      number(aggregate, windows, anchors)
    }
    return (relation, "value")
  }

  private func number(_ aggregate: CompletionAggregate, _ windows: Windows, _ anchors: Anchors) -> SQLQuery {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let day = builder["r"]
    let end = builder.join(.inner, complete(windows), as: "c", same: ["subject"]) {
      [$0["r"].isAtMost(day)]
    }["r"]
    let window = windows.completion.window
    if let period = aggregate.period, let first = period.start(at: day),
      let start = window.period.start(at: end)
    {
      builder.conditions.append(start.isAtLeast(first))
      if !period.holdsReferenceDay { builder.conditions.append(end.isAtMost(period.end(at: day))) }
    }
    switch aggregate.function {
    case .first: return grouped(builder, .aggregate(.min, end))
    case .last: return grouped(builder, .aggregate(.max, end))
    case .count:
      guard let length = windows.length else {
        builder.conditions.append(isWhole(end, window))
        return grouped(builder, .aggregate(.count, nil))
      }
      guard length > 1 else { return grouped(builder, .aggregate(.count, nil)) }
      let keys = builder.columns()
      let tilings = define(
        "\(library.metrics[windows.id].name)_tilings",
        builder.select(
          keys + [SQLColumn(.aggregate(.count, nil), "n")],
          groupedBy: keys.map(\.expression) + [phase(end, length)]))
      let best = SelectBuilder(from: tilings, as: "a")
      return grouped(best, .aggregate(.max, best["n"]))
    }
  }
}
