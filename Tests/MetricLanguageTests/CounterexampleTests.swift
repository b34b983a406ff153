import MetricDiagnostics
import MetricLanguage
import Testing

/// Rejected definitions come with a dataset that shows the harm; what it claims is run.
@Suite struct CounterexampleTests {
  static let records = """
    fact Session {
      id : ID  userId : User  dayKey : DayKey  minutes : Decimal? min 0  pages : Int?  calm : Bool?
    }
    fact Lookup { id : ID  userId : User  topicId : ID  dayKey : DayKey }
    fact Aim setting { id : ID  userId : User  dayKey : DayKey  perWeek : Int min 1 }
    completion done { for user every day when count(Session) >= 1 }
    momentum seven { of done over last 7 days }

    """

  @Test func theSummaryTellsTheValuesAndTheNotesTheHalfThatFalls() throws {
    let library = MetricLibrary(sources: [
      SourceFile(
        path: "sleep.metric",
        text: """
          fact Sleep { id : ID  userId : User  dayKey : DayKey  hours : Decimal min 0 }
          completion rested { for user  every day  when sum(Sleep.hours) >= 7 and sum(Sleep.hours) <= 9 }
          """)
    ])
    let finding = try #require(library.findings.first { $0.code.id == "C401" })
    let summary = try #require(finding.counterexample?.summary)
    #expect(summary.hasPrefix("with Sleep (hours: "), "\(summary)")
    #expect(summary.contains("after logging Sleep (hours: "), "\(summary)")
    #expect(finding.notes.contains { $0.message.hasPrefix("`sum(Sleep.hours) <= 9` can stop being true") })
    #expect(!finding.notes.contains { $0.message.contains("for app") })
  }

  /// Members of a long list lead the search as well as all of them, and a chain of `if` is judged by its ranges.
  @Test func longListsAndChainsAreDecided() {
    let list = (1...1000).map { "\($0 * 2)" }.joined(separator: ", ")
    let member = MetricLibrary(sources: [
      SourceFile(
        path: "in.metric", text: "completion m { for user every day when count(Event) in [\(list)] }")
    ])
    #expect(member.findings.first { $0.code.id == "C401" }?.counterexample != nil)
    let arms = (1...95).reversed().map {
      "if count(Event where name == \"e\($0)\") >= \($0) then \($0) else "
    }
    let chain = MetricLibrary(sources: [
      SourceFile(path: "if.metric", text: "measure m { for user value \(arms.joined())0 }")
    ])
    #expect(chain.isAccepted)
    #expect(!chain.findings.contains { $0.severity == .error })
  }

  static let rejected = [
    "measure m { for user value average(Session.minutes) }",
    "measure m { for user value sum(Session.pages) }",
    "measure m { for user value sum(Session.pages) / count(Session) }",
    "measure m { for user value min(Session.minutes) }",
    "measure m { for user value last(Session.minutes) }",
    "measure m { for user value percentile(Session.minutes, 50) }",
    "measure m { for user value 10 - count(Session) }",
    "measure m { for user value 100 / (7 - seven) }",
    "measure m { for user value 100 - 5 * seven }",
    "measure m { for user value if first(Session) >= 2026-01-05 then 1 else 0 }",
    "measure m { for user value if count(Session) >= 4 then 1 else 2 }",
    "measure m { for user value if sum(Session.minutes) >= 7 then sum(Session.minutes) / 3 * 3 else least(sum(Session.minutes) + 1, 7) }",
    "measure m { for user value least(count(Session), -1) }",
    "measure m { for user value count(Session) > 3 and count(Session) < 9 }",
    "progress m { for user value sum(Session.minutes) target count(Session) }",
    "completion m { for user every day when count(Session) <= 3 }",
    "completion m { for user every day when not (count(Session where calm) >= 2) }",
    "completion m { for user every week when count(Session) == 2 }",
    "completion m { for user every day when count(Session) >= 1 rest when count(Session over last 3 days) < 1 }",
    "completion m { for user every day when sum(Session.minutes) >= 5 rest when count(Session) == 0 }",
    "level m { of seven at 3, 5 }",
    "measure m { for user value distinct(Session.pages) * (0 - 1) + 100 }",
    "measure m { for user value 10 - count(Lookup) by topicId }",
    "measure m { for user value average(Session.minutes) by userId }",
    // Several conditions at once, which datasets at random seldom meet.
    "completion m { for user every day when count(Session) >= 3 or (min(Session.minutes) == 7 and sum(Session.pages) > 33) }",
    "completion m { for user every calendar month when max(Session.minutes) >= 2 rest when last(Session.calm) }",
    "measure m { for user value (weekday(day) in [\"monday\"]) and last(Session.pages) == count(done) and min(Session.minutes) > 33.333333 }",
  ]

  @Test(arguments: rejected)
  func theClaimHolds(definition: String) throws {
    let source = Self.records + definition
    let library = MetricLibrary(sources: [SourceFile(path: "rejected.metric", text: source)])
    let finding = try #require(library.findings.first { $0.severity == .error && $0.metric == "m" })
    #expect(finding.code.id.hasPrefix("C4"))
    let example = try #require(finding.counterexample, "no witness for \(definition)")
    #expect(finding.notes.contains { $0.message == example.summary })
    // The tests that come with the finding pass: the two values are what they say.
    let replayed = MetricLibrary(
      sources: [SourceFile(path: "rejected.metric", text: source + "\n" + example.test)])
    let results = replayed.runTests(filter: nil)
    #expect(results.count == 2)
    #expect(
      results.allSatisfy { $0.passed }, "\(example.test)\n\(results.flatMap(\.failures).map(\.message))")
    #expect(example.before != example.after)
  }

  /// No value lies below every number: a number that begins below 0 is harm, but has not fallen.
  @Test(arguments: [
    "sum(Session.pages)", "-count(Session)", "10 - count(Session)", "count(Session) * user.factor",
  ])
  func whatFallsWhenLoggedIsSeenToFall(value: String) throws {
    let source = Self.records + "extend User { factor : Int? }\nmeasure m { for user value \(value) }"
    let library = MetricLibrary(sources: [SourceFile(path: "rejected.metric", text: source)])
    let finding = try #require(library.findings.first { $0.code.id == "C401" && $0.metric == "m" })
    let example = try #require(finding.counterexample)
    let (before, after) = (try #require(Double(example.before)), Double(example.after))
    #expect(before > after ?? -.infinity, "\(example.summary)")
  }

  @Test func theSameDefinitionGivesTheSameWitness() {
    let sources = [SourceFile(path: "rejected.metric", text: Self.records + Self.rejected[0])]
    let examples = (0..<3).map { _ in MetricLibrary(sources: sources).findings.compactMap(\.counterexample) }
    #expect(examples[0] == examples[1] && examples[1] == examples[2])
  }

  /// Rising, and beyond what the analysis knows: the finding says that it is not proved.
  @Test func withoutAWitnessTheFindingSaysSo() throws {
    let definition =
      "measure m { for user value 2 * sum(Session.minutes) - sum(Session.minutes) * 1.5 }"
    let library = MetricLibrary(
      sources: [SourceFile(path: "rejected.metric", text: Self.records + definition)])
    let finding = try #require(library.findings.first { $0.severity == .error })
    #expect(finding.code.id == "C401")
    #expect(finding.counterexample == nil)
    #expect(finding.message.hasPrefix("not proved: "))
    #expect(finding.notes.contains { $0.message == "no counterexample was found with up to 120 facts" })
  }
}
