import MetricPlan

/// Spans: unbroken runs of complete rolling windows, one row each. Streaks, momenta and counts at any day
/// are read from where the span is cut off at that day, so that few rows are joined.
extension Translation {
  /// `subject`, `phase`, `first`, `last`: the numbers of the first and last window of each span.
  func spans(_ windows: Windows) -> String {
    let name = library.metrics[windows.id].name
    return relation(
      .windows(windows.id, isTeam: windows.isTeam, windows.mode, .spans), named: "\(name)_spans",
      "\(name): the runs of complete windows, from the first to the last."
    ) {
      let builder = SelectBuilder(from: islands(windows, complete(windows), wholeOnly: false), as: "i")
      let keys = ["subject", "phase", "island"].map { builder.column($0, of: "i") }
      let number = builder.column("number", of: "i")
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

  /// A query of anchors with spans beside each.
  private struct Reading {
    var builder: SelectBuilder
    var alias: String
    var length: Int
    /// Which windows of the span count: from here,
    var from: SQLExpression?
    /// to here.
    var through: SQLExpression

    func own(_ name: String) -> SQLExpression { builder.column(name, of: alias) }
    var first: SQLExpression {
      from.map { .operation(.higher, [own("first"), $0]) } ?? own("first")
    }
    var last: SQLExpression { .operation(.lower, [own("last"), through]) }
  }

  /// - Parameters:
  ///   - onlyOwnPhase: whether only windows count that end a whole number of lengths before the day.
  ///   - lowest: of the last window of a phase the lowest window that counts; nil without end.
  private func reading(
    _ kind: SQLJoin.Kind, _ windows: Windows, _ builder: SelectBuilder, onlyOwnPhase: Bool,
    lowest: (_ last: SQLExpression, _ phase: SQLExpression) -> SQLExpression? = { _, _ in nil }
  ) -> Reading {
    let length = windows.length ?? 1
    let (subject, day) = (builder.column("subject", of: "a"), builder.column("r", of: "a"))
    func bounds(_ alias: String) -> (through: SQLExpression, from: SQLExpression?) {
      let phase = SQLExpression.column(relation: alias, name: "phase")
      let through = lastNumber(through: day, phase: phase, length)
      return (through, lowest(through, phase))
    }
    let alias = builder.join(kind, spans(windows), as: "w") { alias in
      func own(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
      let (through, from) = bounds(alias)
      var on = [own("subject").equals(subject), own("first").isAtMost(through)]
      if onlyOwnPhase, length > 1 { on.append(own("phase").equals(self.phase(day, length))) }
      if let from { on.append(own("last").isAtLeast(from)) }
      // A short period may hold no whole window.
      if let from, from != through { on.append(from.isAtMost(through)) }
      return on
    }
    let (through, from) = bounds(alias)
    return Reading(builder: builder, alias: alias, length: length, from: from, through: through)
  }

  // MARK: What is read

  /// The streak that ends at each anchor.
  func currentStreak(_ id: MetricID, _ windows: Windows, _ anchors: Anchors) -> SQLQuery {
    let (builder, _) = anchored(id, anchors)
    let read = reading(.left, windows, builder, onlyOwnPhase: true) { last, _ in last }
    return builder.select(
      keys(builder) + [SQLColumn((read.through - read.own("first") + .integer(1)).or(0), "value")])
  }

  /// The longest streak read from any window, or from windows 0, 1, … up to `grace`.
  func longestStreak(_ id: MetricID, _ windows: Windows, _ anchors: Anchors, grace: Int?) -> SQLQuery {
    let (builder, _) = anchored(id, anchors)
    let read = reading(.left, windows, builder, onlyOwnPhase: grace != nil) { last, _ in
      grace.map { $0 == 0 ? last : last - .integer($0) }
    }
    let longest = SQLExpression.aggregate(.max, read.last - read.own("first") + .integer(1))
    return grouped(builder, longest.or(0))
  }

  /// How many of the last windows are complete.
  func momentum(_ id: MetricID, _ windows: Windows, _ anchors: Anchors, last count: Int) -> SQLQuery {
    let (builder, _) = anchored(id, anchors)
    let read = reading(.left, windows, builder, onlyOwnPhase: true) { last, _ in
      count == 1 ? last : last - .integer(count - 1)
    }
    // Beside no span, both bounds are the anchor's.
    let windows = (read.last - read.first + .integer(1)).when(read.own("subject").isPresent)
    return grouped(builder, SQLExpression.aggregate(.sum, windows).or(0))
  }

  /// `first`, `last` and `count` of a completion over rolling windows, in a period.
  func spanNumber(_ aggregate: CompletionAggregate, _ windows: Windows, _ anchors: Anchors) -> SQLQuery {
    let builder = SelectBuilder(from: anchors.relation, as: "a")
    let length = windows.length ?? 1
    let start = aggregate.period.flatMap { Stretch($0).start(endingOn: builder.column("r", of: "a")) }
    let read = reading(.inner, windows, builder, onlyOwnPhase: false) { _, phase in
      // The first window that begins in the period.
      start.map {
        self.lastNumber(through: length == 1 ? $0 : $0 + .integer(2 * length - 2), phase: phase, length)
      }
    }
    func day(_ number: SQLExpression) -> SQLExpression { end(of: number, phase: read.own("phase"), length) }
    switch aggregate.function {
    case .first: return grouped(builder, .aggregate(.min, day(read.first)))
    case .last: return grouped(builder, .aggregate(.max, day(read.last)))
    case .count:
      let count = SQLExpression.aggregate(.sum, read.last - read.first + .integer(1))
      guard length > 1 else { return grouped(builder, count) }
      let keys = keys(builder)
      let tilings = define(
        "\(library.metrics[windows.id].name)_tilings",
        builder.select(
          keys + [SQLColumn(count, "n")], groupedBy: keys.map(\.expression) + [read.own("phase")]))
      let best = SelectBuilder(from: tilings, as: "a")
      return grouped(best, .aggregate(.max, best.column("n", of: "a")))
    }
  }
}
