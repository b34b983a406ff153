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

/// What is between the braces of a declaration.
package enum Member: Sendable {
  case clause(Clause)
  case record(RecordMember)
  case statement(TestStatement)

  package var span: Span {
    switch self {
    case .clause(let clause): clause.span
    case .record(.field(let field)): field.span
    case .record(.consent(let consent)): consent.span
    case .statement(.expect(let expect)): expect.span
    case .statement(.given(_, _, let span)), .statement(.log(_, _, _, let span)),
      .record(.unexpected(let span)), .statement(.unexpected(let span)):
      span
    }
  }

  var doc: String? {
    switch self {
    case .clause(let clause): clause.doc
    case .record(.field(let field)): field.doc
    case .record, .statement: nil
    }
  }

  package var expressions: [ExpressionSyntax] {
    switch self {
    case .clause(let clause): clause.content.expressions
    case .record(.field(let field)):
      switch field.content {
      case .computed(let value): [value]
      case .stored(_, _, let modifiers):
        modifiers.compactMap { if case .min(let value) = $0.kind { value } else { nil } }
      }
    case .statement(.given(_, let fields, _)): fields.map(\.value)
    case .statement(.log(_, let from, _, _)): [from]
    case .statement(.expect(let expect)): [expect.at, expect.value]
    case .record, .statement: []
    }
  }
}

extension Declaration {
  package var members: [Member] {
    switch self {
    case .metric(let metric): metric.clauses.map(Member.clause)
    case .report(let report): report.clauses.map(Member.clause)
    case .record(let record): record.members.map(Member.record)
    case .test(let test): test.statements.map(Member.statement)
    case .language, .unexpected: []
    }
  }

  /// The doc comment above it, its tokens and what they cover.
  private var extent: (doc: String?, tokens: TokenRange, span: Span) {
    switch self {
    case .metric(let metric): (metric.doc, metric.tokens, metric.span)
    case .record(let record): (record.doc, record.tokens, record.span)
    case .test(let test): (test.doc, test.tokens, test.span)
    case .report(let report): (report.doc, report.tokens, report.span)
    case .language(let language): (language.doc, language.tokens, language.span)
    case .unexpected(let tokens, let span): (nil, tokens, span)
    }
  }

  var doc: String? { extent.doc }
  package var tokens: TokenRange { extent.tokens }
  package var span: Span { extent.span }
}
