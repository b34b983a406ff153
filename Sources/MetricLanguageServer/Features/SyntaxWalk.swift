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

extension Declaration {
  /// The spans of its clauses, members or statements, each with the expressions in it.
  var members: [(span: Span, expressions: [ExpressionSyntax])] {
    switch self {
    case .metric(let metric): metric.clauses.map { ($0.span, $0.content.expressions) }
    case .report(let report): report.clauses.map { ($0.span, $0.content.expressions) }
    case .record(let record): record.members.map { ($0.span, $0.expressions) }
    case .test(let test): test.statements.map { ($0.span, $0.expressions) }
    case .language, .unexpected: []
    }
  }
}
