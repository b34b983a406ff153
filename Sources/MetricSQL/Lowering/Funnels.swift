import MetricPlan

/// A funnel on its way to SQL.
struct FunnelLowering {
  var funnel: Funnel
  var id: MetricID
  var isTeam: Bool
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
  func query(_ funnel: Funnel, _ id: MetricID, isTeam: Bool, _ anchors: Anchors) -> SQLQuery {
    let name = library.metrics[id].name
    let ways = funnel.atLeast == nil ? 0 : ways(of: id)
    let steps = funnel.steps.enumerated().map { index, step in
      // In any order each step may be the first; else only step 1 has a group and users.
      let opens = index == 0 || funnel.order == .any
      return events(
        step.source, id, isTeam: isTeam, grouping: opens ? funnel.grouping : nil,
        ways: opens ? ways : 0, named: "step_\(index + 1)")
    }
    let lowering = FunnelLowering(
      funnel: funnel, id: id, isTeam: isTeam, name: name, ways: ways, steps: steps)
    let attempts =
      switch funnel.order {
      case .inOrder: orderedAttempts(lowering)
      case .any: anyAttempts(lowering)
      case .strict: strictAttempts(lowering)
      }
    return counts(lowering, attempts, appDays(anchors))
  }

  func reachColumn(_ step: Int) -> String { "reached_\(step)" }

  // MARK: In order

  /// All events of all steps. Some stand twice, which changes no earliest day and no best attempt.
  private func events(_ lowering: FunnelLowering, _ columns: [String]) -> String {
    define(
      "\(lowering.name)_events",
      .union(
        lowering.steps.enumerated().map { index, relation in
          let builder = SelectBuilder(from: relation, as: "e")
          return builder.select(
            columns.map { SQLColumn(builder.column($0, of: "e"), $0) }
              + [SQLColumn(.integer(index + 1), "step")])
        }, isDistinct: false))
  }

  /// All events of all steps, `place` being their rank by day and Instant: equal where neither tells.
  private func placedEvents(_ lowering: FunnelLowering) -> String {
    let union = events(lowering, ["subject", "day", "instant"])
    let builder = SelectBuilder(from: union, as: "e")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "e") }
    let place = SQLExpression.window(
      .denseRank,
      SQLWindow(partition: [own("subject")], order: [SQLOrder(own("day")), SQLOrder(own("instant"))]))
    return define(
      "\(lowering.name)_places",
      builder.select(
        ["subject", "day", "instant", "step"].map { SQLColumn(own($0), $0) } + [SQLColumn(place, "place")]))
  }

  /// For each place, the place of the earliest event of each later step that may follow.
  private func nextPlaces(_ lowering: FunnelLowering, _ placed: String) -> String {
    let builder = SelectBuilder(from: placed, as: "e")
    func own(_ name: String) -> SQLExpression { builder.column(name, of: "e") }
    let ahead = SQLWindow(partition: [own("subject")], order: [SQLOrder(own("place"))], frame: .fromCurrent)
    let sameDay = SQLWindow(partition: [own("subject"), own("day")])
    let nexts = (2...lowering.steps.count).map { step -> SQLColumn in
      let isStep = own("step").equals(.integer(step))
      // One without an Instant may follow everything of its day.
      let anywhere = own("place").when(isStep.and(own("instant").isMissing))
      return SQLColumn(
        .coalesce([
          .window(.aggregate(.min, anywhere), sameDay),
          .window(.aggregate(.min, own("place").when(isStep)), ahead),
        ]), "next_\(step)")
    }
    return define(
      "\(lowering.name)_next",
      "\(lowering.name): from each place, the earliest that may follow for each step.",
      builder.select(
        ["subject", "day", "instant", "place"].map { SQLColumn(own($0), $0) } + nexts, isDistinct: true))
  }

  private func orderedAttempts(_ lowering: FunnelLowering) -> String {
    let placed = placedEvents(lowering)
    let next = nextPlaces(lowering, placed)
    let builder = SelectBuilder(from: lowering.steps[0], as: "e")
    let (subject, day) = (builder.column("subject", of: "e"), builder.column("day", of: "e"))
    var columns = lowering.openingColumns.map { SQLColumn(builder.column($0, of: "e"), $0) }
    columns.append(SQLColumn(day, reachColumn(1)))
    // The opening's own place, found by its day and Instant.
    var at = builder.join(.inner, next, as: "p") { alias in
      func column(_ name: String) -> SQLExpression { .column(relation: alias, name: name) }
      let instant = builder.column("instant", of: "e")
      return [
        column("subject").equals(subject), column("day").equals(day),
        column("instant").equals(instant).or(column("instant").isMissing.and(instant.isMissing)),
      ]
    }
    for step in 2...lowering.steps.count {
      let target = builder.column("next_\(step)", of: at)
      at = builder.join(.left, next, as: "p") { alias in
        [
          SQLExpression.column(relation: alias, name: "subject").equals(subject),
          SQLExpression.column(relation: alias, name: "place").equals(target),
        ]
      }
      columns.append(
        SQLColumn(inTime(builder.column("day", of: at), from: day, lowering.funnel), reachColumn(step)))
    }
    return define(
      "\(lowering.name)_attempts",
      "\(lowering.name): from each first step, the day on which it reached each.",
      builder.select(columns))
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
    func own(_ name: String) -> SQLExpression { events.column(name, of: "e") }
    let ahead = SQLWindow(partition: [own("subject")], order: [SQLOrder(own("day"))], frame: .fromCurrent)
    let steps = 1...lowering.steps.count
    let next = define(
      "\(lowering.name)_next", "\(lowering.name): from each event, the first day of each step.",
      events.select(
        lowering.openingColumns.map { SQLColumn(own($0), $0) }
          + steps.map { step in
            SQLColumn(
              .window(.aggregate(.min, own("day").when(own("step").equals(.integer(step)))), ahead),
              "next_\(step)")
          }))
    let builder = SelectBuilder(from: next, as: "n")
    func column(_ name: String) -> SQLExpression { builder.column(name, of: "n") }
    return define(
      "\(lowering.name)_attempts",
      "\(lowering.name): from each event, the day on which each step was done (in any order).",
      builder.select(
        lowering.openingColumns.map { SQLColumn(column($0), $0) }
          + steps.map {
            SQLColumn(inTime(column("next_\($0)"), from: column("day"), lowering.funnel), reachColumn($0))
          }))
  }

  // MARK: Best attempts

  /// How many steps an attempt has reached at a reference day.
  private func reached(_ builder: SelectBuilder, at day: SQLExpression, _ steps: Int) -> SQLExpression {
    .sum(
      (1...steps).map { step in
        SQLExpression.integer(1).when(
          builder.column(reachColumn(step), of: "t").isAtMost(day), otherwise: .integer(0))
      })
  }

  private func counts(_ lowering: FunnelLowering, _ attempts: String, _ days: String) -> SQLQuery {
    let funnel = lowering.funnel
    let steps = lowering.steps.count
    // "`over P`: step 1 lies in P."
    let builder = SelectBuilder(from: attempts, as: "t")
    let start = builder.column("day", of: "t")
    builder.join(.inner, days, as: "d") {
      self.within(start, Stretch(funnel.over), .column(relation: $0, name: "r"))
    }
    let day = builder.column("r", of: "d")
    let reached = reached(builder, at: day, steps)
    let place = SQLExpression.window(
      .rowNumber,
      SQLWindow(
        partition: [day, builder.column("subject", of: "t")],
        order: [SQLOrder(reached, isDescending: true)] + eventOrder(builder, "t")))
    let ranked = define(
      "\(lowering.name)_ranked", "\(lowering.name): the attempts of each subject, the best first.",
      builder.select(
        [SQLColumn(day, "r")]
          + (["subject", "grp"] + lowering.users).map { SQLColumn(builder.column($0, of: "t"), $0) }
          + [SQLColumn(reached, "reached"), SQLColumn(place, "place")]))
    let counted = counted(lowering, best(ranked, lowering.name))
    let columns = library.metrics[lowering.id].parts.map(\.name)
    let isGrouped = funnel.grouping != nil
    guard let atLeast = funnel.atLeast else {
      return completed(counted, days: days, columns: columns, isGrouped: isGrouped)
    }
    let counts = columns.indices.map { "users_\($0 + 1)" }
    let users = usersOfBest(lowering, ranked, counted, columns, counts)
    let open = define(
      "\(lowering.name)_open",
      completed(users, days: days, columns: columns + counts, isGrouped: isGrouped))
    let parts = zip(columns, counts).map { PartSet(columns: [$0], users: $1, follows: true) }
    return hiding(
      open, keys: ["subject", "r", "grp"], parts: parts, atLeast: atLeast, named: lowering.name)
  }

  /// `r`, `subject`, `grp`, `reached`: the best attempt of each subject.
  private func best(_ ranked: String, _ name: String) -> String {
    let builder = SelectBuilder(from: ranked, as: "k")
    builder.conditions.append(builder.column("place", of: "k").equals(.integer(1)))
    return define(
      "\(name)_best",
      builder.select(["r", "subject", "grp", "reached"].map { SQLColumn(builder.column($0, of: "k"), $0) }))
  }

  /// `r`, `grp` and a column for each part: how many subjects reached the step.
  private func counted(_ lowering: FunnelLowering, _ best: String) -> String {
    let builder = SelectBuilder(from: best, as: "b")
    let keys = ["r", "grp"].map { SQLColumn(builder.column($0, of: "b"), $0) }
    let parts = library.metrics[lowering.id].parts.enumerated().map { index, part in
      SQLColumn(
        .aggregate(.countTrue, builder.column("reached", of: "b").isAtLeast(.integer(index + 1))), part.name)
    }
    return define(
      "\(lowering.name)_reached", "\(lowering.name): how many reached each step.",
      builder.select(keys + parts, groupedBy: keys.map(\.expression)))
  }

  /// The counts with the users behind all openings of the subjects of each group that reached a step.
  private func usersOfBest(
    _ lowering: FunnelLowering, _ ranked: String, _ counted: String, _ columns: [String], _ counts: [String]
  ) -> String {
    let builder = SelectBuilder(from: ranked, as: "k")
    let best = builder.join(.inner, ranked, as: "b") { alias in
      ["r", "subject"].map {
        SQLExpression.column(relation: alias, name: $0).equals(builder.column($0, of: "k"))
      } + [SQLExpression.column(relation: alias, name: "place").equals(.integer(1))]
    }
    let keys = [
      SQLColumn(builder.column("r", of: "k"), "r"), SQLColumn(builder.column("grp", of: best), "grp"),
    ]
    let reached = builder.column("reached", of: best)
    let own = counts.enumerated().map { index, count in
      SQLColumn(
        fewest([reached.isAtLeast(.integer(index + 1))], ways: lowering.ways, builder, "k"), count)
    }
    let users = define(
      "\(lowering.name)_users", builder.select(keys + own, groupedBy: keys.map(\.expression)))
    return withUsers(counted, users, columns: columns, counts: counts, named: lowering.name)
  }

  /// Counts by `r` and `grp` with the numbers of users beside them.
  func withUsers(
    _ counted: String, _ users: String, columns: [String], counts: [String], named name: String
  ) -> String {
    let builder = SelectBuilder(from: counted, as: "a")
    let alias = builder.join(.left, users, as: "u") { alias in
      ["r", "grp"].map { SQLExpression.column(relation: alias, name: $0).equals(builder.column($0, of: "a")) }
    }
    return define(
      "\(name)_with_users",
      builder.select(
        keys(builder, ["r", "grp"] + columns)
          + counts.map { SQLColumn(builder.column($0, of: alias).or(0), $0) }))
  }
}
