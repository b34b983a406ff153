import MetricDiagnostics
import MetricSyntax

extension ExpressionSyntax {
  /// The expressions right below this one, in the order of the source.
  var children: [ExpressionSyntax] {
    switch kind {
    case .number, .string, .boolean, .none, .day, .path, .missing: []
    case .call(_, let arguments): arguments.flatMap { [$0.value] + [$0.condition].compactMap { $0 } }
    case .unary(_, let operand), .membership(let operand, _, _), .isNone(let operand, _),
      .offset(let operand, _), .parenthesized(let operand):
      [operand]
    case .binary(_, let left, let right): [left, right]
    case .conditional(let condition, let then, let otherwise): [condition, then, otherwise]
    }
  }

  /// The expressions around a span, the outermost first.
  func path(to span: Span) -> [ExpressionSyntax] {
    guard self.span.covers(span) else { return [] }
    return [self] + (children.lazy.map { $0.path(to: span) }.first { !$0.isEmpty } ?? [])
  }
}

extension ClauseContent {
  /// The expressions of the clause.
  var expressions: [ExpressionSyntax] {
    switch self {
    case .subject(_, let condition): [condition].compactMap { $0 }
    case .when(let value), .rest(let value), .value(let value), .target(let value): [value]
    case .step(_, let fact), .start(_, let fact), .returns(let fact): [fact.condition].compactMap { $0 }
    default: []
    }
  }
}

extension Declaration {
  var span: Span {
    switch self {
    case .metric(let metric): metric.span
    case .record(let record): record.span
    case .test(let test): test.span
    case .language(let language): language.span
    case .unexpected(_, let span): span
    }
  }

  /// The spans of its clauses, fields or statements, each with the expressions in it.
  var members: [(span: Span, expressions: [ExpressionSyntax])] {
    switch self {
    case .metric(let metric): metric.clauses.map { ($0.span, $0.content.expressions) }
    case .record(let record):
      record.members.compactMap { member in
        guard case .field(let field) = member else { return nil }
        if case .computed(let value) = field.content { return (field.span, [value]) }
        return (field.span, [])
      }
    case .test(let test): test.statements.map { ($0.span, []) }
    case .language, .unexpected: []
    }
  }
}

extension TestStatement {
  var span: Span {
    switch self {
    case .given(_, _, let span), .log(_, _, _, let span), .unexpected(_, let span): span
    case .expect(let expect): expect.span
    }
  }
}

extension Span {
  func covers(_ other: Span) -> Bool { file == other.file && start <= other.start && other.end <= end }
}
