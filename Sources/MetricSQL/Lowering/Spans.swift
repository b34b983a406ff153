/// Spans: unbroken runs of complete rolling windows, one row each. Streaks, momenta and counts at any day
/// are read from where the span is cut off at that day, so that few rows are joined.
extension Windows {
  /// `subject`, `phase`, `first`, `last`: the numbers of the first and last window of each span.
  private func spans() -> String {
    part(.spans, named: "spans", "the runs of complete windows, from the first to the last.") {
      let builder = SelectBuilder(from: islands(), as: "i")
      let number = builder["number"]
      return builder.select(
        builder.columns(
          ["subject", "phase"], ["first": .aggregate(.min, number), "last": .aggregate(.max, number)]),
        groupedBy: ["subject", "phase", "island"].map { builder[$0] })
    }
  }

  /// The number of the last window of a phase that ends on a day or before.
  private func lastNumber(through day: SQLExpression, phase: SQLExpression) -> SQLExpression {
    guard let length, length > 1 else { return day }
    return (day + Windows.multiple(of: length) - phase).divided(by: .integer(length))
  }

  private func end(of number: SQLExpression, phase: SQLExpression) -> SQLExpression {
    guard let length, length > 1 else { return number }
    return number * .integer(length) + phase - Windows.multiple(of: length)
  }

  /// The spans of a completion up to each anchor, for all that is read of them.
  fileprivate struct Reading {
    var relation: OpenRelation
    /// The number of the last window of the span's phase up to the anchor.
    var through: SQLExpression
    var isOwnPhase: [SQLExpression]

    var day: SQLExpression { relation.keys[1].expression }
    func own(_ name: String) -> SQLExpression { Alias("w")[name] }
    /// The span's last window up to the anchor, and the first from a window on.
    var last: SQLExpression { .operation(.lower, [own("last"), through]) }
    func first(from: SQLExpression?) -> SQLExpression {
      from.map { .operation(.higher, [own("first"), $0]) } ?? own("first")
    }
    /// How many windows of the spans these are.
    func sum(from: SQLExpression?) -> SQLExpression { .aggregate(.sum, last - first(from: from) + 1) }
  }

  fileprivate func reading(_ anchors: Anchors) -> Reading {
    let spans = spans()
    func through(_ day: SQLExpression, _ alias: Alias) -> SQLExpression {
      lastNumber(through: day, phase: alias["phase"])
    }
    func began(_ day: SQLExpression, _ alias: Alias) -> [SQLExpression] {
      [alias["first"].isAtMost(through(day, alias))]
    }
    let relation = translation.openRelation(
      .spanValues(id, kind, anchors), named: "\(name)_totals",
      "\(name): what is read of its runs at \(anchors.relation)."
    ) {
      if case .days(let days) = anchors.kind, translation.request.days.areFew {
        let builder = SelectBuilder(from: spans, as: "w")
        let day = translation.day(of: days, builder) { began($0, "w") }
        return (builder, builder.columns(["subject"], ["r": day]), true)
      }
      let builder = SelectBuilder(from: anchors.relation, as: "a")
      builder.join(.inner, spans, as: "w", same: ["subject"]) { began(builder["r"], $0) }
      return (builder, builder.columns(), true)
    }
    let (day, length) = (relation.keys[1].expression, length ?? 1)
    let isOwn = Alias("w")["phase"].equals(Windows.phase(day, length))
    return Reading(relation: relation, through: through(day, "w"), isOwnPhase: length > 1 ? [isOwn] : [])
  }

  /// `first`, `last` and `count` of a completion over rolling windows, in a period.
  func spanNumber(_ aggregate: CompletionAggregate, _ anchors: Anchors) -> NamedValues.Place {
    var read = reading(anchors)
    let length = length ?? 1
    let (day, phase) = (read.day, read.own("phase"))
    // The first window that begins in the period; a short period may hold none.
    let from = aggregate.period.flatMap { $0.start(at: day) }.map {
      lastNumber(through: length == 1 ? $0 : $0 + .integer(2 * length - 2), phase: phase)
    }
    var conditions: [SQLExpression] = []
    if let period = aggregate.period, !period.holdsReferenceDay {
      read.through = lastNumber(through: period.end(at: day), phase: phase)
      conditions.append(read.own("first").isAtMost(read.through))
    }
    conditions += from.map { [read.own("last").isAtLeast($0), $0.isAtMost(read.through)] } ?? []
    let value: SQLExpression
    switch aggregate.function {
    case .first: value = .aggregate(.min, end(of: read.first(from: from), phase: phase))
    case .last: value = .aggregate(.max, end(of: read.last, phase: phase))
    case .count:
      value = read.sum(from: from)
      guard length > 1 else { break }
      let (tilings, most) = mostOfTilings(
        value, read.relation.builder, by: read.relation.keys, phase, where: conditions)
      return (translation.define("\(tilings)_most", most), "value")
    }
    return (read.relation.name, read.relation.add(value, where: conditions))
  }

  /// How many windows there are in that way to tile days with them which has the most.
  func mostOfTilings(
    _ count: SQLExpression, _ builder: SelectBuilder, by keys: [SQLColumn], _ phase: SQLExpression,
    where conditions: [SQLExpression] = []
  ) -> (tilings: String, most: SQLQuery) {
    let tilings = define(
      "tilings",
      builder.select(
        keys + [SQLColumn(count, "n")], groupedBy: keys.map(\.expression) + [phase], where: conditions))
    let best = SelectBuilder(from: tilings, as: "a")
    return (tilings, best.grouped(.aggregate(.max, best["n"])))
  }
}

extension WindowsReader {
  /// The longest streak read from any window, or from windows 0, 1, … up to `grace`: from window 0 alone, the current one.
  func longestStreak(grace: Int?) -> SQLExpression {
    let spans = windows.reading(anchors)
    let longest = SQLExpression.aggregate(.max, spans.last - spans.own("first") + 1)
    let conditions = grace.map { grace in
      let from = grace == 0 ? spans.through : spans.through - .integer(grace)
      return spans.isOwnPhase + [spans.own("last").isAtLeast(from)]
    }
    return read(spans.relation.add(longest, where: conditions ?? []), of: spans.relation.name)
  }

  /// How many of the last windows are complete.
  func momentum(last count: Int) -> SQLExpression {
    let spans = windows.reading(anchors)
    let from = count == 1 ? spans.through : spans.through - .integer(count - 1)
    let conditions = spans.isOwnPhase + [spans.own("last").isAtLeast(from)]
    return read(spans.relation.add(spans.sum(from: from), where: conditions), of: spans.relation.name)
  }
}
