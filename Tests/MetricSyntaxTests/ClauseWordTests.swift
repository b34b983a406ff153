import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

/// The table of clauses, held against the parser and the grammar.
@Suite struct ClauseWordTests {
  @Test func examplesAreTheClausesThatTheyShow() {
    for clause in ClauseWord.allCases {
      let kinds = MetricKind.allCases.filter(clause.belongs)
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
}
