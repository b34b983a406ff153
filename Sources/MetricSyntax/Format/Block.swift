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
  /// The brace that opens; the last token where there is none.
  var opening: Int
  var items: [Item]
  var mayBeOneLine: Bool

  var closing: Int { tokens.upperBound - 1 }

  init?(_ declaration: Declaration, places: TokenPlaces) {
    tokens = declaration.tokens
    switch declaration {
    case .metric(let metric):
      items = metric.clauses.map { Item($0) }
      mayBeOneLine = true
    case .report(let report):
      items = report.clauses.map { Item($0) }
      mayBeOneLine = true
    case .record(let record):
      items = record.members.map { Item($0, places) }
      mayBeOneLine = true
    case .test(let test):
      items = test.statements.map { Item($0, places) }
      mayBeOneLine = false
    case .language:
      items = []
      mayBeOneLine = true
      opening = declaration.tokens.upperBound - 1
      return
    case .unexpected: return nil
    }
    guard let brace = tokens.first(where: { places.kinds[$0] == .leftBrace }) else { return nil }
    opening = brace
  }
}

extension Block.Item {
  init(_ clause: Clause) {
    tokens = clause.tokens
    expressions = clause.content.expressions
    switch clause.content {
    case .step: role = .step
    case .metrics: role = .list(behind: 1)
    case .slice: role = .list(behind: 2)
    case .overEach: role = .list(behind: 3)
    case .forbidden: role = .verbatim
    default: role = .other
    }
  }

  init(_ member: RecordMember, _ places: TokenPlaces) {
    expressions = member.expressions
    tokens = places.range(of: member.span)
    switch member {
    case .field: role = .field
    case .consent: role = .consent
    case .unexpected: role = .other
    }
  }

  init(_ statement: TestStatement, _ places: TokenPlaces) {
    expressions = statement.expressions
    tokens = places.range(of: statement.span)
    switch statement {
    case .log: role = .log
    case .expect(let expect): role = .expect(hasSubject: expect.subject != nil)
    case .given, .unexpected: role = .other
    }
  }
}

/// Finds the tokens that spans cover.
struct TokenPlaces {
  let kinds: [TokenKind]
  private let starts: [Int: Int]
  private let ends: [Int: Int]

  init(_ tree: SyntaxTree) {
    kinds = tree.tokens.map(\.kind)
    var starts: [Int: Int] = [:]
    var ends: [Int: Int] = [:]
    for (index, token) in tree.tokens.enumerated() where token.kind != .endOfFile {
      starts[token.span.start] = index
      ends[token.span.end] = index + 1
    }
    self.starts = starts
    self.ends = ends
  }

  /// The tokens that a span covers; none if it covers none exactly.
  func range(of span: Span) -> TokenRange {
    guard let start = starts[span.start], let end = ends[span.end], start < end else { return 0..<0 }
    return start..<end
  }
}
