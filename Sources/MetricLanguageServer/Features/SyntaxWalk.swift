extension ExpressionSyntax {
  /// The expressions around a span, the outermost first.
  func path(to span: Span) -> [ExpressionSyntax] {
    guard self.span.covers(span) else { return [] }
    return [self] + (children.lazy.map { $0.path(to: span) }.first { !$0.isEmpty } ?? [])
  }
}

extension Span {
  /// The empty span at an offset.
  init(file: Int, at offset: Int) { self.init(file: file, start: offset, end: offset) }

  /// Where a piece of its text is.
  func part(_ piece: Substring) -> Span {
    let start = start + piece.base.utf8.distance(from: piece.base.startIndex, to: piece.startIndex)
    return Span(file: file, start: start, end: start + piece.utf8.count)
  }

  func precedes(_ other: Span) -> Bool { (file, start) < (other.file, other.start) }
}

extension SyntaxTree {
  var comments: [Trivia] { trivia.filter { $0.kind == .comment || $0.kind == .docComment } }

  var records: [RecordDeclaration] {
    declarations.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  var tests: [TestDeclaration] {
    declarations.compactMap { if case .test(let test) = $0 { test } else { nil } }
  }
}
