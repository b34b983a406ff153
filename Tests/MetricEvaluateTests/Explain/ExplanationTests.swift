import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// What single explanations say.
@Suite struct ExplanationTests {
  private func explain(
    _ definitions: String, _ metric: String, _ subject: String = "", group: GroupKey? = nil, at day: String,
    _ texts: [String: String]
  ) throws -> Explanation {
    let library = MetricLibrary(sources: [SourceFile(path: "test.metric", text: definitions)])
    let errors = library.findings.filter { $0.severity == .error }.map { $0.rendered(in: library.sources) }
    #expect(errors == [])
    let pool = StringPool()
    let tables = tables(texts, for: library, pool: pool)
    let explanation = try library.explain(
      metric, subject: subject, group: group, at: try #require(DayKey(day)), tables: tables, pool: pool)
    return try #require(explanation)
  }

  private let entries = """
    id,habitId,dayKey,value
    e1,read,2026-01-01,1
    e2,read,2026-01-02,2
    e3,read,2026-01-04,3
    e4,read,2026-01-05,4
    e5,run,2026-01-05,9

    """

  @Test func aStreakSaysWhatEndedIt() throws {
    let found = try explain(habitDefinitions, "current", "read", at: "2026-01-05", ["HabitEntry": entries])
    let windows = try #require(found.windows)
    #expect(windows.windows.map(\.state) == [.complete, .complete, .incomplete])
    #expect(windows.windows.map(\.counts) == [true, true, false])
    #expect(windows.ending == .incomplete(DayKey("2026-01-03")!))
    #expect(windows.before.map(\.state) == [.complete, .complete])
    #expect(found.records.map(\.id) == ["e3", "e4"])
    #expect(found.clauses.map(\.word) == ["when", "when"])
    #expect(found.clauses.map(\.expression.value) == [.bool(true), .bool(false)])
  }

  @Test func aWindowCountsEachRecordOnce() throws {
    let definitions =
      "completion c { for habit every day when count(HabitEntry) >= 1 and sum(HabitEntry.value) >= 1 }"
    let found = try explain(definitions, "c", "read", at: "2026-01-05", ["HabitEntry": entries])
    #expect(found.windows?.windows.map(\.recordCount) == [1])
  }

  @Test func aRecordWithoutAValueIsNotBehindAnAverage() throws {
    let data = ["HabitEntry": entries + "e6,read,2026-01-05,\n"]
    let definitions = """
      measure m { for habit  value average(HabitEntry.value over last 2 days)  reading "how long a session is" }
      """
    let found = try explain(definitions, "m", "read", at: "2026-01-05", data)
    #expect(found.parts.map(\.value) == [.decimal(FixedDecimal(millionths: 3_500_000))])
    #expect(found.records.map(\.id) == ["e3", "e4"])
  }

  @Test func theBestStreakSaysWhenItWasReached() throws {
    let found = try explain(
      habitDefinitions, "best", "read", at: "2026-03-01",
      ["HabitEntry": entries + "e6,read,2026-01-06,1\n"])
    #expect(found.parts.map(\.value) == [.int(3)])
    #expect(found.windows?.readAt == DayKey("2026-01-06"))
    #expect(found.records.map(\.row) == [2, 3, 5])
  }

  @Test func aGoalSaysWhatEachLinkAdds() throws {
    let found = try explain(
      habitDefinitions, "reached", "g", at: "2026-01-05",
      [
        "HabitEntry": entries, "Goal": "id,target\ng,0\n", "Habit": "id\nread\nrun\n",
        "Bundle": "id\nall\n", "BundleMember": "bundleId,habitId\nall,run\nall,read\n",
        "GoalLink":
          "id,goalId,habitId,bundleId,contribution\nl1,g,read,,sum\nl2,g,,all,sum\nl3,g,run,,count\n",
      ])
    #expect(found.parts.map(\.value).first == .decimal(FixedDecimal(millionths: 20_000_000)))
    func text(_ link: LinkStory) -> String {
      let amount = link.amount.map { "\($0)" } ?? ""
      return
        "\(link.link.id ?? "") \(link.end) \(link.bundle ?? "-") \(link.contribution) \(link.counts) \(link.factCount) \(amount)"
    }
    #expect(
      found.links.map(text) == [
        "l1 read - sum true 4 decimal(10)", "l2 read all sum false 4 decimal(10)",
        "l2 run all sum true 1 decimal(9)", "l3 run - count true 1 decimal(1)",
      ])
    // The fraction has no value, and the first part has one.
    #expect(found.parts.last?.value == Value.none)
    #expect(found.absence == nil)
  }

  @Test(arguments: [
    ("value count(HabitEntry) / (count(HabitEntry) - 4)", Reason.Code.divisionByZero),
    ("value average(HabitEntry.value where value > 100)", .nothingToLookAt),
    ("value habit.weeklyTarget", .missingField),
    ("value other + 1", .metricWithoutValue),
    ("value if 1 > 2 then 1 else none", .writtenNone),
  ])
  func noValueHasAReason(_ clause: String, _ code: Reason.Code) throws {
    let definitions = """
      measure other { for habit  audience team  value min(HabitEntry.value where value > 100) }
      measure m { for habit  audience team  \(clause) }
      """
    let found = try explain(
      definitions, "m", "read", at: "2026-01-05", ["HabitEntry": entries, "Habit": "id\nread\n"])
    #expect(found.parts.map(\.value) == [.none])
    #expect(found.absence?.code == code, "\(found)")
  }

  @Test func noRowHasAReason() throws {
    let definitions = """
      measure m { for habit where cadence == "daily"  audience team  value sum(HabitEntry.value) }
      measure g { for app  value sum(HabitEntry.value)  by habitId }
      """
    let data = ["HabitEntry": entries, "Habit": "id,cadence\nread,weekly\nrun,daily\n"]
    let leftOut = try explain(definitions, "m", "read", at: "2026-01-05", data)
    #expect(leftOut.parts.isEmpty)
    #expect(leftOut.absence?.code == .leftOut)
    #expect(try explain(definitions, "m", "nobody", at: "2026-01-05", data).absence?.code == .unknownSubject)
    let group = try explain(definitions, "g", group: "swim", at: "2026-01-05", data)
    #expect(group.absence?.code == .unknownGroup)
    #expect(try explain(definitions, "g", group: "run", at: "2026-01-05", data).records.map(\.id) == ["e5"])
  }

  @Test func whatIsHiddenIsNotExplained() throws {
    let definitions = """
      measure m { for app  value count(Event)  at least 3 users }
      extend Event { consent standard }
      """
    let data = [
      "Event": "userId,name,dayKey\nada,a,2026-01-01\nbob,a,2026-01-01\n",
      "Consent": "userId,level,dayKey\nada,standard,2026-01-01\n",
    ]
    let found = try explain(definitions, "m", at: "2026-01-05", data)
    #expect(found.absence?.code == .hidden)
    #expect(found.records.isEmpty && found.clauses.isEmpty)
    let mean = definitions.replacing("count(Event)", with: "average(Event.value)")
    #expect(try explain(mean, "m", at: "2026-01-05", data).absence?.code == .nothingToLookAt)
    let open = try explain(
      definitions.replacing("at least 3 users", with: ""), "m", at: "2026-01-05", data)
    #expect(open.records.count == 1)
    #expect(open.withheldCount == 1)
  }

  /// The reason is consent, and not that nothing names the user.
  @Test func whoDidNotAgreeIsNoSubject() throws {
    let definitions = """
      measure m { for user  value count(Event)  audience team }
      funnel f { for user  step one Event  step two Event where name == "b" }
      extend Event { consent standard for "usage" }
      """
    let data = [
      "Event": "userId,name,dayKey\nada,a,2026-01-01\nbob,a,2026-01-01\n",
      "User": "id\nbob\n",
      "Consent":
        "userId,level,dayKey,purpose\nada,essential,2026-01-01,usage\nbob,detailed,2026-01-01,other\n",
    ]
    for user in ["ada", "bob"] {
      for metric in ["m", "f"] {
        let found = try explain(definitions, metric, user, at: "2026-01-05", data)
        #expect(found.absence?.code == .noConsent, "\(metric) \(user)")
      }
    }
    #expect(try explain(definitions, "m", "eve", at: "2026-01-05", data).absence?.code == .unknownSubject)
  }

  @Test("PRIV-13: where no line names a purpose, all records are about one switch")
  func oneSwitch() throws {
    let definitions = """
      measure m { for app  value count(Event) }
      extend Event { consent standard }
      """
    let data = [
      "Event": "userId,name,dayKey\nada,a,2026-01-01\nbob,a,2026-01-01\n",
      "Consent": "userId,level,dayKey,purpose\nada,standard,2026-01-01,other\n",
    ]
    #expect(try explain(definitions, "m", at: "2026-01-05", data).parts.map(\.value) == [.int(1)])
  }

  @Test func aFunnelSaysHowFarASubjectCame() throws {
    let definitions = """
      funnel f {
        for user
        step opened Event where name == "open"
        step added Event where name == "add"
        step done Event where name == "done"
        within 3 days
      }
      retention r { for user  start first Event where name == "open"  return Event where name == "add"  after 1, 9 days }
      """
    let data = [
      "Event": """
      id,userId,name,dayKey
      1,ada,open,2026-01-01
      2,ada,open,2026-01-04
      3,ada,add,2026-01-05
      4,ada,done,2026-01-20

      """
    ]
    let found = try explain(definitions, "f", "ada", at: "2026-01-31", data)
    let story = try #require(found.journey)
    #expect(story.reached == 2)
    #expect(story.steps.map(\.record?.id) == ["2", "3", nil])
    #expect(story.steps.map(\.factCount) == [2, 1, 1])
    #expect(story.deadline == DayKey("2026-01-06"))
    let returning = try #require(try explain(definitions, "r", "ada", at: "2026-01-08", data).returning)
    #expect(returning.starts.map(\.day) == [DayKey("2026-01-01")!])
    #expect(returning.starts[0].checks.map(\.isEligible) == [true, false])
    #expect(returning.returnDays == [DayKey("2026-01-05")!])
  }

  @Test func daysAsRowsAreTold() throws {
    let definitions = """
      measure entries { for habit  value sum(HabitEntry.value over last 1 day)  audience team }
      measure peak { for habit  value max(entries over last 3 days)  audience team }
      measure ever { for habit  value average(entries)  audience team }
      measure share { for habit  value entries / count(HabitEntry over last 1 day)  audience team }
      measure gone { for habit  value last(share over last 2 days)  audience team }
      """
    let data = ["HabitEntry": entries]
    func days(_ metric: String, at day: String) throws -> [String] {
      let tree = try #require(
        try explain(definitions, metric, "read", at: day, data).clauses.first?.expression)
      return tree.subjects.map { "\($0.id) \($0.value?.plainText ?? "")" }
    }
    #expect(try days("peak", at: "2026-01-05") == ["2026-01-05 4", "2026-01-04 3", "2026-01-03 0"])
    #expect(try days("ever", at: "2026-01-02") == ["2026-01-02 2", "2026-01-01 1"])
    #expect(try days("gone", at: "2026-01-03") == ["2026-01-02 2"])
    let none = try explain(definitions, "gone", "read", at: "2026-01-20", data)
    #expect(none.absence?.text == "`share` has a value on no day of the period")
  }

  @Test func aRetentionWithAValueSaysWhatEachDayZeroAdds() throws {
    let definitions = """
      retention worth {
        for habit
        start each HabitEntry where value >= 2
        value sum(HabitEntry.value)
        after 1, 3 days
      }
      """
    let data = ["HabitEntry": entries]
    let returning = try #require(try explain(definitions, "worth", "read", at: "2026-01-05", data).returning)
    #expect(
      returning.starts.map { $0.checks.map { $0.worth?.plainText } } == [
        ["2", "9"], ["7", "7"], ["4", "4"],
      ])
    #expect(
      returning.starts.map { $0.checks.map(\.isEligible) } == [
        [true, true], [true, false], [false, false],
      ])
  }

  @Test func onlyTheBranchThatWasTakenIsLookedAt() throws {
    let definitions = """
      measure m {
        for habit
        audience team
        value if count(HabitEntry) > 3 then 1 else 4000000 * 4000000
      }
      """
    let found = try explain(definitions, "m", "read", at: "2026-01-05", ["HabitEntry": entries])
    let tree = try #require(found.clauses.first?.expression)
    #expect(tree.value == .int(1))
    #expect(tree.operands.map(\.isEvaluated) == [true, true, false])
  }
}
