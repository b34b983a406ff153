/// Funnels (FUN-01): the first days on which attempts reached steps, then each subject's best attempt by day.
struct FunnelLowering: MetricLowering {
  let translation: Translation
  let id: MetricID
  let funnel: Funnel
  /// The columns of the users to whom an opening leads; none where nobody counts them.
  private let users: [String]
  /// One relation of events for each step.
  let steps: [String]
  /// `r`: the reference days.
  private let days: String

  init(_ translation: Translation, _ funnel: Funnel, _ id: MetricID, _ anchors: Anchors) {
    (self.translation, self.id, self.funnel) = (translation, id, funnel)
    let ways = funnel.atLeast == nil ? 0 : translation.library.ways(of: translation.library.metrics[id])
    users = (0..<ways).map { "user_\($0 + 1)" }
    steps = funnel.steps.enumerated().map { index, step in
      // In any order each step may be the first; else only step 1 has a group and users.
      let opens = index == 0 || funnel.order == .any
      return translation.events(
        step.source, id, grouping: opens ? funnel.grouping : [], ways: opens ? ways : 0,
        named: "step_\(index + 1)")
    }
    days = translation.appDays(anchors)
  }

  var openingColumns: [String] { ["subject", "day", "instant", "id", "grp"] + users }

  func reachColumn(_ step: Int) -> String { "reached_\(step)" }

  func query() -> SQLQuery {
    // The best attempt decides the group and the users; without them the first day of each step is enough.
    let isPlain =
      funnel.grouping.isEmpty && funnel.atLeast == nil && funnel.over == .allTime
      && funnel.percentiles.isEmpty
    guard isPlain else { return bestAttempts(attempts()) }
    let firsts =
      funnel.order == .any
      ? stepsTogether() : firstDays(of: attempts(), as: "t") { $0[reachColumn($1)] }
    return translated(countedFirsts(firsts))
  }

  private func translated(_ counted: String, _ others: [String] = []) -> SQLQuery {
    completed(
      counted, days: days, columns: metric.parts.map(\.name) + others, none: Set(stepDays.map(\.name)))
  }

  private func attempts() -> String {
    switch funnel.order {
    case .inOrder where funnel.without == nil: orderedAttempts()
    case .any: anyAttempts()
    case .inOrder, .strict: attemptsWithGaps()
    }
  }

  /// All events of all steps. Some are duplicates, which changes no earliest day and no best attempt.
  private func events(_ columns: [String]) -> String {
    let queries = steps.enumerated().map { index, relation in
      SelectBuilder(from: relation, as: "e").select(columns, ["step": .integer(index + 1)])
    }
    return define("events", .union(queries, isDistinct: false))
  }

  /// From the last step back to the first: from each event of a step, the earliest day of each later one.
  private func orderedAttempts() -> String {
    let count = steps.count
    var next = steps[count - 1]
    for step in (1..<count).reversed() {
      let columns = step == 1 ? openingColumns : ["subject", "day", "instant"]
      let builder = SelectBuilder(from: define("step_\(step)_on", beforeNext(step, columns, next)), as: "e")
      let order = [builder["day"], builder["instant"]]
      let nexts = ((step + 1)...count).map { "next_\($0)" }.map {
        SQLColumn(.window(.min, builder[$0], of: [builder["subject"]], by: order, .fromCurrent), $0)
      }
      next = define(
        "from_\(step)", "from each event of step \(step), the earliest day of each later one.",
        builder.select(builder.columns(columns + ["is_start"]) + nexts))
    }
    let builder = SelectBuilder(from: next, as: "e")
    builder.where(builder["is_start"].isOne)
    let day = builder["day"]
    let reached = (2...count).map { SQLColumn(inTime(builder["next_\($0)"], from: day), reachColumn($0)) }
    return define(
      "attempts", "from each first step, the day on which it reached each.",
      builder.select(builder.columns(openingColumns, [reachColumn(1): day]) + reached))
  }

  /// The events of a step (`is_start`) and those of the next one with the days of what follows them. One without an
  /// Instant may follow everything of its day, so that it is also the last of the day.
  private func beforeNext(_ step: Int, _ columns: [String], _ next: String) -> SQLQuery {
    let count = steps.count
    func rows(from relation: String, isStart: Bool, isLast: Bool = false) -> SQLQuery {
      let builder = SelectBuilder(from: relation, as: "e")
      if !isStart, step + 1 < count { builder.where(builder["is_start"].isOne) }
      if isLast { builder.where(builder["instant"].isMissing) }
      let keys = columns.map { name in
        if isLast, name == "instant" { return SQLColumn(.number(.max), name) }
        let isKnown = isStart || ["subject", "day", "instant"].contains(name)
        return SQLColumn(isKnown ? builder[name] : .null(.text), name)
      }
      let nexts = ((step + 1)...count).map { number in
        let day = builder[number == step + 1 ? "day" : "next_\(number)"]
        return SQLColumn(isStart ? .null(.int) : day, "next_\(number)")
      }
      return builder.select(keys + [SQLColumn(isStart ? 1 : 0, "is_start")] + nexts)
    }
    var queries = [rows(from: steps[step - 1], isStart: true), rows(from: next, isStart: false)]
    let instants = funnel.steps.map { translation.instant(of: $0.source) }
    if instants.contains(where: { $0 != nil }), instants[step].map({ library[$0].isOptional }) ?? true {
      queries.append(rows(from: next, isStart: false, isLast: true))
    }
    return .union(queries, isDistinct: false)
  }

  /// A day, or null where it is not less than `within` days after the first.
  private func inTime(_ day: SQLExpression, from first: SQLExpression) -> SQLExpression {
    funnel.within.map { day.when(day.isBelow(first + .integer($0))) } ?? day
  }

  /// Each step's first day from each event on; `reached_k` is the day on which k steps were there.
  private func anyAttempts() -> String {
    let events = SelectBuilder(from: events(openingColumns), as: "e")
    let (subject, order) = (events["subject"], [events["day"]])
    let firsts = (1...steps.count).map { step in
      let day = events["day"].when(events["step"].equals(.integer(step)))
      return SQLColumn(.window(.min, day, of: [subject], by: order, .fromCurrent), "next_\(step)")
    }
    let next = define(
      "next", "from each event, the first day of each step.",
      events.select(events.columns(openingColumns) + firsts))
    let builder = SelectBuilder(from: next, as: "n")
    let reached = (1...steps.count).map {
      SQLColumn(inTime(builder["next_\($0)"], from: builder["day"]), reachColumn($0))
    }
    return define(
      "attempts", "from each event, the day on which each step was done (in any order).",
      builder.select(builder.columns(openingColumns) + reached))
  }

  /// How many steps an attempt, called `t`, has reached at a reference day.
  private func reached(at day: SQLExpression) -> SQLExpression {
    .sum((1...steps.count).map { Alias("t")[reachColumn($0)].isAtMost(day).asNumber })
  }

  /// The attempts, called `t`, beside the reference days, called `d`, on which they count.
  private func atDays(_ attempts: String) -> SelectBuilder {
    let builder = SelectBuilder(from: attempts, as: "t")
    // "`over P`: step 1 lies in P."
    builder.join(.inner, days, as: "d") { translation.within(builder["day"], funnel.over, $0["r"]) }
    return builder
  }

  private func bestAttempts(_ attempts: String) -> SQLQuery {
    let attempted = best(attempts)
    let best = withStepDays(attempted)
    let counted = countedBest(best)
    guard let atLeast = funnel.atLeast else { return translated(counted) }
    let columns = metric.parts.map(\.name)
    let counts = columns.indices.map { "users_\($0 + 1)" }
    let all = withUsers(counted, columns: columns, counts: counts, lines: lines) { line in
      usersOfBest(attempts, line.map { withStepDays(self.best(attempted, in: $0)) } ?? best, counts)
    }
    return hiding(define("open", translated(all, columnsOfUsers(counts))), users: counts, atLeast: atLeast)
  }

  /// The best attempts, by the lines of a table instead of its groups.
  private func best(_ best: String, in line: Line) -> String {
    let builder = SelectBuilder(from: best, as: "b")
    let days = funnel.percentiles.isEmpty ? [] : (2...steps.count).map(daysColumn)
    return define(
      "best_by_\(line.fields.count)",
      builder.select(["r", "subject", "reached"] + days, ["grp": line.text(of: builder["grp"])]))
  }

  /// `r`, `subject`, `grp`, `reached`: the best attempt of each subject. How far it came and its day are one number, of
  /// which the greatest is wanted; the attempts of that day are few.
  private func best(_ attempts: String) -> String {
    let (unit, latest): (SQLExpression, SQLExpression) = (10_000_000, 5_000_000)
    let rows = atDays(attempts)
    let packed = reached(at: Alias("d")["r"]) * unit + (latest - rows["day"])
    let farthest = define(
      "farthest", "how far each subject came, and since which day.",
      rows.grouped(
        ["farthest": .aggregate(.max, packed)],
        by: rows.columns(["r": Alias("d")["r"], "subject": rows["subject"]])))
    let builder = SelectBuilder(from: farthest, as: "f")
    let (day, most, subject) = (builder["r"], builder["farthest"], builder["subject"])
    builder.join(.inner, attempts, as: "t", on: ["subject": subject, "day": latest - most.modulo(unit)])
    builder.where(reached(at: day).equals(most.divided(by: unit)))
    let columns = builder.columns(
      ["r", "subject"], ["grp": Alias("t")["grp"], "reached": most.divided(by: unit)])
    let best = translation.placed(
      columns + daysToSteps(at: day), of: builder, partition: [day, subject],
      order: translation.eventOrder("t"), named: "\(name)_best_ranked")
    return define("best", "the best attempt of each subject.", best)
  }

  /// The parts that say how many days a step took, with the step's number and the percentile (FUN-09).
  private var stepDays: [(name: String, step: Int, percentile: Int)] {
    zip(metric.parts.dropFirst(steps.count), funnel.stepDays).map { ($0.name, $1.step + 1, $1.percentile) }
  }

  private func daysColumn(_ step: Int) -> String { "days_\(step)" }

  /// Of an attempt, called `t`: how many days it took to each step that it has reached at a reference day.
  private func daysToSteps(at day: SQLExpression) -> [SQLColumn] {
    guard !funnel.percentiles.isEmpty else { return [] }
    return (2...steps.count).map { step in
      let reached = Alias("t")[reachColumn(step)]
      return SQLColumn((reached - Alias("t")["day"]).when(reached.isAtMost(day)), daysColumn(step))
    }
  }

  /// The best attempts with the percentiles of their group beside them. Each relation is read once: SQLite writes it out
  /// wherever it is read.
  private func withStepDays(_ best: String) -> String {
    guard !stepDays.isEmpty else { return best }
    let rows = SelectBuilder(from: best, as: "b")
    let names = ["r", "subject", "grp", "reached"] + (2...steps.count).map(daysColumn)
    let group = ["r", "grp"].map { rows[$0] }
    var columns = rows.columns(names)
    for step in 2...steps.count {
      let days = rows[daysColumn(step)]
      columns += rows.columns([
        "place_\(step)": .window(.rowNumber, of: group + [days.isPresent.asNumber], by: [days]),
        "n_\(step)": .window(.count, days, of: group),
      ])
    }
    let builder = SelectBuilder(from: define("ranked_days", rows.select(columns)), as: "k")
    let middles = stepDays.map { part -> SQLColumn in
      let rank = (builder["n_\(part.step)"] * .integer(part.percentile) + 99).divided(by: 100)
      let middle = builder[daysColumn(part.step)].when(builder["place_\(part.step)"].equals(rank))
      return SQLColumn(.window(.max, middle, of: ["r", "grp"].map { builder[$0] }), part.name)
    }
    return define(
      "best_days", "and how many days each step takes in its group.",
      builder.select(builder.columns(names) + middles))
  }

  /// `r`, `grp` and a column for each part: how many subjects reached the step.
  private func countedBest(_ best: String) -> String {
    let builder = SelectBuilder(from: best, as: "b")
    let days = stepDays.map { SQLColumn(.aggregate(.max, builder[$0.name]), $0.name) }
    return counted(builder, by: builder.columns(["r", "grp"]), days) {
      builder["reached"].isAtLeast(.integer($0))
    }
  }

  private func counted(
    _ builder: SelectBuilder, by keys: [SQLColumn], _ days: [SQLColumn] = [],
    _ hasReached: (_ step: Int) -> SQLExpression
  ) -> String {
    let parts = metric.parts.prefix(steps.count).enumerated().map { index, part in
      SQLColumn(.aggregate(.countTrue, hasReached(index + 1)), part.name)
    }
    return define("reached", "how many reached each step.", builder.grouped(parts + days, by: keys))
  }

  /// `r`, `grp` and the users behind all openings of the subjects of each group that reached a step; of a percentile on
  /// the side of it that has fewer.
  private func usersOfBest(_ attempts: String, _ best: String, _ counts: [String]) -> String {
    let builder = atDays(attempts)
    let day = Alias("d")["r"]
    let alias = builder.join(.inner, best, as: "b", on: ["r": day, "subject": builder["subject"]])
    var sides = (1...steps.count).map { [alias["reached"].isAtLeast(.integer($0))] }
    sides += stepDays.map { part in
      let (days, middle) = (alias[daysColumn(part.step)], alias[part.name])
      return [days.isAtMost(middle), days.isAtLeast(middle)]
    }
    let own = zip(sides, counts).map {
      SQLColumn(translation.fewest($0, users.map { builder[$0] }), $1)
    }
    return define("users", builder.grouped(own, by: builder.columns(["r": day, "grp": alias["grp"]])))
  }

  /// `subject`, `reached_1`…: the first day when each subject had reached each step.
  private func firstDays(
    of relation: String, as alias: String, _ day: (_ rows: SelectBuilder, _ step: Int) -> SQLExpression
  ) -> String {
    let builder = SelectBuilder(from: relation, as: alias)
    let days = (1...steps.count).map { SQLColumn(.aggregate(.min, day(builder, $0)), reachColumn($0)) }
    return define(
      "first", "the first day on which each subject had reached each step.",
      builder.grouped(days, by: builder.columns(["subject"])))
  }

  /// The same in any order: a step counts from each of its events until `within` days have passed, and the attempts of
  /// a day have reached as many steps as count together.
  private func stepsTogether() -> String {
    let events = SelectBuilder(from: events(["subject", "day"]), as: "e")
    let step = [events["subject"], events["step"]]
    let beside = define(
      "beside", "each event with those of its step before and after it.",
      events.select(
        ["subject", "day"],
        [
          "earlier": .window(.lag, events["day"], of: step, by: [events["day"]]),
          "later": .window(.lead, events["day"], of: step, by: [events["day"]]),
        ]))
    /// The days when a step starts or stops counting.
    func changes(_ change: Int, unless other: String) -> SQLQuery {
      let builder = SelectBuilder(from: beside, as: "e")
      var (day, isAlone) = (builder["day"], builder[other].isMissing)
      if let within = funnel.within {
        let (first, second) = change > 0 ? (builder[other], day) : (day, builder[other])
        isAlone = isAlone.or((first + .integer(within)).isBelow(second))
        if change < 0 { day = day + .integer(within) }
      }
      return builder.where(isAlone).select(["subject"], ["day": day, "change": .integer(change)])
    }
    let queries =
      [changes(1, unless: "earlier")] + (funnel.within == nil ? [] : [changes(-1, unless: "later")])
    let sums = SelectBuilder(from: define("changes", .union(queries, isDistinct: false)), as: "c")
    let sum = SQLExpression.window(
      .sum, sums["change"], of: [sums["subject"]], by: [sums["day"]], .throughCurrent)
    let together = define(
      "together", "how many steps stand together from a day on.",
      sums.select(["subject", "day"], ["steps": sum]))
    return firstDays(of: together, as: "s") { $0["day"].when($0["steps"].isAtLeast(.integer($1))) }
  }

  /// `r` and a column for each part: how many subjects had reached each step by then.
  private func countedFirsts(_ firsts: String) -> String {
    let builder = SelectBuilder(from: firsts, as: "f")
    func first(_ step: Int) -> SQLExpression { builder[reachColumn(step)] }
    let day = builder.join(.inner, days, as: "d") { [first(1).isAtMost($0["r"])] }["r"]
    return counted(builder, by: [SQLColumn(day, "r")]) { first($0).isAtMost(day) }
  }
}
