extension Parser {
  mutating func parseTest(from start: Int, doc: String?) -> TestDeclaration {
    surroundings = .test
    let name = parseString("the name of the test as a text") ?? StringSyntax(value: "", span: gap)
    var statements: [TestStatement] = []
    _ = parseBraces(of: "statement") { statements.append($0.parseStatement()) }
    return TestDeclaration(
      doc: doc, name: name, statements: statements, span: span(from: start), tokens: start..<index)
  }

  private mutating func parseStatement() -> TestStatement {
    let start = index
    var statement: TestStatement?
    if let word = statementWord() {
      advance()
      statement =
        word == .given
        ? parseGiven(from: start) : word == .log ? parseLog(from: start) : parseExpect(from: start)
    } else {
      fail(
        .expectedStatement, "expected `given`, `log` or `expect`, found \(found)", at: current.span,
        notes: [familiarNote(.statement)])
      advancePastJunk()
    }
    recover()
    if let statement { return statement }
    claimDocs(from: start)
    return .unexpected(span(from: start))
  }

  /// The word of the statement; a misspelled one is reported and the rest read as if corrected.
  private mutating func statementWord() -> Word? {
    let candidates: [Word] = [.given, .log, .expect]
    if at(anyOf: candidates) { return words[index] }
    let meant = mendWord(to: candidates, .expectedStatement, "a statement of a test")
    isRecovering = meant != nil
    return meant
  }

  private mutating func parseGiven(from start: Int) -> TestStatement? {
    let record = parseName("the name of a record", .record)
    let opening = index
    guard take(.leftBrace) else {
      return expected(
        .unbalancedBrace, "`{` and the fields of the record",
        notes: ["write `given \(record.text) { id: \"1\", dayKey: 2026-01-01 }`"])
    }
    let fields = at(.rightBrace) ? [] : parseGivenFields(of: record.text)
    if !take(.rightBrace) {
      expected(
        .unbalancedBrace, "`,` or `}`",
        notes: [Note("the braces open here", at: .source(tokens[opening].span))])
      skipToBoundary()
      // The closing brace of the `given`, if it comes before the next statement.
      let closesGiven = kind(1) == .rightBrace || Self.statementWords.contains(word(1))
      if at(.rightBrace), closesGiven { advance() }
    }
    return .given(record: record, fields: fields, span: span(from: start))
  }

  private mutating func parseGivenFields(of record: String) -> [GivenField] {
    var fields: [GivenField] = []
    repeat {
      let comma = index > 0 ? tokens[index - 1].span : gap
      if at(.rightBrace) {
        mend(.straySeparator, "a comma is not allowed after the last item", at: comma, writing: "")
        break
      }
      guard let field = parseGivenField(of: record) else { break }
      fields.append(field)
    } while takeGivenComma()
    return fields
  }

  private mutating func parseGivenField(of record: String) -> GivenField? {
    let name: Name
    inside(.given(record: record, field: "")) { $0.wants(.given) }
    if at(.string), kind(1) == .colon {
      let key = StringContent(source.bytes[current.span.start..<current.span.end]).value
      mend(.expectedName, "the name of a field is written without quotes", writing: key)
      name = Name(key, current.span)
      advance()
    } else if at(.identifier), !startsDeclaration(index) {
      name = takeName()
    } else {
      return expected(.expectedName, "the name of a field")
    }
    if !take(.colon) {
      guard at(.equal) else {
        expected(.expectedSign, "`:` after the field `\(name.text)`")
        return GivenField(name: name, value: missingExpression)
      }
      mend(.expectedSign, "a field is given with `:`, not `=`", writing: ":")
      advance()
    }
    let value = inside(.given(record: record, field: name.text)) {
      $0.parseLiteral("a literal as the value of `\(name.text)`")
    }
    return GivenField(name: name, value: value)
  }

  /// A comma between fields; one that is missing before the next field is reported.
  private mutating func takeGivenComma() -> Bool {
    if isRecovering { return false }
    if take(.comma) { return true }
    guard at(.identifier), kind(1) == .colon else { return false }
    mend(.expectedSign, "expected `,` between two fields", at: gap, writing: ",")
    return true
  }

  private mutating func parseLog(from start: Int) -> TestStatement? {
    let place = Awaited.Frame.option(.log)
    guard let subject = inside(place, { $0.parseString("the subject as a text") }) else { return nil }
    let example: Note = "write `log \"read\" from 2026-01-01 \"##.#\"`"
    guard take(.from, orExpect: "`from` and the first day", notes: [example]) else { return nil }
    let day = parseDay()
    let pattern = inside(.option(.from)) { $0.parseString("the pattern as a text, like `\"### #..\"`") }
    return pattern.map { .log(subject: subject, from: day, pattern: $0, span: span(from: start)) }
  }

  mutating func parseDay() -> ExpressionSyntax {
    wants(.day)
    if current.kind == .day { return takeDay() }
    return expected(.expectedLiteral, "a day like `2026-01-31`") ?? missingExpression
  }

  private mutating func parseExpect(from start: Int) -> TestStatement {
    let metric = parseName("the name of a metric", .metric)
    let subject = parseOption(.for, "the subject as a text")
    var group = [parseOption(.group, "the group as a text")].compactMap { $0 }
    while !group.isEmpty, take(.comma), let text = parseString("the text of the next field") {
      group.append(text)
    }
    let part = parseOption(.part, "the part as a text")
    let order = "`expect NAME for \"subject\" group \"g\" part \"p\" at DAY = VALUE`"
    let isAt = take(
      .at, orExpect: "`at` and a day",
      notes: [at(.dot) ? "a part of a metric is written `part \"fraction\"`" : "the order is \(order)"])
    let day = isAt ? parseDay() : missingExpression
    takeExpectEqual()
    return .expect(
      ExpectStatement(
        metric: metric, subject: subject, group: group, part: part, at: day,
        value: parseLiteral("a literal"), span: span(from: start)))
  }

  private mutating func parseOption(_ word: Word, _ what: String) -> StringSyntax? {
    take(word) ? inside(.option(word)) { $0.parseString(what) } : nil
  }

  private mutating func takeExpectEqual() {
    if take(.equal) { return }
    guard at(.equalEqual) else {
      expected(.expectedSign, "`=` and the value")
      return
    }
    mend(.expectedSign, "an expectation is written with one `=`", writing: "=")
    advance()
  }
}
