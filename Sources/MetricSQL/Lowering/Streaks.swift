import MetricPlan

/// Streaks, momenta and completions as numbers, read from the spans or the runs of complete windows.
extension Translation {
  /// A query of anchors with some windows of a completion beside each.
  private func reading(
    _ id: MetricID, _ windows: Windows, _ anchors: Anchors,
    where conditions: (_ day: SQLExpression, _ end: SQLExpression, _ window: Alias) -> [SQLExpression]
  ) -> SelectBuilder {
    let (builder, _) = anchored(id, anchors)
    let day = builder["r"]
    builder.join(.left, runs(windows), as: "w", same: ["subject"], of: "a") { alias in
      conditions(day, alias["r"], alias)
    }
    return builder
  }

  func grouped(_ builder: SelectBuilder, _ value: SQLExpression) -> SQLQuery {
    let keys = builder.columns()
    return builder.grouped([SQLColumn(value, "value")], by: keys)
  }

  // MARK: Readings

  func values(
    _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let own = value(metric, id, anchors, builder)
    guard case .forgiving(let forgiveness) = metric.reading else { return [own] }
    let last = WindowMetric(completion: metric.completion, reading: .last(windows: forgiveness.windows))
    let momentum = value(last, id, anchors, builder)
    return [own, .operation(.higher, [momentum - .integer(forgiveness.leastMomentum), .integer(0)])]
  }

  private func value(
    _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> SQLExpression {
    var windows = windows(
      metric.completion, anchors, needsAll: metric.reading.isBest)
    windows.forgiveness = metric.reading.forgiveness
    switch metric.reading {
    case .current where windows.hasSpans && request.days.areFew && anchors.isDays:
      return longestStreak(windows, anchors, grace: 0, builder)
    case .current, .forgiving:
      let run = builder.join(.left, runs(windows), as: "w", same: ["subject", "r"], of: "a")
      return run["run"].or(0)
    case .best where windows.hasSpans: return longestStreak(windows, anchors, grace: nil, builder)
    case .grace(let count) where windows.hasSpans:
      return longestStreak(windows, anchors, grace: count, builder)
    case .best where windows.completion.rest != nil, .bestForgiving:
      let best = builder.join(.left, bests(windows), as: "w", same: ["subject", "r"], of: "a")
      return best["best"].or(0)
    case .best:
      let read = reading(id, windows, anchors) { day, end, _ in [end.isAtMost(day)] }
      return joined(id, grouped(read, .aggregate(.max, Alias("w")["run"])), builder)
    case .previous: return joined(id, previousRun(id, windows, anchors), builder)
    case .grace(let count):
      let read = reading(id, windows, anchors) { day, end, alias in
        self.among(count + 1, windows, day, end, alias)
      }
      return joined(id, grouped(read, .aggregate(.max, Alias("w")["run"])), builder)
    case .last(let count) where windows.completion.rest != nil:
      let read = resting(count, id, windows, anchors).builder
      return joined(id, grouped(read, .aggregate(.count, Alias("w")["r"])), builder)
    case .last(let count) where windows.hasSpans: return momentum(windows, anchors, last: count, builder)
    case .last(let count):
      let read = reading(id, windows, anchors) { self.among(count, windows, $0, $1, $2) }
      return joined(id, grouped(read, .aggregate(.count, Alias("w")["r"])), builder)
    case .halfLife(let count):
      let most = HalfLife.weights(windows: count).count
      if windows.completion.rest != nil {
        let (read, age) = resting(most, id, windows, anchors)
        return joined(id, weighted(read, age: age, halfLife: count), builder)
      }
      let read = reading(id, windows, anchors) { self.among(most, windows, $0, $1, $2) }
      let age = windowNumber(read["r"], windows.completion.window) - Alias("w")["number"]
      return joined(id, weighted(read, age: age, halfLife: count), builder)
    }
  }

  /// The value of a query by anchors, 0 where it has none.
  private func joined(_ id: MetricID, _ query: SQLQuery, _ builder: SelectBuilder) -> SQLExpression {
    let relation = define(library.metrics[id].name, comment(id), query)
    return builder.join(.left, relation, as: "w", same: ["subject", "r"], of: "a")["value"].or(0)
  }

  /// The run of the newest window after those of the current run. A place and a run in one number, so that the
  /// greatest says both.
  private func previousRun(_ id: MetricID, _ windows: Windows, _ anchors: Anchors) -> SQLQuery {
    let (builder, _) = anchored(id, anchors)
    let day = builder["r"]
    let own = builder.join(.left, runs(windows), as: "o", same: ["subject", "r"], of: "a")
    let rests = windows.completion.rest != nil
    let name = rests ? "place" : "number"
    let newest =
      (rests ? own[name] : windowNumber(day, windows.completion.window))
      - own["run"].or(0)
    builder.join(.left, runs(windows), as: "w", same: ["subject"], of: "a") { alias in
      return [alias[name].isAtMost(newest)] + (rests ? [alias["complete"].isOne] : [])
        + standing(windows, day, alias["r"], alias)
    }
    let unit = SQLExpression.integer(1_000_000)
    let packed = (Alias("w")[name] + unit) * unit + Alias("w")["run"]
    return grouped(builder, SQLExpression.aggregate(.max, packed).modulo(unit))
  }

  /// That a window is one of the windows 0, 1, … before a count, rest windows counted too.
  private func among(
    _ count: Int, _ windows: Windows, _ day: SQLExpression, _ end: SQLExpression, _ alias: Alias
  ) -> [SQLExpression] {
    guard let length = windows.length else {
      let number = alias["number"]
      let own = windowNumber(day, windows.completion.window)
      let isWhole = alias["whole"].isOne
      let isEarlier = isWhole.and(number.isBelow(own)).and(number.isAbove(own - .integer(count)))
      return [end.equals(day).or(isEarlier)]
    }
    return chain(length, day, end, alias) + [end.isAbove(day - .integer(length * count))]
  }

  /// That a rolling window is window 0, 1, … of a day.
  private func chain(
    _ length: Int, _ day: SQLExpression, _ end: SQLExpression, _ alias: Alias
  ) -> [SQLExpression] {
    let isEarlier = end.isAtMost(day)
    guard length > 1 else { return [isEarlier] }
    return [isEarlier, alias["phase"].equals(phase(day, length))]
  }

  /// `round₆(min(1, Σ weights))` of the complete windows beside each anchor.
  private func weighted(_ builder: SelectBuilder, age: SQLExpression, halfLife: Int) -> SQLQuery {
    let weight = SQLExpression.operation(.element(HalfLife.weights(windows: halfLife)), [age])
    let sum = SQLExpression.aggregate(.sum, weight).or(0)
    let capped = SQLExpression.operation(.lower, [sum, .integer(Int(HalfLife.unit))])
    return grouped(builder, (capped + .integer(500)).divided(by: .integer(1000)))
  }

  /// The complete ones of the first windows that do not rest, and how many exist between each and window 0.
  private func resting(
    _ most: Int, _ id: MetricID, _ windows: Windows, _ anchors: Anchors
  ) -> (builder: SelectBuilder, age: SQLExpression) {
    let (builder, _) = anchored(id, anchors)
    let day = builder["r"]
    let own = builder.join(.left, runs(windows), as: "o", same: ["subject", "r"], of: "a")
    let place = own["place"]
    builder.join(.left, runs(windows), as: "w", same: ["subject"], of: own) { alias in
      return [alias["complete"].isOne, alias["place"].isAbove(place - .integer(most))]
        + standing(windows, day, alias["r"], alias)
    }
    return (builder, place - Alias("w")["place"])
  }

  private func standing(
    _ windows: Windows, _ day: SQLExpression, _ end: SQLExpression, _ alias: Alias
  ) -> [SQLExpression] {
    guard let length = windows.length else {
      let isWhole = alias["whole"].isOne
      let number = alias["number"]
      let own = windowNumber(day, windows.completion.window)
      return [end.equals(day).or(isWhole.and(number.isBelow(own)))]
    }
    return chain(length, day, end, alias)
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
    builder.join(.inner, complete(windows), as: "c", same: ["subject"], of: "a") { alias in
      [alias["r"].isAtMost(day)]
    }
    let end = Alias("c")["r"]
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
