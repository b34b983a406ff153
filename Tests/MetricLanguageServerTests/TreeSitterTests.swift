import MetricSyntax
import MetricTestSupport
import Testing

/// The tree-sitter grammar and its highlight queries, held against the parser's words. Whether the grammar
/// parses the definitions is checked by `Tests/Editors/treesitter.py`.
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

  @Test func everyWordHasAColour() throws {
    let queries = try Repository.text("Grammar/tree-sitter-metric/queries/highlights.scm")
    // `true`, `false` and `none` are nodes of their own.
    #expect(quotedWords(queries) == words.subtracting(["true", "false", "none"]))
  }

  /// A query that names a node that the grammar lacks is refused by every editor as a whole.
  @Test func nodesOfTheQueriesExist() throws {
    let grammar = try Repository.text("Grammar/tree-sitter-metric/grammar.js")
    let rules = Set(grammar.matches(of: /(?m)^    ([a-z_]+): \(/).map { String($0.output.1) })
    let fields = Set(grammar.matches(of: /field\(\s*"([a-z]+)"/).map { String($0.output.1) })
    let queries = try Repository.text("Grammar/tree-sitter-metric/queries/highlights.scm")
    let nodes = Set(queries.matches(of: /\(([a-z_]+)/).map { String($0.output.1) }).subtracting(["_"])
    #expect(rules.count > 60)
    #expect(nodes.subtracting(rules) == [])
    #expect(Set(queries.matches(of: #/([a-z]+): /#).map { String($0.output.1) }).subtracting(fields) == [])
    for sign in ["==", "!=", "<=", ">=", "|", "?", ":", ".", "["] where queries.contains("\"\(sign)\"") {
      #expect(grammar.contains("\"\(sign)\""))
    }
  }
}
