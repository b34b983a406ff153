import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// What tests exercise, and what they do not.
@Suite struct CoverageTests {
  private func coverage(_ text: String, filter: String? = nil) throws -> [String: Coverage.Metric] {
    let library = MetricLibrary(sources: [SourceFile(path: "test.metric", text: text)])
    let errors = library.findings.filter { $0.severity == .error }.map { $0.rendered(in: library.sources) }
    #expect(errors == [])
    return Dictionary(
      library.coverage(filter: filter).metrics.map { ($0.name, $0) }, uniquingKeysWith: { one, _ in one })
  }

  /// `when: count(HabitEntry) >= 1 T` — which outcomes each condition had.
  private func outcomes(_ metric: Coverage.Metric?) -> [String] {
    (metric?.clauses ?? []).flatMap { clause in
      clause.conditions.map {
        "\(clause.word): \($0.text) \($0.wasTrue ? "T" : "")\($0.wasFalse ? "F" : "")"
      }
    }
  }

  private let definitions = """
    completion done {
      for habit
      audience team
      every day
      when count(HabitEntry where value > 1) >= 1
      rest when weekday(day) == "sunday"
    }
    streak run { of done  best  audience team }
    level worth { of run  at 1, 3  audience team }
    progress amount {
      for habit where cadence == "daily"
      audience team
      value if habit.kind == "quantity" then sum(HabitEntry.value) else (if count(HabitEntry) > 5 then 5 else 1)
      target habit.weeklyTarget
    }

    """

  @Test func conditionsHaveTwoOutcomes() throws {
    let found = try coverage(
      definitions + """
        test "a" {
          given Habit { id: "read", kind: "quantity", cadence: "daily" }
          given HabitEntry { habitId: "read", dayKey: 2026-01-05, value: 2 }
          expect worth  for "read" at 2026-01-05 = 1
          expect amount for "read" at 2026-01-05 = 2
        }
        """)
    #expect(found.values.filter(\.isReached).map(\.name).sorted() == ["amount", "done", "run", "worth"])
    #expect(
      outcomes(found["done"]) == [
        "when: count(HabitEntry where value > 1) >= 1 T", "when: value > 1 T",
        "rest when: weekday(day) == \"sunday\" ",
      ])
    #expect(outcomes(found["worth"]) == ["at: `1` is reached T", "at: `3` is reached F"])
    // The other branch was never taken, and nobody looked at the target.
    #expect(
      outcomes(found["amount"]) == [
        "for … where: cadence == \"daily\" T", "value: habit.kind == \"quantity\" T",
        "value: count(HabitEntry) > 5 ",
      ])
    #expect(found["amount"]?.clauses.last?.isReached == false)
  }

  @Test func whatNoExpectationReachesIsSaid() throws {
    let text =
      definitions + """
        test "one" {
          log "read" from 2026-01-03 "2.1"
          expect done for "read" at 2026-01-05 = false
          expect done for "read" at 2026-01-04 = false
          expect done for "read" at 2026-01-03 = true
        }
        """
    let found = try coverage(text)
    #expect(found.values.filter(\.isReached).map(\.name) == ["done"])
    #expect(
      outcomes(found["done"]) == [
        "when: count(HabitEntry where value > 1) >= 1 TF", "when: value > 1 TF",
        "rest when: weekday(day) == \"sunday\" TF",
      ])
    #expect(try coverage(text, filter: "two").values.allSatisfy { !$0.isReached })
  }

  @Test func funnelsAndRetentions() throws {
    let found = try coverage(
      """
      funnel f { for user  step a Event where name == "open"  step b Event where name == "add"  within 3 days }
      retention r { for user  start first Event  return Event where name == "add"  after 1, 9 days }
      test "x" {
        given Event { userId: "ada", name: "open", dayKey: 2026-01-01 }
        given Event { userId: "ada", name: "add", dayKey: 2026-01-02 }
        given Event { userId: "bob", name: "open", dayKey: 2026-01-01 }
        expect f part "b" at 2026-01-05 = 1
        expect r part "d1.returned" at 2026-01-05 = 1
      }
      """)
    #expect(
      outcomes(found["f"]) == [
        "step a: name == \"open\" TF", "step a: `a` is reached TF", "step b: name == \"add\" TF",
        "step b: `b` is reached TF",
      ])
    #expect(
      outcomes(found["r"]) == [
        "return: name == \"add\" TF", "after: somebody returns on `d1` TF",
        "after: somebody returns on `d9` ",
      ])
  }

  /// Every metric of the shipped definitions is reached by a test.
  @Test func theDefinitionsAreReached() throws {
    for folder in ["Habits", "StoryReading"] {
      let paths = Repository.definitions.filter { $0.hasPrefix("Definitions/\(folder)/") }
      let sources = try paths.map { SourceFile(path: $0, text: try Repository.text($0)) }
      let missing = MetricLibrary(sources: sources).coverage(filter: nil).metrics.filter { !$0.isReached }
      #expect(missing.map(\.name).isEmpty)
    }
  }
}
