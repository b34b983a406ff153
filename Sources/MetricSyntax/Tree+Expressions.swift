package struct ExpressionSyntax: Sendable {
  package var kind: ExpressionKind
  package var span: Span

  package init(_ kind: ExpressionKind, _ span: Span) {
    self.kind = kind
    self.span = span
  }

  /// The names of a path; none of anything else.
  package var names: [Name] { if case .path(let names) = kind { names } else { [] } }
}

package enum UnaryOperator: String, Sendable {
  case minus = "-"
  case not = "not"
}

package enum BinaryOperator: String, Sendable {
  case or, and
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="
  case plus = "+"
  case minus = "-"
  case times = "*"
  case dividedBy = "/"
}

package indirect enum ExpressionKind: Sendable {
  case number(NumberSyntax)
  case string(StringSyntax)
  case boolean(Bool)
  /// The literal `none`.
  case none
  /// `2026-01-31` as written; whether the date is real is the resolver's question.
  case day(String)
  /// `value`, `habit.kind`, `HabitEntry.value`, `signups.d30.rate`: one name or more
  case path([Name])
  /// `least(a, b)`, `count(HabitEntry where E over last 7 days)`, `percentile(F.x, 95)`
  case call(function: Name, arguments: [ArgumentSyntax])
  case unary(UnaryOperator, ExpressionSyntax)
  case binary(BinaryOperator, ExpressionSyntax, ExpressionSyntax)
  /// `a in [..]`, `a not in [..]`: the list holds literals
  case membership(ExpressionSyntax, [ExpressionSyntax], negated: Bool)
  /// `a is none`, `a is not none`
  case isNone(ExpressionSyntax, negated: Bool)
  case conditional(condition: ExpressionSyntax, then: ExpressionSyntax, else: ExpressionSyntax)
  /// `reading_minutes offset 7 days`; the operand is a path
  case offset(ExpressionSyntax, LengthSyntax)
  /// `( E )`
  case parenthesized(ExpressionSyntax)
  /// An operand that is not there; its finding has been reported. A forbidden word is a plain path.
  case missing
}

/// One argument of a call, with the clauses that an aggregate's source takes.
package struct ArgumentSyntax: Sendable {
  package var value: ExpressionSyntax
  /// `through LINK` or `through field`
  package var through: Name?
  package var condition: ExpressionSyntax?
  package var over: PeriodSyntax?
  package var span: Span
}
