import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

/// Whatever is formatted keeps its tokens, comments and meaning, and formatting it again changes nothing.
@Suite struct IdentityTests {
  @Test(arguments: Repository.definitions)
  func everyDefinitionOfTheRepository(path: String) throws {
    #expect(Verdict(of: try Repository.text(path)) == .sound)
  }

  @Test(arguments: [("file", 400), ("metric", 400), ("record", 200), ("test", 200)])
  func sentencesOfTheGrammar(rule: String, count: Int) throws {
    for seed in seeds(1, from: 20_260_131) {
      var generator = SentenceGenerator(try Grammar(Repository.text("Grammar/metric.ebnf")), seed: seed)
      for number in 0..<count {
        let sentence = generator.sentence(from: rule)
        let verdict = Verdict(of: sentence)
        guard verdict != .sound else { continue }
        Issue.record("sentence \(number) of `\(rule)`, METRICC_SEED=\(seed): \(verdict)\n\(sentence)")
        return
      }
    }
  }

  @Test(arguments: Repository.definitions)
  func definitionsWithOtherWhiteSpaceAndMoreComments(path: String) throws {
    let text = try Repository.text(path)
    if hasAntiPatternClause(text) { return }
    for seed in seeds(1) {
      var random = SeededGenerator(seed: seed)
      let scattered = scatter(text, &random)
      let verdict = Verdict(of: scattered)
      if verdict == .sound { continue }
      Issue.record("\(path), \(random.replay): \(verdict)\n\(scattered)")
      return
    }
  }

  /// Sentences hold words of the anti-patterns, which end with their line: not each can be scattered.
  @Test func sentencesWithOtherWhiteSpaceAndMoreComments() throws {
    let grammar = try Grammar(Repository.text("Grammar/metric.ebnf"))
    for seed in seeds(1, from: 7) {
      var generator = SentenceGenerator(grammar, seed: seed)
      var random = SeededGenerator(seed: seed)
      var soundCount = 0
      for _ in 0..<400 {
        let scattered = scatter(generator.sentence(from: "metric"), &random)
        switch Verdict(of: scattered) {
        case .sound: soundCount += 1
        case .unparsable: continue
        case .wrong(let reason):
          Issue.record("\(random.replay): \(reason)\n\(scattered)")
          return
        }
      }
      #expect(soundCount > 200)
    }
  }

  /// What the layout makes of a text does not depend on the white space in it, but for the line breaks
  /// that it says it looks at.
  @Test(arguments: Repository.definitions)
  func spacesDoNotMatter(path: String) throws {
    let text = try Repository.text(path)
    let tree = parse(SourceFile(path: path, text: text), file: 0).tree
    var wide = ""
    for token in tree.tokens {
      for piece in tree.trivia(before: token) {
        wide += piece.kind == .whitespace ? " \t " : tree.source.text(piece.span)
      }
      wide += tree.source.text(token.span)
    }
    #expect(formatted(wide) == formatted(text))
  }

  /// Clauses of the anti-patterns end with their line, so white space means something there.
  private func hasAntiPatternClause(_ text: String) -> Bool {
    let tree = parse(SourceFile(path: "test.metric", text: text), file: 0).tree
    return tree.declarations.contains { declaration in
      guard case .metric(let metric) = declaration else { return false }
      return metric.clauses.contains { if case .forbidden = $0.content { true } else { false } }
    }
  }

  /// The tokens of a text with other things between them.
  private func scatter(_ text: String, _ random: inout SeededGenerator) -> String {
    let tree = parse(SourceFile(path: "test.metric", text: text), file: 0).tree
    let gaps = [
      " ", " ", " ", "  ", "\t", "\n", "\r\n", "\n\n\n", " // aside\n", "\n// above\n", "\n\n  // far\n\n",
      " /// trailing\n", "\n/// doc\n", "\n\n/// one\n/// two  \n\n", " /// behind\n/// below\n",
      "\n////\r\n",
    ]
    // A text without many comments has many places where one may go wrong by itself.
    let percent = random.pick([2, 10, 50, 100])
    var scattered = ""
    for token in tree.tokens {
      if random.chance(percent) {
        scattered += random.pick(gaps)
      } else {
        for piece in tree.trivia(before: token) { scattered += tree.source.text(piece.span) }
      }
      scattered += tree.source.text(token.span)
    }
    return scattered
  }
}
