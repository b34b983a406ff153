import MetricSyntax

extension SyntaxTree {
  /// The first way in which the tree is not lossless or not in order; nil where it is sound.
  ///
  /// A sound tree holds every byte of its source exactly once, in trivia and tokens, ends with
  /// `.endOfFile`, and its declarations cover all tokens but the last, in order.
  var invariantViolation: String? {
    tokenViolation ?? declarationViolation
  }

  private var tokenViolation: String? {
    var end = 0
    for (index, token) in tokens.enumerated() {
      for span in trivia(before: token).map(\.span) + [token.span] {
        guard span.start == end, span.end >= span.start else { return "token \(index) leaves a gap" }
        end = span.end
      }
      let isLast = index == tokens.count - 1
      guard (token.kind == .endOfFile) == isLast else { return "token \(index) is not the end of the file" }
      guard isLast || !(token.span.start == token.span.end) else { return "token \(index) is empty" }
    }
    return end == source.bytes.count ? nil : "the tokens end at \(end) of \(source.bytes.count)"
  }

  private var declarationViolation: String? {
    var end = 0
    for declaration in declarations {
      let range = declaration.tokens
      guard range.lowerBound == end, range.upperBound > end else {
        return "the declaration at token \(range.lowerBound) does not start at token \(end)"
      }
      end = range.upperBound
    }
    return end == tokens.count - 1 ? nil : "the declarations end at token \(end)"
  }
}
