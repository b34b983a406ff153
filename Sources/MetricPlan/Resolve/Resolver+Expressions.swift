import MetricSyntax

/// Expressions: operators and their types. Names are in `Resolver+Names.swift`, calls in
/// `Resolver+Aggregates.swift`.
extension Resolver {
  func resolve(_ syntax: ExpressionSyntax, in scope: Scope) -> Typed? {
    nested(at: syntax.span) { resolveOneLevel(syntax, in: scope) }
  }

  private func resolveOneLevel(_ syntax: ExpressionSyntax, in scope: Scope) -> Typed? {
    switch syntax.kind {
    case .number, .string, .boolean, .day:
      guard let literal = literal(syntax) else { return nil }
      return Typed(expression: .literal(literal), span: syntax.span)
    case .none:
      return Typed(expression: .literal(.none(.int)), span: syntax.span, isNone: true)
    case .path(let names):
      return resolvePath(names, span: syntax.span, in: scope, offset: nil)
    case .offset(let operand, let length):
      return resolveOffset(operand, length, span: syntax.span, in: scope)
    case .call(let function, let arguments):
      return resolveCall(function, arguments, span: syntax.span, in: scope)
    case .parenthesized(let inner):
      return resolve(inner, in: scope)
    case .unary(.minus, let operand):
      return resolveNegation(operand, span: syntax.span, in: scope)
    case .unary(.not, let operand):
      guard let typed = resolveBool(operand, in: scope, what: "`not`") else { return nil }
      return Typed(expression: .not(typed.expression), span: syntax.span)
    case .binary:
      return resolveBinary(syntax, in: scope)
    case .membership(let operand, let list, let negated):
      return resolveMembership(operand, list, negated: negated, span: syntax.span, in: scope)
    case .isNone(let operand, let negated):
      return resolveIsNone(operand, negated: negated, span: syntax.span, in: scope)
    case .conditional(let condition, let then, let otherwise):
      return resolveConditional(condition, then, otherwise, span: syntax.span, in: scope)
    case .missing:
      return nil
    }
  }

  /// A Bool operand; a bare `none` counts as one.
  func resolveBool(_ syntax: ExpressionSyntax, in scope: Scope, what: String) -> Typed? {
    resolve(syntax, in: scope).flatMap { bool($0, what: what) }
  }

  private func bool(_ operand: Typed, what: String) -> Typed? {
    var typed = operand
    if typed.isNone { typed.expression = .literal(.none(.bool)) }
    guard typed.type == .bool else {
      return fail(
        .typeMismatch, "\(what) takes a Bool, found \(article(typed.typeName))", at: typed.span,
        notes: [
          typed.type.isNumber
            ? "compare it with a number, such as `… >= 1`"
            : typed.literalText != nil
              ? "compare each text, `name == \"a\" or name == \"b\"`, or write `name in [\"a\", \"b\"]`"
              : "compare it, or ask `… is not none`"
        ])
    }
    return typed
  }

  func article(_ type: String) -> String {
    type == "Int" || type == "Instant" ? "an \(type)" : type == "none" ? type : "a \(type)"
  }

  private func resolveNegation(_ operand: ExpressionSyntax, span: Span, in scope: Scope) -> Typed? {
    guard var typed = resolve(operand, in: scope) else { return nil }
    guard typed.type.isNumber else {
      return fail(.typeMismatch, "`-` takes a number, found \(article(typed.typeName))", at: typed.span)
    }
    switch typed.expression {
    case .literal(.int(let value)): typed.expression = .literal(.int(-value))
    case .literal(.decimal(let value)):
      typed.expression = .literal(.decimal(FixedDecimal(millionths: -value.millionths)))
    // Only a literal takes its sign.
    default: typed.expression = .negated(typed.expression)
    }
    typed.span = span
    return typed
  }

  /// A chain such as `a + b + c`, from left to right without going deeper.
  private func resolveBinary(_ syntax: ExpressionSyntax, in scope: Scope) -> Typed? {
    var steps: [(operation: BinaryOperator, left: ExpressionSyntax, right: ExpressionSyntax, span: Span)] = []
    var leftmost = syntax
    while case .binary(let operation, let left, let right) = leftmost.kind {
      steps.append((operation, left, right, leftmost.span))
      leftmost = left
    }
    var result = resolve(leftmost, in: scope)
    for (operation, left, right, span) in steps.reversed() {
      let second = resolve(right, in: scope)
      // A chain such as `1 < x < 3` has been reported by the parser.
      let isChain = operation.isComparison && left.isComparison
      result = isChain ? nil : combine(operation, result, second, span: span)
    }
    return result
  }

  private func combine(_ operation: BinaryOperator, _ left: Typed?, _ right: Typed?, span: Span) -> Typed? {
    switch operation {
    case .and, .or:
      let first = left.flatMap { bool($0, what: "`\(operation.rawValue)`") }
      let second = right.flatMap { bool($0, what: "`\(operation.rawValue)`") }
      guard let first, let second else { return nil }
      return Typed(
        expression: operation == .and
          ? .and(first.expression, second.expression) : .or(first.expression, second.expression),
        span: span)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let left, let right else { return nil }
      return comparison(operation, left, right, span: span)
    case .plus, .minus, .times, .dividedBy:
      guard let left, let right else { return nil }
      return arithmetic(operation, left, right, span: span)
    }
  }

  private func arithmetic(
    _ operation: BinaryOperator, _ first: Typed, _ second: Typed, span: Span
  ) -> Typed? {
    if operation == .minus, first.type == .dayKey, second.type == .dayKey {
      return Typed(
        expression: .function(.daysBetween, [first.expression, second.expression]), span: span)
    }
    for operand in [first, second] where !operand.type.isNumber {
      return fail(
        .typeMismatch, "`\(operation.rawValue)` takes numbers, found \(article(operand.typeName))",
        at: operand.span, notes: [operand.type == .dayKey ? "`-` between two days gives their distance" : nil]
      )
    }
    guard let plan = ArithmeticOperator(rawValue: operation.rawValue) else { return nil }
    var unit: String?
    if plan == .add || plan == .subtract {
      guard let common = commonUnit(first, second, operation: operation.rawValue, span: span) else {
        return nil
      }
      unit = common.unit
    }
    let widen = plan == .divide || first.type != second.type
    return Typed(
      expression: .arithmetic(
        plan, widen ? first.widened : first.expression, widen ? second.widened : second.expression),
      span: span, unit: unit)
  }

  /// The unit that two operands share; nil, reported, where both are declared and differ.
  private func commonUnit(
    _ left: Typed, _ right: Typed, operation: String, span: Span
  ) -> (unit: String?, Void)? {
    if let one = left.unit, let other = right.unit, one != other {
      return fail(
        .unitMismatch, "`\(operation)` mixes two units, `\(one)` and `\(other)`", at: span,
        notes: ["the metrics declare their units with `unit`; only equal ones can be added or compared"])
    }
    return (left.unit ?? right.unit, ())
  }

  private func comparison(_ operation: BinaryOperator, _ left: Typed, _ right: Typed, span: Span) -> Typed? {
    var (first, second) = (left, right)
    if first.isNone || second.isNone {
      return fail(
        .typeMismatch, "a comparison with `none` is never true", at: span,
        notes: ["write `is none` or `is not none`"])
    }
    guard unify(&first, &second) else {
      return fail(
        .typeMismatch,
        "`\(operation.rawValue)` compares \(article(first.typeName)) with \(article(second.typeName))",
        at: span, notes: [quotedNote(first, second)])
    }
    guard commonUnit(first, second, operation: operation.rawValue, span: span) != nil else { return nil }
    let isOrder = operation != .equal && operation != .notEqual
    if isOrder, first.type == .text || first.type == .bool {
      return fail(
        .typeMismatch,
        "there is no order on \(first.typeName); `\(operation.rawValue)` compares numbers or days",
        at: span)
    }
    guard checkChoice(of: first, against: second), checkChoice(of: second, against: first) else { return nil }
    guard let plan = ComparisonOperator(rawValue: operation.rawValue) else { return nil }
    return Typed(expression: .comparison(plan, first.expression, second.expression), span: span)
  }

  /// A literal in quotes where a day or a number was meant.
  private func quotedNote(_ left: Typed, _ right: Typed) -> Note? {
    guard let text = left.literalText ?? right.literalText else {
      if [left, right].contains(where: { $0.type == .dayKey }),
        [left, right].contains(where: \.type.isNumber)
      {
        return "a day is written like `2026-01-31`; the difference of two days is a number"
      }
      return (left.choices ?? right.choices)?.first.map { "it is compared with a text, such as `\"\($0)\"`" }
    }
    let other = left.literalText == nil ? left : right
    let isMeant = other.type == .dayKey ? DayKey(text) != nil : other.type.isNumber && Double(text) != nil
    return isMeant ? "write `\(text)` without the quotes" : nil
  }

  /// Brings two operands to one type where that is possible: numbers are widened, a bare `none`
  /// takes the other's type.
  func unify(_ left: inout Typed, _ right: inout Typed) -> Bool {
    if left.isNone, !right.isNone { left.expression = .literal(.none(right.type)) }
    if right.isNone, !left.isNone { right.expression = .literal(.none(left.type)) }
    if left.type == right.type { return true }
    guard left.type.isNumber, right.type.isNumber else { return false }
    left.expression = left.widened
    right.expression = right.widened
    return true
  }

  /// A text literal must be one of the texts that the other side can be.
  private func checkChoice(of literal: Typed, against other: Typed) -> Bool {
    guard case .literal(.text(let text)) = literal.expression, let choices = other.choices else {
      return true
    }
    return checkChoice(text, at: literal.span, among: choices)
  }

  func checkChoice(_ text: String, at span: Span, among choices: [String]) -> Bool {
    guard !choices.contains(text) else { return true }
    let listed = choices.map { "\"\($0)\"" }
    return fail(
      .unknownChoice, "`\"\(text)\"` is not among the allowed texts \(quoted(listed))", at: span,
      notes: [didYouMean(text, choices)])
  }

  private func resolveMembership(
    _ operand: ExpressionSyntax, _ list: [ExpressionSyntax], negated: Bool, span: Span, in scope: Scope
  ) -> Typed? {
    let typed = resolve(operand, in: scope)
    let literals = list.map { ($0, literal($0)) }
    guard var typed, !operand.isComparison, literals.allSatisfy({ $0.1 != nil }) else { return nil }
    let hasDecimal = literals.contains { if case .decimal = $0.1 { true } else { false } }
    if typed.type == .int, hasDecimal { typed.expression = typed.widened }
    var members: [Literal] = []
    for (syntax, literal) in literals {
      guard let literal else { return nil }
      guard case .none = literal else {
        guard let member = coerce(literal, to: typed.type) else {
          return fail(
            .typeMismatch,
            "the list holds \(article(literal.type.name)) and is searched for \(article(typed.typeName))",
            at: syntax.span)
        }
        if case .text(let text) = member, let choices = typed.choices,
          !checkChoice(text, at: syntax.span, among: choices)
        {
          return nil
        }
        members.append(member)
        continue
      }
      return fail(
        .typeMismatch, "`none` is equal to nothing and cannot be in a list", at: syntax.span,
        notes: ["write `is none`"])
    }
    return Typed(expression: .membership(typed.expression, members, negated: negated), span: span)
  }

  /// The literal as a value of a type, or nil where it is none of it.
  func coerce(_ literal: Literal, to type: ValueType) -> Literal? {
    switch (literal, type) {
    case (.none, _): .some(.none(type))
    case (.int(let value), .decimal): FixedDecimal(value).map { .decimal($0) }
    case (.decimal(let value), .int) where value.isWhole:
      .int(value.millionths / FixedDecimal.scale)
    default: literal.type == type ? literal : nil
    }
  }

  private func resolveIsNone(
    _ operand: ExpressionSyntax, negated: Bool, span: Span, in scope: Scope
  ) -> Typed? {
    var operand = operand
    while case .parenthesized(let inner) = operand.kind { operand = inner }
    let typed: Typed?
    if case .path(let names) = operand.kind {
      typed = resolvePath(names, span: operand.span, in: scope, offset: nil, allowOpaque: true)
    } else {
      typed = resolve(operand, in: scope)
    }
    return typed.map { Typed(expression: .isNone($0.expression, negated: negated), span: span) }
  }

  private func resolveConditional(
    _ condition: ExpressionSyntax, _ then: ExpressionSyntax, _ otherwise: ExpressionSyntax, span: Span,
    in scope: Scope
  ) -> Typed? {
    let test = resolveBool(condition, in: scope, what: "`if`")
    let first = resolve(then, in: scope)
    let second = resolve(otherwise, in: scope)
    guard let test, var first, var second else { return nil }
    guard unify(&first, &second) else {
      return fail(
        .typeMismatch,
        "the branches of `if` give \(article(first.typeName)) and \(article(second.typeName))", at: span)
    }
    guard let unit = commonUnit(first, second, operation: "if", span: span) else { return nil }
    var choices: [String]?
    if let one = choiceTexts(first), let other = choiceTexts(second) {
      choices = one + other.filter { !one.contains($0) }
    }
    return Typed(
      expression: .conditional(condition: test.expression, then: first.expression, else: second.expression),
      span: span, choices: choices, unit: unit.unit, isNone: first.isNone && second.isNone)
  }

  /// The texts that an expression can be: its declared choices, or the literal that it is.
  private func choiceTexts(_ typed: Typed) -> [String]? {
    if case .literal(.text(let text)) = typed.expression { return [text] }
    return typed.isNone ? [] : typed.choices
  }

  /// `least`, `greatest`, `floor`, `weekday`.
  func resolveScalar(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span, in scope: Scope
  ) -> Typed? {
    let count = function.text == "least" || function.text == "greatest" ? 2 : 1
    for argument in arguments
    where argument.through != nil || argument.condition != nil || argument.over != nil {
      return fail(
        .wrongArguments,
        "`\(function.text)` takes plain values; `where`, `over` and `through` belong to aggregates",
        at: argument.span)
    }
    guard arguments.count == count else {
      return fail(
        .wrongArguments, "`\(function.text)` takes \(Counting.of(count, "value")), found \(arguments.count)",
        at: span,
        notes: [
          function.text == "weekday"
            ? "write `weekday(day)`" : "write `\(function.text)(\(count == 1 ? "a" : "a, b"))`"
        ])
    }
    let resolved = arguments.map { resolve($0.value, in: scope) }
    guard var first = resolved[0] else { return nil }
    switch function.text {
    case "floor":
      guard first.type.isNumber else {
        return fail(.typeMismatch, "`floor` takes a number, found \(article(first.typeName))", at: first.span)
      }
      let operand =
        first.type == .decimal ? Expression.function(.floor, [first.expression]) : first.expression
      return Typed(expression: operand, span: span, unit: first.unit)
    case "weekday":
      guard first.type == .dayKey else {
        return fail(
          .typeMismatch, "`weekday` takes a DayKey, found \(article(first.typeName))", at: first.span)
      }
      return Typed(
        expression: .function(.weekday, [first.expression]), span: span,
        choices: Weekday.allCases.map(\.name))
    default:
      guard var second = resolved[1] else { return nil }
      guard unify(&first, &second), first.type.isNumber else {
        let wrong = first.type.isNumber ? second : first
        return fail(
          .typeMismatch, "`\(function.text)` takes numbers, found \(article(wrong.typeName))", at: wrong.span)
      }
      guard let unit = commonUnit(first, second, operation: function.text, span: span) else { return nil }
      let plan: ScalarFunction = function.text == "least" ? .least : .greatest
      return Typed(
        expression: .function(plan, [first.expression, second.expression]), span: span, unit: unit.unit)
    }
  }
}
