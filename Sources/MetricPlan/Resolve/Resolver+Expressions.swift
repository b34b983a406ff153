import MetricSyntax

/// Expressions: operators and their types.
extension Resolver {
  func resolve(_ syntax: ExpressionSyntax, in scope: Scope) throws -> Typed {
    try nested(at: syntax.span) { try resolveOneLevel(syntax, in: scope) }
  }

  private func resolveOneLevel(_ syntax: ExpressionSyntax, in scope: Scope) throws -> Typed {
    let span = syntax.span
    return switch syntax.kind {
    case .number, .string, .boolean, .day: try Typed(expression: .literal(literal(syntax)), span: span)
    case .none: Typed(expression: .literal(.none(.int)), span: span, isNone: true)
    case .path(let names): try resolvePath(names, span: span, in: scope)
    case .offset(let operand, let length): try resolveOffset(operand, length, span: span, in: scope)
    case .call(let function, let arguments): try resolveCall(function, arguments, span: span, in: scope)
    case .parenthesized(let inner): try resolve(inner, in: scope)
    case .unary(.minus, let operand): try resolveNegation(operand, span: span, in: scope)
    case .unary(.not, let operand):
      try Typed(
        expression: .not(resolveBool(operand, in: scope, what: "`not`").expression), span: span)
    case .binary: try resolveBinary(syntax, in: scope)
    case .membership(let operand, let list, let negated):
      try resolveMembership(operand, list, negated: negated, span: span, in: scope)
    case .isNone(let operand, let negated):
      try resolveIsNone(operand, negated: negated, span: span, in: scope)
    case .conditional(let condition, let then, let otherwise):
      try resolveConditional(condition, then, otherwise, span: span, in: scope)
    case .missing: throw Reported()
    }
  }

  /// A Bool operand; a bare `none` counts as one.
  func resolveBool(_ syntax: ExpressionSyntax, in scope: Scope, what: String) throws -> Typed {
    try bool(resolve(syntax, in: scope), what: what)
  }

  private func bool(_ operand: Typed, what: String) throws -> Typed {
    var typed = operand
    if typed.isNone { typed.expression = .literal(.none(.bool)) }
    try expect(
      typed.type == .bool, "\(what) takes a Bool", found: typed,
      notes: [
        typed.type.isNumber
          ? "compare it with a number, such as `… >= 1`"
          : typed.literalText != nil
            ? "compare each text, `name == \"a\" or name == \"b\"`, or write `name in [\"a\", \"b\"]`"
            : "compare it, or ask `… is not none`"
      ])
    return typed
  }

  /// An error where an operand is of another type than one that something takes.
  func expect(
    _ isRight: Bool, _ rule: String, found operand: Typed, notes: @autoclosure () -> [Note?] = []
  ) throws {
    try require(
      isRight, .typeMismatch, "\(rule), found \(article(operand.typeName))", at: operand.span,
      notes: notes())
  }

  func article(_ type: String) -> String {
    type == "Int" || type == "Instant" ? "an \(type)" : type == "none" ? type : "a \(type)"
  }

  private func resolveNegation(
    _ operand: ExpressionSyntax, span: Span, in scope: Scope
  ) throws -> Typed {
    var typed = try resolve(operand, in: scope)
    try expect(typed.type.isNumber, "`-` takes a number", found: typed)
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
  private func resolveBinary(_ syntax: ExpressionSyntax, in scope: Scope) throws -> Typed {
    var steps: [(operation: BinaryOperator, left: ExpressionSyntax, right: ExpressionSyntax, span: Span)] = []
    var leftmost = syntax
    while case .binary(let operation, let left, let right) = leftmost.kind {
      steps.append((operation, left, right, leftmost.span))
      leftmost = left
    }
    var result = try? resolve(leftmost, in: scope)
    for (operation, left, right, span) in steps.reversed() {
      let second = try? resolve(right, in: scope)
      // A chain such as `1 < x < 3` has been reported by the parser.
      let isChain = operation.isComparison && left.isComparison
      result = try? isChain ? nil : combine(operation, result, second, span: span)
    }
    guard let result else { throw Reported() }
    return result
  }

  private func combine(
    _ operation: BinaryOperator, _ left: Typed?, _ right: Typed?, span: Span
  ) throws -> Typed {
    switch operation {
    case .and, .or:
      let first = try? left.map { try bool($0, what: "`\(operation.rawValue)`").expression }
      let second = try? right.map { try bool($0, what: "`\(operation.rawValue)`").expression }
      guard let first, let second else { throw Reported() }
      return Typed(expression: operation == .and ? .and(first, second) : .or(first, second), span: span)
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let left, let right else { throw Reported() }
      return try comparison(operation, left, right, span: span)
    case .plus, .minus, .times, .dividedBy:
      guard let left, let right else { throw Reported() }
      return try arithmetic(operation, left, right, span: span)
    }
  }

  private func arithmetic(
    _ operation: BinaryOperator, _ first: Typed, _ second: Typed, span: Span
  ) throws -> Typed {
    if operation == .minus, first.type == .dayKey, second.type == .dayKey {
      return Typed(
        expression: .function(.daysBetween, [first.expression, second.expression]), span: span)
    }
    for operand in [first, second] {
      try expect(
        operand.type.isNumber, "`\(operation.rawValue)` takes numbers", found: operand,
        notes: [operand.type == .dayKey ? "`-` between two days gives their distance" : nil])
    }
    guard let plan = ArithmeticOperator(rawValue: operation.rawValue) else { throw Reported() }
    let isSum = plan == .add || plan == .subtract
    let unit = try isSum ? commonUnit(first, second, operation: operation.rawValue, span: span) : nil
    let widen = plan == .divide || first.type != second.type
    return Typed(
      expression: .arithmetic(
        plan, widen ? first.widened : first.expression, widen ? second.widened : second.expression),
      span: span, unit: unit)
  }

  /// The unit that two operands share; an error where both are declared and differ.
  private func commonUnit(_ left: Typed, _ right: Typed, operation: String, span: Span) throws -> String? {
    guard let one = left.unit, let other = right.unit else { return left.unit ?? right.unit }
    try require(
      one == other, .unitMismatch, "`\(operation)` mixes two units, `\(one)` and `\(other)`", at: span,
      notes: ["the metrics declare their units with `unit`; only equal ones can be added or compared"])
    return one
  }

  private func comparison(
    _ operation: BinaryOperator, _ left: Typed, _ right: Typed, span: Span
  ) throws -> Typed {
    var (first, second) = (left, right)
    try require(
      !first.isNone && !second.isNone, .typeMismatch, "a comparison with `none` is never true", at: span,
      notes: ["write `is none` or `is not none`"])
    try require(
      unify(&first, &second), .typeMismatch,
      "`\(operation.rawValue)` compares \(article(first.typeName)) with \(article(second.typeName))",
      at: span, notes: [quotedNote(first, second)])
    _ = try commonUnit(first, second, operation: operation.rawValue, span: span)
    let isOrder = operation != .equal && operation != .notEqual
    if isOrder, first.type == .text || first.type == .bool {
      throw fail(
        .typeMismatch,
        "there is no order on \(first.typeName); `\(operation.rawValue)` compares numbers or days", at: span)
    }
    try checkChoice(of: first, against: second)
    try checkChoice(of: second, against: first)
    guard let plan = ComparisonOperator(rawValue: operation.rawValue) else { throw Reported() }
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

  /// Brings two operands to one type if possible: numbers are widened, a bare `none` takes the other's type.
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
  private func checkChoice(of literal: Typed, against other: Typed) throws {
    if let text = literal.literalText, let choices = other.choices {
      try checkChoice(text, at: literal.span, among: choices)
    }
  }

  func checkChoice(_ text: String, at span: Span, among choices: [String]) throws {
    try require(
      choices.contains(text), .unknownChoice,
      "`\"\(text)\"` is not among the allowed texts \(quoted(choices.map { "\"\($0)\"" }))", at: span,
      notes: [didYouMean(text, choices)])
  }

  private func resolveMembership(
    _ operand: ExpressionSyntax, _ list: [ExpressionSyntax], negated: Bool, span: Span, in scope: Scope
  ) throws -> Typed {
    let typed = try? resolve(operand, in: scope)
    let literals = list.compactMap { try? literal($0) }
    guard var typed, !operand.isComparison, literals.count == list.count else { throw Reported() }
    if typed.type == .int, literals.contains(where: { $0.type == .decimal }) {
      typed.expression = typed.widened
    }
    let members = try zip(list, literals).map { syntax, literal in
      if case .none = literal {
        throw fail(
          .typeMismatch, "`none` is equal to nothing and cannot be in a list", at: syntax.span,
          notes: ["write `is none`"])
      }
      let member = try require(
        coerce(literal, to: typed.type), .typeMismatch,
        "the list holds \(article(literal.type.name)) and is searched for \(article(typed.typeName))",
        at: syntax.span)
      if case .text(let text) = member, let choices = typed.choices {
        try checkChoice(text, at: syntax.span, among: choices)
      }
      return member
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
  ) throws -> Typed {
    var operand = operand
    while case .parenthesized(let inner) = operand.kind { operand = inner }
    let typed =
      try operand.names.isEmpty
      ? resolve(operand, in: scope)
      : resolvePath(operand.names, span: operand.span, in: scope, allowOpaque: true)
    return Typed(expression: .isNone(typed.expression, negated: negated), span: span)
  }

  private func resolveConditional(
    _ condition: ExpressionSyntax, _ then: ExpressionSyntax, _ otherwise: ExpressionSyntax, span: Span,
    in scope: Scope
  ) throws -> Typed {
    let test = try? resolveBool(condition, in: scope, what: "`if`")
    let first = try? resolve(then, in: scope)
    let second = try? resolve(otherwise, in: scope)
    guard let test, var first, var second else { throw Reported() }
    try require(
      unify(&first, &second), .typeMismatch,
      "the branches of `if` give \(article(first.typeName)) and \(article(second.typeName))", at: span)
    let unit = try commonUnit(first, second, operation: "if", span: span)
    var choices: [String]?
    if let one = choiceTexts(first), let other = choiceTexts(second) {
      choices = one + other.filter { !one.contains($0) }
    }
    return Typed(
      expression: .conditional(condition: test.expression, then: first.expression, else: second.expression),
      span: span, choices: choices, unit: unit, isNone: first.isNone && second.isNone)
  }

  /// The texts that an expression can be: its declared choices, or the literal that it is.
  private func choiceTexts(_ typed: Typed) -> [String]? {
    if case .literal(.text(let text)) = typed.expression { return [text] }
    return typed.isNone ? [] : typed.choices
  }

  /// `least`, `greatest`, `floor`, `weekday`.
  func resolveScalar(
    _ function: Name, _ arguments: [ArgumentSyntax], span: Span, in scope: Scope
  ) throws -> Typed {
    let name = function.text
    let count = name == "least" || name == "greatest" ? 2 : 1
    for argument in arguments {
      try require(
        argument.through == nil && argument.condition == nil && argument.over == nil, .wrongArguments,
        "`\(name)` takes plain values; `where`, `over` and `through` belong to aggregates", at: argument.span)
    }
    try require(
      arguments.count == count, .wrongArguments,
      "`\(name)` takes \(Counting.of(count, "value")), found \(arguments.count)", at: span,
      notes: [
        name == "weekday" ? "write `weekday(day)`" : "write `\(name)(\(count == 1 ? "a" : "a, b"))`"
      ])
    let resolved = arguments.map { try? resolve($0.value, in: scope) }
    guard var first = resolved[0] else { throw Reported() }
    switch name {
    case "floor":
      try expect(first.type.isNumber, "`floor` takes a number", found: first)
      let operand =
        first.type == .decimal ? Expression.function(.floor, [first.expression]) : first.expression
      return Typed(expression: operand, span: span, unit: first.unit)
    case "weekday":
      try expect(first.type == .dayKey, "`weekday` takes a DayKey", found: first)
      return Typed(
        expression: .function(.weekday, [first.expression]), span: span,
        choices: Weekday.allCases.map(\.name))
    default:
      guard var second = resolved[1] else { throw Reported() }
      try expect(
        unify(&first, &second) && first.type.isNumber, "`\(name)` takes numbers",
        found: first.type.isNumber ? second : first)
      let unit = try commonUnit(first, second, operation: name, span: span)
      return Typed(
        expression: .function(name == "least" ? .least : .greatest, [first.expression, second.expression]),
        span: span, unit: unit)
    }
  }
}
