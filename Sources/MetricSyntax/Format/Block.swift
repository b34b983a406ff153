/// A declaration as the layout sees it: a header, and items between braces.
struct Block {
  struct Item {
    var tokens: TokenRange
    var role: Role
    var expressions: [ExpressionSyntax]
  }

  /// What an item lines up with, where it is among others of its kind.
  enum Role: Equatable {
    case field
    case consent
    case step
    case expect(hasSubject: Bool)
    case log
    /// `metrics a, b`: the parts after a number of words.
    case list(behind: Int)
    /// A word of the anti-patterns: the line is kept as it is.
    case verbatim
    case other
  }

  var tokens: TokenRange
  var items: [Item]
  var mayBeOneLine: Bool

  var closing: Int { tokens.upperBound - 1 }

  /// Nil for what could not be parsed.
  init?(_ declaration: Declaration, places: TokenPlaces) {
    if case .unexpected = declaration { return nil }
    tokens = declaration.tokens
    items = declaration.members.map { Item($0, places) }
    mayBeOneLine = if case .test = declaration { false } else { true }
  }
}

extension Block.Item {
  init(_ member: Member, _ places: TokenPlaces) {
    tokens = places.range(of: member.span)
    expressions = member.expressions
    role =
      switch member {
      case .clause(let clause): Block.Role(clause.content)
      case .record(.field): .field
      case .record(.consent): .consent
      case .statement(.log): .log
      case .statement(.expect(let expect)): .expect(hasSubject: expect.subject != nil)
      case .record(.unexpected), .statement(.given), .statement(.unexpected): .other
      }
  }
}

extension Block.Role {
  fileprivate init(_ content: ClauseContent) {
    switch content {
    case .step: self = .step
    case .metrics: self = .list(behind: 1)
    case .slice: self = .list(behind: 2)
    case .overEach: self = .list(behind: 3)
    case .forbidden: self = .verbatim
    default: self = .other
    }
  }
}

struct TokenPlaces {
  let kinds: [TokenKind]
  private var starts: [Int: Int] = [:]
  private var ends: [Int: Int] = [:]

  init(_ tree: SyntaxTree) {
    kinds = tree.tokens.map(\.kind)
    for (index, token) in tree.tokens.enumerated() where token.kind != .endOfFile {
      starts[token.span.start] = index
      ends[token.span.end] = index + 1
    }
  }

  /// The tokens that a span covers; none if it covers none exactly.
  func range(of span: Span) -> TokenRange {
    guard let start = starts[span.start], let end = ends[span.end], start < end else { return 0..<0 }
    return start..<end
  }
}
