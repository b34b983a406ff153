/// Which expressions a node of the tree holds.
extension ExpressionSyntax {
  /// The expressions right below this one, in the order of the source.
  package var children: [ExpressionSyntax] {
    switch kind {
    case .number, .string, .boolean, .none, .day, .path, .missing: []
    case .call(_, let arguments): arguments.flatMap { [$0.value] + [$0.condition].compactMap { $0 } }
    case .unary(_, let operand), .isNone(let operand, _), .offset(let operand, _),
      .parenthesized(let operand):
      [operand]
    case .binary(_, let left, let right): [left, right]
    case .membership(let left, let items, _): [left] + items
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    }
  }

  /// Calls `body` with the expression and everything in it, in the order of the source.
  package func visit(_ body: (ExpressionSyntax) -> Void) {
    body(self)
    for child in children { child.visit(body) }
  }
}

extension ClauseContent {
  /// The expressions of the clause, in the order of the source.
  package var expressions: [ExpressionSyntax] {
    switch self {
    case .expression(let value), .limit(let value, _): [value]
    case .subject(_, let condition): [condition].compactMap { $0 }
    case .step(_, let fact), .start(_, let fact), .fact(let fact): [fact.condition].compactMap { $0 }
    case .thresholds(let values, _): values
    case .nothing, .text, .number, .length, .name, .every, .of, .forgive, .over, .overEach, .atLeast, .after,
      .by, .slice, .tags, .approved, .metrics, .stepDays, .allow, .forbidden, .unexpected:
      []
    }
  }
}

extension RecordMember {
  package var expressions: [ExpressionSyntax] {
    guard case .field(let field) = self else { return [] }
    switch field.content {
    case .computed(let value): return [value]
    case .stored(_, _, let modifiers):
      return modifiers.compactMap { if case .min(let value) = $0.kind { value } else { nil } }
    }
  }

  package var span: Span {
    switch self {
    case .field(let field): field.span
    case .consent(let consent): consent.span
    case .unexpected(_, let span): span
    }
  }
}

extension TestStatement {
  package var expressions: [ExpressionSyntax] {
    switch self {
    case .given(_, let fields, _): fields.map(\.value)
    case .log(_, let from, _, _): [from]
    case .expect(let expect): [expect.at, expect.value]
    case .unexpected: []
    }
  }

  package var span: Span {
    switch self {
    case .given(_, _, let span), .log(_, _, _, let span), .unexpected(_, let span): span
    case .expect(let expect): expect.span
    }
  }
}

extension Declaration {
  package var tokens: TokenRange {
    switch self {
    case .metric(let metric): metric.tokens
    case .record(let record): record.tokens
    case .test(let test): test.tokens
    case .report(let report): report.tokens
    case .language(let language): language.tokens
    case .unexpected(let range, _): range
    }
  }

  package var span: Span {
    switch self {
    case .metric(let metric): metric.span
    case .record(let record): record.span
    case .test(let test): test.span
    case .report(let report): report.span
    case .language(let language): language.span
    case .unexpected(_, let span): span
    }
  }
}
