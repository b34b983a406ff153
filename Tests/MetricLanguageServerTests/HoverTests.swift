import MetricLanguageServer
import MetricPlan
import MetricSyntax
import MetricTestSupport
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

  @Test func reportShowsItsMetrics() throws {
    let report = "\n/// Both.\nreport 1️⃣pair { title \"A pair\"  every calendar week  metrics run, done }"
    let text = try #require(hover(habits + report))
    for part in ["report pair", "A pair", "Both.", "every week", "- `run`\n- `done`"] {
      #expect(text.contains(part), "\(text)")
    }
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
    #expect(
      try #require(hover("measure m { for app  1️⃣value count(Event) }")).contains(
        "The expression that the metric computes."))
    #expect(try #require(hover("measure m { for app  value 1️⃣count(Event) }")).contains("how many facts"))
    #expect(try #require(hover("measure m { for app  1️⃣value (count(Event)) }")).contains("The expression"))
    #expect(try #require(hover("measure m { for 1️⃣app  value 1 }")).contains("The whole dataset"))
  }

  @Test func nothingIsKnownOfSpaceAndSigns() {
    #expect(hover("measure m {1️⃣ for app  value 1 }") == nil)
    #expect(hover("// a comment about cou1️⃣nt\n") == nil)
  }

  /// `Word.help` is asked for by the compiler; here every word that is written anywhere has to show something.
  @Test func everyWordOfTheDefinitionsHasHelp() throws {
    #expect(Set(WordHelp.functions.keys) == Set(Functions.all))
    #expect(Set(WordHelp.types.keys) == Set(TypeNames.all))
    let paths = ["Definitions", "Tests/Conformance"].flatMap { Repository.files(".metric", under: $0) }
    #expect(paths.count > 40)
    var seen: Set<String> = []
    for path in paths {
      let analysis = analysis(try Repository.text(path))
      let tree = analysis.trees[0]
      for token in analysis.semanticTokens(in: 0) where token.kind == .keyword || token.kind == .type {
        let text = tree.source.text(token.span)
        guard seen.insert(text).inserted else { continue }
        #expect(analysis.hover(in: 0, at: token.span.start) != nil, "`\(text)` in \(path)")
      }
    }
    #expect(seen.count > 80, "\(seen.sorted())")
    #expect(Word.allCases.allSatisfy { $0.help.count > 4 })
  }

  @Test func plainTextHasNoMarkdown() throws {
    let text = "**C401**: `a`\n\n```metric\nstreak s\n```\n\n---\n\nend"
    let client = TestClient(
      ["/w/a.metric": habits],
      capabilities: ["textDocument": ["hover": ["contentFormat": ["plaintext"]]]])
    client.open("/w/a.metric", habits)
    let hover = client.request("textDocument/hover", TestClient.place("/w/a.metric", 8, 17))
    #expect(hover["contents"]["kind"] == "plaintext")
    let shown = hover["contents"]["value"].string ?? text
    #expect(!shown.contains("`") && !shown.contains("**"), "\(shown)")
    #expect(shown.contains("done: completion for habit"))
  }
}
