/// Streaks and momenta, read from the spans or the runs of complete windows at some anchors.
struct WindowsReader: MetricRelations {
  let translation: Translation
  let id: MetricID
  let anchors: Anchors
  /// The values of the metrics at the anchors.
  let builder: SelectBuilder
  let windows: Windows
  private let reading: WindowReading

  init(
    _ translation: Translation, _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors,
    _ builder: SelectBuilder
  ) {
    (self.translation, self.id, self.anchors, self.builder) = (translation, id, anchors, builder)
    reading = metric.reading
    windows = translation.windows(
      metric.completion, anchors, needsAll: reading.isBest, forgiveness: reading.forgiveness)
  }

  /// A column of a relation by `subject` and `r`, 0 where it has no row.
  func read(_ column: String = "value", of relation: String) -> SQLExpression {
    builder.join(.left, relation, as: "w", same: ["subject", "r"])[column].or(0)
  }

  private func read(_ query: SQLQuery) -> SQLExpression {
    read(of: translation.define(name, translation.comment(id), query))
  }

  /// A value of the windows beside each anchor, called `w`, of which some conditions hold.
  private func read(
    _ value: SQLExpression, where conditions: (_ day: SQLExpression, _ window: Alias) -> [SQLExpression]
  ) -> SQLExpression {
    let (builder, _) = translation.anchored(id, anchors)
    builder.join(.left, windows.runs(), as: "w", same: ["subject"]) { conditions(builder["r"], $0) }
    return read(builder.grouped(value))
  }

  func value() -> SQLExpression {
    let window: Alias = "w"
    switch reading {
    case .current where windows.hasSpans && translation.request.days.areFew && anchors.isDays:
      return longestStreak(grace: 0)
    case .current, .forgiving: return read("run", of: windows.runs())
    case .best where windows.hasSpans: return longestStreak(grace: nil)
    case .grace(let count) where windows.hasSpans: return longestStreak(grace: count)
    case .best where windows.rests, .bestForgiving: return read("best", of: windows.bests())
    case .best: return read(.aggregate(.max, window["run"])) { [$1["r"].isAtMost($0)] }
    case .previous: return read(previousRun())
    case .grace(let count): return read(.aggregate(.max, window["run"])) { among($0, $1, first: count + 1) }
    case .last(let count) where windows.rests:
      return read(resting(count).builder.grouped(.aggregate(.count, window["r"])))
    case .last(let count) where windows.hasSpans: return momentum(last: count)
    case .last(let count): return read(.aggregate(.count, window["r"])) { among($0, $1, first: count) }
    case .halfLife(let count):
      let most = HalfLife.weights(windows: count).count
      if windows.rests {
        let (builder, age) = resting(most)
        return read(builder.grouped(weighted(age: age, halfLife: count)))
      }
      let age = windows.number(endingOn: Alias("a")["r"]) - window["number"]
      return read(weighted(age: age, halfLife: count)) { among($0, $1, first: most) }
    }
  }

  /// The run of the newest window after those of the current run. A place and a run in one number, so that the
  /// greatest says both.
  private func previousRun() -> SQLQuery {
    let (builder, _) = translation.anchored(id, anchors)
    let day = builder["r"]
    let own = builder.join(.left, windows.runs(), as: "o", same: ["subject", "r"])
    let name = windows.rests ? "place" : "number"
    let newest = (windows.rests ? own[name] : windows.number(endingOn: day)) - own["run"].or(0)
    let window = builder.join(.left, windows.runs(), as: "w", same: ["subject"]) { window in
      [window[name].isAtMost(newest)] + (windows.rests ? [window["complete"].isOne] : [])
        + among(day, window)
    }
    let unit: SQLExpression = 1_000_000
    let packed = (window[name] + unit) * unit + window["run"]
    return builder.grouped(SQLExpression.aggregate(.max, packed).modulo(unit))
  }

  /// That a window is window 0, 1, … of a day, or one of so many, rest windows counted too.
  private func among(_ day: SQLExpression, _ window: Alias, first count: Int? = nil) -> [SQLExpression] {
    let end = window["r"]
    guard let length = windows.length else {
      let (number, own) = (window["number"], windows.number(endingOn: day))
      var isEarlier = window["whole"].isOne.and(number.isBelow(own))
      if let count { isEarlier = isEarlier.and(number.isAbove(own - .integer(count))) }
      return [end.equals(day).or(isEarlier)]
    }
    return [end.isAtMost(day)]
      + (length > 1 ? [window["phase"].equals(Windows.phase(day, length))] : [])
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
  private func resting(_ most: Int) -> (builder: SelectBuilder, age: SQLExpression) {
    let (builder, _) = translation.anchored(id, anchors)
    let own = builder.join(.left, windows.runs(), as: "o", same: ["subject", "r"])
    let window = builder.join(.left, windows.runs(), as: "w", same: ["subject"], of: own) { window in
      [window["complete"].isOne, window["place"].isAbove(own["place"] - .integer(most))]
        + among(builder["r"], window)
    }
    return (builder, own["place"] - window["place"])
  }
}

extension Translation {
  func values(
    _ metric: WindowMetric, _ id: MetricID, _ anchors: Anchors, _ builder: SelectBuilder
  ) -> [SQLExpression] {
    let own = WindowsReader(self, metric, id, anchors, builder).value()
    guard case .forgiving(let forgiveness) = metric.reading else { return [own] }
    let last = WindowMetric(completion: metric.completion, reading: .last(windows: forgiveness.windows))
    let momentum = WindowsReader(self, last, id, anchors, builder).value()
    return [own, .operation(.higher, [momentum - .integer(forgiveness.leastMomentum), 0])]
  }

  /// The first or last day on which a completion held, or how often it did, by `subject` and `r`.
  func number(_ aggregate: CompletionAggregate, _ anchors: Anchors) -> NamedValues.Place {
    let windows = windows(aggregate.completion, anchors, needsAll: true)
    if windows.hasSpans { return windows.spanNumber(aggregate, anchors) }
    let text = library.text(of: .completions(aggregate))
    let relation = relation(
      .numbers(aggregate, anchors), named: "\(windows.name)_\(aggregate.function.rawValue)",
      "\(text), by subject and day."
    ) { windows.number(aggregate, anchors) }
    return (relation, "value")
  }
}

extension Windows {
  fileprivate func number(_ aggregate: CompletionAggregate, _ anchors: Anchors) -> SQLQuery {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let day = builder["r"]
    let end = builder.join(.inner, complete(), as: "c", same: ["subject"]) { [$0["r"].isAtMost(day)] }["r"]
    if let period = aggregate.period, let first = period.start(at: day),
      let start = window.period.start(at: end)
    {
      builder.where(start.isAtLeast(first))
      if !period.holdsReferenceDay { builder.where(end.isAtMost(period.end(at: day))) }
    }
    switch aggregate.function {
    case .first: return builder.grouped(.aggregate(.min, end))
    case .last: return builder.grouped(.aggregate(.max, end))
    case .count:
      let count = SQLExpression.aggregate(.count, nil)
      if let length, length > 1 {
        return mostOfTilings(count, builder, by: builder.columns(), Windows.phase(end, length)).most
      }
      return (length == nil ? builder.where(isWhole(end)) : builder).grouped(count)
    }
  }
}
