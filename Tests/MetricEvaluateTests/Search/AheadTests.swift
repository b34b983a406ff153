import MetricDiagnostics
import MetricLanguage
import MetricPlan
import MetricTestSupport
import MetricValues
import Testing

@testable import MetricEvaluate

/// What keeps a number, by hand: the language page says what each has to be.
@Suite struct AheadTests {
  private static let source = """
    fact CheckIn { id : ID  userId : User  dayKey : DayKey }
    fact Drink { id : ID  userId : User  dayKey : DayKey }
    fact Run { id : ID  userId : User  dayKey : DayKey  km : Decimal min 0  kind : "road" | "trail" }
    completion done { for habit  every day  when count(HabitEntry) >= 1 }
    streak run { of done  unit days }
    streak best_run { of done  unit days  best }
    streak kind_run { of done  unit days  forgive 2 in 5 days }
    momentum alive { of done  unit days  over last 3 days }
    completion thrice { for habit  every calendar week  when count(HabitEntry) >= 3 }
    streak weeks { of thrice  unit weeks }
    progress distance { for user  unit kilometres  value sum(Run.km)  target 20  over calendar week }
    progress all_km { for user  unit kilometres  value sum(Run.km) }
    level far { of all_km  at 10, 100 }
    level steady { of best_run  at 3, 5 }
    progress recent { for user  unit kilometres  value sum(Run.km)  over last 3 days }
    completion trail { for user  every week  when sum(Run.km where kind == "trail") >= 4.5 }
    completion light { for user  every day  when count(CheckIn) >= 1  limit count(Drink) <= 1 "my own choice" }
    progress toward { for goal  value contribution(HabitEntry through GoalLink)  target goal.target }
    progress habits { for user  value count(habit where done)  target 2  over last 1 day }
    measure mean { for app  audience team  value average(Run.km) }
    """
  private static let library = MetricLibrary(sources: [SourceFile(path: "ahead.metric", text: source)])

  /// Wednesday.
  private let today = DayKey(number: 20_635)

  private func session() throws -> MetricSession {
    let findings = Self.library.findings.filter { $0.severity == .error }
    #expect(findings.isEmpty, "\(findings.map(\.message))")
    return try MetricSession(library: Self.library)
  }

  private func log(_ days: [Int], _ session: MetricSession, habit: String = "read") throws {
    for ago in days {
      let id = "\(habit) \(ago)"
      try session.insert(
        ["id": Value.text(id), "habitId": .text(habit), "dayKey": .day(today.advanced(by: -ago))],
        into: "HabitEntry")
    }
  }

  private func run(_ km: Int64, _ kind: String, ago: Int, _ session: MetricSession) throws {
    try session.insert(
      [
        "id": Value.text("\(km) \(kind) \(ago)"), "userId": .text("ada"), "km": .int(km), "kind": .text(kind),
        "dayKey": .day(today.advanced(by: -ago)),
      ], into: "Run")
  }

  private func sentences(_ metric: String, _ subject: String, _ session: MetricSession) throws -> [String] {
    try session.ahead(of: metric, for: subject, on: today).sentences
  }

  @Test func aStreakIsKeptByAnEntry() throws {
    let session = try session()
    try log([1, 2, 3], session)
    #expect(try sentences("run", "read", session) == ["one entry today keeps 3 days and makes it 4"])
    #expect(try sentences("done", "read", session) == ["one entry today completes the day"])
    #expect(try sentences("alive", "read", session) == ["one entry today keeps 3 days"])
    #expect(
      try sentences("best_run", "read", session) == [
        "nothing is needed today: 3 days", "one entry today makes it 4 days",
      ])
    #expect(
      try sentences("steady", "read", session) == [
        "nothing is needed today: 3 days", "5 days is the next level, 2 more",
      ])
    try log([0], session)
    #expect(try sentences("run", "read", session) == ["nothing is needed today: 4 days"])
    #expect(try sentences("done", "read", session) == ["nothing is needed today: the day is complete"])
    #expect(try session.value(of: "run", for: "read", on: today) == 4, "what was tried is gone")
  }

  @Test func whatIsForgivenNeedsNothing() throws {
    let session = try session()
    try log([2, 3, 4, 5], session)
    #expect(
      try sentences("kind_run", "read", session) == [
        "nothing is needed today: 4 days", "one entry today makes it 5 days",
      ])
    try log([1], session)
    #expect(
      try sentences("kind_run", "read", session) == [
        "nothing is needed today: 5 days", "one entry today makes it 6 days", "1 day is still forgiven",
      ])
    #expect(try session.ahead(of: "kind_run", for: "read", on: today).left == 1)
  }

  /// A calendar week goes on until Sunday, and the run that ended with the week before is the one to keep.
  @Test func aWeekHasUntilSunday() throws {
    let session = try session()
    try log([0, 1, 4, 5, 6], session)
    #expect(today.weekday == .wednesday)
    #expect(try sentences("weeks", "read", session) == ["one entry by Sunday keeps 1 week and makes it 2"])
    #expect(try sentences("thrice", "read", session) == ["one entry by Sunday completes the week"])
  }

  @Test func anAmountIsJustEnough() throws {
    let session = try session()
    try run(12, "road", ago: 1, session)
    #expect(try sentences("distance", "ada", session) == ["8 more kilometres by Sunday reach 20 kilometres"])
    let step = try #require(try session.ahead(of: "distance", for: "ada", on: today).step)
    #expect(step.goal == .target && step.value == .decimal(FixedDecimal(millionths: 20_000_000)))
    #expect(step.additions.map(\.record) == ["Run"] && step.additions.map(\.count) == [1])
    #expect(step.additions[0].fields.map(\.name) == ["km"])
    #expect(
      try sentences("trail", "ada", session) == [
        "one run with km 4.5 and kind trail today completes the 7 days"
      ])
    #expect(
      try sentences("far", "ada", session) == [
        "nothing is needed today: 12 kilometres", "88 more kilometres reach 100 kilometres",
      ])
    #expect(
      try sentences("recent", "ada", session) == [
        "nothing is needed today: 12 kilometres", "one run with km 1 today makes it 13 kilometres",
      ])
    try run(9, "road", ago: 0, session)
    #expect(try sentences("distance", "ada", session) == ["nothing is needed today: 21 kilometres"])
  }

  /// What a limit ended stays as it is for this window, and nothing is said against it.
  @Test func aLimitLeavesNothingToAdd() throws {
    let session = try session()
    func add(_ record: String, _ id: String) throws {
      try session.insert(["id": Value.text(id), "userId": .text("ada"), "dayKey": .day(today)], into: record)
    }
    try add("Drink", "1")
    #expect(try sentences("light", "ada", session) == ["one check in today completes the day"])
    try add("Drink", "2")
    #expect(try sentences("light", "ada", session) == ["there is nothing to add today: the day is open"])
  }

  /// Through links, and over the habits of a user.
  @Test func otherEntitiesAreNamed() throws {
    let session = try session()
    for habit in ["read", "swim", "draw"] {
      try session.insert(
        ["id": Value.text(habit), "userId": .text(habit == "draw" ? "bea" : "ada")], into: "Habit")
    }
    try session.insert(["id": Value.text("g"), "target": .int(3), "userId": .text("ada")], into: "Goal")
    try session.insert(
      [
        "id": Value.text("l"), "goalId": .text("g"), "habitId": .text("swim"), "contribution": .text("count"),
      ],
      into: "GoalLink")
    #expect(try sentences("toward", "g", session) == ["3 entries for swim reach 3"])
    let both = try sentences("habits", "ada", session)
    #expect(both == ["one entry for read and one entry for swim today reach 2"])
    try log([0], session, habit: "swim")
    #expect(try sentences("habits", "ada", session) == ["one entry for read today reaches 2"])
  }

  @Test func whatHasNothingAhead() throws {
    let session = try session()
    try log([0], session)
    func error(_ body: () throws -> Void) -> String? {
      do { try body() } catch { return (error as? SessionError)?.message }
      return nil
    }
    #expect(
      error { _ = try session.ahead(of: "mean", on: today) }
        == "`mean` is a measure: only completions, streaks, momenta, progresses and levels of one subject say what is ahead"
    )
    #expect(
      error { _ = try session.ahead(of: "run", for: "raed", on: today) }?.hasPrefix("no record names") == true
    )
    #expect(
      try session.ahead(of: "run", for: "read", on: today.advanced(by: -9)).sentences == [
        "one entry today makes it 1 day"
      ])
  }

  /// Every form of sentence is a title that the checker accepts.
  @Test func theWordsAreThoseOfTitles() throws {
    var sentences: Set<String> = []
    let values: [Value] = [.none, .bool(false), .bool(true), .int(0), .int(3)]
    let kinds: [(kind: MetricKind, window: String?)] = [
      (.completion, "day"), (.completion, "7 days"), (.streak, "day"),
      (.momentum, "calendar week from monday"), (.progress, nil), (.level, nil),
    ]
    for (kind, window) in kinds {
      for goal in [nil] + Ahead.Step.Goal.allCases.map({ $0 }) {
        for (value, isKept) in values.flatMap({ [($0, true), ($0, false)] }) {
          for next in [nil, FixedDecimal(5)] {
            let addition = Ahead.Addition(record: "HabitEntry", count: 2, fields: [])
            let ahead = Ahead(
              metric: "m", metricKind: kind, subject: "s", at: today, unit: "days", value: value,
              kept: .int(3),
              next: next,
              measured: .int(2), isKept: isKept, left: 2, window: window, by: today.advanced(by: 2),
              step: goal.map { Ahead.Step(goal: $0, additions: [addition], value: .int(4), rows: []) })
            sentences.formUnion(ahead.sentences)
          }
        }
      }
    }
    #expect(sentences.count > 30)
    let titled = sentences.sorted().enumerated().map {
      "completion c\($0) { title \"\($1)\"  for habit  every day  when count(HabitEntry) >= 1 }"
    }
    func findings(_ source: String) -> [String] {
      MetricLibrary(unsearched: source).findings.map(\.message)
        .filter { !$0.hasPrefix("no doc comment") && !$0.hasPrefix("no test covers") }
    }
    #expect(findings(titled.joined(separator: "\n")) == [])
    let threat =
      "completion c { title \"or you lose 3 days\"  for habit  every day  when count(HabitEntry) >= 1 }"
    #expect(findings(threat).count == 1)
  }
}
