import Testing

@testable import MetricLanguageServer

/// Symbols, folding, colours, hints, lenses.
@Suite struct OutlineTests {
  static let text = """
    // One line,
    // and another.

    /// A book.
    entity Book {
      id : ID
      level : "a" | "b" ?
    }
    fact Read setting { id : ID  bookId : Book  dayKey : DayKey  twice = 2 }
    /// A way.
    funnel way {
      for user
      step one Event
      step two Event where name == "x"
      deprecated "use other"
    }
    test "two words" { expect way part "one" at 2026-01-01 = 0 }
    test "more words" { expect way part "two" at 2026-01-01 = 0 }
    """

  @Test func symbols() {
    let symbols = analysis(Self.text).trees[0].symbols
    #expect(symbols.map(\.name) == ["Book", "Read", "way", "two words", "more words"])
    #expect(symbols.map(\.kind) == [.entity, .fact, .metric, .test, .test])
    #expect(symbols[0].children.map(\.name) == ["id", "level"])
    #expect(symbols[0].children.map(\.detail) == [": ID", ": \"a\" | \"b\" ?"])
    #expect(symbols[2].children.map(\.name) == ["one", "two"])
    #expect(symbols.map(\.isDeprecated) == [false, false, true, false, false])
  }

  @Test(arguments: [("bk", true), ("BOOK", true), ("kb", false), ("", true), ("b k", true)])
  func lettersInOrder(query: String, isMatch: Bool) {
    #expect(analysis(Self.text).trees[0].symbols[0].matches(query) == isMatch)
  }

  @Test func testsMatchTheirWords() {
    let test = analysis(Self.text).trees[0].symbols[3]
    #expect(test.matches("o Wo"))
    #expect(!test.matches("tw" + "wo"))
  }

  @Test func folding() {
    let text = DocumentText(Self.text)
    let ranges = analysis(Self.text).trees[0].foldingRanges(in: text)
    #expect(
      ranges == [
        FoldingRange(firstLine: 0, lastLine: 1, isComment: true),
        FoldingRange(firstLine: 4, lastLine: 7, isComment: false),
        FoldingRange(firstLine: 10, lastLine: 15, isComment: false),
      ])
  }

  @Test func semanticTokens() {
    let analysis = analysis(
      "/// Doc.\nmeasure m { // why\n  for habit  unit km  value sum(HabitEntry.value where value > 1.5)\n}\n"
    )
    let tokens = analysis.semanticTokens(in: 0).map { "\(analysis.texts([$0.span])[0]) \($0.kind)" }
    #expect(
      tokens == [
        "/// Doc. comment", "measure keyword", "m function", "// why comment", "for keyword", "habit class",
        "unit keyword", "km variable", "value keyword", "sum function", "HabitEntry class", "value property",
        "where keyword", "value property", "> operator", "1.5 number",
      ])
    let declared = analysis.semanticTokens(in: 0)[2]
    #expect(declared.modifiers == [.declaration])
    #expect(analysis.semanticTokens(in: 0)[0].modifiers == [.documentation])
  }

  @Test func deprecatedAndBuiltIn() {
    let analysis = analysis(Self.text)
    let tokens = analysis.semanticTokens(in: 0)
    #expect(tokens.first { analysis.texts([$0.span]) == ["way"] }?.modifiers == [.declaration, .deprecated])
    #expect(tokens.first { analysis.texts([$0.span]) == ["Event"] }?.modifiers == [.defaultLibrary])
    #expect(tokens.first { analysis.texts([$0.span]) == ["twice"] }?.modifiers == [.declaration, .readonly])
    #expect(tokens.first { analysis.texts([$0.span]) == ["DayKey"] }?.kind == .type)
  }

  @Test func inlayHints() {
    let hints = analysis(habits + Self.text).inlayHints(in: 0)
    #expect(hints.map(\.label) == ["Bool, rising", "Int, rising, 0 or more", "2 parts, rising"])
    #expect(hints[1].tooltip == "value: Int, measured, rising, 0 or more, 0 on no data")
  }

  @Test func codeLenses() {
    let analysis = analysis(Self.text)
    #expect(
      analysis.codeLenses(in: 0, hasSample: false).map(\.title) == [
        "run this test", "run this test", "run the 2 tests of this file",
      ])
    #expect(analysis.codeLenses(in: 0, hasSample: true).first?.action == .value(metric: "way"))
    let rejected = "/// R.\nmeasure m { for habit  value average(HabitEntry.value) }\n"
    #expect(MetricLanguageServerTests.analysis(rejected).codeLenses(in: 0, hasSample: true) == [])
  }
}
