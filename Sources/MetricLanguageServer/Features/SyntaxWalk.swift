extension ExpressionSyntax {
  /// The expressions around a span, the outermost first.
  func path(to span: Span) -> [ExpressionSyntax] {
    guard self.span.covers(span) else { return [] }
    return [self] + (children.lazy.map { $0.path(to: span) }.first { !$0.isEmpty } ?? [])
  }
}

extension SyntaxTree {
  var records: [RecordDeclaration] {
    declarations.compactMap { if case .record(let record) = $0 { record } else { nil } }
  }

  var tests: [TestDeclaration] {
    declarations.compactMap { if case .test(let test) = $0 { test } else { nil } }
  }
}
