import MetricPlan

/// Spans: unbroken runs of complete rolling windows, one row each. Streaks, momenta and counts at any day
/// are read from where the span is cut off at that day, so that few rows are joined.
extension Translation {
  /// `subject`, `phase`, `first`, `last`: the numbers of the first and last window of each span.
  func spans(_ windows: Windows) -> String {
    part(windows, .spans, named: "spans", "the runs of complete windows, from the first to the last.") {
      let builder = SelectBuilder(from: islands(windows), as: "i")
      let keys = ["subject", "phase", "island"].map { builder[$0] }
      let number = builder["number"]
      return builder.select(
        [
          SQLColumn(keys[0], "subject"), SQLColumn(keys[1], "phase"),
          SQLColumn(.aggregate(.min, number), "first"), SQLColumn(.aggregate(.max, number), "last"),
        ], groupedBy: keys)
    }
  }

  /// The number of the last window of a phase that ends on a day or before.
  func lastNumber(through day: SQLExpression, phase: SQLExpression, _ length: Int) -> SQLExpression {
    guard length > 1 else { return day }
    return (day + .integer(1_400_000 / length * length) - phase).divided(by: .integer(length))
  }

  /// The last day of a window of a number.
  private func end(of number: SQLExpression, phase: SQLExpression, _ length: Int) -> SQLExpression {
    guard length > 1 else { return number }
    return number * .integer(length) + phase - .integer(1_400_000 / length * length)
  }

  /// The spans of a completion up to each anchor, for all that is read of them.
  private struct Reading {
    var relation: OpenRelation
    var day: SQLExpression
    /// The number of the last window of the span's phase up to the anchor.
    var through: SQLExpression
    var isOwnPhase: [SQLExpression]

    func own(_ name: String) -> SQLExpression { Alias("w")[name] }
    /// The span's last window up to the anchor, and the first from a window on.
    var last: SQLExpression { .operation(.lower, [own("last"), through]) }
    func first(from: SQLExpression?) -> SQLExpression {
      from.map { .operation(.higher, [own("first"), $0]) } ?? own("first")
    }
  }

  private func reading(_ windows: Windows, _ anchors: Anchors) -> Reading {
    let name = library.metrics[windows.id].name
    let length = windows.length ?? 1
    let spans = spans(windows)
    func through(_ day: SQLExpression, _ alias: Alias) -> SQLExpression {
      lastNumber(through: day, phase: alias["phase"], length)
    }
    func began(_ day: SQLExpression, _ alias: Alias) -> SQLExpression {
      alias["first"].isAtMost(through(day, alias))
    }
    let relation = openRelation(
      .spanValues(windows.id, windows.mode, anchors), named: "\(name)_totals",
      "\(name): what is read of its runs at \(anchors.relation)."
    ) {
      if case .days(let days) = anchors.kind, request.days.areFew {
        let builder = SelectBuilder(from: spans, as: "w")
        let day = self.day(of: days, builder) { [began($0, "w")] }
        return (builder, [SQLColumn(builder["subject"], "subject"), SQLColumn(day, "r")], true)
      }
      let builder = SelectBuilder(from: anchors.relation, as: "a")
      builder.join(.inner, spans, as: "w", same: ["subject"]) { alias in
        [began(builder["r"], alias)]
      }
      return (builder, builder.columns(), true)
    }
    let day = relation.keys[1].expression
    let isOwn = Alias("w")["phase"].equals(phase(day, length))
    return Reading(
      relation: relation, day: day, through: through(day, "w"), isOwnPhase: length > 1 ? [isOwn] : [])
  }

  private func joined(_ relation: String, _ column: String, _ builder: SelectBuilder) -> SQLExpression {
    builder.join(.left, relation, as: "w", same: ["subject", "r"])[column]
  }

  // MARK: What is read

  /// The longest streak read from any window, or from windows 0, 1, … up to `grace`: from window 0 alone, the current one.
  func longestStreak(
    _ windows: Windows, _ anchors: Anchors, grace: Int?, _ builder: SelectBuilder
  ) -> SQLExpression {
    let read = reading(windows, anchors)
    let longest = SQLExpression.aggregate(.max, read.last - read.own("first") + 1)
    let conditions = grace.map { grace in
      read.isOwnPhase + [
        read.own("last").isAtLeast(grace == 0 ? read.through : read.through - .integer(grace))
      ]
    }
    let column = read.relation.add(longest, where: conditions ?? [])
    return joined(read.relation.name, column, builder).or(0)
  }

  /// How many of the last windows are complete.
  func momentum(
    _ windows: Windows, _ anchors: Anchors, last count: Int, _ builder: SelectBuilder
  ) -> SQLExpression {
    let read = reading(windows, anchors)
    let from = count == 1 ? read.through : read.through - .integer(count - 1)
    let sum = SQLExpression.aggregate(.sum, read.last - read.first(from: from) + 1)
    let column = read.relation.add(sum, where: read.isOwnPhase + [read.own("last").isAtLeast(from)])
    return joined(read.relation.name, column, builder).or(0)
  }

  /// `first`, `last` and `count` of a completion over rolling windows, in a period.
  func spanNumber(
    _ aggregate: CompletionAggregate, _ windows: Windows, _ anchors: Anchors
  ) -> (relation: String, column: String) {
    var read = reading(windows, anchors)
    let length = windows.length ?? 1
    let day = read.day
    // The first window that begins in the period; a short period may hold none.
    let from = aggregate.period.flatMap { $0.start(at: day) }.map {
      lastNumber(
        through: length == 1 ? $0 : $0 + .integer(2 * length - 2), phase: read.own("phase"), length)
    }
    var conditions: [SQLExpression] = []
    if let period = aggregate.period, !period.holdsReferenceDay {
      read.through = lastNumber(through: period.end(at: day), phase: read.own("phase"), length)
      conditions.append(read.own("first").isAtMost(read.through))
    }
    conditions += from.map { [read.own("last").isAtLeast($0), $0.isAtMost(read.through)] } ?? []
    func end(_ number: SQLExpression) -> SQLExpression {
      self.end(of: number, phase: read.own("phase"), length)
    }
    let value: SQLExpression
    switch aggregate.function {
    case .first: value = .aggregate(.min, end(read.first(from: from)))
    case .last: value = .aggregate(.max, end(read.last))
    case .count:
      value = .aggregate(.sum, read.last - read.first(from: from) + 1)
      guard length > 1 else { break }
      let keys = read.relation.keys
      let tilings = define(
        "\(library.metrics[windows.id].name)_tilings",
        read.relation.builder.select(
          keys + [SQLColumn(value, "n")], groupedBy: keys.map(\.expression) + [read.own("phase")],
          where: conditions))
      let best = SelectBuilder(from: tilings, as: "a")
      return (define("\(tilings)_most", grouped(best, .aggregate(.max, best["n"]))), "value")
    }
    return (read.relation.name, read.relation.add(value, where: conditions))
  }
}
