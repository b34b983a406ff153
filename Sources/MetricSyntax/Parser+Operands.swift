extension Parser {
  mutating func parseOperand() -> ExpressionSyntax {
    let start = index
    switch current.kind {
    case .number, .string, .day:
      return parseLiteral("an expression")
    case .identifier where !isMissingOperand:
      return takeConstant() ?? parsePathOrCall()
    case .leftParenthesis:
      advance()
      let inner = parseExpression()
      close(.rightParenthesis, openedAt: start, .unclosedParenthesis, "`)`")
      return ExpressionSyntax(.parenthesized(inner), span(from: start))
    case .leftBracket:
      fail(.misplacedList, "a list is allowed only after `in` or `not in`", at: current.span)
      _ = parseList()
      return ExpressionSyntax(.missing, span(from: start))
    default:
      wants(.operand)
      let isComparison = InfixOperator.signs[current.kind]?.isComparison == true
      return expected(
        .expectedExpression, "an expression",
        notes: [isComparison ? "a comparison has two sides: `a >= 1 and a <= 5`" : familiarNote(.sign)])
        ?? missingExpression
    }
  }

  /// Whether the word here is not an operand: it starts what comes next, since what follows it could not stand after an
  /// operand. So `value` `over last 7 days` lacks its operand, while in `value over` the word is a name.
  private var isMissingOperand: Bool {
    if startsClause(index) { return true }
    if startsField(index) { return kind(1) == .colon || isFirstOnLine(index) }
    guard let word = words[index], Word.operators.contains(word) else { return false }
    switch kind(1) {
    case .number, .string, .day: return true
    case .identifier: return self.word(1)?.followsOperand != true && !startsField(ahead(1))
    default: return false
    }
  }

  private mutating func parsePathOrCall() -> ExpressionSyntax {
    let start = index
    var names = [takeName()]
    if at(.leftParenthesis) { return parseCall(names[0], from: start) }
    parsePathTail(&names)
    while takeIndexedField(&names) { parsePathTail(&names) }
    if names.count == 1, words[start] == .day { isWritten(names[0], as: nil) }
    if at(.leftParenthesis), let last = names.last, !isFirstOnLine(index) {
      let operand = names.dropLast().map(\.text).joined(separator: ".")
      let note =
        FamiliarWord.note(last.text, as: .function)
        ?? "a function comes before its operand: `\(last.text)(\(operand))`"
      return fail(
        .foreignOperator, "\(quoted(last.text)) cannot be called on a field", at: last.span, notes: [note])
        ?? missingExpression
    }
    return ExpressionSyntax(.path(names), span(from: start))
  }

  /// `["a", "b"]` after a word: literals between commas, at least one.
  mutating func parseList(of word: Word = .in) -> [ExpressionSyntax] {
    let opening = index
    if at(.leftParenthesis) || at(.leftBrace) { return parseForeignList() }
    guard take(.leftBracket) else {
      return expected(
        .expectedLiteral, "a list in `[` and `]`",
        notes: [
          at(.last)
            ? "a period follows `over`: `count(Record where … over last 7 days)`"
            : "`\(word.rawValue)` takes a list of literals, like `\(word.rawValue) [\"a\", \"b\"]`"
        ]) ?? []
    }
    let items = parseCommas(until: .rightBracket) { $0.parseLiteral("a literal in the list") }
    if items.count > ExpressionLimit.values {
      fail(
        .nestedTooDeeply, "this list has more than \(ExpressionLimit.values) values",
        at: items[ExpressionLimit.values].span,
        notes: ["what so many have in common is a field of their own: `where event.isVisit`"])
    }
    close(.rightBracket, openedAt: opening, .unclosedParenthesis, "`,` or `]`")
    return items
  }

  /// `("a", "b")`, as SQL writes it.
  private mutating func parseForeignList() -> [ExpressionSyntax] {
    let (opening, closer) = (index, at(.leftParenthesis) ? TokenKind.rightParenthesis : .rightBrace)
    advance()
    guard [.string, .number, .day].contains(current.kind) else {
      return fail(
        .expectedLiteral, "expected a list in `[` and `]`, found \(quoted(text(opening)))",
        at: tokens[opening].span, notes: ["`in` takes a list of literals, like `in [\"a\", \"b\"]`"]) ?? []
    }
    let items = parseCommas(until: closer) { $0.parseLiteral("a literal in the list") }
    let (inside, closing) = (source.text(tokens[opening].span.end, current.span.start), current.span)
    guard take(closer) else {
      close(closer, openedAt: opening, .unclosedParenthesis, "`,` or a closing sign")
      return items
    }
    let place = tokens[opening].span.union(closing)
    mend(
      .expectedLiteral, "a list is written in `[` and `]`, not in \(quoted(text(opening)))", at: place,
      writing: "[\(inside)]")
    return items
  }

  private mutating func parseCall(_ function: Name, from start: Int) -> ExpressionSyntax {
    let opening = index
    isWritten(function, as: .function)
    advance()
    var arguments: [ArgumentSyntax] = []
    if !at(.rightParenthesis) {
      var count = 0
      arguments = parseCommas(until: .rightParenthesis) { parser in
        defer { count += 1 }
        return parser.inside(.call(function.text, argument: count)) { $0.parseArgument() }
      }
    }
    close(.rightParenthesis, openedAt: opening, .unclosedParenthesis, "`)`")
    return ExpressionSyntax(.call(function: function, arguments: arguments), span(from: start))
  }

  /// `E [through X] [where E] [over P]`, in this order.
  private mutating func parseArgument() -> ArgumentSyntax {
    let start = index
    var argument = ArgumentSyntax(
      value: parseSource(), through: nil, condition: nil, over: nil, span: gap)
    let source = argument.value.names.first?.text ?? ""
    inside(.rows(of: source)) { $0.parseParts(of: &argument) }
    argument.span = span(from: start)
    return argument
  }

  private mutating func parseParts(of argument: inout ArgumentSyntax) {
    wants(Self.callWords)
    var last = -1
    while let word = words[index], let rank = Self.callWords.firstIndex(of: word), !startsField(index) {
      if rank <= last { reportCallOrder(word, after: Self.callWords[last]) }
      advance()
      switch word {
      case .through: argument.through = parseName("a link or a field after `through`", .route)
      case .where: argument.condition = parseExpression()
      default: argument.over = parsePeriod()
      }
      last = rank
      wants(Array(Self.callWords[(rank + 1)...]))
    }
  }

  /// What a function is called with; `*` and `distinct x` are SQL.
  private mutating func parseSource() -> ExpressionSyntax {
    if at(.star), kind(1) == .rightParenthesis {
      return fail(
        .expectedExpression, "expected a record, found `*`", at: current.span,
        notes: ["write `count(Record)`, such as `count(Event)`"]) ?? missingExpression
    }
    if currentText.lowercased() == "distinct", kind(1) == .identifier, word(1)?.followsOperand != true {
      return fail(
        .foreignOperator, "`distinct` is a separate function", at: current.span,
        notes: ["write `distinct(Record.field)`, without `count`"]) ?? missingExpression
    }
    return parseExpression()
  }

  private static let callWords: [Word] = [.through, .where, .over]

  private mutating func reportCallOrder(_ word: Word, after last: Word) {
    if word == last {
      mend(
        .callOrder, "`\(word.rawValue)` appears twice in one call",
        notes: word == .where ? ["join two conditions with `and`"] : [])
    } else {
      mend(
        .callOrder, "`\(word.rawValue)` comes before `\(last.rawValue)` in a call",
        notes: ["the order is `through … where … over …`"])
    }
  }

  mutating func takeNumber() -> NumberSyntax {
    if silencing.contains(index) { isRecovering = true }
    defer { advance() }
    let shape = NumberShape(source.bytes[current.span.start..<current.span.end])
    return NumberSyntax(text: shape.text, span: current.span)
  }

  mutating func takeString() -> StringSyntax {
    if silencing.contains(index) { isRecovering = true }
    defer { advance() }
    let content = StringContent(source.bytes[current.span.start..<current.span.end])
    return StringSyntax(value: content.value, span: current.span)
  }

  mutating func takeDay() -> ExpressionSyntax {
    defer { advance() }
    return ExpressionSyntax(.day(mendedDay(currentText)), current.span)
  }

  mutating func parseNumber(_ what: String) -> NumberSyntax? {
    guard at(.number) else {
      return expected(.expectedNumber, what, notes: at(.leftBracket) ? ["no brackets: `at 7, 30`"] : [])
    }
    return takeNumber()
  }

  mutating func parseString(_ what: String) -> StringSyntax? {
    wants(.text)
    return at(.string) ? takeString() : expected(.expectedText, what, notes: textNotes)
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
      if at(.identifier), [.comma, .rightBracket, .rightBrace].contains(kind(1)) {
        // `ada`, as what was meant by it.
        let text = StringSyntax(value: currentText, span: current.span)
        mend(.expectedLiteral, "a text is written in quotes", writing: "\"\(text.value)\"")
        advance()
        return ExpressionSyntax(.string(text), text.span)
      }
      wants(.literal)
      return expected(.expectedLiteral, what, notes: textNotes) ?? missingExpression
    }
  }

  /// For a word where a text belongs.
  private var textNotes: [Note] {
    at(.identifier) && !isFirstOnLine(index) ? ["put the text in quotes"] : []
  }

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

  var missingExpression: ExpressionSyntax { ExpressionSyntax(.missing, gap) }

  /// Items between commas, at least one; a comma after the last is reported.
  mutating func parseCommas<Item>(
    until closer: TokenKind?, _ item: (inout Parser) -> Item
  ) -> [Item] {
    var items = [item(&self)]
    while at(.comma), !isRecovering || closer != nil {
      let comma = current.span
      advance()
      if let closer, at(closer) {
        mend(.straySeparator, "a comma is not allowed after the last item", at: comma, writing: "")
        break
      }
      items.append(item(&self))
    }
    return items
  }
}
