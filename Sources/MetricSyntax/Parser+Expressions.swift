/// How tightly an operator binds, loosest first.
enum Precedence: Int, Comparable {
  case or, and, not, comparison, sum, product, operand

  static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

  /// The next tighter one.
  var next: Self { Self(rawValue: rawValue + 1) ?? .operand }
}

/// An operator that follows an operand.
enum InfixOperator {
  case binary(BinaryOperator)
  case membership(negated: Bool)
  case noneTest

  static let signs: [TokenKind: BinaryOperator] = [
    .equal: .equal, .equalEqual: .equal, .notEqual: .notEqual, .less: .less,
    .lessOrEqual: .lessOrEqual, .greater: .greater, .greaterOrEqual: .greaterOrEqual,
    .plus: .plus, .minus: .minus, .star: .times, .slash: .dividedBy,
  ]

  var precedence: Precedence {
    switch self {
    case .binary(let binary): binary.precedence
    case .membership, .noneTest: .comparison
    }
  }
}

extension BinaryOperator {
  package var isComparison: Bool { precedence == .comparison }

  var precedence: Precedence {
    switch self {
    case .or: .or
    case .and: .and
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual: .comparison
    case .plus, .minus: .sum
    case .times, .dividedBy: .product
    }
  }
}

extension ExpressionSyntax {
  /// Whether it compares, asks for membership or for `none`, without parentheses around it.
  package var isComparison: Bool {
    switch kind {
    case .binary(let operation, _, _): operation.isComparison
    case .membership, .isNone: true
    case .number, .string, .boolean, .none, .day, .path, .call, .unary, .conditional, .offset,
      .parenthesized, .missing:
      false
    }
  }
}

/// What keeps the tree of an expression flat enough for everyone who walks it recursively.
enum ExpressionLimit {
  static let nesting = 100
  static let operators = 500
  /// Values of a list: a search for a counterexample reads it for each pair it tries, and so does each statement of SQL.
  static let values = 1000
}

extension Parser {
  /// `if E then E else E`, or operators and operands.
  mutating func parseExpression() -> ExpressionSyntax {
    at(.if) ? parseConditional() : parseOperators(.or)
  }

  /// A chain `if … then … else if … else …`, read in a loop: its length does not count as nesting.
  private mutating func parseConditional() -> ExpressionSyntax {
    guard enter() else { return missingExpression }
    defer { depth -= 1 }
    var arms: [(start: Int, condition: ExpressionSyntax, then: ExpressionSyntax)] = []
    while at(.if), countOperator() {
      let start = index
      advance()
      let condition = parseExpression()
      let then = takeBranch(.then) ? parseExpression() : missingExpression
      arms.append((start, condition, then))
      guard takeBranch(.else) else { break }
    }
    let last = isRecovering ? missingExpression : parseExpression()
    return arms.reversed().reduce(last) { rest, arm in
      ExpressionSyntax(
        .conditional(condition: arm.condition, then: arm.then, else: rest), span(from: arm.start))
    }
  }

  /// `then` or `else`, which no `if` can do without.
  private mutating func takeBranch(_ word: Word) -> Bool {
    if take(word) { return true }
    if !isRecovering {
      expected(
        .expectedExpression, "`\(word.rawValue)`",
        notes: [
          nearNote(among: [.then, .else, .and, .or]), "an `if` needs both branches: `if … then … else …`",
        ])
    }
    return false
  }

  /// Goes one level deeper; false, with a finding, where it is one too many.
  mutating func enter() -> Bool {
    guard depth < ExpressionLimit.nesting else {
      return fail(
        .nestedTooDeeply, "this expression is nested more than \(ExpressionLimit.nesting) levels deep",
        at: current.span, notes: ["move a part of it into a metric of its own"]) ?? false
    }
    depth += 1
    return true
  }

  /// Counts an operator; false, with a finding, where it is one too many.
  mutating func countOperator() -> Bool {
    guard operatorCount < ExpressionLimit.operators else {
      return fail(
        .nestedTooDeeply, "this expression has more than \(ExpressionLimit.operators) operators",
        at: current.span, notes: ["move a part of it into a metric of its own"]) ?? false
    }
    operatorCount += 1
    return true
  }

  /// Operands joined by operators that bind at least as tightly as `minimum`.
  mutating func parseOperators(_ minimum: Precedence) -> ExpressionSyntax {
    let start = index
    var left = parsePrefix(minimum)
    var comparison: Span?
    while true {
      if isForeignOperator(after: left) { return missingExpression }
      wants(.operators(after: left.names.map(\.text)))
      guard let infix = infixAhead(), infix.precedence >= minimum, countOperator() else { return left }
      if infix.precedence == .comparison {
        if let comparison {
          mend(
            .chainedComparison, "comparisons cannot be chained",
            notes: [
              Note("the first one is here", at: .source(comparison)), "join two comparisons with `and`",
            ])
        }
        comparison = current.span
      }
      left = parseInfix(infix, left: left, from: start)
    }
  }

  /// The operator here; in a record a word before `:` or `=` is the next field.
  private func infixAhead() -> InfixOperator? {
    if let binary = InfixOperator.signs[current.kind] { return .binary(binary) }
    if startsField(index) { return nil }
    switch words[index] {
    case .or: return .binary(.or)
    case .and: return .binary(.and)
    case .in: return .membership(negated: false)
    case .not where word(1) == .in || isAskedBehind: return .membership(negated: true)
    case .is: return .noneTest
    // Reported by the lexer.
    case nil where at(.unknown) && currentText == "&&": return .binary(.and)
    case nil where at(.unknown) && currentText == "||": return .binary(.or)
    default: return nil
    }
  }

  private mutating func parseInfix(
    _ infix: InfixOperator, left: ExpressionSyntax, from start: Int
  ) -> ExpressionSyntax {
    let kind: ExpressionKind
    switch infix {
    case .binary(let binary):
      if at(.equal) { mend(.foreignOperator, "`=` does not compare; write `==`", writing: "==") }
      advance()
      let right =
        binary.isComparison
        ? inside(.comparison(left)) { $0.parseOperators(binary.precedence.next) }
        : parseOperators(binary.precedence.next)
      kind = .binary(binary, left, right)
    case .membership(let negated):
      advance()
      if negated { _ = take(.in) }
      let list = inside(.comparison(left)) { $0.parseList() }
      kind = isRecovering ? .missing : .membership(left, list, negated: negated)
    case .noneTest:
      advance()
      let negated = take(.not)
      let note: Note = "`is none` asks whether a value is there; values are compared with `==` and `!=`"
      _ = take(
        .none, orExpect: "`none` after `is`", .expectedExpression, notes: [familiarNote(.operand) ?? note])
      kind = .isNone(left, negated: negated)
    }
    return ExpressionSyntax(kind, span(from: start))
  }

  /// Signs and words before an operand.
  private mutating func parsePrefix(_ minimum: Precedence) -> ExpressionSyntax {
    guard enter() else { return missingExpression }
    defer { depth -= 1 }
    let start = index
    if at(.not) || (at(.unknown) && currentText == "!") {
      if minimum > .not { reportNeedsParentheses("not") }
      advance()
      return ExpressionSyntax(.unary(.not, parseOperators(.not)), span(from: start))
    }
    if take(.minus) {
      return ExpressionSyntax(.unary(.minus, parsePrefix(.operand)), span(from: start))
    }
    if at(.if) {
      reportNeedsParentheses("if")
      return parseConditional()
    }
    return parseOffset(of: parseOperand(), from: start)
  }

  private mutating func reportNeedsParentheses(_ word: String) {
    mend(
      .needsParentheses, "`\(word)` needs parentheses around it here",
      notes: ["it binds more loosely than what comes before it: write `(\(word) …)`"])
  }

  /// `reading_minutes offset 7 days`: only a path can be shifted, and only once.
  private mutating func parseOffset(of operand: ExpressionSyntax, from start: Int) -> ExpressionSyntax {
    var result = operand
    while at(.offset), !startsField(index), countOperator() {
      if result.names.isEmpty {
        mend(
          .offsetOperand, "`offset` shifts only metrics, by name",
          notes: ["shift each metric inside the expression: `a offset 7 days + b offset 7 days`"])
      }
      advance()
      guard let length = parseLength(Units.shifted) else { return result }
      result = ExpressionSyntax(.offset(result, length), span(from: start))
    }
    return result
  }
}
