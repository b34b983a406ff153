import MetricPlan

/// Runs of complete windows: gaps and islands over the windows' numbers.
extension Translation {
  /// The number of a window among those of its phase or unit.
  func windowNumber(_ end: SQLExpression, _ window: Window) -> SQLExpression {
    switch window {
    case .rolling(let length):
      length == 1 ? end : (end + .integer(1_400_000 / length * length)).divided(by: .integer(length))
    case .calendar(let unit): unit.number(holding: end)
    }
  }

  /// Whether a calendar window has come to its unit's last day.
  func isWhole(_ end: SQLExpression, _ window: Window) -> SQLExpression {
    switch window {
    case .rolling: .bool(true)
    case .calendar(let unit): end.equals(unit.end(after: end))
    }
  }

  /// Windows on the chain of a single day all have its phase.
  private func phaseColumn(_ end: SQLExpression, _ windows: Windows) -> SQLExpression {
    var end = end
    if case .chain(let days) = windows.mode, let day = singleDays[days] { end = day }
    return phase(end, windows.length ?? 1)
  }

  /// A relation of a completion's windows.
  func part(
    _ windows: Windows, _ part: WindowPart, named suffix: String, _ comment: String? = nil,
    _ query: () -> SQLQuery
  ) -> String {
    let name = library.metrics[windows.id].name
    return relation(
      .windows(windows.id, windows.mode, part), named: "\(name)_\(suffix)",
      comment.map { "\(name): \($0)" }, query)
  }

  /// `subject`, `r`, `phase`, `number`, `whole`, `run`: the streak read from each window that ends on `r`;
  /// only complete windows are there, unless some rest: then all since the first fact, with `complete`,
  /// `standing` (1 where the window exists) and `place` (how many exist up to it).
  func runs(_ windows: Windows) -> String {
    if let forgiveness = windows.forgiveness { return forgivingRuns(windows, forgiveness) }
    if windows.length != nil { return rollingRuns(windows) }
    return windows.completion.rest == nil ? unitRuns(windows) : restingUnitRuns(windows)
  }

  /// `subject`, `r`, `best`: the longest run up to each window since the first fact, where `runs` has all of these. A
  /// join with all earlier windows would take time that grows with the square of the days.
  func bests(_ windows: Windows) -> String {
    part(windows, .bests(windows.forgiveness), named: "bests", "the longest streak up to each window.") {
      let builder = SelectBuilder(from: runs(windows), as: "i")
      let best = SQLExpression.window(
        .aggregate(.max, builder["run"]), of: [builder["subject"]], by: [builder["r"]], .throughCurrent)
      return builder.select(builder.columns(["subject", "r"]) + [SQLColumn(best, "best")])
    }
  }

  private func rollingRuns(_ windows: Windows) -> String {
    let rests = windows.completion.rest != nil
    let rows = rests ? positions(windows) : islands(windows)
    let comment =
      rests ? "the streak read from each window." : "the streak at the end of each complete window."
    return part(windows, .runs, named: "runs", comment) {
      let builder = SelectBuilder(from: rows, as: "i")
      let places = rests ? ["complete", "standing", "place"] : []
      return builder.select(
        builder.columns(["subject", "r", "phase", "number"] + places)
          + [SQLColumn(1, "whole"), SQLColumn(run(builder, windows), "run")])
    }
  }

  /// The streak of each whole calendar unit.
  private func unitRuns(of windows: Windows) -> String {
    let rests = windows.completion.rest != nil
    let rows = rests ? positions(windows) : islands(windows)
    let comment = "the streak \(rests ? "read from" : "of") each whole calendar unit."
    return part(windows, .units, named: "unit_runs", comment) {
      let builder = SelectBuilder(from: rows, as: "i")
      return builder.select(
        builder.columns(["subject", "number"] + (rests ? ["place"] : []))
          + [SQLColumn(run(builder, windows), "run")])
    }
  }

  /// Joins the unit before that in which a window ends.
  private func unitBefore(_ units: String, _ windows: Windows, _ builder: SelectBuilder) -> Alias {
    let number = windowNumber(builder["r"], windows.completion.window)
    return builder.join(
      .left, units, as: "u", on: ["subject": builder["subject"], "number": number - 1])
  }

  /// Consecutive numbers less their rank are one number: that of the island. Calendar windows are whole units.
  func islands(_ windows: Windows) -> String {
    part(windows, .islands, named: "islands") {
      let builder = SelectBuilder(from: complete(windows), as: "c")
      let end = builder["r"]
      let window = windows.completion.window
      if windows.length == nil { builder.conditions.append(isWhole(end, window)) }
      let (number, phase) = (windowNumber(end, window), phaseColumn(end, windows))
      let rank = SQLExpression.window(.rowNumber, of: [builder["subject"], phase], by: [end])
      return builder.select(
        builder.columns() + [
          SQLColumn(phase, "phase"), SQLColumn(number, "number"), SQLColumn(number - rank, "island"),
        ])
    }
  }

  /// The streak at a row, called `i`, of the islands or, where windows rest, of the positions: how many windows follow
  /// the last one that broke it.
  private func run(_ builder: SelectBuilder, _ windows: Windows) -> SQLExpression {
    guard windows.completion.rest != nil else {
      return .window(.rowNumber, of: ["subject", "phase", "island"].map { builder[$0] }, by: [builder["r"]])
    }
    let isBreak = builder["standing"].isOne.and(builder["complete"].equals(0))
    let phase = (windows.length ?? 1) > 1 ? [builder["phase"]] : []
    let last = SQLExpression.window(
      .aggregate(.max, builder["place"].when(isBreak)), of: [builder["subject"]] + phase, by: [builder["r"]],
      .throughCurrent)
    return builder["place"] - last.or(0)
  }

  /// Calendar units: whole ones make islands, and a window that ends inside a unit is on the unit before.
  private func unitRuns(_ windows: Windows) -> String {
    let complete = complete(windows)
    let units = unitRuns(of: windows)
    return part(windows, .runs, named: "runs", "the streak at each day that completes a unit.") {
      let builder = SelectBuilder(from: complete, as: "c")
      let (end, window) = (builder["r"], windows.completion.window)
      let before = unitBefore(units, windows, builder)
      return builder.select(
        builder.columns() + [
          SQLColumn(0, "phase"), SQLColumn(windowNumber(end, window), "number"),
          SQLColumn(isWhole(end, window).asNumber, "whole"),
          SQLColumn(before["run"].or(0) + 1, "run"),
        ])
    }
  }

  // MARK: With rest

  /// `place`: how many windows exist up to this one; `complete`, `standing`.
  private func positions(_ windows: Windows) -> String {
    part(windows, .positions, named: "positions", "its windows without those that rest, counted.") {
      let builder = SelectBuilder(from: states(windows), as: "i")
      let (end, window) = (builder["r"], windows.completion.window)
      if windows.length == nil { builder.conditions.append(isWhole(end, window)) }
      let phase = phaseColumn(end, windows)
      let standing = SQLExpression.integer(1) - builder["rest"]
      let place = SQLExpression.window(
        .aggregate(.count, SQLExpression.integer(1).when(standing.isOne)), of: [builder["subject"], phase],
        by: [end], .throughCurrent)
      return builder.select(
        builder.columns() + [
          SQLColumn(phase, "phase"), SQLColumn(windowNumber(end, window), "number"),
          SQLColumn(builder["complete"], "complete"), SQLColumn(standing, "standing"),
          SQLColumn(place, "place"),
        ])
    }
  }

  // MARK: Forgiving

  /// The windows with how many exist up to each (`place`), whether it is incomplete (`open`), and how many up to it are
  /// (`opens`).
  private func counted(_ windows: Windows) -> String {
    let positions = positions(windows)
    return part(windows, .counted, named: "counted", "its windows, the incomplete ones counted.") {
      let builder = SelectBuilder(from: positions, as: "i")
      let open = builder["standing"] - builder["complete"]
      let opens = SQLExpression.window(
        .aggregate(.sum, open), of: [builder["subject"], builder["phase"]], by: [builder["r"]],
        .throughCurrent)
      return builder.select(
        builder.columns(["subject", "r", "phase", "number", "place"])
          + [SQLColumn(open, "open"), SQLColumn(opens, "opens")])
    }
  }

  /// How many complete windows there are before the incomplete one after which a stretch starts at the latest, if a
  /// window is one too many (STR-06).
  private func start(
    _ builder: SelectBuilder, _ counted: String, _ forgiveness: Forgiveness,
    isOpen: SQLExpression, place: SQLExpression, opens: SQLExpression, same names: [String]
  ) -> SQLExpression {
    let first = builder.join(.left, counted, as: "f", same: names, of: "i") { alias in
      [alias["open"].isOne, alias["opens"].equals(opens - .integer(forgiveness.open))]
    }
    let isNear = (place - first["place"]).isBelow(.integer(forgiveness.windows))
    return (first["place"] - first["opens"])
      .when(isOpen.isOne.and(isNear))
  }

  private func forgivingRuns(_ windows: Windows, _ forgiveness: Forgiveness) -> String {
    let counted = counted(windows)
    let stretches = part(windows, .stretches(forgiveness), named: "stretches") {
      let builder = SelectBuilder(from: counted, as: "i")
      let start = start(
        builder, counted, forgiveness, isOpen: builder["open"], place: builder["place"],
        opens: builder["opens"],
        same: ["subject", "phase"])
      let latest = SQLExpression.window(
        .aggregate(.max, start), of: [builder["subject"], builder["phase"]], by: [builder["r"]],
        .throughCurrent)
      return builder.select(
        builder.columns(["subject", "r", "number", "place", "opens"]) + [SQLColumn(latest.or(0), "start")])
    }
    let comment =
      "the complete windows of the stretch up to each window that forgives \(forgiveness.asWritten)."
    return part(windows, .forgiving(forgiveness), named: "kind_runs", comment) {
      let builder = SelectBuilder(from: windows.length == nil ? states(windows) : stretches, as: "i")
      var (place, opens, start) = (builder["place"], builder["opens"], builder["start"])
      if windows.length == nil {
        // A window that ends inside a unit follows the unit before.
        let before = unitBefore(stretches, windows, builder)
        func earlier(_ name: String) -> SQLExpression { before[name].or(0) }
        let standing = SQLExpression.integer(1) - builder["rest"]
        let open = standing - builder["complete"]
        (place, opens) = (earlier("place") + standing, earlier("opens") + open)
        let latest = self.start(
          builder, counted, forgiveness, isOpen: open, place: place, opens: opens, same: ["subject"])
        start = .operation(.higher, [earlier("start"), latest.or(0)])
      }
      return builder.select(builder.columns(["subject", "r"]) + [SQLColumn(place - opens - start, "run")])
    }
  }

  private func restingUnitRuns(_ windows: Windows) -> String {
    let units = unitRuns(of: windows)
    return part(windows, .runs, named: "runs", "the streak read from each day.") {
      let builder = SelectBuilder(from: states(windows), as: "i")
      let (end, window) = (builder["r"], windows.completion.window)
      let before = unitBefore(units, windows, builder)
      let standing = SQLExpression.integer(1) - builder["rest"]
      let earlier = before["run"].or(0)
      let run = SQLExpression.conditional(
        [
          SQLBranch(condition: builder["complete"].isOne, value: earlier + 1),
          SQLBranch(condition: builder["rest"].isOne, value: earlier),
        ], otherwise: 0)
      return builder.select(
        builder.columns() + [
          SQLColumn(0, "phase"), SQLColumn(windowNumber(end, window), "number"),
          SQLColumn(builder["complete"], "complete"), SQLColumn(standing, "standing"),
          SQLColumn(before["place"].or(0) + standing, "place"),
          SQLColumn(isWhole(end, window).asNumber, "whole"), SQLColumn(run, "run"),
        ])
    }
  }
}
