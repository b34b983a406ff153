import MetricSyntax
import MetricTestSupport
import Testing

/// The table of clauses, held against the parser and the grammar.
@Suite struct ClauseWordTests {
  @Test func examplesAreTheClausesThatTheyShow() {
    for clause in ClauseWord.allCases {
      let kinds = MetricKeyword.allCases.filter(clause.belongs)
      for kind in kinds.isEmpty ? [.measure] : kinds {
        let parsed = Parsed("\(kind.rawValue) m { \(clause.example(in: kind)) }")
        #expect(parsed.messages == "")
        #expect(parsed.metrics.first?.clauses.map(\.word) == [clause])
      }
    }
  }

  /// A clause without a kind is of every metric or of reports.
  @Test func everyClauseHasAnOwner() {
    let owned = ClauseWord.allCases.filter { !$0.owners.isEmpty } + ClauseWord.common
    #expect(owned.count == ClauseWord.allCases.count && Set(owned) == Set(ClauseWord.allCases))
  }

  @Test func theGrammarHasTheSameClauses() throws {
    let grammar = try Grammar(Repository.text("Grammar/metric.ebnf"))
    guard case .choice(let rules) = grammar.rules["clause"] else {
      Issue.record("no rule `clause`")
      return
    }
    let heads = rules.compactMap { rule -> String? in
      guard case .rule(let name) = rule, let node = grammar.rules[name] else { return nil }
      switch node {
      case .text(let word): return word
      case .sequence(let parts): if case .text(let word) = parts[0] { return word } else { return nil }
      case .rule, .words, .choice, .optional, .repeated: return nil
      }
    }
    #expect(Set(heads) == Set(ClauseWord.allCases.compactMap(\.head?.rawValue)))
  }

  @Test func aParserSaysWhatItLooksFor() {
    func awaited(_ text: String) -> [Awaited.Item] {
      let tree = Parsed(text).tree
      let end = tree.tokens.count - 1
      return tree.awaited(behind: 0..<end, at: tree.tokens[end].span).items.map(\.item)
    }
    #expect(awaited("") == [.declaration])
    #expect(awaited("measure m { for ") == [.subject])
    #expect(awaited("streak s { of done  half ") == [.word(.life)])
    #expect(awaited("momentum m { of done  over last 7 ") == [.word(.days), .word(.weeks), .word(.windows)])
    #expect(awaited("measure m { value 1 + ").last == .operand)
    #expect(awaited("measure m { value sum(Read.") == [.part(of: ["Read"])])
    #expect(!awaited("measure m { value count(Read) ").contains(.operand))
    #expect(awaited("measure m { value count(Read) ").contains(.member))
    #expect(awaited("measure m { title \"t\" junk ") == [])
    #expect(awaited("fact F { x : ") == [.type])
    #expect(awaited("test \"t\" { expect m for \"u\" at ") == [.day])
  }
}
