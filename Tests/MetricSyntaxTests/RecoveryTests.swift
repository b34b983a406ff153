import MetricSyntax
import Testing

/// A broken part must not take the others with it.
@Suite struct RecoveryTests {
  @Test(arguments: [
    "every", "every 3", "when", "when count(", "when (a", "when a +", "when a in [", "for 7", "of .",
    "over last",
    "at 1,", "step a", "title", "title \"open", "allow W1", "by", "start", "after 1,", "half", "rest",
    "grace x", "forgive", "forgive 2", "forgive 2 in", "forgive in 3 days",
    "@", ")", "]", "foo bar baz", "where x", "if a then b else c", "value 1 2", "when a == == b",
    "value f(a,, b)",
    "{ a b }", "value not", "evry day", "7", "\"text\"", "unit 7", "value if", "value a is",
    "value a offset x",
  ])
  func aBrokenClauseLosesNoOther(broken: String) {
    let parsed = Parsed(
      "completion a {\n  unit first_unit\n  \(broken)\n  unit last_unit\n}\nstreak b { of a }\n")
    #expect(parsed.diagnostics.count == 1, "\(parsed.messages)")
    let outlines = parsed.metrics.first?.clauses.map(\.outline) ?? []
    #expect(outlines.first == "unit first_unit")
    #expect(outlines.last == "unit last_unit")
    #expect(parsed.metrics.map(\.name.text) == ["a", "b"])
    #expect(parsed.tree.invariantViolation == nil)
  }

  /// Words before a name and signs that nobody knows are of the metric in which they stand, too.
  @Test(arguments: [
    "mesure a { for habit  value 1 }", "measure täglich { for habit  value 1 }",
    "measure A { for habit  value 1 }",
    "measure a { for habit  value 1 && 2 }",
  ])
  func aFindingSaysItsMetric(text: String) {
    let parsed = Parsed("streak first { of b }\n\(text)\nstreak last { of b }\n@\n")
    let name = parsed.metrics[1].name.text
    #expect(parsed.diagnostics.map(\.metric) == [name, nil], "\(parsed.messages)")
  }

  @Test(arguments: [
    "streak { of a }", "streak 7 { of a }", "streak x y { of a }", "streak x { of a", "streek x { of a }",
    "foo",
    "foo { bar } baz", "every day", "fact { id : ID }", "entity E { id : ID", "test { }",
    "test \"t\" { given X { }", "test \"t\" { expect a at 2026-01-01 = }",
    "@@@", "} } }", "measure x", "\"text\"", "completion Done { for a }", "fact f { id : ID }",
  ])
  func aBrokenDeclarationLosesNoOther(broken: String) {
    let parsed = Parsed("streak first { of a }\n\(broken)\nfact Middle { id : ID }\nstreak last { of a }\n")
    #expect(parsed.diagnostics.count == 1, "\(parsed.messages)")
    #expect(parsed.metrics.first?.name.text == "first")
    #expect(parsed.metrics.last?.name.text == "last")
    #expect(parsed.records.last?.name.text == "Middle")
    #expect(parsed.tree.invariantViolation == nil)
  }

  @Test func clausesOnTheSameLineSurvive() {
    let parsed = Parsed("streak s { of 7 best unit days }")
    #expect(parsed.diagnostics.count == 1)
    #expect(parsed.metrics.first?.clauses.map(\.outline) == ["of ", "best", "unit days"])
  }

  @Test func misspelledDeclarationsKeepTheirNames() {
    let parsed = Parsed("completoin done { evry day }")
    #expect(parsed.codes == ["S010", "S014"])
    #expect(parsed.metrics.first?.name.text == "done")
    #expect(parsed.metrics.first?.clauses.map(\.outline) == ["every day"])
  }

  @Test func brokenPartsInsideCallsStayInside() {
    let parsed = Parsed(
      "measure m { value count(Event were x over last 7 days) + sum(F.x where ) over all time }")
    #expect(parsed.diagnostics.count == 1)
    #expect(parsed.metrics.first?.clauses.map(\.outline).last == "over all time")
  }
}
