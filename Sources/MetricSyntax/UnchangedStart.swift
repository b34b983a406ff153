/// What an earlier parse of a file leaves for the next one: the declarations before the first change, with their tokens.
///
/// Neither a token nor a declaration depends on those before it, so the parser goes on after them.
struct UnchangedStart {
  let declarations: ArraySlice<Declaration>
  let tokens: ArraySlice<Token>
  let trivia: ArraySlice<Trivia>

  /// Nil where nothing can be taken over. What `findings` are about, in the order of their places, is parsed again.
  init?(of tree: SyntaxTree, _ findings: [Diagnostic], in source: SourceFile) {
    var end = source.bytes.commonPrefix(with: tree.source.bytes)
    if case .source(let place)? = findings.first?.location { end = min(end, place.start) }
    // One less than there are, since what comes next may decide where a declaration ends.
    declarations = tree.declarations.prefix { $0.span.end < end }.dropLast()
    guard let last = declarations.last else { return nil }
    tokens = tree.tokens[..<last.tokens.upperBound]
    trivia = tree.trivia[..<tree.tokens[last.tokens.upperBound].leadingTrivia.lowerBound]
  }
}

extension [UInt8] {
  fileprivate func commonPrefix(with other: [UInt8]) -> Int {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { other in
        var count = 0
        while count < own.count, count < other.count, own[count] == other[count] { count += 1 }
        return count
      }
    }
  }
}

extension Lexer {
  /// Goes on after tokens that are known.
  mutating func takeOver(_ start: UnchangedStart) {
    offset = start.tokens.last?.span.end ?? 0
    tokens = Array(start.tokens)
    trivia = Array(start.trivia)
    words = start.tokens.map { _ in nil }
  }
}

extension Parser {
  /// Goes on after declarations that are known. Their doc comments have their owners.
  mutating func takeOver(_ start: UnchangedStart) {
    index = start.tokens.count
    claimDocs(from: 0)
  }
}
