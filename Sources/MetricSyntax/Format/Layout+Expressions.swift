/// What is too long for a line is broken before operators, the loosest first; each part of a broken
/// expression starts at the column of the expression.
extension Layout {
  mutating func breakLongItems(_ block: Block) {
    for item in block.items where item.role != .verbatim {
      guard let start = lines[item.tokens.lowerBound] else { continue }
      line = (item.tokens.lowerBound, start.column)
      if fits(item.tokens) { continue }
      breakChoices(item)
      breakList(item)
      for expression in item.expressions { place(expression) }
    }
  }

  /// Breaks `"a" | "b"` before a bar that leads its line in the source, or whose text does not fit.
  private mutating func breakChoices(_ item: Block.Item) {
    guard item.role == .field, item.tokens.count > 2 else { return }
    let colon = item.tokens.lowerBound + 1
    let column = column(of: colon)
    for token in item.tokens where places.kinds[token] == .bar {
      if gaps[token].startsLine || !fits(token..<min(token + 2, item.tokens.upperBound)) {
        breakLine(before: token, column: column)
      }
    }
  }

  /// Breaks `metrics a, b` before a part that does not fit, below the first one.
  private mutating func breakList(_ item: Block.Item) {
    guard case .list(let words) = item.role, let first = item.tokens.dropFirst(words).first else { return }
    let column = column(of: first)
    let commas = item.tokens.filter { places.kinds[$0] == .comma }
    for (comma, next) in zip(commas, commas.dropFirst() + [item.tokens.upperBound]) {
      if !fits(comma + 1..<next) { breakLine(before: comma + 1, column: column) }
    }
  }

  private func range(_ expression: ExpressionSyntax) -> TokenRange { places.range(of: expression.span) }

  /// - Parameter hang: how far the lines of a chain go in, after the start of its first operand.
  private mutating func place(_ expression: ExpressionSyntax, hang: Int = 0) {
    let range = range(expression)
    // What a comment pushes to the next line stays at its column.
    if gaps[range.lowerBound].hasComments, lines[range.lowerBound] == nil {
      breakLine(before: range.lowerBound, column: column(of: range.lowerBound))
    }
    if fits(range) { return }
    switch expression.kind {
    case .number, .string, .boolean, .none, .day, .path, .offset, .missing: break
    case .unary(_, let operand), .isNone(let operand, _), .parenthesized(let operand): place(operand)
    case .binary(let operation, _, _): placeChain(expression, operation.precedence, hang)
    case .conditional: placeConditional(expression)
    case .membership(let left, let items, _):
      place(left)
      placeList(items)
    case .call(_, let arguments): placeCall(arguments)
    }
  }

  /// `a or b or c`: each operator starts a line. A chain in the first operand goes in as far as one in
  /// the others, which stand after their operator.
  private mutating func placeChain(_ expression: ExpressionSyntax, _ precedence: Precedence, _ hang: Int) {
    var operands: [ExpressionSyntax] = []
    var rest = expression
    while case .binary(let operation, let left, let right) = rest.kind, operation.precedence == precedence {
      operands.append(right)
      rest = left
    }
    let column = column(of: range(expression).lowerBound) + hang
    place(rest, hang: hang + (operands.last.map { texts[range($0).lowerBound - 1].count + 1 } ?? 0))
    for operand in operands.reversed() {
      breakLine(before: range(operand).lowerBound - 1, column: column)
      place(operand)
    }
  }

  /// `if … then …`, and each `else` on a line of its own; `then` where the arm does not fit.
  private mutating func placeConditional(_ expression: ExpressionSyntax) {
    let column = column(of: range(expression).lowerBound)
    var rest = expression
    while case .conditional(let condition, let then, let otherwise) = rest.kind {
      let start = range(rest).lowerBound
      let arm = start..<range(then).upperBound
      if !fits(arm) {
        place(condition)
        breakLine(before: range(then).lowerBound - 1, column: column)
        place(then)
      }
      breakLine(before: range(otherwise).lowerBound - 1, column: column)
      rest = otherwise
    }
    place(rest)
  }

  /// `count(F where …` and `over …` below the operand.
  private mutating func placeCall(_ arguments: [ArgumentSyntax]) {
    guard let first = arguments.first else { return }
    let column = column(of: range(first.value).lowerBound)
    for (index, argument) in arguments.enumerated() {
      if index > 0 { breakLine(before: range(argument.value).lowerBound, column: column) }
      if fits(places.range(of: argument.span)) { continue }
      place(argument.value)
      if let condition = argument.condition {
        breakLine(before: range(condition).lowerBound - 1, column: column)
        place(condition)
      }
      if argument.over != nil { breakPeriod(argument, column: column) }
    }
  }

  private mutating func breakPeriod(_ argument: ArgumentSyntax, column: Int) {
    let whole = places.range(of: argument.span)
    let start = argument.condition.map { range($0).upperBound } ?? range(argument.value).upperBound
    let over = (start..<whole.upperBound).first { texts[$0] == "over" }
    // Whether a line starts inside of the condition.
    let isTall = argument.condition.map { range($0).dropFirst().contains { lines[$0] != nil } } ?? false
    if let over, isTall || !fits(start..<whole.upperBound) { breakLine(before: over, column: column) }
  }

  /// As many items on a line as fit, below the first.
  private mutating func placeList(_ items: [ExpressionSyntax]) {
    guard let first = items.first else { return }
    let column = column(of: range(first).lowerBound)
    for item in items.dropFirst() where !fits(range(item)) {
      breakLine(before: range(item).lowerBound, column: column)
    }
  }
}
