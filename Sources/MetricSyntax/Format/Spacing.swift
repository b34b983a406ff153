/// How many spaces precede a token that does not start a line.
struct Spacing {
  private let tree: SyntaxTree
  /// Signs before their operand.
  private var signs: Set<Int> = []
  /// Parentheses of calls.
  private var calls: Set<Int> = []
  /// Colons between a field and its type.
  private var typeColons: Set<Int> = []
  /// Tokens of lines that are kept as they are.
  private var verbatim: Set<Int> = []

  init(_ tree: SyntaxTree, blocks: [Block], places: TokenPlaces) {
    self.tree = tree
    for item in blocks.flatMap(\.items) {
      switch item.role {
      case .field: typeColons.insert(item.tokens.lowerBound + 1)
      case .verbatim: verbatim.formUnion(item.tokens.dropFirst())
      case .consent, .step, .expect, .log, .list, .other: break
      }
      for expression in item.expressions {
        expression.visit { inner in
          switch inner.kind {
          case .unary(.minus, _): signs.insert(places.range(of: inner.span).lowerBound)
          case .call: calls.insert(places.range(of: inner.span).lowerBound + 1)
          default: break
          }
        }
      }
    }
  }

  func spaces(before place: Int) -> Int {
    guard place > 0 else { return 0 }
    if verbatim.contains(place) { return tree.tokens[place].leadingTrivia.isEmpty ? 0 : 1 }
    let kind = tree.tokens[place].kind
    let previous = tree.tokens[place - 1].kind
    if touchesNext(place - 1, previous, next: kind) { return 0 }
    switch kind {
    case .comma, .dot, .rightParenthesis, .rightBracket: return 0
    case .colon: return typeColons.contains(place) ? 1 : 0
    case .question: return previous == .string ? 1 : 0
    case .leftParenthesis: return calls.contains(place) ? 0 : 1
    case .rightBrace: return previous == .leftBrace ? 0 : 1
    default: return 1
    }
  }

  private func touchesNext(_ place: Int, _ kind: TokenKind, next: TokenKind) -> Bool {
    switch kind {
    case .dot, .leftParenthesis, .leftBracket: true
    // Two signs in a row could be read as something else.
    case .minus: signs.contains(place) && next != .minus
    default: false
    }
  }
}
