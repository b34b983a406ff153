import MetricDiagnostics

extension DiagnosticCode {
  package static let foreignComment = DiagnosticCode("S009", "foreign-comment")
}

extension Lexer {
  /// Takes one piece of trivia; false where a token starts.
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
      add(isDocComment(from: start) ? .docComment : .comment, from: start)
    case UInt8(ascii: "/") where peek(1) == UInt8(ascii: "*"):
      skipBlockComment()
    case UInt8(ascii: "#"):
      skipHashComment()
    case 0x00..<0x20, 0x7F:
      skipControlCharacters()
    default:
      return false
    }
    return true
  }

  mutating func add(_ kind: TriviaKind, from start: Int) {
    trivia.append(Trivia(kind: kind, span: span(from: start)))
  }

  /// A mark at the very start of a file is white space.
  mutating func skipByteOrderMark() {
    guard source.bytes.starts(with: [0xEF, 0xBB, 0xBF]) else { return }
    offset = 3
    add(.whitespace, from: 0)
  }

  /// Three slashes, not four: a row of slashes is a plain comment.
  private func isDocComment(from start: Int) -> Bool {
    let bytes = source.bytes[start..<offset]
    return bytes.starts(with: "///".utf8) && !bytes.starts(with: "////".utf8)
  }

  /// Moves to the end of the line, in front of `\n` or `\r\n`.
  private mutating func skipLine() {
    skip { $0 != UInt8(ascii: "\n") }
    if peek() != nil, source.bytes[offset - 1] == UInt8(ascii: "\r") { offset -= 1 }
  }

  private mutating func skipHashComment() {
    let start = offset
    skipLine()
    let sign = Span(file: file, start: start, end: start + 1)
    report(
      .foreignComment, "`#` does not start a comment", at: sign, notes: [Note("comments start with `//`")],
      fixes: [Fix("write `//`", replace: sign, with: "//")])
    add(.comment, from: start)
  }

  private mutating func skipBlockComment() {
    let start = offset
    offset += 2
    while let byte = peek(), !(byte == UInt8(ascii: "*") && peek(1) == UInt8(ascii: "/")) {
      offset += 1
    }
    offset = min(offset + 2, source.bytes.count)
    report(
      .foreignComment, "`/*` does not start a comment",
      at: Span(file: file, start: start, end: start + 2),
      notes: [Note("comments start with `//` and end with the line")])
    add(.comment, from: start)
  }

  /// Control characters are reported once a run and skipped.
  private mutating func skipControlCharacters() {
    let start = offset
    skip { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D) || $0 == 0x7F }
    if offset == start { offset += 1 }
    let place = span(from: start)
    report(
      .unexpectedCharacter, "a control character is not allowed here", at: place,
      fixes: [Fix("remove it", replace: place, with: "")])
    add(.whitespace, from: start)
  }
}
