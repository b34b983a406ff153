import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

/// What a library says of its metrics: sentences, definitions, lineage.
@Suite struct DescriptionTests {
  private func library(_ source: String) -> MetricLibrary {
    MetricLibrary(sources: [SourceFile(path: "a.metric", text: source)])
  }

  private static let source = """
    /// Met.
    completion met {
      for habit where cadence == "weekly"
      every week
      when sum(HabitEntry.value where value > 0) >= habit.weeklyTarget or habit.kind is none
      rest when weekday(day) in ["sunday"]
    }
    streak run { of met  grace 2 windows }
    streak longest { of met  best }
    momentum strength { of met  half life 2 weeks }
    level reached { of longest  at 2, 5 }
    progress toward { for goal  value contribution(HabitEntry through GoalLink)  target goal.target  over last 28 days }
    measure tail { for app  value percentile(HabitEntry.value, 21)  by habit.kind  at least 5 users }
    measure growth { for app  value if users > 0 then users / users offset 1 month else 1 }
    measure users { for app  value distinct(Event.userId over last 7 days) }
    funnel path { for user  step a Event where name == "a"  step b Event where name == "b"  within 7 days  order strict }
    retention back { for user  start each Event  return Event  after 1, 7, 30 days or later  over last 90 days }
    """

  @Test(arguments: [
    (
      "met",
      [
        "True when, in the 7 days up to the day, the sum of `HabitEntry.value` where `value` is more than 0 is at least `habit.weeklyTarget` or `habit.kind` has no value.",
        "It rests when the weekday of the day is one of \"sunday\": a streak passes over such a window and does not end there.",
        "It is never true without a record.",
        "There is a value for each `habit` where `cadence` is \"weekly\".",
      ]
    ),
    (
      "run",
      [
        "How many weeks in a row `met` was true; the run may have ended up to 2 windows ago.",
        "There is a value for each `habit` where `cadence` is \"weekly\".",
      ]
    ),
    (
      "toward",
      [
        "What `HabitEntry` contributes through `GoalLink`, over the 28 days up to the day.",
        "The target is `goal.target`; `fraction` is the value divided by it, and may be more than 1.",
        "There is a value for each `goal`.",
      ]
    ),
    (
      "tail",
      [
        "The 21st percentile of `HabitEntry.value`.", "Grouped by `HabitEntry.habit.kind`.",
        "Numbers based on fewer than 5 users are hidden.",
        "There is one value for each group.",
      ]
    ),
    (
      "growth",
      [
        "`users` ÷ `users` of a month before if `users` is more than 0, else 1.",
        "There is one value for the whole app.",
      ]
    ),
    (
      "path",
      [
        "How many users reached each step, with nothing of the same kind between: `a`, an `Event` where `name` is \"a\"; `b`, an `Event` where `name` is \"b\".",
        "All within 7 days of the first.",
      ]
    ),
    (
      "back",
      [
        "Day 0 is each day with an `Event`.",
        "Of the users whose day 1, 7 or 30 has come, how many had an `Event` on that day or later.",
        "Day 0 lies in the 90 days up to the day.",
      ]
    ),
  ])
  func plansAreTold(_ name: String, _ sentences: [String]) throws {
    let entry = try #require(library(Self.source).entries.first { $0.planned.summary.name == name })
    #expect(entry.sentences == sentences)
  }

  /// The pieces of a definition are its text, from its first word to its brace.
  @Test func aDefinitionKeepsEveryCharacter() throws {
    for path in Repository.definitions {
      let text = try Repository.text(path)
      let library = MetricLibrary(sources: [SourceFile(path: path, text: text)])
      for (name, definition) in library.definitions {
        let pieces = definition.pieces.map(\.text).joined()
        #expect(text.contains(pieces), "\(path): \(name)")
        // Of a family it has the names behind `as` and before the brace.
        #expect(pieces.contains(name) || pieces.contains("over each ["), "\(path): \(name)")
      }
    }
  }

  @Test func wordsAreKeywordsOnlyWhereTheyAreMeant() throws {
    let source = """
      measure m { for app  value count(Visit where level == "b1" and value > 2 over last 7 days)  by kind }
      fact Visit { id : ID  dayKey : DayKey  level : Text  value : Int  kind : Text }
      """
    let pieces = try #require(library(source).definitions["m"]).pieces
    func kinds(_ text: String) -> [CodePiece.Kind] { pieces.filter { $0.text == text }.map(\.kind) }
    #expect(kinds("value") == [.keyword, .plain])
    #expect(kinds("level") == [.plain])
    #expect(kinds("count") == [.function])
    #expect(kinds("Visit") == [.record])
    #expect(kinds("over") == [.keyword])
    #expect(kinds("\"b1\"") == [.text])
    #expect(kinds("m") == [.metric])
  }

  @Test func lineageHasDirectReadersOnly() {
    let lineage = library(Self.source).lineage
    func reads(_ name: String) -> [String] { lineage.edges.filter { $0.to == name }.map(\.from) }
    #expect(reads("met") == ["Habit", "HabitEntry"])
    #expect(reads("reached") == ["Habit", "longest"])
    #expect(reads("growth") == ["users"])
    #expect(
      lineage.sources.first { $0.name == "HabitEntry" }?.fields == [
        "habitId", "dayKey", "value", "deletedAt",
      ])
    let part = library(Self.source).lineage(of: ["users"])
    #expect(part.metrics.map(\.name) == ["users"])
    #expect(part.sources.map(\.name) == ["Event"])
    #expect(part.sources.first?.fields == ["userId", "dayKey"])
  }

  @Test func groupsOfPeopleAreKnown() {
    let entries = library(
      """
      measure each { for app  value count(Event)  by userId }
      measure kinds { for app  value count(Event)  by name }
      """
    ).entries
    #expect(entries.map(\.hasPersonalGroups) == [true, false])
  }

  /// What is 0 wherever it is present is not "0 to 0".
  @Test func aRangeOfOneNumberIsThatNumber() throws {
    let metrics = library(
      "progress toward { for goal  value contribution(HabitEntry through GoalLink)  target goal.target }"
    ).metrics
    let fraction = try #require(metrics.first?.certificate?.parts.last)
    #expect(fraction.text == "measured, rising, 0 or more, 0 or none on no data")
  }
}
