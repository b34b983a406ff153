import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

@Suite struct LexerTests {
  private func kinds(_ text: String) -> [TokenKind] { Parsed(text).tree.tokens.map(\.kind) }

  @Test func everySignIsAToken() {
    #expect(
      kinds("{ } ( ) [ ] , : . ? | = == != < <= > >= + - * /") == [
        .leftBrace, .rightBrace, .leftParenthesis, .rightParenthesis, .leftBracket, .rightBracket,
        .comma, .colon, .dot, .question, .bar, .equal, .equalEqual, .notEqual, .less, .lessOrEqual,
        .greater, .greaterOrEqual, .plus, .minus, .star, .slash, .endOfFile,
      ])
  }

  @Test func literalsAreTokens() {
    #expect(
      kinds("a_1 Abc 12 0.5 80% 1_000 \"x\" 2026-01-31") == [
        .identifier, .identifier, .number, .number, .number, .number, .string, .day, .endOfFile,
      ])
  }

  @Test func subtractionIsNoDay() {
    #expect(kinds("2026-1-31") == [.number, .minus, .number, .minus, .number, .endOfFile])
    #expect(kinds("2026 - 10 - 31") == [.number, .minus, .number, .minus, .number, .endOfFile])
    #expect(kinds("12026-10-31").count == 6)
  }

  @Test func triviaKeepsItsKinds() {
    let tree = Parsed(" \t// a\r\n/// b\n//// c\nx // d").tree
    #expect(
      tree.trivia(before: tree.tokens[0]).map(\.kind) == [
        .whitespace, .comment, .newline, .docComment, .newline, .comment, .newline,
      ])
    #expect(tree.trivia(before: tree.tokens[1]).map(\.kind) == [.whitespace, .comment])
  }

  @Test func byteOrderMarkIsWhiteSpace() {
    let parsed = Parsed("\u{FEFF}streak s { of a }")
    #expect(parsed.messages == "")
    #expect(parsed.metrics.first?.keyword.start == 3)
  }

  @Test func invalidBytesAreReportedOnceALine() {
    let parsed = Parsed(
      bytes: Array("streak s { of a // ".utf8) + [0xFF, 0xFE, 0x0A, 0xC0, 0x0A] + Array("}".utf8))
    #expect(parsed.codes == ["S001", "S001"])
    #expect(parsed.tree.invariantViolation == nil)
  }

  @Test("TEXT-01: overlong and surrogate bytes are not valid UTF-8")
  func overlongAndSurrogateBytesAreNoUTF8() {
    for bytes: [UInt8] in [
      [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82],
    ] {
      #expect(Parsed(bytes: Array("// ".utf8) + bytes).codes == ["S001"])
    }
  }

  @Test(arguments: [
    ("\"\"", ""), ("\"a b\"", "a b"), (#""\"q\" \\ \n\t""#, "\"q\" \\ \n\t"),
    (#""\u{1F4D6}\u{e9}""#, "📖é"), (#""ends in \\""#, "ends in \\"), ("\"'\"", "'"),
  ])
  func stringsAreDecoded(written: String, value: String) {
    guard case .text(let string)? = clauses("title \(written)").first?.content else {
      Issue.record("no title")
      return
    }
    #expect(string.value == value)
  }

  @Test(arguments: [
    ("0", "0"), ("1_000_000", "1000000"), ("0.25", "0.25"), ("1.500000", "1.500000"),
    ("80%", "80%"), ("12.3456%", "12.3456%"), ("1_0.0_1", "10.01"),
  ])
  func numbersLoseOnlyTheirUnderscores(written: String, text: String) {
    #expect(outline(written) == text)
  }

  @Test func wrongLiteralsAreReadAsMeant() {
    let parsed = Parsed("measure m { value 007 + 'b1' + 2026-01-5 + \"a\\q\" }")
    #expect(parsed.diagnostics.count == 4)
    guard case .expression(let value)? = parsed.metrics.first?.clauses.first?.content else { return }
    #expect(value.outline == "(+ (+ (+ 7 \"b1\") 2026-01-05) \"a\")")
  }

  @Test func spansPointAtTheirText() throws {
    let marked = MarkedSource("streak s {\n  of 1️⃣done2️⃣.fraction3️⃣\n}")
    let parsed = Parsed(marked.text)
    guard case .of(let path)? = parsed.metrics.first?.clauses.first?.content else {
      Issue.record("no clause")
      return
    }
    #expect(path.span.start == marked["1️⃣"])
    #expect(path.names.first?.span.end == marked["2️⃣"])
    #expect(path.span.end == marked["3️⃣"])
  }

  @Test func theFileIndexIsInEverySpan() {
    let (tree, diagnostics) = parse(SourceFile(path: "b.metric", text: "streak s { of 7 }"), file: 3)
    #expect(tree.tokens.allSatisfy { $0.span.file == 3 })
    guard case .source(let span)? = diagnostics.first?.location else {
      Issue.record("no place")
      return
    }
    #expect(span.file == 3)
    #expect(diagnostics.first?.metric == "s")
  }
}
