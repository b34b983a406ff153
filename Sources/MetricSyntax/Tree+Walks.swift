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
    case .record(.field(let field)): field.content.expressions
    case .record: []
    case .statement(let statement): statement.expressions
    }
  }
}

extension FieldContent {
  fileprivate var expressions: [ExpressionSyntax] {
    switch self {
    case .computed(let value): [value]
    case .stored(_, _, let modifiers):
      modifiers.compactMap { if case .min(let value) = $0.kind { value } else { nil } }
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

  var doc: String? {
    switch self {
    case .metric(let metric): metric.doc
    case .record(let record): record.doc
    case .test(let test): test.doc
    case .report(let report): report.doc
    case .language(let language): language.doc
    case .unexpected: nil
    }
  }

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
