import MetricData
import MetricTestSupport
import Testing

@testable import MetricPlan

/// Metrics of the reference evaluator against cases that were worked out by hand.
@Suite struct ReferenceMetricTests {
  typealias Base = ReferenceEvaluatorTests

  // MARK: Links

  /// Entries through `GoalLink`, bundles resolved.
  static func throughGoal(_ plan: PlanBuilder, _ function: AggregateFunction) -> Expression {
    .aggregate(
      Aggregate(
        function, of: plan.id("Entry"),
        .link(
          LinkRoute(
            link: plan.id("GoalLink"), fromFact: [plan.field("Entry", "habitId")],
            direct: plan.field("GoalLink", "habitId"), bundle: plan.field("GoalLink", "bundleId"),
            toSubject: [plan.field("GoalLink", "goalId")])),
        argument: plan.row("Entry", "value"), type: .decimal))
  }

  static func goalPlan() -> PlanBuilder {
    var plan = Base.records()
    plan.measure("contributed", for: "Goal", throughGoal(plan, .contribution))
    plan.measure("summed", for: "Goal", throughGoal(plan, .sum))
    return plan
  }

  /// Two entries of 2 and 3, a bundle `b1` that holds `b2`, which holds the habit.
  static func goalData(_ links: [[String: Literal]], bundles: [(String, String)] = [("b1", "b2")])
    -> ReferenceDataset
  {
    let library = Base.records().library
    var data = Base.entries([
      (1, ["value": Base.decimal(2_000_000)]), (2, ["value": Base.decimal(3_000_000)]),
    ])
    for (outer, inner) in bundles {
      data.add("BundleMember", in: library, ["bundleId": .text(outer), "childBundleId": .text(inner)])
    }
    data.add("BundleMember", in: library, ["bundleId": .text("b2"), "habitId": .text("h")])
    for (index, link) in links.enumerated() {
      let own: [String: Literal] = ["id": .text("l\(index)"), "goalId": .text("g")]
      data.add("GoalLink", in: library, own.merging(link) { $1 })
    }
    return data
  }

  @Test func contributionsCountOncePerPair() throws {
    let data = Self.goalData([
      ["habitId": .text("h"), "contribution": .text("sum")],
      ["bundleId": .text("b1"), "contribution": .text("sum")],
      ["bundleId": .text("b2"), "contribution": .text("count")],
    ])
    // The sum 5 once and the count 2 once; a plain sum sees each entry once.
    #expect(try Base.values(Self.goalPlan(), data, "contributed", at: 31) == ["g": Base.decimal(7_000_000)])
    #expect(try Base.values(Self.goalPlan(), data, "summed", at: 31) == ["g": Base.decimal(5_000_000)])
  }

  @Test func badBundlesAreErrors() throws {
    let link: [String: Literal] = ["bundleId": .text("b1"), "contribution": .text("count")]
    let circle = Self.goalData([link], bundles: [("b1", "b2"), ("b2", "b1")])
    #expect(throws: ReferenceError.bundleCycle) { try Base.values(Self.goalPlan(), circle, "summed", at: 31) }
    func chain(_ length: Int) -> ReferenceDataset {
      Self.goalData([link], bundles: (1..<length).map { ("c\($0)", "c\($0 + 1)") })
    }
    #expect(throws: ReferenceError.bundleTooDeep) {
      try Base.values(Self.goalPlan(), chain(9), "summed", at: 31)
    }
    #expect(try Base.values(Self.goalPlan(), chain(8), "summed", at: 31) == ["g": Base.decimal(0)])
  }

  @Test func sumLinksNeedOneUnit() throws {
    let plan = Self.goalPlan()
    func data(_ habit: Literal, _ kind: String) -> ReferenceDataset {
      var data = Self.goalData([["habitId": .text("h"), "contribution": .text(kind)]])
      data.add("Habit", in: plan.library, ["id": .text("h"), "unit": habit])
      data.add("Goal", in: plan.library, ["id": .text("g"), "unit": .text("km")])
      return data
    }
    #expect(throws: ReferenceError.unitMismatch) {
      try Base.values(plan, data(.text("min"), "sum"), "contributed", at: 31)
    }
    #expect(throws: ReferenceError.unitMismatch) {
      try Base.values(plan, data(.none(.text), "sum"), "contributed", at: 31)
    }
    #expect(
      try Base.values(plan, data(.text("km"), "sum"), "contributed", at: 31) == [
        "g": Base.decimal(5_000_000)
      ])
    #expect(
      try Base.values(plan, data(.text("min"), "count"), "contributed", at: 31) == [
        "g": Base.decimal(2_000_000)
      ])
  }

  // MARK: Subjects

  @Test func subjectsThatExist() throws {
    var plan = Base.records()
    let habit = plan.field("Entry", "habitId")
    let route = Route.references([habit, plan.field("Habit", "userId")])
    let count = Aggregate(.count, of: plan.id("Entry"), route)
    plan.measure("entries", for: "User", .aggregate(count))
    plan.measure(
      "kinds", for: "Habit", where: .isNone(plan.row("Habit", "kind"), negated: true), .literal(.int(1)))
    var data = Base.entries([(1, [:]), (40, [:])])
    // `v` has only a habit, `w` only an event that `entries` does not read.
    data.add("Habit", in: plan.library, ["id": .text("h"), "userId": .text("u")])
    data.add("Habit", in: plan.library, ["id": .text("i"), "userId": .text("v"), "kind": .text("k")])
    data.add(
      "Event", in: plan.library, ["userId": .text("w"), "name": .text("a"), "dayKey": .day(Base.day(1))])
    #expect(try Base.values(plan, data, "entries", at: 31) == ["u": .int(1), "v": .int(0)])
    #expect(try Base.values(plan, data, "kinds", at: 31) == ["i": .int(1)])
  }

  // MARK: Completions

  /// Presence looks back over `when`'s own periods, and filters do not matter to it.
  @Test func presenceLooksBack() throws {
    var plan = Base.records()
    let recent = plan.aggregate(.count, "Entry", by: "habitId", filter: Base.no, over: .lastDays(3))
    plan.completion(
      "c", for: "Habit", every: .rolling(days: 1),
      when: .comparison(.greaterOrEqual, recent, .literal(.int(0))))
    let data = Base.entries([(10, [:])])
    func value(_ day: Int) throws -> Literal? { try Base.values(plan, data, "c", at: day)["h"] }
    #expect(try value(9) == .bool(false))
    #expect(try value(10) == .bool(true))
    #expect(try value(12) == .bool(true))
    #expect(try value(13) == .bool(false))
  }

  @Test func completionsAsNumbers() throws {
    var plan = Base.records()
    let some = Expression.comparison(
      .greaterOrEqual, plan.aggregate(.count, "Entry", by: "habitId"), .literal(.int(1)))
    plan.completion("days", for: "Habit", every: .rolling(days: 1), when: some)
    plan.completion("twos", for: "Habit", every: .rolling(days: 2), when: some)
    plan.completion("weeks", for: "Habit", every: .calendar(.week(from: .monday)), when: some)
    for (name, function) in [("first", CompletionFunction.first), ("last", .last), ("count", .count)] {
      for completion in ["days", "twos", "weeks"] {
        for (suffix, period) in [("", nil), ("_7", Period.lastDays(7))] {
          let aggregate = CompletionAggregate(
            function: function, root: .subject, completion: plan.completionNamed(completion).0, period: period
          )
          plan.measure("\(name)_\(completion)\(suffix)", for: "Habit", .completions(aggregate))
        }
      }
    }
    // 5 and 12 are Mondays.
    let data = Base.entries([(6, [:]), (7, [:]), (12, [:])])
    func value(_ metric: String, at day: Int) throws -> Literal? {
      try Base.values(plan, data, metric, at: day)["h"]
    }
    #expect(try value("first_days", at: 12) == .day(Base.day(6)))
    #expect(try value("last_twos", at: 31) == .day(Base.day(13)))
    #expect(try value("count_days", at: 12) == .int(3))
    #expect(try value("count_days_7", at: 12) == .int(3))
    #expect(try value("count_days_7", at: 13) == .int(2))
    // True on 6, 7, 8, 12 and 13: the tiling that ends on even days holds 6, 8 and 12.
    #expect(try value("count_twos", at: 13) == .int(3))
    // The week of the 12th has not ended on the 13th.
    #expect(try value("count_weeks", at: 13) == .int(1))
    #expect(try value("count_weeks", at: 18) == .int(2))
    #expect(try value("count_weeks_7", at: 18) == .int(1))
    // On the 13th the window that starts on the 12th lies inside the last 7 days, the one of the 6th not.
    #expect(try value("first_weeks_7", at: 13) == .day(Base.day(12)))
  }

  @Test func metricsAreShifted() throws {
    var plan = Base.records()
    plan.measure("n", for: "Habit", plan.aggregate(.count, "Entry", by: "habitId"))
    plan.measure("days", for: "Habit", plan.metric("n", type: .int, offset: .days(30)))
    plan.measure("month", for: "Habit", plan.metric("n", type: .int, offset: .months(1)))
    let data = Base.entries([(1, [:]), (28, [:]), (29, [:]), (30, [:])])
    #expect(try Base.values(plan, data, "days", at: 31) == ["h": .int(1)])
    // The 60th day is the 1st of March, a month before it the 1st of February; of the 31st of March
    // (the 90th) it is the 28th.
    #expect(try Base.values(plan, data, "month", at: 90) == ["h": .int(4)])
    #expect(try Base.values(plan, data, "month", at: 59) == ["h": .int(2)])
  }

  // MARK: Progress, levels

  @Test func progressAndLevels() throws {
    var plan = Base.records()
    let sum = plan.aggregate(.sum, "Entry", "value", by: "habitId", type: .decimal)
    var progress = Measure(value: sum, over: .allTime)
    (progress.isProgress, progress.target) = (true, Base.number(3_000_000))
    plan.add(
      "p", for: "Habit", .measure(progress),
      parts: [
        Part(.value, type: .decimal), Part(.target, type: .decimal),
        Part(.fraction, type: .decimal),
      ])
    let level = Level(
      metric: 0, part: "fraction",
      thresholds: [500_000, 1_666_667, 2_000_000].map { FixedDecimal(millionths: $0) })
    plan.add("l", for: "Habit", .level(level), parts: [Part(.value, type: .int)])
    let data = Base.entries([(1, ["value": Base.decimal(5_000_000)])])
    #expect(
      try Base.values(plan, data, "p", at: 1) == [
        "h": Base.decimal(5_000_000), "h/target": Base.decimal(3_000_000),
        "h/fraction": Base.decimal(1_666_667),
      ])
    #expect(try Base.values(plan, data, "l", at: 1) == ["h": .int(2)])
  }

  // MARK: Groups and consent

  @Test func groupsBelowTheBoundAreHidden() throws {
    func plan(_ atLeast: Int) -> PlanBuilder {
      var plan = Base.records()
      guard case .field(let path) = plan.row("Event", "name") else { preconditionFailure("no path") }
      let grouping = [GroupField.field("name", [plan.id("Event"): path], type: .text)]
      plan.measure("m", for: nil, plan.aggregate(.count, "Event"), grouping: grouping, atLeast: atLeast)
      return plan
    }
    let library = plan(1).library
    var data = ReferenceDataset()
    for user in ["u", "v", "w", "x"] {
      data.add(
        "Consent", in: library,
        ["userId": .text(user), "level": .text("detailed"), "dayKey": .day(Base.day(1))])
    }
    // On his last day with a record x gave two levels; the lowest counts, and it is too low.
    data.add(
      "Consent", in: library,
      ["userId": .text("x"), "level": .text("essential"), "dayKey": .day(Base.day(1))])
    for (name, users) in [
      ("a", ["u", "u", "x"]), ("b", ["u", "v"]), ("c", ["u", "v"]), ("d", ["u", "v", "w"]),
    ] {
      for user in users {
        data.add(
          "Event", in: library, ["userId": .text(user), "name": .text(name), "dayKey": .day(Base.day(1))])
      }
    }
    #expect(
      try Base.values(plan(1), data, "m", at: 1) == ["a": .int(2), "b": .int(2), "c": .int(2), "d": .int(3)])
    // `a` alone is below 2, so `b`, the lowest of those with the fewest users, is hidden too.
    #expect(
      try Base.values(plan(2), data, "m", at: 1) == [
        "a": .none(.int), "b": .none(.int), "c": .int(2), "d": .int(3),
      ])
    // Three are below 3. What they are together shows in a total, so `d` is hidden with them.
    #expect(
      try Base.values(plan(3), data, "m", at: 1) == [
        "a": .none(.int), "b": .none(.int), "c": .none(.int), "d": .none(.int),
      ])
  }

  // MARK: Funnels and retention

  static func events(_ rows: [(user: String, name: String, day: Int, at: Int64?)]) -> ReferenceDataset {
    let library = Base.records().library
    var data = ReferenceDataset()
    for user in Set(rows.map(\.user)).sorted() {
      data.add(
        "Consent", in: library,
        ["userId": .text(user), "level": .text("standard"), "dayKey": .day(Base.day(1))])
    }
    for (index, row) in rows.enumerated() {
      data.add(
        "Event", in: library,
        [
          "id": .text("e\(index)"), "userId": .text(row.user), "name": .text(row.name),
          "dayKey": .day(Base.day(row.day)), "at": row.at.map { .int($0) } ?? .none(.instant),
        ])
    }
    return data
  }

  static func source(_ plan: PlanBuilder, _ name: String) -> EventSource {
    .fact(
      plan.id("Event"), route: .references([plan.field("Event", "userId")]),
      filter: .comparison(.equal, plan.row("Event", "name"), .literal(.text(name))))
  }

  static func funnel(
    _ data: ReferenceDataset, _ order: FunnelOrder, within: Int? = nil, grouping: [GroupField] = []
  ) throws -> [String: Literal] {
    var plan = Base.records()
    let steps = ["a", "b", "c"].map { FunnelStep(name: $0, source: source(plan, $0)) }
    let roles: [PartRole] =
      order == .any ? [.anySteps(1), .anySteps(2), .anySteps(3)] : [.step("a"), .step("b"), .step("c")]
    let funnel = Funnel(
      steps: steps, within: within, order: order, over: .allTime, grouping: grouping, atLeast: nil)
    plan.add("f", for: "User", .funnel(funnel), parts: roles.map { Part($0, type: .int) })
    return try Base.values(plan, data, "f", at: 31)
  }

  @Test func funnelsTakeTheBestChoice() throws {
    let data = Self.events([
      // u: the first `a` is too early for `within 3 days`, the second reaches `c`.
      ("u", "a", 1, nil), ("u", "a", 5, 7), ("u", "b", 5, nil), ("u", "c", 7, nil),
      // v: on the day of `a` its `b` is earlier by Instant; `c` comes before `b`.
      ("v", "a", 5, 7), ("v", "b", 5, 6), ("v", "c", 6, nil), ("v", "b", 7, nil),
    ])
    #expect(try Self.funnel(data, .inOrder, within: 3) == ["a": .int(2), "b": .int(2), "c": .int(1)])
    #expect(try Self.funnel(data, .inOrder, within: 2) == ["a": .int(2), "b": .int(1), "c": .int(0)])
    #expect(try Self.funnel(data, .any, within: 2) == ["any1": .int(2), "any2": .int(2), "any3": .int(1)])
    #expect(
      try Self.funnel(data, .inOrder, within: 3, grouping: [.cohort(.week(from: .monday))]) == [
        "2026-01-05/a": .int(2), "2026-01-05/b": .int(2), "2026-01-05/c": .int(1),
      ])
  }

  @Test func strictFunnelsAllowNothingBetween() throws {
    let apart = Self.events([("u", "a", 1, nil), ("u", "x", 2, nil), ("u", "b", 3, nil)])
    #expect(try Self.funnel(apart, .strict) == ["a": .int(1), "b": .int(0), "c": .int(0)])
    // Where no Instant orders it, a fact of the same day does not stand between.
    let sameDay = Self.events([("u", "a", 1, nil), ("u", "x", 1, 5), ("u", "b", 2, nil), ("u", "c", 2, 3)])
    #expect(try Self.funnel(sameDay, .strict) == ["a": .int(1), "b": .int(1), "c": .int(1)])
    let ordered = Self.events([("u", "a", 1, 4), ("u", "x", 1, 5), ("u", "b", 2, nil)])
    #expect(try Self.funnel(ordered, .strict) == ["a": .int(1), "b": .int(0), "c": .int(0)])
  }

  static func retention(
    _ data: ReferenceDataset, each: Bool = false, orLater: Bool = false, at day: Int
  ) throws -> [String: Literal] {
    var plan = Base.records()
    let retention = Retention(
      start: source(plan, "a"), startsEachDay: each, returns: source(plan, "b"),
      after: [DaysAfter(through: 2)], orLater: orLater, over: .allTime, grouping: [], atLeast: nil)
    plan.add("r", for: "User", .retention(retention), parts: retention.parts)
    return try Base.values(plan, data, "r", at: day)
  }

  @Test func retentionCountsFromDayZero() throws {
    let data = Self.events([
      ("u", "a", 1, nil), ("u", "b", 3, nil), ("u", "a", 4, nil), ("v", "a", 1, nil), ("v", "b", 4, nil),
      ("w", "a", 2, nil),
    ])
    let rate = Base.decimal(333_333)
    #expect(
      try Self.retention(data, at: 2) == [
        "d2.eligible": .int(0), "d2.returned": .int(0), "d2.rate": .none(.decimal),
      ])
    #expect(
      try Self.retention(data, at: 4) == ["d2.eligible": .int(3), "d2.returned": .int(1), "d2.rate": rate])
    #expect(
      try Self.retention(data, orLater: true, at: 4) == [
        "d2.eligible": .int(3), "d2.returned": .int(2), "d2.rate": Base.decimal(666_667),
      ])
    #expect(
      try Self.retention(data, each: true, at: 6) == [
        "d2.eligible": .int(4), "d2.returned": .int(1), "d2.rate": Base.decimal(250_000),
      ])
  }
}
