import MetricLanguageServer
import MetricResolve
import MetricSyntax
import Testing

@Suite struct HoverTests {
  private func hover(_ text: String) -> String? {
    let (analysis, offset) = marked(text)
    return analysis.hover(in: 0, at: offset)?.markdown
  }

  @Test func metricShowsDocPlanAndCertificate() throws {
    let text = try #require(hover(habits.replacing("{ of done", with: "{ of 1️⃣done")))
    #expect(text.contains("done: completion for habit, audience user"))
    #expect(text.contains("Was it done?"))
    #expect(text.contains("when      count(HabitEntry) >= 1"))
    #expect(text.contains("value is  Bool, measured, rising, false on no data"))
    #expect(text.contains("non-punitive: yes"))
    #expect(text.contains("read by   run"))
  }

  @Test func metricWithErrorsShowsItsDoc() throws {
    let text = try #require(hover("/// Bad.\nmeasure 1️⃣m { for user  value nothing }"))
    #expect(text.contains("Bad."))
    #expect(text.contains("It has errors"))
  }

  @Test func fieldsShowTheirType() throws {
    #expect(
      try #require(hover("measure m { for app  value sum(HabitEntry.1️⃣value) }")).contains(
        "HabitEntry.value : Decimal? min 0"))
    let reference =
      "fact F { id : ID  habitId : Habit  dayKey : DayKey }\nmeasure m { for app  value count(F where 1️⃣habit.unit == \"km\") }"
    #expect(try #require(hover(reference)).contains("F.habitId : Habit"))
  }

  @Test func recordsPartsCodesAndKeywords() throws {
    #expect(try #require(hover("measure m { for app  value count(1️⃣Event) }")).contains("Built in."))
    let funnel = "funnel f { for user  step a Event where name == \"a\"  step b Event where name == \"b\" }\n"
    #expect(
      try #require(hover(funnel + "measure m { for app  value f.1️⃣b }")).contains(
        "Reached with `Event where name == \"b\"`"))
    #expect(
      try #require(hover("measure m { for app  allow 1️⃣W006 \"x\"  value count(Event) }")).contains(
        "W006 missing-doc"))
    #expect(try #require(hover("measure m { for app  1️⃣value count(Event) }")).contains("What the metric is."))
    #expect(try #require(hover("measure m { for app  value 1️⃣count(Event) }")).contains("how many facts"))
  }

  @Test func nothingIsKnownOfSpaceAndSigns() {
    #expect(hover("measure m {1️⃣ for app  value 1 }") == nil)
    #expect(hover("// a comment about cou1️⃣nt\n") == nil)
  }

  /// The table of help speaks of all words, and of no others.
  @Test func everyWordHasHelp() {
    #expect(Set(WordHelp.kinds.keys) == Set(Word.declarations))
    #expect(Set(WordHelp.clauses.keys) == Set(Word.clauses))
    #expect(Set(WordHelp.functions.keys) == Set(Functions.all))
  }
}
