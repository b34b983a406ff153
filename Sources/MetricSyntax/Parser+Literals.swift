import MetricDiagnostics

extension DiagnosticCode {
  package static let expectedNumber = DiagnosticCode("S024", "expected-number")
  package static let expectedText = DiagnosticCode("S025", "expected-text")
  package static let expectedLiteral = DiagnosticCode("S036", "expected-literal")
}

extension Parser {
  /// Takes the current number.
  mutating func takeNumber() -> NumberSyntax {
    if silencing.contains(index) { isRecovering = true }
    defer { advance() }
    let shape = NumberShape(source.bytes[current.span.start..<current.span.end])
    return NumberSyntax(text: shape.text, span: current.span)
  }

  /// Takes the current string.
  mutating func takeString() -> StringSyntax {
    if silencing.contains(index) { isRecovering = true }
    defer { advance() }
    let content = StringContent(source.bytes[current.span.start..<current.span.end])
    return StringSyntax(value: content.value, span: current.span)
  }

  /// Takes the current day.
  mutating func takeDay() -> ExpressionSyntax {
    defer { advance() }
    return ExpressionSyntax(.day(mendedDay(currentText)), current.span)
  }

  mutating func parseNumber(_ what: String) -> NumberSyntax? {
    guard at(.number) else {
      expected(.expectedNumber, what, notes: at(.leftBracket) ? [Note("no brackets: `at 7, 30`")] : [])
      return nil
    }
    return takeNumber()
  }

  mutating func parseString(_ what: String) -> StringSyntax? {
    guard at(.string) else {
      expected(.expectedText, what, notes: textNotes)
      return nil
    }
    return takeString()
  }

  /// `30`, `-2.5`, `80%`
  mutating func parseNumberLiteral(_ what: String) -> ExpressionSyntax {
    let start = index
    let isNegative = take(.minus)
    guard let number = parseNumber(what) else { return missingExpression }
    let value = ExpressionSyntax(.number(number), number.span)
    return isNegative ? ExpressionSyntax(.unary(.minus, value), span(from: start)) : value
  }

  /// A number, text, `true`, `false`, `none` or a day.
  mutating func parseLiteral(_ what: String) -> ExpressionSyntax {
    switch current.kind {
    case .number, .minus: return parseNumberLiteral("a number after `-`")
    case .string:
      let string = takeString()
      return ExpressionSyntax(.string(string), string.span)
    case .day: return takeDay()
    default:
      if let constant = takeConstant() { return constant }
      if at(.identifier), [.comma, .rightBracket, .rightBrace].contains(kind(1)) { return takeBareText() }
      expected(.expectedLiteral, what, notes: textNotes)
      return missingExpression
    }
  }

  /// `ada`, as what was meant by it.
  private mutating func takeBareText() -> ExpressionSyntax {
    let (text, place) = (currentText, current.span)
    mend(
      .expectedLiteral, "a text is written in quotes", at: place,
      fixes: [Fix("write `\"\(text)\"`", replace: place, with: "\"\(text)\"")])
    advance()
    return ExpressionSyntax(.string(StringSyntax(value: text, span: place)), place)
  }

  /// For a word where a text belongs.
  private var textNotes: [Note] {
    at(.identifier) && !isFirstOnLine(index) ? [Note("put the text in quotes")] : []
  }

  /// `true`, `false`, `none`
  mutating func takeConstant() -> ExpressionSyntax? {
    let kind: ExpressionKind
    switch words[index] {
    case .true: kind = .boolean(true)
    case .false: kind = .boolean(false)
    case .some(.none): kind = .none
    default: return nil
    }
    defer { advance() }
    return ExpressionSyntax(kind, current.span)
  }

  /// An operand that is not there.
  var missingExpression: ExpressionSyntax { ExpressionSyntax(.missing, gap) }

  /// Items between commas, at least one; a comma behind the last is reported.
  mutating func parseCommas<Item>(
    until closer: TokenKind?, _ item: (inout Parser) -> Item
  ) -> [Item] {
    var items = [item(&self)]
    while at(.comma), !isRecovering || closer != nil {
      let comma = current.span
      advance()
      if let closer, at(closer) {
        mend(
          .straySeparator, "a comma is not allowed after the last item", at: comma,
          fixes: [Fix("remove it", replace: comma, with: "")])
        break
      }
      items.append(item(&self))
    }
    return items
  }
}
