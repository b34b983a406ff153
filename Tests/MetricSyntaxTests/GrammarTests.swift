import MetricSyntax
import MetricTestSupport
import Testing

/// The grammar page and the parser, held against each other.
@Suite struct GrammarTests {
  let grammar: Grammar

  init() throws {
    grammar = try Grammar(Repository.text("Grammar/metric.ebnf"))
  }

  @Test func everyRuleIsDefinedAndUsed() {
    #expect(grammar.loose == [])
  }

  @Test func keywordsOfGrammarAndParserAreTheSame() {
    let known = Set(Word.allCases.map(\.rawValue))
    #expect(grammar.keywords.subtracting(known) == [], "in the grammar, unknown to the parser")
    #expect(known.subtracting(grammar.keywords) == [], "known to the parser, not in the grammar")
  }

  @Test(arguments: [("file", 1000), ("metric", 1000), ("record", 300), ("test", 200)])
  func sentencesParse(rule: String, count: Int) {
    var generator = SentenceGenerator(grammar, seed: testSeed)
    for number in 0..<count {
      let sentence = generator.sentence(from: rule)
      let parsed = Parsed(sentence)
      // A file may declare nothing, and says so.
      let nothing = SyntaxCode.declaresNothing.code
      guard parsed.diagnostics.contains(where: { $0.code != nothing }) else { continue }
      Issue.record(
        "sentence \(number) of `\(rule)`, METRICC_SEED=\(testSeed):\n\(sentence)\n\(parsed.messages)")
      return
    }
  }
}
