import MetricData
import MetricTestSupport
import Testing

@testable import MetricPlan

/// The reference evaluator against cases that were worked out by hand, a section of the language page
/// at a time. Days are of January 2026; the 1st is a Thursday.
@Suite struct ReferenceEvaluatorTests {
  /// Users, habits of users, entries, goals, links, bundles, consent, events.
  static func records() -> PlanBuilder {
    var plan = PlanBuilder()
    plan.entity("User", [.id])
    plan.entity(
      "Habit",
      [.id, .optional("userId", plan.reference("User")), .optional("kind", .text), .optional("unit", .text)])
    plan.fact(
      "Entry",
      [
        .id, .required("habitId", plan.reference("Habit")), .day, .optional("at", .instant),
        .optional("value", .decimal), .optional("count", .int), .optional("mood", .text),
        .tombstone("deletedAt"),
      ])
    plan.entity("Goal", [.id, .optional("unit", .text)])
    plan.entity("Bundle", [.id])
    plan.link(
      "GoalLink",
      [
        .id, .required("goalId", plan.reference("Goal")), .optional("habitId", plan.reference("Habit")),
        .optional("bundleId", plan.reference("Bundle")),
        .required("contribution", .choice(["count", "sum"])),
      ])
    plan.link(
      "BundleMember",
      [
        .required("bundleId", plan.reference("Bundle")), .optional("habitId", plan.reference("Habit")),
        .optional("childBundleId", plan.reference("Bundle")),
      ])
    plan.fact(
      "Consent",
      [
        .required("userId", plan.reference("User")),
        .required("level", .choice(["none", "essential", "standard", "detailed"])), .day,
        .optional("purpose", .text),
      ])
    plan.fact(
      "Event", consent: AskedConsent(level: .standard),
      [
        .optional("id", .id), .required("userId", plan.reference("User")), .required("name", .text), .day,
        .optional("at", .instant),
      ])
    return plan
  }

  static func day(_ day: Int) -> DayKey { DayKey("2026-01-01")!.advanced(by: day - 1) }

  /// Values of a metric on a day, by subject, group and part.
  static func values(
    _ plan: PlanBuilder, _ data: ReferenceDataset, _ metric: String, at day: Int
  ) throws -> [String: Literal] {
    let rows = try ReferenceEvaluator(plan.library, data).evaluate([metric], at: [self.day(day)])
    let keys = rows.map { [$0.subject, $0.group, $0.part].filter { !$0.isEmpty }.joined(separator: "/") }
    return Dictionary(uniqueKeysWithValues: zip(keys, rows.map(\.value)))
  }

  /// The value of an expression for the habit `h` on the 31st.
  static func value(
    _ expression: (PlanBuilder) -> Expression, _ data: ReferenceDataset = ReferenceDataset()
  ) throws -> Literal? {
    var plan = records()
    plan.measure("m", for: "Habit", expression(plan))
    var data = data
    data.add("Habit", in: plan.library, ["id": .text("h"), "userId": .text("u")])
    return try values(plan, data, "m", at: 31)["h"]
  }

  static func entries(_ rows: [(day: Int, more: [String: Literal])]) -> ReferenceDataset {
    let library = records().library
    var data = ReferenceDataset()
    for (index, row) in rows.enumerated() {
      let own: [String: Literal] = [
        "id": .text("e\(index)"), "habitId": .text("h"), "dayKey": .day(day(row.day)),
      ]
      data.add("Entry", in: library, own.merging(row.more) { $1 })
    }
    return data
  }

  static func decimal(_ millionths: Int64) -> Literal { .decimal(FixedDecimal(millionths: millionths)) }
  static func number(_ millionths: Int64) -> Expression { .literal(decimal(millionths)) }
  static let noBool = Expression.literal(.none(.bool))
  static let yes = Expression.literal(.bool(true))
  static let no = Expression.literal(.bool(false))

  // MARK: Expressions

  @Test func arithmeticRoundsHalfAwayFromZero() throws {
    let cases: [(Expression, Literal)] = [
      (.arithmetic(.divide, Self.number(2_000_000), Self.number(3_000_000)), Self.decimal(666_667)),
      (.arithmetic(.divide, Self.number(-2_000_000), Self.number(3_000_000)), Self.decimal(-666_667)),
      (.arithmetic(.multiply, Self.number(1), Self.number(500_000)), Self.decimal(1)),
      (.arithmetic(.multiply, Self.number(-1), Self.number(500_000)), Self.decimal(-1)),
      (.arithmetic(.multiply, Self.number(1), Self.number(499_999)), Self.decimal(0)),
      (.arithmetic(.divide, Self.number(1_000_000), Self.number(0)), .none(.decimal)),
      (.function(.floor, [Self.number(-1_500_000)]), .int(-2)),
      (.function(.floor, [Self.number(-2_000_000)]), .int(-2)),
      (.function(.least, [.literal(.int(3)), .literal(.none(.int))]), .none(.int)),
      (.function(.daysBetween, [.day, .literal(.day(Self.day(1)))]), .int(30)),
      (.function(.weekday, [.day]), .text("saturday")),
      (.widened(.literal(.int(3))), Self.decimal(3_000_000)),
    ]
    for (expression, wanted) in cases {
      #expect(try Self.value { _ in expression } == wanted, "\(expression)")
    }
  }

  @Test func logicHasThreeValues() throws {
    let (yes, no, none) = (Self.yes, Self.no, Self.noBool)
    let cases: [(Expression, Literal)] = [
      (.and(none, no), .bool(false)), (.and(no, none), .bool(false)), (.and(none, yes), .none(.bool)),
      (.or(none, yes), .bool(true)), (.or(yes, none), .bool(true)), (.or(none, no), .none(.bool)),
      (.not(none), .none(.bool)), (.isNone(none, negated: false), .bool(true)),
      (.comparison(.notEqual, none, yes), .none(.bool)),
      (.membership(.literal(.none(.int)), [.int(1)], negated: true), .none(.bool)),
      (.membership(.literal(.int(2)), [.int(1)], negated: true), .bool(true)),
      (.conditional(condition: none, then: yes, else: no), .bool(false)),
    ]
    for (expression, wanted) in cases {
      #expect(try Self.value { _ in expression } == wanted, "\(expression)")
    }
  }

  @Test func textsAreBytes() throws {
    let (composed, decomposed) = (Literal.text("caf\u{E9}"), Literal.text("cafe\u{301}"))
    #expect(
      try Self.value { _ in .comparison(.equal, .literal(composed), .literal(decomposed)) } == .bool(false))
    #expect(
      try Self.value { _ in .membership(.literal(composed), [decomposed], negated: false) } == .bool(false))
  }

  /// A result outside ±9·10¹² is an error where the operation is evaluated, and only there.
  @Test func overflowIsAnError() throws {
    let most = Expression.literal(.int(FixedDecimal.intLimit))
    let over = Expression.arithmetic(.add, most, .literal(.int(1)))
    let isOver = Expression.comparison(.greater, over, most)
    #expect(throws: ReferenceError.overflow(metric: "m", subject: "h")) { try Self.value { _ in over } }
    #expect(throws: ReferenceError.self) { try Self.value { _ in .and(Self.noBool, isOver) } }
    #expect(try Self.value { _ in .and(Self.no, isOver) } == .bool(false))
    #expect(try Self.value { _ in .or(Self.yes, isOver) } == .bool(true))
    #expect(
      try Self.value { _ in .conditional(condition: Self.yes, then: most, else: over) }
        == .int(FixedDecimal.intLimit))
  }

  // MARK: Aggregates

  @Test func aggregatesOfNothing() throws {
    func value(_ function: AggregateFunction, _ type: ValueType) throws -> Literal? {
      try Self.value { $0.aggregate(function, "Entry", "value", by: "habitId", type: type) }
    }
    #expect(try value(.sum, .decimal) == Self.decimal(0))
    #expect(try value(.distinct, .int) == .int(0))
    for function in [AggregateFunction.min, .max, .average, .percentile(50), .first, .last] {
      #expect(try value(function, .decimal) == .none(.decimal))
    }
  }

  @Test func aggregatesOfSome() throws {
    // 1, 2, 2 and 5; one without a value; one that is deleted; one after r.
    let data = Self.entries([
      (3, ["value": Self.decimal(1_000_000), "at": .int(5)]), (3, ["value": Self.decimal(2_000_000)]),
      (4, ["value": Self.decimal(2_000_000)]), (5, ["value": Self.decimal(5_000_000)]), (6, [:]),
      (7, ["value": Self.decimal(9_000_000), "deletedAt": .int(1)]), (32, ["value": Self.decimal(7_000_000)]),
    ])
    func value(_ function: AggregateFunction, _ name: String?, _ type: ValueType) throws -> Literal? {
      try Self.value({ $0.aggregate(function, "Entry", name, by: "habitId", type: type) }, data)
    }
    #expect(try value(.count, nil, .int) == .int(5))
    #expect(try value(.days, nil, .int) == .int(4))
    #expect(try value(.sum, "value", .decimal) == Self.decimal(10_000_000))
    #expect(try value(.average, "value", .decimal) == Self.decimal(2_500_000))
    #expect(try value(.distinct, "value", .int) == .int(3))
    #expect(try value(.min, "value", .decimal) == Self.decimal(1_000_000))
    // The rank (50·4+99) div 100 = 2, (51·4+99) div 100 = 3, (100·4+99) div 100 = 4.
    #expect(try value(.percentile(50), "value", .decimal) == Self.decimal(2_000_000))
    #expect(try value(.percentile(1), "value", .decimal) == Self.decimal(1_000_000))
    #expect(try value(.percentile(100), "value", .decimal) == Self.decimal(5_000_000))
    // On the 3rd the one without an Instant comes first.
    #expect(try value(.first, "value", .decimal) == Self.decimal(2_000_000))
    #expect(try value(.last, "value", .decimal) == Self.decimal(5_000_000))
    #expect(try value(.last, nil, .dayKey) == .day(Self.day(6)))
  }

  /// Day, Instant and id are equal or missing: the smallest value is first.
  @Test func firstTiesGoToTheSmallestValue() throws {
    let data = Self.entries([
      (3, ["id": .text("x"), "count": .int(2)]), (3, ["id": .text("x"), "count": .int(1)]),
      (3, ["id": .text("w"), "count": .int(9)]),
    ])
    #expect(try Self.value({ $0.aggregate(.first, "Entry", "count", by: "habitId") }, data) == .int(9))
    #expect(try Self.value({ $0.aggregate(.last, "Entry", "count", by: "habitId") }, data) == .int(2))
  }

  @Test func ownPeriodsEndAtTheDay() throws {
    let data = Self.entries([(1, [:]), (24, [:]), (25, [:]), (26, [:]), (31, [:])])
    func count(_ period: Period) throws -> Literal? {
      try Self.value({ $0.aggregate(.count, "Entry", by: "habitId", over: period) }, data)
    }
    // The 31st is a Saturday: its week starts on Monday the 26th or on Sunday the 25th.
    #expect(try count(.lastDays(7)) == .int(3))
    #expect(try count(.calendar(.week(from: .monday))) == .int(2))
    #expect(try count(.calendar(.week(from: .sunday))) == .int(3))
    #expect(try count(.calendar(.month)) == .int(5))
    #expect(try count(.allTime) == .int(5))
  }
}
