import MetricDiagnostics
import MetricSyntax
import Testing

/// Right sources, broken at random: the parser must survive, lose nothing and keep its places.
@Suite struct MutationTests {
  @Test(arguments: Examples.all.map(\.name))
  func mutatedTokens(name: String) {
    let text = Examples.all.first { $0.name == name }?.text ?? ""
    var random = SeededRandom(seed: testSeed)
    let pieces = Self.pieces(of: text)
    for round in 0..<400 {
      var mutated = pieces
      for _ in 0...Int.random(in: 0...2, using: &random) { Self.mutate(&mutated, &random) }
      check(mutated.flatMap { $0 }, round)
    }
  }

  /// What a person types: each text is a change of the one before it.
  @Test(arguments: Examples.all.map(\.name))
  func oneChangeAfterTheOther(name: String) {
    let text = Examples.all.first { $0.name == name }?.text ?? ""
    var random = SeededRandom(seed: testSeed &+ 3)
    let right = Self.pieces(of: text)
    var pieces = right
    var last = Parsed(text)
    for round in 0..<200 {
      if random.chance(30) { pieces = right }
      Self.mutate(&pieces, &random)
      last = check(pieces.flatMap { $0 }, round, after: last)
    }
  }

  @Test(arguments: Examples.all.map(\.name))
  func mutatedBytes(name: String) {
    var random = SeededRandom(seed: testSeed &+ 1)
    let bytes = Array((Examples.all.first { $0.name == name }?.text ?? "").utf8)
    for round in 0..<300 {
      var mutated = bytes
      for _ in 0...Int.random(in: 0...4, using: &random) {
        mutated[Int.random(in: mutated.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if random.chance(20) { mutated.removeLast(Int.random(in: 0..<mutated.count, using: &random)) }
      check(mutated, round)
    }
  }

  @Test func noise() {
    var random = SeededRandom(seed: testSeed &+ 2)
    for round in 0..<300 {
      check((0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }, round)
    }
  }

  /// The bytes of each token with its trivia.
  private static func pieces(of text: String) -> [[UInt8]] {
    let tree = Parsed(text).tree
    return tree.tokens.map { token in
      let start = tree.trivia(before: token).first?.span.start ?? token.span.start
      return Array(tree.source.bytes[start..<token.span.end])
    }
  }

  private static func mutate(_ pieces: inout [[UInt8]], _ random: inout SeededRandom) {
    guard pieces.count > 2 else { return }
    let place = Int.random(in: pieces.indices, using: &random)
    let other = Int.random(in: pieces.indices, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0: pieces.remove(at: place)
    case 1: pieces.insert(pieces[place], at: place)
    case 2: pieces.swapAt(place, other)
    case 3: pieces[place] = pieces[other]
    default: pieces.removeLast(pieces.count - max(1, place))
    }
  }

  /// - Parameter last: an earlier version of the text.
  @discardableResult
  private func check(_ bytes: [UInt8], _ round: Int, after last: Parsed? = nil) -> Parsed {
    let parsed = Parsed(bytes: bytes)
    var problem = parsed.tree.invariantViolation
    for diagnostic in parsed.diagnostics {
      guard case .source(let span) = diagnostic.location else { continue }
      if span.start < 0 || span.end > bytes.count || span.end < span.start { problem = "a span lies outside" }
    }
    _ = parsed.messages
    func isSame(_ other: (tree: SyntaxTree, diagnostics: [Diagnostic])) -> Bool {
      other.diagnostics == parsed.diagnostics && other.tree.tokens == parsed.tree.tokens
        && other.tree.trivia == parsed.tree.trivia
        && "\(other.tree.declarations)" == "\(parsed.tree.declarations)"
    }
    if round % 8 == 0, !isSame(parse(parsed.tree.source, file: 0, inHalvesFrom: 0)) {
      problem = "its halves are parsed differently"
    }
    if let last {
      let previous = (last.tree, last.diagnostics)
      let again = parse(parsed.tree.source, file: 0, inHalvesFrom: round % 2 * 1000, previous: previous)
      if !isSame(again) { problem = "it is parsed differently after an earlier version" }
    }
    guard let problem else { return parsed }
    Issue.record(
      "round \(round), METRICC_SEED=\(testSeed): \(problem)\n\(parsed.tree.source.text(0, bytes.count))")
    return parsed
  }
}
