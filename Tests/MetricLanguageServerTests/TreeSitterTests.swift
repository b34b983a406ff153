import MetricSyntax
import MetricTestSupport
import Testing

/// The tree-sitter grammar and its highlight queries, held against the parser's words. `Tests/Editors/treesitter.py`
/// runs the real tree-sitter over all definitions and queries.
@Suite struct TreeSitterTests {
  private let words = Set(Word.allCases.map(\.rawValue))

  /// The texts in double quotes that are words.
  private func quotedWords(_ text: String) -> Set<String> {
    Set(text.matches(of: /"([a-z]+)"/).map { String($0.output.1) })
  }

  @Test func wordsOfTheGrammarAreTheParsers() throws {
    let grammar = try Repository.text("Grammar/tree-sitter-metric/grammar.js")
    let rules = grammar.replacing(/field\(\s*"[a-z]+"/, with: "").replacing("name: \"metric\"", with: "")
    #expect(quotedWords(rules) == words)
  }

  /// `best` is a clause of one word, and therefore a node with that name.
  @Test func everyWordHasAColour() throws {
    let queries = try Repository.text("Grammar/tree-sitter-metric/queries/highlights.scm")
    let nodes = Set(queries.matches(of: /\(([a-z]+)\)/).map { String($0.output.1) })
    // `true` and `false` are nodes of their own.
    #expect(quotedWords(queries).union(nodes.intersection(words)) == words.subtracting(["true", "false"]))
  }
}
