/// A piece of text with what it is, for colouring.
package struct SemanticToken: Hashable, Sendable {
  /// In the order of the legend.
  package enum Kind: Int, CaseIterable, Sendable {
    case keyword, comment, string, number, `operator`, type, `class`, function, property, enumMember, variable
  }

  /// In the order of the legend.
  package enum Modifier: Int, CaseIterable, Sendable {
    case declaration, documentation, defaultLibrary, deprecated, readonly
  }

  package var span: Span
  package var kind: Kind
  package var modifiers: Set<Modifier> = []
}

extension Analysis {
  /// What each token and comment of a file is, in their order.
  package func semanticTokens(in file: Int) -> [SemanticToken] {
    let tree = trees[file]
    let known = Dictionary(names.occurrences(in: file).map { ($0.span.start, $0) }) { first, _ in first }
    let written = tree.writtenNames
    let comments = tree.comments.map { comment in
      SemanticToken(
        span: comment.span, kind: .comment, modifiers: comment.kind == .docComment ? [.documentation] : [])
    }
    let tokens = tree.tokens.compactMap { token -> SemanticToken? in
      switch token.kind {
      case .identifier:
        known[token.span.start].map { classified($0, token.span) }
          ?? classified(token.span, written[token.span.start])
      case .string: SemanticToken(span: token.span, kind: .string)
      case .number, .day: SemanticToken(span: token.span, kind: .number)
      case .equal, .equalEqual, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .plus, .minus,
        .star, .slash, .bar, .question:
        SemanticToken(span: token.span, kind: .operator)
      case .leftBrace, .rightBrace, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket, .comma,
        .colon, .dot, .unknown, .endOfFile:
        nil
      }
    }
    return (comments + tokens).sorted { $0.span.start < $1.span.start }
  }

  /// A name that the resolver followed.
  private func classified(_ occurrence: NameOccurrence, _ span: Span) -> SemanticToken {
    var token = SemanticToken(span: span, kind: .function)
    if occurrence.isDeclaration { token.modifiers.insert(.declaration) }
    switch occurrence.target {
    case .metric(let name):
      if metrics[name]?.clause(.deprecated) != nil { token.modifiers.insert(.deprecated) }
    case .record(let id):
      token.kind = .class
      if plan.records[id].isBuiltIn { token.modifiers.insert(.defaultLibrary) }
    case .field(let reference):
      token.kind = .property
      if plan[reference].computed != nil { token.modifiers.insert(.readonly) }
      if plan[reference].span.file == builtInFile { token.modifiers.insert(.defaultLibrary) }
    case .report: token.kind = .variable
    // The word of a clause may make a part.
    case .part:
      let isWord = ["target", "at", "after", "order", "days", "forgive"].contains(text(span))
      token.kind = isWord ? .keyword : .enumMember
    }
    return token
  }

  /// A word that the resolver did not follow.
  private func classified(_ span: Span, _ name: WrittenName?) -> SemanticToken {
    let text = text(span)
    return switch name {
    case .function: SemanticToken(span: span, kind: .function, modifiers: [.defaultLibrary])
    case .type where TypeNames.all.contains(text):
      SemanticToken(span: span, kind: .type, modifiers: [.defaultLibrary])
    case .name, .type: SemanticToken(span: span, kind: text.first?.isUppercase == true ? .class : .variable)
    case nil: SemanticToken(span: span, kind: Word(rawValue: text) == nil ? .variable : .keyword)
    }
  }
}
