import Dispatch

/// Cuts the bytes of a file into tokens with their trivia.
///
/// Every byte ends up in exactly one token or one piece of trivia, whatever the bytes are. A
/// spelling that the language does not have, but whose meaning is plain (`'b1'`, `<>`), becomes the
/// token that was meant, with a finding, so that the parser need not stumble over it.
struct Lexer {
  let source: SourceFile
  let file: Int
  var offset = 0
  /// Of the whole file.
  var trivia: [Trivia] = []
  var tokens: [Token] = []
  /// The keyword that each token would be, where it is one.
  var words: [Word?] = []
  var diagnostics: [Diagnostic] = []
  /// Tokens broken beyond their span: the rest of their line may be part of them, and is not reported.
  var silencing: Set<Int> = []

  init(_ source: SourceFile, file: Int) {
    self.source = source
    self.file = file
  }

  /// What was cut from a text before.
  init(_ source: SourceFile, tokens: [Token], trivia: [Trivia]) {
    self.init(source, file: tokens[0].span.file)
    self.tokens = tokens
    self.trivia = trivia
    words = tokens.map { $0.kind == .identifier ? Word(source.bytes[$0.span.start..<$0.span.end]) : nil }
  }

  /// Runs to the end of the file; the last token is `.endOfFile`.
  mutating func run(inHalves: Bool) {
    reportInvalidUTF8()
    // A mark at the very start of a file is white space.
    if offset == 0, source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      offset = 3
      add(.whitespace, from: 0)
    }
    let middle = offset + (source.bytes.count - offset) / 2
    if inHalves, let line = source.bytes[middle...].firstIndex(of: UInt8(ascii: "\n")) {
      lexHalves(at: line)
    }
    lex(until: source.bytes.count)
    emit(.endOfFile, from: offset)
  }

  private mutating func lex(until end: Int) {
    while offset < end, let byte = peek() {
      if !skipTrivia(byte) { lexToken(byte) }
    }
  }

  /// Cuts both halves of a file at once, since a token ends with its line. Where the first half ends elsewhere, in a
  /// comment of another language, the second is cut again.
  private mutating func lexHalves(at middle: Int) {
    var halves = [self, Lexer(source, file: file)]
    halves[1].offset = middle
    _ = atOnce(&halves) { $1.lex(until: $0 == 0 ? middle : source.bytes.count) }
    self = halves[0]
    guard offset == middle else { return }
    let second = halves[1]
    offset = second.offset
    silencing.formUnion(second.silencing.map { $0 + tokens.count })
    let start = tokens.last?.leadingTrivia.upperBound ?? 0
    for (place, token) in second.tokens.enumerated() {
      let trivia = token.leadingTrivia
      let leading =
        (place == 0 ? start : trivia.lowerBound + self.trivia.count)..<trivia.upperBound + self.trivia.count
      tokens.append(Token(kind: token.kind, span: token.span, leadingTrivia: leading))
    }
    words += second.words
    trivia += second.trivia
    diagnostics += second.diagnostics
  }

  private mutating func lexToken(_ byte: UInt8) {
    switch byte {
    case _ where byte.isLetter || byte == UInt8(ascii: "_"): lexIdentifier()
    case _ where byte.isDigit: lexNumber()
    case UInt8(ascii: "."): if peek(1)?.isDigit == true { lexNumber() } else { lexPunctuation(byte) }
    case UInt8(ascii: "\""): lexString()
    case UInt8(ascii: "'"): lexSingleQuoted()
    case 0x80...: lexNonASCII()
    default: lexPunctuation(byte)
    }
  }

  /// The byte at a distance from the current offset; nil at the end.
  func peek(_ distance: Int = 0) -> UInt8? {
    let place = offset + distance
    return place < source.bytes.count ? source.bytes[place] : nil
  }

  func span(from start: Int) -> Span {
    Span(file: file, start: start, end: offset)
  }

  mutating func skip(while condition: (UInt8) -> Bool) {
    while let byte = peek(), condition(byte) { offset += 1 }
  }

  /// Ends a token that began at `start`.
  mutating func emit(_ kind: TokenKind, from start: Int) {
    let leading = (tokens.last?.leadingTrivia.upperBound ?? 0)..<trivia.count
    tokens.append(Token(kind: kind, span: span(from: start), leadingTrivia: leading))
    words.append(kind == .identifier ? Word(source.bytes[start..<offset]) : nil)
  }

  mutating func report(
    _ code: SyntaxCode, _ message: String, at span: Span, notes: [Note?] = [], fixes: [Fix] = [],
    writing text: String? = nil
  ) {
    guard diagnostics.count <= Diagnostic.mostShown else { return }
    let fixes = text.map { [Fix(replace: span, with: $0)] } ?? fixes
    diagnostics.append(.error(code.code, message, at: span, notes: notes.compactMap(\.self), fixes: fixes))
  }

  /// Takes one piece of trivia; false if a token starts.
  mutating func skipTrivia(_ byte: UInt8) -> Bool {
    let start = offset
    switch byte {
    case UInt8(ascii: "\n"):
      offset += 1
      add(.newline, from: start)
    case UInt8(ascii: "\r") where peek(1) == UInt8(ascii: "\n"):
      offset += 2
      add(.newline, from: start)
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"):
      offset += 1
      skip { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      add(.whitespace, from: start)
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "/"):
      skipLine()
      // Three slashes, not four: a row of slashes is a plain comment.
      let line = source.bytes[start..<offset]
      let isDoc = line.starts(with: "///".utf8) && !line.starts(with: "////".utf8)
      add(isDoc ? .docComment : .comment, from: start)
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      skipBlockComment()
    case UInt8(ascii: "#"):
      skipLine()
      let sign = Span(file: file, start: start, end: start + 1)
      report(
        .foreignComment, "`#` does not start a comment", at: sign, notes: ["comments start with `//`"],
        writing: "//")
      add(.comment, from: start)
    case 0x00..<0x20, 0x7F:
      // Reported once a run.
      skip { ($0 < 0x20 && ![0x09, 0x0A, 0x0D].contains($0)) || $0 == 0x7F }
      report(
        .unexpectedCharacter, "a control character is not allowed here", at: span(from: start), writing: "")
      add(.whitespace, from: start)
    default:
      return false
    }
    return true
  }

  mutating func add(_ kind: TriviaKind, from start: Int) {
    trivia.append(Trivia(kind: kind, span: span(from: start)))
  }

  /// Moves to the end of the line, in front of `\n` or `\r\n`.
  private mutating func skipLine() {
    skip { $0 != UInt8(ascii: "\n") }
    if peek() != nil, source.bytes[offset - 1] == UInt8(ascii: "\r") { offset -= 1 }
  }

  private mutating func skipBlockComment() {
    let start = offset
    offset += 2
    while let byte = peek(), byte != UInt8(ascii: "*") || peek(1) != UInt8(ascii: "/") { offset += 1 }
    offset = min(offset + 2, source.bytes.count)
    report(
      .foreignComment, "`/*` does not start a comment", at: Span(file: file, start: start, end: start + 2),
      notes: ["comments start with `//` and end with the line"])
    add(.comment, from: start)
  }
}

/// Runs a function on each of some values at once, as long files are read in halves.
func atOnce<Value, Result>(_ values: inout [Value], _ body: (Int, inout Value) -> Result) -> [Result] {
  var results: [Result?] = values.map { _ in nil }
  withoutActuallyEscaping(body) { body in
    values.withUnsafeMutableBufferPointer { values in
      results.withUnsafeMutableBufferPointer { results in
        nonisolated(unsafe) let (values, results, body) = (values, results, body)
        DispatchQueue.concurrentPerform(iterations: values.count) { results[$0] = body($0, &values[$0]) }
      }
    }
  }
  return results.compactMap(\.self)
}

extension UInt8 {
  var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  var isLetter: Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self)
  }

  /// Whether the byte may be inside a name.
  package var isNamePart: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}
