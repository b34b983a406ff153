import MetricSyntax

extension ClauseContent {
  /// The expressions of the clause, in the order of the source.
  var expressions: [ExpressionSyntax] {
    switch self {
    case .when(let value), .rest(let value), .value(let value), .target(let value): [value]
    case .subject(_, let condition): [condition].compactMap { $0 }
    case .step(_, let fact), .start(_, let fact), .returns(let fact): [fact.condition].compactMap { $0 }
    case .thresholds(let values): values
    case .every, .of, .best, .previous, .grace, .halfLife, .over, .atLeast, .within, .order, .after, .by,
      .byCohort, .title, .unit, .audience, .deprecated, .allow, .reading, .forbidden, .unexpected:
      []
    }
  }
}

extension RecordMember {
  var expressions: [ExpressionSyntax] {
    guard case .field(let field) = self else { return [] }
    switch field.content {
    case .computed(let value): return [value]
    case .stored(_, _, let modifiers):
      return modifiers.compactMap { if case .min(let value) = $0.kind { value } else { nil } }
    }
  }
}

extension TestStatement {
  var expressions: [ExpressionSyntax] {
    switch self {
    case .given(_, let fields, _): fields.map(\.value)
    case .log(_, let from, _, _): [from]
    case .expect(let expect): [expect.at, expect.value]
    case .unexpected: []
    }
  }
}

extension ExpressionSyntax {
  /// Calls `body` with the expression and everything in it.
  func visit(_ body: (ExpressionSyntax) -> Void) {
    body(self)
    switch kind {
    case .number, .string, .boolean, .none, .day, .path, .missing: break
    case .call(_, let arguments):
      for argument in arguments {
        argument.value.visit(body)
        argument.condition?.visit(body)
      }
    case .unary(_, let operand), .isNone(let operand, _), .offset(let operand, _),
      .parenthesized(let operand):
      operand.visit(body)
    case .binary(_, let left, let right):
      left.visit(body)
      right.visit(body)
    case .membership(let left, let items, _):
      left.visit(body)
      for item in items { item.visit(body) }
    case .conditional(let condition, let then, let otherwise):
      condition.visit(body)
      then.visit(body)
      otherwise.visit(body)
    }
  }
}
