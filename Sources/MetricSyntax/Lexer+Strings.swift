import MetricDiagnostics

extension DiagnosticCode {
  package static let unterminatedString = DiagnosticCode("S003", "unterminated-string")
  package static let invalidEscape = DiagnosticCode("S004", "invalid-escape")
  package static let quoteStyle = DiagnosticCode("S007", "quote-style")
}

extension Lexer {
  mutating func lexString() {
    let start = offset
    offset += 1
    skipStringBody(until: UInt8(ascii: "\""))
    if peek() == UInt8(ascii: "\"") {
      offset += 1
      reportEscapes(from: start)
    } else {
      silencing.insert(tokens.count)
      report(
        .unterminatedString, "this text has no closing `\"`", at: span(from: start),
        notes: [Note("a text ends on the line it starts on; a line break in it is written `\\n`")])
    }
    emit(.string, from: start)
  }

  /// Moves to the closing quote or the end of the line.
  private mutating func skipStringBody(until quote: UInt8) {
    while let byte = peek(), byte != quote, !Self.endsLine(byte) {
      offset += 1
      if byte == UInt8(ascii: "\\"), let next = peek(), !Self.endsLine(next) { offset += 1 }
    }
  }

  private static func endsLine(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
  }

  private mutating func reportEscapes(from start: Int) {
    for problem in StringContent(source.bytes[start..<offset]).problems {
      let place = Span(file: file, start: problem.range.lowerBound, end: problem.range.upperBound)
      report(
        .invalidEscape, problem.message, at: place,
        notes: [Note("the escapes are `\\\"`, `\\\\`, `\\n`, `\\t` and `\\u{…}` with a code point")])
    }
  }

  /// `'b1'` is read as the text that was meant.
  mutating func lexSingleQuoted() {
    let start = offset
    offset += 1
    let quote = UInt8(ascii: "'")
    skipStringBody(until: quote)
    guard peek() == quote else {
      offset = start + 1
      report(.unexpectedCharacter, "`'` is not part of the language", at: span(from: start))
      emit(.unknown, from: start)
      return
    }
    offset += 1
    reportQuotes(from: start, content: source.text(start + 1, offset - 1))
    emit(.string, from: start)
  }

  /// `“b1”` likewise.
  mutating func lexCurlyQuoted(from start: Int, closing: Set<Unicode.Scalar>) {
    let opened = offset
    while let byte = peek(), !Self.endsLine(byte), let (scalar, length) = scalar(at: offset) {
      offset += length
      guard closing.contains(scalar) else { continue }
      reportQuotes(from: start, content: source.text(opened, offset - length))
      emit(.string, from: start)
      return
    }
    offset = opened
    report(
      .quoteStyle, "`\(source.text(start, opened))` is not a quotation mark of the language",
      at: span(from: start), notes: [Note("put texts in double quotes")])
    emit(.unknown, from: start)
  }

  private mutating func reportQuotes(from start: Int, content: String) {
    let place = span(from: start)
    let mended = "\"\(content.filter { $0 != "\"" })\""
    report(
      .quoteStyle, "texts are written in `\"`, not in `\(source.text(place).prefix(1))`", at: place,
      fixes: [Fix("write `\(mended)`", replace: place, with: mended)])
  }
}

/// The content of a string token: its value, and the escapes in it that are none.
struct StringContent {
  struct Problem {
    var range: Range<Int>
    var message: String
  }

  private(set) var value = ""
  private(set) var problems: [Problem] = []
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  /// Reads a whole token with its quotes, of whatever style they are; a closing one may be missing.
  init(_ token: ArraySlice<UInt8>) {
    let text = String(decoding: token, as: UTF8.self)
    let quote = text.unicodeScalars.first.map { UTF8.width($0) } ?? 0
    let isCurly = quote > 1
    bytes = token
    place = min(token.startIndex + quote, token.endIndex)
    var end = token.endIndex
    if isCurly, let last = text.unicodeScalars.last {
      end = max(place, end - UTF8.width(last))
    } else if token.count > 1, token.last == token.first, !Self.endsInEscape(token.dropLast()) {
      end -= 1
    }
    decode(upTo: end)
  }

  /// Whether the closing quote is itself escaped: an odd number of backslashes before it.
  private static func endsInEscape(_ bytes: ArraySlice<UInt8>) -> Bool {
    !bytes.reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
  }

  private mutating func decode(upTo end: Int) {
    var run = place
    while place < end {
      guard bytes[place] == UInt8(ascii: "\\") else {
        place += 1
        continue
      }
      value += String(decoding: bytes[run..<place], as: UTF8.self)
      decodeEscape(upTo: end)
      run = place
    }
    value += String(decoding: bytes[run..<end], as: UTF8.self)
  }

  private mutating func decodeEscape(upTo end: Int) {
    let start = place
    place = min(place + 2, end)
    switch start + 1 < end ? bytes[start + 1] : 0 {
    case UInt8(ascii: "\""): value += "\""
    case UInt8(ascii: "\\"): value += "\\"
    case UInt8(ascii: "n"): value += "\n"
    case UInt8(ascii: "t"): value += "\t"
    case UInt8(ascii: "u"): decodeCodePoint(from: start, upTo: end)
    default:
      while place < end, bytes[place] & 0xC0 == 0x80 { place += 1 }
      addProblem(from: start, "is not an escape")
    }
  }

  /// `\u{1F4D6}`: one to eight hexadecimal digits that name a Unicode scalar.
  private mutating func decodeCodePoint(from start: Int, upTo end: Int) {
    var number: UInt32 = 0
    var digits = 0
    guard place < end, bytes[place] == UInt8(ascii: "{") else {
      return addProblem(from: start, "needs a code point in braces")
    }
    place += 1
    while place < end, let digit = bytes[place].hexValue {
      number = digits < 8 ? number << 4 | digit : UInt32.max
      digits += 1
      place += 1
    }
    guard place < end, bytes[place] == UInt8(ascii: "}") else {
      return addProblem(from: start, "needs a closing `}` after its code point")
    }
    place += 1
    guard digits > 0, digits <= 8, let scalar = Unicode.Scalar(number) else {
      return addProblem(from: start, "names no character")
    }
    value.unicodeScalars.append(scalar)
  }

  private mutating func addProblem(from start: Int, _ message: String) {
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    problems.append(Problem(range: start..<place, message: "`\(text)` \(message)"))
  }
}
