import MetricPlan

/// A funnel on its way to SQL.
struct FunnelLowering {
  var funnel: Funnel
  var id: MetricID
  var name: String
  /// In how many ways an opening leads to users; 0 where nobody counts them.
  var ways: Int
  /// One relation of events for each step.
  var steps: [String]

  var users: [String] { (0..<ways).map { "user_\($0 + 1)" } }
  /// The event columns of an opening.
  var openingColumns: [String] { ["subject", "day", "instant", "id", "grp"] + users }
}

/// Funnels (FUN-01): the first days on which each attempt reached each step, then
/// the best attempt of each subject by reference day.
extension Translation {
  func query(_ funnel: Funnel, _ id: MetricID, _ anchors: Anchors) -> SQLQuery {
    let name = library.metrics[id].name
    let ways = funnel.atLeast == nil ? 0 : library.ways(of: library.metrics[id])
    let steps = funnel.steps.enumerated().map { index, step in
      // In any order each step may be the first; else only step 1 has a group and users.
      let opens = index == 0 || funnel.order == .any
      return events(
        step.source, id, grouping: opens ? funnel.grouping : [],
        ways: opens ? ways : 0, named: "step_\(index + 1)")
    }
    let lowering = FunnelLowering(
      funnel: funnel, id: id, name: name, ways: ways, steps: steps)
    let days = appDays(anchors)
    // The best attempt decides the group and the users; without them the first day of each step is enough.
    let isPlain =
      funnel.grouping.isEmpty && funnel.atLeast == nil && funnel.over == .allTime
      && funnel.percentiles.isEmpty
    guard isPlain else { return counts(lowering, attempts(lowering), days) }
    let firsts = funnel.order == .any ? stepsTogether(lowering) : firstDays(lowering, attempts(lowering))
    let counted = counted(lowering, firsts, days)
    return completed(
      counted, days: days, columns: library.metrics[id].parts.map(\.name), isGrouped: false)
  }

  private func attempts(_ lowering: FunnelLowering) -> String {
    switch lowering.funnel.order {
    case .inOrder where lowering.funnel.without == nil: orderedAttempts(lowering)
    case .any: anyAttempts(lowering)
    case .inOrder, .strict: attemptsWithGaps(lowering)
    }
  }

  func reachColumn(_ step: Int) -> String { "reached_\(step)" }

  /// All events of all steps. Some are duplicates, which changes no earliest day and no best attempt.
  private func events(_ lowering: FunnelLowering, _ columns: [String]) -> String {
    define(
      "\(lowering.name)_events",
      .union(
        lowering.steps.enumerated().map { index, relation in
          let builder = SelectBuilder(from: relation, as: "e")
          return builder.select(builder.columns(columns) + [SQLColumn(.integer(index + 1), "step")])
        }, isDistinct: false))
  }

  // MARK: In order

  /// From the last step back to the first: from each event of a step, the earliest day of each later one.
  private func orderedAttempts(_ lowering: FunnelLowering) -> String {
    let count = lowering.steps.count
    var next = lowering.steps[count - 1]
    for step in (1..<count).reversed() {
      let columns = step == 1 ? lowering.openingColumns : ["subject", "day", "instant"]
      let nexts = ((step + 1)...count).map { "next_\($0)" }
      let builder = SelectBuilder(
        from: define("\(lowering.name)_step_\(step)_on", beforeNext(lowering, step, columns, next)), as: "e")
      let ahead = SQLWindow(
        partition: [builder["subject"]], order: [SQLOrder(builder["day"]), SQLOrder(builder["instant"])],
        frame: .fromCurrent)
      next = define(
        of: lowering.name, "from_\(step)",
        "from each event of step \(step), the earliest day of each later one.",
        builder.select(
          builder.columns(columns + ["is_start"])
            + nexts.map { SQLColumn(.window(.aggregate(.min, builder[$0]), ahead), $0) }))
    }
    let builder = SelectBuilder(from: next, as: "e")
    builder.conditions.append(builder["is_start"].isOne)
    let day = builder["day"]
    return define(
      of: lowering.name, "attempts", "from each first step, the day on which it reached each.",
      builder.select(
        builder.columns(lowering.openingColumns)
          + [SQLColumn(day, reachColumn(1))]
          + (2...count).map {
            SQLColumn(inTime(builder["next_\($0)"], from: day, lowering.funnel), reachColumn($0))
          }))
  }

  /// The events of a step (`is_start`) and those of the next one with the days of what follows them. One without an
  /// Instant may follow everything of its day, so that it is also the last of the day.
  private func beforeNext(
    _ lowering: FunnelLowering, _ step: Int, _ columns: [String], _ next: String
  ) -> SQLQuery {
    let count = lowering.steps.count
    func rows(from relation: String, isStart: Bool, isLast: Bool = false) -> SQLQuery {
      let builder = SelectBuilder(from: relation, as: "e")
      if !isStart, step + 1 < count { builder.conditions.append(builder["is_start"].isOne) }
      if isLast { builder.conditions.append(builder["instant"].isMissing) }
      let keys = columns.map { name -> SQLColumn in
        if isLast, name == "instant" { return SQLColumn(.number(.max), name) }
        let isKnown = isStart || ["subject", "day", "instant"].contains(name)
        return SQLColumn(isKnown ? builder[name] : .null(.text), name)
      }
      let nexts = ((step + 1)...count).map { number -> SQLColumn in
        let day = number == step + 1 ? builder["day"] : builder["next_\(number)"]
        return SQLColumn(isStart ? .null(.int) : day, "next_\(number)")
      }
      return builder.select(keys + [SQLColumn(.integer(isStart ? 1 : 0), "is_start")] + nexts)
    }
    var queries = [rows(from: lowering.steps[step - 1], isStart: true), rows(from: next, isStart: false)]
    let instants = lowering.funnel.steps.map { instant(of: $0.source) }
    if instants.contains(where: { $0 != nil }), instants[step].map({ library[$0].isOptional }) ?? true {
      queries.append(rows(from: next, isStart: false, isLast: true))
    }
    return .union(queries, isDistinct: false)
  }

  /// A day, or null where it is not less than `within` days after the first.
  func inTime(_ day: SQLExpression, from first: SQLExpression, _ funnel: Funnel) -> SQLExpression {
    guard let within = funnel.within else { return day }
    return day.when(day.isBelow(first + .integer(within)))
  }

  // MARK: In any order

  /// Each step's first day from each event on; `reached_k` is the day on which k steps were there.
  private func anyAttempts(_ lowering: FunnelLowering) -> String {
    let events = SelectBuilder(from: events(lowering, lowering.openingColumns), as: "e")
    let ahead = SQLWindow(
      partition: [events["subject"]], order: [SQLOrder(events["day"])], frame: .fromCurrent)
    let steps = 1...lowering.steps.count
    let next = define(
      of: lowering.name, "next", "from each event, the first day of each step.",
      events.select(
        events.columns(lowering.openingColumns)
          + steps.map { step in
            SQLColumn(
              .window(.aggregate(.min, events["day"].when(events["step"].equals(.integer(step)))), ahead),
              "next_\(step)")
          }))
    let builder = SelectBuilder(from: next, as: "n")
    return define(
      of: lowering.name, "attempts", "from each event, the day on which each step was done (in any order).",
      builder.select(
        builder.columns(lowering.openingColumns)
          + steps.map {
            SQLColumn(inTime(builder["next_\($0)"], from: builder["day"], lowering.funnel), reachColumn($0))
          }))
  }

  // MARK: Best attempts

  /// How many steps an attempt has reached at a reference day.
  private func reached(_ builder: SelectBuilder, at day: SQLExpression, _ steps: Int) -> SQLExpression {
    .sum(
      (1...steps).map { step in
        Alias("t")[reachColumn(step)].isAtMost(day).asNumber
      })
  }

  /// The attempts, called `t`, beside the reference days, called `d`, on which they count.
  private func atDays(_ funnel: Funnel, _ attempts: String, _ days: String) -> SelectBuilder {
    let builder = SelectBuilder(from: attempts, as: "t")
    // "`over P`: step 1 lies in P."
    builder.join(.inner, days, as: "d") {
      self.within(builder["day"], funnel.over, $0["r"])
    }
    return builder
  }

  private func counts(_ lowering: FunnelLowering, _ attempts: String, _ days: String) -> SQLQuery {
    let funnel = lowering.funnel
    let attempted = best(lowering, attempts, days)
    let best = withStepDays(lowering, attempted)
    let counted = counted(lowering, best)
    let columns = library.metrics[lowering.id].parts.map(\.name)
    let isGrouped = !funnel.grouping.isEmpty
    let none = Set(stepDays(lowering).map(\.name))
    guard let atLeast = funnel.atLeast else {
      return completed(counted, days: days, columns: columns, isGrouped: isGrouped, none: none)
    }
    let counts = columns.indices.map { "users_\($0 + 1)" }
    let users = usersOfBest(lowering, atDays(funnel, attempts, days), best, counts)
    let lines = lines(of: funnel.grouping).map { line in
      let best = withStepDays(lowering, self.best(lowering, attempted, in: line))
      return (line, usersOfBest(lowering, atDays(funnel, attempts, days), best, counts))
    }
    let all = withUsers(counted, users, columns: columns, counts: counts, lines, named: lowering.name)
    let open = define(
      "\(lowering.name)_open",
      completed(
        all, days: days, columns: columns + counts + columnsOfLines(funnel.grouping, counts),
        isGrouped: isGrouped, none: none))
    return hiding(open, keys: ["subject", "r", "grp"], users: counts, atLeast: atLeast, lowering.id)
  }

  /// The best attempts, by the lines of a table instead of its groups.
  private func best(_ lowering: FunnelLowering, _ best: String, in line: Line) -> String {
    let builder = SelectBuilder(from: best, as: "b")
    let days = lowering.funnel.percentiles.isEmpty ? [] : (2...lowering.steps.count).map(daysColumn)
    let columns = (["r", "subject", "reached"] + days).map { SQLColumn(builder[$0], $0) }
    return define(
      "\(lowering.name)_best_by_\(line.fields.count)",
      builder.select(columns + [SQLColumn(line.text(of: builder["grp"]), "grp")]))
  }

  /// `r`, `subject`, `grp`, `reached`: the best attempt of each subject. How far it came and its day are one number, of
  /// which the greatest is wanted; the attempts of that day are few.
  private func best(_ lowering: FunnelLowering, _ attempts: String, _ days: String) -> String {
    let (unit, latest) = (SQLExpression.integer(10_000_000), SQLExpression.integer(5_000_000))
    let rows = atDays(lowering.funnel, attempts, days)
    let keys = [SQLColumn(Alias("d")["r"], "r"), SQLColumn(rows["subject"], "subject")]
    let reached = reached(rows, at: keys[0].expression, lowering.steps.count)
    let packed = reached * unit + (latest - rows["day"])
    let farthest = define(
      of: lowering.name, "farthest", "how far each subject came, and since which day.",
      rows.grouped([SQLColumn(.aggregate(.max, packed), "farthest")], by: keys))
    let builder = SelectBuilder(from: farthest, as: "f")
    let (day, most) = (builder["r"], builder["farthest"])
    let subject = builder["subject"]
    builder.join(.inner, attempts, as: "t", on: ["subject": subject, "day": latest - most.modulo(unit)])
    let isFarthest = self.reached(builder, at: day, lowering.steps.count).equals(most.divided(by: unit))
    builder.conditions.append(isFarthest)
    return first(
      of: builder, partition: [day, subject], order: eventOrder(builder, "t"),
      [
        SQLColumn(day, "r"), SQLColumn(subject, "subject"), SQLColumn(Alias("t")["grp"], "grp"),
        SQLColumn(most.divided(by: unit), "reached"),
      ] + daysToSteps(lowering, builder, at: day), named: "\(lowering.name)_best",
      "\(lowering.name): the best attempt of each subject.")
  }

  // MARK: Days to steps

  /// The parts that say how many days a step took, with the step's number and the percentile (FUN-09).
  private func stepDays(_ lowering: FunnelLowering) -> [(name: String, step: Int, percentile: Int)] {
    let names = library.metrics[lowering.id].parts.dropFirst(lowering.steps.count).map(\.name)
    return zip(names, lowering.funnel.stepDays).map { ($0, $1.step + 1, $1.percentile) }
  }

  private func daysColumn(_ step: Int) -> String { "days_\(step)" }

  /// Of an attempt, called `t`: how many days it took to each step that it has reached at a reference day.
  private func daysToSteps(
    _ lowering: FunnelLowering, _ builder: SelectBuilder, at day: SQLExpression
  ) -> [SQLColumn] {
    guard !lowering.funnel.percentiles.isEmpty else { return [] }
    return (2...lowering.steps.count).map { step in
      let reached = Alias("t")[reachColumn(step)]
      return SQLColumn((reached - Alias("t")["day"]).when(reached.isAtMost(day)), daysColumn(step))
    }
  }

  /// The best attempts with the percentiles of their group beside them. Each relation is read once: SQLite writes it out
  /// wherever it is read.
  private func withStepDays(_ lowering: FunnelLowering, _ best: String) -> String {
    let parts = stepDays(lowering)
    guard !parts.isEmpty else { return best }
    let rows = SelectBuilder(from: best, as: "b")
    let steps = Array(2...lowering.steps.count)
    let names = ["r", "subject", "grp", "reached"] + steps.map(daysColumn)
    let group = ["r", "grp"].map { rows[$0] }
    var columns = rows.columns(names)
    for step in steps {
      let days = rows[daysColumn(step)]
      let isReached = days.isPresent.asNumber
      let order = SQLWindow(partition: group + [isReached], order: [SQLOrder(days)])
      columns += [
        SQLColumn(.window(.rowNumber, order), "place_\(step)"),
        SQLColumn(.window(.aggregate(.count, days), of: group), "n_\(step)"),
      ]
    }
    let ranked = define("\(lowering.name)_ranked_days", rows.select(columns))
    let builder = SelectBuilder(from: ranked, as: "k")
    let middles = parts.map { part -> SQLColumn in
      let rank = (builder["n_\(part.step)"] * .integer(part.percentile) + .integer(99)).divided(
        by: .integer(100))
      let middle = builder[daysColumn(part.step)].when(builder["place_\(part.step)"].equals(rank))
      let window = SQLWindow(partition: ["r", "grp"].map { builder[$0] })
      return SQLColumn(.window(.aggregate(.max, middle), window), part.name)
    }
    return define(
      of: lowering.name, "best_days", "and how many days each step takes in its group.",
      builder.select(builder.columns(names) + middles))
  }

  /// `r`, `grp` and a column for each part: how many subjects reached the step.
  private func counted(_ lowering: FunnelLowering, _ best: String) -> String {
    let builder = SelectBuilder(from: best, as: "b")
    let keys = builder.columns(["r", "grp"])
    let reached = builder["reached"]
    let days = stepDays(lowering).map {
      SQLColumn(.aggregate(.max, builder[$0.name]), $0.name)
    }
    return counted(lowering, builder, keys, days) { reached.isAtLeast(.integer($0)) }
  }

  private func counted(
    _ lowering: FunnelLowering, _ builder: SelectBuilder, _ keys: [SQLColumn], _ days: [SQLColumn] = [],
    _ hasReached: (_ step: Int) -> SQLExpression
  ) -> String {
    let steps = library.metrics[lowering.id].parts.prefix(lowering.steps.count)
    let parts = steps.enumerated().map { index, part in
      SQLColumn(.aggregate(.countTrue, hasReached(index + 1)), part.name)
    }
    return define(
      of: lowering.name, "reached", "how many reached each step.",
      builder.grouped(parts + days, by: keys))
  }

  /// `r`, `grp` and the users behind all openings of the subjects of each group that reached a step; of a percentile on
  /// the side of it that has fewer.
  private func usersOfBest(
    _ lowering: FunnelLowering, _ builder: SelectBuilder, _ best: String, _ counts: [String]
  ) -> String {
    let day = Alias("d")["r"]
    let alias = builder.join(.inner, best, as: "b", on: ["r": day, "subject": Alias("t")["subject"]])
    let keys = [SQLColumn(day, "r"), SQLColumn(alias["grp"], "grp")]
    let reached = alias["reached"]
    var sides = (1...lowering.steps.count).map { [reached.isAtLeast(.integer($0))] }
    sides += stepDays(lowering).map { part in
      let days = alias[daysColumn(part.step)]
      let middle = alias[part.name]
      return [days.isAtMost(middle), days.isAtLeast(middle)]
    }
    let users = lowering.users.map { Alias("t")[$0] }
    let own = zip(sides, counts).map { SQLColumn(fewest($0, users), $1) }
    return define("\(lowering.name)_users", builder.grouped(own, by: keys))
  }

  // MARK: First days

  /// `subject`, `reached_1`…: the first day when each subject had reached each step in one attempt.
  private func firstDays(_ lowering: FunnelLowering, _ attempts: String) -> String {
    let builder = SelectBuilder(from: attempts, as: "t")
    return firstDays(lowering, builder, "t") { builder[reachColumn($0)] }
  }

  private func firstDays(
    _ lowering: FunnelLowering, _ builder: SelectBuilder, _ alias: Alias,
    _ day: (_ step: Int) -> SQLExpression
  ) -> String {
    let subject = alias["subject"]
    return define(
      of: lowering.name, "first", "the first day on which each subject had reached each step.",
      builder.select(
        [SQLColumn(subject, "subject")]
          + (1...lowering.steps.count).map { SQLColumn(.aggregate(.min, day($0)), reachColumn($0)) },
        groupedBy: [subject]))
  }

  /// The same in any order: a step counts from each of its events until `within` days have passed, and the attempts of
  /// a day have reached as many steps as count together.
  private func stepsTogether(_ lowering: FunnelLowering) -> String {
    let events = SelectBuilder(from: events(lowering, ["subject", "day"]), as: "e")
    let window = SQLWindow(partition: [events["subject"], events["step"]], order: [SQLOrder(events["day"])])
    let beside = define(
      of: lowering.name, "beside", "each event with those of its step before and after it.",
      events.select(
        events.columns(["subject", "day"]) + [
          SQLColumn(.window(.lag(events["day"]), window), "earlier"),
          SQLColumn(.window(.lead(events["day"]), window), "later"),
        ]))
    /// The days when a step starts or stops counting.
    func changes(_ change: Int, at day: (SQLExpression) -> SQLExpression, unless other: String) -> SQLQuery {
      let builder = SelectBuilder(from: beside, as: "e")
      var isAlone = builder[other].isMissing
      if let within = lowering.funnel.within {
        let (first, second) = change > 0 ? (builder[other], builder["day"]) : (builder["day"], builder[other])
        isAlone = isAlone.or((first + .integer(within)).isBelow(second))
      }
      builder.conditions.append(isAlone)
      return builder.select([
        SQLColumn(builder["subject"], "subject"), SQLColumn(day(builder["day"]), "day"),
        SQLColumn(.integer(change), "change"),
      ])
    }
    var queries = [changes(1, at: { $0 }, unless: "earlier")]
    if let within = lowering.funnel.within {
      queries.append(changes(-1, at: { $0 + .integer(within) }, unless: "later"))
    }
    let sums = SelectBuilder(
      from: define("\(lowering.name)_changes", .union(queries, isDistinct: false)), as: "c")
    let sum = SQLExpression.window(
      .aggregate(.sum, sums["change"]), of: [sums["subject"]], by: [sums["day"]], .throughCurrent)
    let together = define(
      of: lowering.name, "together", "how many steps stand together from a day on.",
      sums.select(sums.columns(["subject", "day"]) + [SQLColumn(sum, "steps")]))
    let builder = SelectBuilder(from: together, as: "s")
    return firstDays(lowering, builder, "s") {
      builder["day"].when(builder["steps"].isAtLeast(.integer($0)))
    }
  }

  /// `r` and a column for each part: how many subjects had reached each step by then.
  private func counted(_ lowering: FunnelLowering, _ firsts: String, _ days: String) -> String {
    let builder = SelectBuilder(from: firsts, as: "f")
    func first(_ step: Int) -> SQLExpression { builder[reachColumn(step)] }
    builder.join(.inner, days, as: "d") { [first(1).isAtMost($0["r"])] }
    let day = Alias("d")["r"]
    return counted(lowering, builder, [SQLColumn(day, "r")]) { first($0).isAtMost(day) }
  }

  // MARK: Users

  /// Counts by `r` and `grp` with the numbers of users beside them.
  func withUsers(
    _ counted: String, _ users: String, columns: [String], counts: [String],
    _ lines: [(line: Line, users: String)] = [], named name: String
  ) -> String {
    let builder = SelectBuilder(from: counted, as: "a")
    let alias = builder.join(.left, users, as: "u", same: ["r", "grp"])
    let ofLines = lines.flatMap { line, users -> [SQLColumn] in
      let text = line.text(of: builder["grp"])
      let alias = builder.join(.left, users, as: "u", on: ["r": builder["r"], "grp": text])
      return [SQLColumn(text, line.name)]
        + counts.map { SQLColumn(alias[$0].or(0), line.column($0)) }
    }
    return define(
      "\(name)_with_users",
      builder.select(
        builder.columns(["r", "grp"] + columns)
          + counts.map { SQLColumn(alias[$0].or(0), $0) } + ofLines))
  }

  /// What `withUsers` adds for the lines of a table.
  func columnsOfLines(_ grouping: [GroupField], _ counts: [String]) -> [String] {
    lines(of: grouping).flatMap { line in [line.name] + counts.map(line.column) }
  }
}
