/// What a token is. Words are all `.identifier`: which of them is a keyword depends on where it is.
package enum TokenKind: String, Hashable, Sendable {
  case identifier, number, string, day
  case leftBrace = "{"
  case rightBrace = "}"
  case leftParenthesis = "("
  case rightParenthesis = ")"
  case leftBracket = "["
  case rightBracket = "]"
  case comma = ","
  case colon = ":"
  case dot = "."
  case question = "?"
  case bar = "|"
  case equal = "="
  case equalEqual = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case star = "*"
  case slash = "/"
  /// Bytes that are not a token of the language; their finding has been reported.
  case unknown
  case endOfFile
}

/// What is between tokens.
package enum TriviaKind: Hashable, Sendable {
  case whitespace
  case newline
  /// `// …` to the end of the line
  case comment
  /// `/// …` to the end of the line
  case docComment
}

package struct Trivia: Hashable, Sendable {
  package var kind: TriviaKind
  package var span: Span
}

/// One token. It has no reference to anything, as there are very many.
package struct Token: Hashable, Sendable {
  package var kind: TokenKind
  package var span: Span
  /// The trivia before it, as indices into `SyntaxTree.trivia`.
  package var leadingTrivia: Range<Int>

  /// Whether it is a sign that opens and closes nothing.
  var isSign: Bool {
    switch kind {
    case .identifier, .number, .string, .day, .leftParenthesis, .rightParenthesis, .leftBracket,
      .rightBracket, .rightBrace, .endOfFile:
      false
    default: true
    }
  }
}
