import MetricSyntax
import Testing

@Suite struct DocCommentTests {
  @Test func linesAreJoinedAndLoseOneSpace() {
    let parsed = Parsed("/// One.\n///  Two.\n///\n///Four.\nstreak s { of done }")
    #expect(parsed.messages == "")
    #expect(parsed.metrics.first?.doc == "One.\n Two.\n\nFour.")
  }

  @Test func clausesAndFieldsHaveTheirOwn() {
    let parsed = Parsed(
      "/// r\r\nfact F {\n  /// a\n  a : ID\n  b : ID }\n\n/// m\nstreak s {\n  /// c\n  of done\n}")
    #expect(parsed.messages == "")
    #expect(parsed.records.first?.doc == "r")
    let docs = parsed.records.first?.members.map { (member) -> String? in
      if case .field(let field) = member { field.doc } else { nil }
    }
    #expect(docs == ["a", nil])
    #expect(parsed.metrics.first?.doc == "m")
    #expect(parsed.metrics.first?.clauses.first?.doc == "c")
  }

  @Test func onlyTheLastRunBelongs() {
    let parsed = Parsed("/// lost\n\n/// lost too\n// aside\n/// kept\nstreak s { of done }")
    #expect(parsed.metrics.first?.doc == "kept")
    #expect(parsed.codes == ["W009", "W009"])
  }

  @Test func aBlankLineOrCommentMayStandBetween() {
    let parsed = Parsed("/// kept\n\n// aside\nstreak s { of done }")
    #expect(parsed.messages == "")
    #expect(parsed.metrics.first?.doc == "kept")
  }

  @Test(arguments: [
    "streak s { of done /// x\n}", "streak s { of\n/// x\ndone }", "streak /// x\ns { of done }",
    "test \"t\" {\n/// x\nexpect s at 2026-01-01 = 1 }", "fact F {\n/// x\nconsent none }",
    "streak s { of done }\n/// x", "measure m { value a +\n/// x\nb }",
  ])
  func elsewhereIsAWarning(text: String) {
    let parsed = Parsed(text)
    #expect(parsed.codes == ["W009"])
    #expect(parsed.diagnostics.first?.severity == .warning)
  }

  @Test func brokenPartsAreNotWarnedAboutTwice() {
    #expect(Parsed("streak s {\n/// x\nfoo bar\n/// y\nbaz\n}").codes == ["S014"])
  }
}
