/// Runs of complete windows: gaps and islands over the windows' numbers.
extension Windows {
  /// The number of a window among those of its phase or unit.
  func number(endingOn end: SQLExpression) -> SQLExpression {
    switch window {
    case .rolling(let length):
      length == 1 ? end : (end + Windows.multiple(of: length)).divided(by: .integer(length))
    case .calendar(let unit): unit.number(holding: end)
    }
  }

  /// Which of the ways to tile days with windows of a length a window's end belongs to.
  static func phase(_ end: SQLExpression, _ length: Int) -> SQLExpression {
    length == 1 ? 0 : (end + multiple(of: length)).modulo(.integer(length))
  }

  /// Keeps the dividend above 0.
  static func multiple(of length: Int) -> SQLExpression { .integer(1_400_000 / length * length) }

  /// Whether a calendar window has come to its unit's last day.
  func isWhole(_ end: SQLExpression) -> SQLExpression {
    switch window {
    case .rolling: .bool(true)
    case .calendar(let unit): end.equals(unit.end(after: end))
    }
  }

  /// Windows on the chain of a single day all have its phase.
  private func phaseColumn(_ end: SQLExpression) -> SQLExpression {
    var end = end
    if case .chain(let days, _) = kind, let day = translation.singleDays[days] { end = day }
    return Windows.phase(end, length ?? 1)
  }

  /// `subject`, `r`, `phase`, `number`, `whole`, `run`: the streak read from each window that ends on `r`;
  /// only complete windows are there, unless some rest: then all since the first fact, with `complete`,
  /// `standing` (1 where the window exists) and `place` (how many exist up to it).
  func runs() -> String {
    if let forgiveness { return forgivingRuns(forgiveness) }
    return length == nil ? unitRuns() : rollingRuns()
  }

  /// `subject`, `r`, `best`: the longest run up to each window since the first fact, where `runs` has all of these. A
  /// join with all earlier windows would take time that grows with the square of the days.
  func bests() -> String {
    part(.bests(forgiveness), named: "bests", "the longest streak up to each window.") {
      let builder = SelectBuilder(from: runs(), as: "i")
      return builder.select(["subject", "r"], ["best": soFar(.max, builder["run"], of: [], builder)])
    }
  }

  /// An aggregate of the windows of a subject up to each.
  private func soFar(
    _ function: SQLWindowFunction, _ value: SQLExpression, of phase: [SQLExpression], _ builder: SelectBuilder
  ) -> SQLExpression {
    .window(function, value, of: [builder["subject"]] + phase, by: [builder["r"]], .throughCurrent)
  }

  private func rollingRuns() -> String {
    let comment =
      rests ? "the streak read from each window." : "the streak at the end of each complete window."
    return part(.runs, named: "runs", comment) {
      let builder = SelectBuilder(from: rests ? positions() : islands(), as: "i")
      return builder.select(
        ["subject", "r", "phase", "number"] + (rests ? ["complete", "standing", "place"] : []),
        ["whole": 1, "run": run(builder)])
    }
  }

  private func wholeUnitRuns() -> String {
    let comment = "the streak \(rests ? "read from" : "of") each whole calendar unit."
    return part(.units, named: "unit_runs", comment) {
      let builder = SelectBuilder(from: rests ? positions() : islands(), as: "i")
      return builder.select(["subject", "number"] + (rests ? ["place"] : []), ["run": run(builder)])
    }
  }

  /// Joins the unit before that in which a window ends.
  private func unitBefore(_ units: String, _ builder: SelectBuilder) -> Alias {
    builder.join(
      .left, units, as: "u",
      on: ["subject": builder["subject"], "number": number(endingOn: builder["r"]) - 1])
  }

  /// Consecutive numbers less their rank are one number: that of the island. Calendar windows are whole units.
  func islands() -> String {
    part(.islands, named: "islands") {
      let builder = SelectBuilder(from: complete(), as: "c")
      let end = builder["r"]
      if length == nil { builder.where(isWhole(end)) }
      let (number, phase) = (number(endingOn: end), phaseColumn(end))
      let rank = SQLExpression.window(.rowNumber, of: [builder["subject"], phase], by: [end])
      return builder.select(["subject", "r"], ["phase": phase, "number": number, "island": number - rank])
    }
  }

  /// The streak at a row, called `i`, of the islands or, where windows rest, of the positions: how many windows follow
  /// the last one that broke it.
  private func run(_ builder: SelectBuilder) -> SQLExpression {
    guard rests else {
      return .window(.rowNumber, of: ["subject", "phase", "island"].map { builder[$0] }, by: [builder["r"]])
    }
    let isBreak = builder["standing"].isOne.and(builder["complete"].equals(0))
    let phase = (length ?? 1) > 1 ? [builder["phase"]] : []
    return builder["place"] - soFar(.max, builder["place"].when(isBreak), of: phase, builder).or(0)
  }

  /// Calendar units: whole ones make islands, and a window that ends inside a unit is on the unit before.
  private func unitRuns() -> String {
    let comment = rests ? "the streak read from each day." : "the streak at each day that completes a unit."
    return part(.runs, named: "runs", comment) {
      let builder = SelectBuilder(from: rests ? states() : complete(), as: rests ? "i" : "c")
      let end = builder["r"]
      let before = unitBefore(wholeUnitRuns(), builder)
      let earlier = before["run"].or(0)
      let number = builder.columns(["subject", "r"], ["phase": 0, "number": number(endingOn: end)])
      let whole = isWhole(end).asNumber
      guard rests else {
        return builder.select(number + builder.columns(["whole": whole, "run": earlier + 1]))
      }
      let standing = 1 - builder["rest"]
      let place = before["place"].or(0) + standing
      let run = SQLExpression.cases(
        [builder["complete"].isOne: earlier + 1, builder["rest"].isOne: earlier], otherwise: 0)
      return builder.select(
        number
          + builder.columns(
            ["complete"], ["standing": standing, "place": place, "whole": whole, "run": run]))
    }
  }

  /// `place`: how many windows exist up to this one; `complete`, `standing`.
  private func positions() -> String {
    part(.positions, named: "positions", "its windows without those that rest, counted.") {
      let builder = SelectBuilder(from: states(), as: "i")
      let end = builder["r"]
      if length == nil { builder.where(isWhole(end)) }
      let phase = phaseColumn(end)
      let standing = 1 - builder["rest"]
      let one = SQLExpression.integer(1).when(standing.isOne)
      return builder.select(
        ["subject", "r"],
        [
          "phase": phase, "number": number(endingOn: end), "complete": builder["complete"],
          "standing": standing, "place": soFar(.count, one, of: [phase], builder),
        ])
    }
  }

  /// The windows with how many exist up to each (`place`), whether it is incomplete (`open`), and how many up to it are
  /// (`opens`).
  private func counted() -> String {
    part(.counted, named: "counted", "its windows, the incomplete ones counted.") {
      let builder = SelectBuilder(from: positions(), as: "i")
      let open = builder["standing"] - builder["complete"]
      return builder.select(
        ["subject", "r", "phase", "number", "place"],
        ["open": open, "opens": soFar(.sum, open, of: [builder["phase"]], builder)])
    }
  }

  /// How many complete windows there are before the incomplete one after which a stretch starts at the latest, if a
  /// window is one too many (STR-06).
  private func start(
    _ builder: SelectBuilder, _ counted: String, _ forgiveness: Forgiveness,
    isOpen: SQLExpression, place: SQLExpression, opens: SQLExpression, same names: [String]
  ) -> SQLExpression {
    let first = builder.join(.left, counted, as: "f", same: names) { alias in
      [alias["open"].isOne, alias["opens"].equals(opens - .integer(forgiveness.open))]
    }
    let isNear = (place - first["place"]).isBelow(.integer(forgiveness.windows))
    return (first["place"] - first["opens"]).when(isOpen.isOne.and(isNear))
  }

  private func forgivingRuns(_ forgiveness: Forgiveness) -> String {
    let counted = counted()
    let stretches = part(.stretches(forgiveness), named: "stretches") {
      let builder = SelectBuilder(from: counted, as: "i")
      let start = start(
        builder, counted, forgiveness, isOpen: builder["open"], place: builder["place"],
        opens: builder["opens"], same: ["subject", "phase"])
      return builder.select(
        ["subject", "r", "number", "place", "opens"],
        ["start": soFar(.max, start, of: [builder["phase"]], builder).or(0)])
    }
    let comment =
      "the complete windows of the stretch up to each window that forgives \(forgiveness.asWritten)."
    return part(.forgiving(forgiveness), named: "kind_runs", comment) {
      let builder = SelectBuilder(from: length == nil ? states() : stretches, as: "i")
      var (place, opens, start) = (builder["place"], builder["opens"], builder["start"])
      if length == nil {
        // A window that ends inside a unit follows the unit before.
        let before = unitBefore(stretches, builder)
        func earlier(_ name: String) -> SQLExpression { before[name].or(0) }
        let standing = 1 - builder["rest"]
        let open = standing - builder["complete"]
        (place, opens) = (earlier("place") + standing, earlier("opens") + open)
        let latest = self.start(
          builder, counted, forgiveness, isOpen: open, place: place, opens: opens, same: ["subject"])
        start = .operation(.higher, [earlier("start"), latest.or(0)])
      }
      return builder.select(["subject", "r"], ["run": place - opens - start])
    }
  }
}
