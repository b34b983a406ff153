import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

@Suite struct EvaluatorTests {
  let entries = """
    id,habitId,dayKey,value,deletedAt
    1,b,2026-01-01,2,
    2,a,2026-01-01,,
    3,a,2026-01-02,1.5,
    4,a,2026-01-03,4,2026-01-04T00:00:00Z

    """

  @Test("RES-01 RES-02: rows are sorted, and every subject has one")
  func rowsAreSortedAndEverySubjectHasOne() throws {
    let habits = "id,weeklyTarget\nz,3\nB,\n"
    let found = try rows(
      habitDefinitions, ["HabitEntry": entries, "Habit": habits], metrics: ["current", "amount"],
      at: ["2026-01-01", "2026-01-02"])
    #expect(
      found == [
        "amount,B,,,2026-01-01,0", "amount,B,,,2026-01-02,0", "amount,B,,target,2026-01-01,",
        "amount,B,,target,2026-01-02,", "amount,B,,fraction,2026-01-01,", "amount,B,,fraction,2026-01-02,",
        "amount,a,,,2026-01-01,0", "amount,a,,,2026-01-02,1.5", "amount,a,,target,2026-01-01,",
        "amount,a,,target,2026-01-02,", "amount,a,,fraction,2026-01-01,", "amount,a,,fraction,2026-01-02,",
        "amount,b,,,2026-01-01,2", "amount,b,,,2026-01-02,2", "amount,b,,target,2026-01-01,",
        "amount,b,,target,2026-01-02,", "amount,b,,fraction,2026-01-01,", "amount,b,,fraction,2026-01-02,",
        "amount,z,,,2026-01-01,0", "amount,z,,,2026-01-02,0", "amount,z,,target,2026-01-01,3",
        "amount,z,,target,2026-01-02,3", "amount,z,,fraction,2026-01-01,0", "amount,z,,fraction,2026-01-02,0",
        "current,B,,,2026-01-01,0", "current,B,,,2026-01-02,0", "current,a,,,2026-01-01,1",
        "current,a,,,2026-01-02,2", "current,b,,,2026-01-01,1", "current,b,,,2026-01-02,0",
        "current,z,,,2026-01-01,0", "current,z,,,2026-01-02,0",
      ])
  }

  @Test func aDeletedEntryIsAsIfItNeverWas() throws {
    let found = try rows(habitDefinitions, ["HabitEntry": entries], metrics: ["best"], at: ["2026-01-05"])
    #expect(found == ["best,a,,,2026-01-05,2", "best,b,,,2026-01-05,1"])
  }

  @Test("PRIV-05 PRIV-06: of two equally short ways to a user enough stand at the end of each")
  func bothUsersAreBehindAFact() throws {
    let definitions = """
      fact Gift {
        id : ID
        giverId : User
        takerId : User
        dayKey : DayKey
      }
      measure gifts { audience team for app value count(Gift) at least 2 users }
      """
    let gifts = "id,giverId,takerId,dayKey\n1,a,b,2026-01-01\n2,a,c,2026-01-01\n"
    #expect(try rows(definitions, ["Gift": gifts], at: ["2026-01-01"]) == ["gifts,,,,2026-01-01,"])
    let more = gifts + "3,d,c,2026-01-01\n"
    #expect(try rows(definitions, ["Gift": more], at: ["2026-01-01"]) == ["gifts,,,,2026-01-01,3"])
  }

  @Test func subjectsCanBeChosen() throws {
    let found = try rows(
      habitDefinitions, ["HabitEntry": entries], metrics: ["best"], subjects: ["b", "nobody"],
      at: ["2026-01-05"])
    #expect(found == ["best,b,,,2026-01-05,1"])
  }

  @Test func noDataAtAllIsNoRows() throws {
    #expect(try rows(habitDefinitions, [:], at: ["2026-01-01"]) == [])
    #expect(
      try rows("measure all { for app value count(HabitEntry) }", [:], at: ["2026-01-01"])
        == ["all,,,,2026-01-01,0"])
  }

  /// Equal rows whatever the order of the records and the number of threads.
  @Test("LAW-06: order and threads change nothing")
  func orderAndThreadsChangeNothing() throws {
    var lines = ["id,habitId,dayKey,value,deletedAt"]
    for number in 0..<3000 {
      let day = DayKey(number: 20_000 + Int32(number * 7919 % 90))
      lines.append("e\(number),h\(number * 31 % 700),\(day),\(number % 13).\(number % 7),")
    }
    let sorted = lines.joined(separator: "\n")
    let reversed = ([lines[0]] + lines.dropFirst().reversed()).joined(separator: "\n")
    let days = ["2024-10-10", "2024-11-20", "2025-01-02"]
    let expected = try rows(habitDefinitions, ["HabitEntry": sorted], at: days)
    #expect(expected.count > 10_000)
    for threads in [2, 7] {
      #expect(try rows(habitDefinitions, ["HabitEntry": sorted], at: days, threads: threads) == expected)
    }
    #expect(try rows(habitDefinitions, ["HabitEntry": reversed], at: days) == expected)
  }

  @Test("NUM-04 IDEA-04: an overflow names metric and subject")
  func anOverflowNamesMetricAndSubject() throws {
    let definitions = "measure large { for habit value sum(HabitEntry.value) * 1000000 }"
    let texts = ["HabitEntry": "id,habitId,dayKey,value\n1,a,2026-01-01,1\n2,b,2026-01-01,9000001\n"]
    #expect(throws: EvaluationError.overflow(metric: "large", subject: "b", day: DayKey("2026-01-01"))) {
      try rows(definitions, texts, at: ["2026-01-01"])
    }
  }

  /// A fact outside the period of an aggregate is not looked at, so neither is its arithmetic.
  @Test func aConditionBeyondTheRangeCountsOnlyInItsPeriod() throws {
    let definitions = """
      measure large { for habit value count(HabitEntry where value * 1000000 > 1 over last 2 days) }
      """
    let texts = ["HabitEntry": "id,habitId,dayKey,value\n1,a,2026-01-01,9000001\n2,a,2026-01-05,1\n"]
    #expect(try rows(definitions, texts, at: ["2026-01-05"]) == ["large,a,,,2026-01-05,1"])
    #expect(throws: EvaluationError.overflow(metric: "large", subject: "a", day: DayKey("2026-01-02"))) {
      try rows(definitions, texts, at: ["2026-01-02"])
    }
  }

  @Test("NUM-04 PRIV-06: a value of too few users that leaves the range is an error")
  func aHiddenValueBeyondTheRangeIsAnError() throws {
    let definitions = """
      fact Sale { id : ID  userId : User  dayKey : DayKey  amount : Decimal }
      measure sold { audience team for app value sum(Sale.amount) by user.plan at least 2 users }
      extend User { plan : Text? }
      retention worth { for user start first Sale value sum(Sale.amount) after 1 days at least 2 users }
      """
    let texts = [
      "Sale": "id,userId,dayKey,amount\n1,a,2026-01-01,9000000000000\n2,a,2026-01-01,9000000000000\n"
    ]
    for metric in ["sold", "worth"] {
      #expect(throws: EvaluationError.overflow(metric: metric, subject: "", day: DayKey("2026-01-02"))) {
        try rows(definitions, texts, metrics: [metric], at: ["2026-01-02"])
      }
    }
  }

  @Test func aSubjectConditionBeyondTheRangeIsAnError() throws {
    let definitions = "measure large { for habit where weeklyTarget * 1000000 > 1 value count(HabitEntry) }"
    #expect(throws: EvaluationError.overflow(metric: "large", subject: "a", day: nil)) {
      try rows(definitions, ["Habit": "id,weeklyTarget\na,9000001\n"], at: ["2026-01-02"])
    }
  }

  @Test("NUM-02: sums are exact in any order")
  func sumsAreExactInAnyOrder() throws {
    let definitions = "measure total { for app value sum(Event.value) audience team }"
    let texts = [
      "Event": """
      userId,name,dayKey,value
      u,x,2026-01-01,9000000000000
      u,x,2026-01-01,9000000000000
      u,x,2026-01-01,-9000000000000
      u,x,2026-01-01,-8999999999999.5

      """
    ]
    #expect(try rows(definitions, texts, at: ["2026-01-01"]) == ["total,,,,2026-01-01,0.5"])
  }
}

@Suite struct GoalDataTests {
  let entries = "id,habitId,dayKey,value\n1,a,2026-01-01,2\n"

  @Test("LINK-05 IDEA-04: a cycle of bundles is an error")
  func aCycleOfBundlesIsAnError() throws {
    let texts = [
      "HabitEntry": entries,
      "GoalLink": "id,goalId,bundleId,contribution\n1,g,x,count\n",
      "BundleMember": "bundleId,habitId,childBundleId\nx,,y\ny,a,x\n",
    ]
    #expect(throws: EvaluationError.bundleCycle(["x", "y", "x"])) {
      try rows(habitDefinitions, texts, metrics: ["reached"], at: ["2026-01-01"])
    }
  }

  @Test("LINK-05: bundles nest eight deep")
  func bundlesNestEightDeep() throws {
    func members(_ depth: Int) -> String {
      let chain = (1..<depth).map { "b\($0),,b\($0 + 1)" }
      return (["bundleId,habitId,childBundleId"] + chain + ["b\(depth),a,"]).joined(separator: "\n")
    }
    let links = "id,goalId,bundleId,contribution\n1,g,b1,sum\n"
    let eight = try rows(
      habitDefinitions, ["HabitEntry": entries, "GoalLink": links, "BundleMember": members(8)],
      metrics: ["reached"], at: ["2026-01-01"])
    #expect(eight.first == "reached,g,,,2026-01-01,2")
    #expect(throws: EvaluationError.bundleTooDeep((1...9).map { "b\($0)" })) {
      try rows(
        habitDefinitions, ["HabitEntry": entries, "GoalLink": links, "BundleMember": members(9)],
        metrics: ["reached"], at: ["2026-01-01"])
    }
  }

  @Test("LINK-07: a sum link joins one unit")
  func aSumLinkJoinsOneUnit() throws {
    var texts = [
      "HabitEntry": entries,
      "Habit": "id,unit\na,pages\n",
      "Goal": "id,unit\ng,minutes\n",
      "GoalLink": "id,goalId,habitId,contribution\n1,g,a,sum\n",
    ]
    #expect(
      throws: EvaluationError.unitMismatch(
        link: "GoalLink", goal: "g", habit: "a", goalUnit: "minutes", habitUnit: "pages")
    ) {
      try rows(habitDefinitions, texts, metrics: ["reached"], at: ["2026-01-01"])
    }
    for (habit, goal) in [("pages", ""), ("", "minutes")] {
      texts["Habit"] = "id,unit\na,\(habit)\n"
      texts["Goal"] = "id,unit\ng,\(goal)\n"
      #expect(
        throws: EvaluationError.unitMismatch(
          link: "GoalLink", goal: "g", habit: "a", goalUnit: goal, habitUnit: habit)
      ) {
        try rows(habitDefinitions, texts, metrics: ["reached"], at: ["2026-01-01"])
      }
    }
    texts["GoalLink"] = "id,goalId,habitId,contribution\n1,g,a,count\n"
    #expect(
      try rows(habitDefinitions, texts, metrics: ["reached"], at: ["2026-01-01"]).first
        == "reached,g,,,2026-01-01,1")
  }
}

@Suite struct ProjectionTests {
  private func columns(_ definitions: String, _ metric: String) -> [String: [String]] {
    let library = MetricLibrary(sources: [SourceFile(path: "test.metric", text: definitions)])
    return Dictionary(
      uniqueKeysWithValues: library.schemas(for: [metric]).map { ($0.record, $0.columns.map(\.name)) })
  }

  @Test func onlyWhatTheMetricReadsIsLoaded() {
    #expect(
      columns(habitDefinitions, "current") == [
        "Habit": ["id"], "HabitEntry": ["habitId", "dayKey", "deletedAt"],
      ])
    #expect(
      columns(habitDefinitions, "amount")
        == ["Habit": ["id", "weeklyTarget"], "HabitEntry": ["habitId", "dayKey", "value", "deletedAt"]])
    #expect(
      columns(habitDefinitions, "reached")
        == [
          "Goal": ["id", "unit", "target"], "Habit": ["id", "unit"], "Bundle": [],
          "GoalLink": ["goalId", "habitId", "bundleId", "contribution"],
          "BundleMember": ["bundleId", "habitId", "childBundleId"],
          "HabitEntry": ["habitId", "dayKey", "value", "deletedAt"],
        ].filter { !$0.value.isEmpty })
  }

  @Test func firstAndLastNeedTheOrder() {
    let definitions = "measure newest { for habit value last(HabitEntry.value) audience team }"
    #expect(
      columns(definitions, "newest") == [
        "Habit": ["id"], "HabitEntry": ["id", "habitId", "dayKey", "timestampUtc", "value", "deletedAt"],
      ])
  }
}
