extension Lexer {
  /// A day where the shape is exactly `dddd-dd-dd`, else a number.
  mutating func lexNumber() {
    let start = offset
    if let length = dayLength() {
      offset += length
      emit(.day, from: start)
    } else if let length = looseDayLength() {
      offset += length
      let place = span(from: start)
      report(
        .malformedDay, "\(quoted(source.text(place))) is not a day", at: place,
        notes: ["a day is written with four, two and two digits, like `2026-01-31`"])
      emit(.day, from: start)
    } else {
      scanNumber()
      guard offset - start <= TokenLimit.number else {
        return refuse(from: start, "a number has at most \(TokenLimit.number) characters")
      }
      let problem = NumberShape(source.bytes[start..<offset]).problem
      if let problem {
        let place = span(from: start)
        let isGroup = start > 0 && source.bytes[start - 1] == UInt8(ascii: ",")
        report(
          .malformedNumber, "the number `\(source.text(place))` \(problem)", at: place,
          notes: isGroup ? ["a comma separates items; a long number is written `1_000`"] : [])
      }
      separateFromWord(from: start, isReported: problem != nil)
      emit(.number, from: start)
    }
  }

  private mutating func scanNumber() {
    skip { $0.isDigit || $0 == UInt8(ascii: "_") }
    if peek() == UInt8(ascii: "."), peek(1)?.isDigit == true {
      offset += 1
      skip { $0.isDigit || $0 == UInt8(ascii: "_") }
    }
    if peek() == UInt8(ascii: "%") { offset += 1 }
  }

  /// `7days` is two tokens that want a space; `1e5` or `3rd` is one that is not a number.
  private mutating func separateFromWord(from start: Int, isReported: Bool) {
    guard peek()?.isNamePart == true else { return }
    let end = offset
    skip { $0.isNamePart }
    let word = source.text(end, offset)
    if Word(rawValue: word) != nil {
      let whole = span(from: start)
      offset = end
      guard !isReported else { return }
      report(
        .malformedNumber, "`\(source.text(whole))` needs a space between number and word", at: whole,
        fixes: [
          Fix("add a space", replace: Span(file: file, start: end, end: end), with: " ")
        ])
    } else {
      silencing.insert(tokens.count)
      guard !isReported else { return }
      report(
        .malformedNumber, "\(quoted(source.text(start, offset))) is not a number", at: span(from: start),
        notes: [
          FamiliarWord.note(word.filter(\.isLetter), as: .number)
            ?? "a number is written like `30`, `0.25`, `1_000` or `80%`"
        ])
    }
  }

  /// The length of `dddd-dd-dd` at the offset, where nothing of a word or number touches its end.
  private func dayLength() -> Int? {
    for (distance, sign) in "dddd-dd-dd".utf8.enumerated() {
      guard let byte = peek(distance) else { return nil }
      guard sign == UInt8(ascii: "-") ? byte == sign : byte.isDigit else { return nil }
    }
    return peek(10)?.isNamePart == true ? nil : 10
  }

  /// The length of `2026-01-5`, `2026-01-31T08` or alike: no day, and with its zeros no subtraction either.
  private func looseDayLength() -> Int? {
    var distance = 0
    var hasLeadingZero = false
    for part in 0..<3 {
      if part > 0 {
        guard peek(distance) == UInt8(ascii: "-") else { return nil }
        distance += 1
        hasLeadingZero =
          hasLeadingZero
          || (peek(distance) == UInt8(ascii: "0") && peek(distance + 1)?.isDigit == true)
      }
      let first = distance
      while peek(distance)?.isDigit == true { distance += 1 }
      guard distance > first else { return nil }
    }
    let touches = peek(distance)?.isLetter == true
    while peek(distance)?.isNamePart == true { distance += 1 }
    return hasLeadingZero || touches ? distance : nil
  }
}

/// The parts of a number as written, and what is wrong with them.
struct NumberShape {
  private var whole: [UInt8] = []
  private var fraction: [UInt8]?
  private var isPercent = false

  /// Reads the longest number at the start of the bytes.
  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes {
      if byte.isDigit || byte == UInt8(ascii: "_") {
        if fraction == nil { whole.append(byte) } else { fraction?.append(byte) }
      } else if byte == UInt8(ascii: "."), fraction == nil {
        fraction = []
      } else {
        isPercent = byte == UInt8(ascii: "%")
        break
      }
    }
  }

  /// A percent sign moves the point by two digits.
  private var longestFraction: Int { isPercent ? 4 : 6 }

  /// What is wrong, as the end of a sentence; nil if nothing is.
  var problem: String? {
    if whole.isEmpty { return "needs a digit before its decimal point" }
    if Self.hasMisplacedUnderscore(whole) || Self.hasMisplacedUnderscore(fraction ?? [0x30]) {
      return "has a `_` that is not between two digits"
    }
    if Self.digits(whole).count > 1, whole.first == UInt8(ascii: "0") {
      return "starts with a zero"
    }
    if Self.digits(fraction ?? []).count > longestFraction {
      return "has more than \(longestFraction) digits after its decimal point"
    }
    return nil
  }

  /// The number without `_`, corrected where it is wrong.
  var text: String {
    let digits = Self.digits(whole)
    let significant = digits.drop { $0 == UInt8(ascii: "0") }
    var text = significant.isEmpty ? "0" : String(decoding: significant, as: UTF8.self)
    let decimals = Self.digits(fraction ?? []).prefix(longestFraction)
    if !decimals.isEmpty { text += "." + String(decoding: decimals, as: UTF8.self) }
    return isPercent ? text + "%" : text
  }

  private static func digits(_ bytes: [UInt8]) -> [UInt8] { bytes.filter(\.isDigit) }

  private static func hasMisplacedUnderscore(_ bytes: [UInt8]) -> Bool {
    bytes.split(separator: UInt8(ascii: "_"), omittingEmptySubsequences: false).contains(where: \.isEmpty)
  }
}

/// Gives a day that was written with the wrong number of digits the right one, so that a finding
/// about its shape is not followed by one about its meaning.
func mendedDay(_ text: String) -> String {
  let bytes = Array(text.utf8)
  let parts = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 2)
  guard parts.count == 3 else { return text }
  let padded = zip(parts, [4, 2, 2]).map { part, width in
    let digits = String(decoding: part.prefix { $0.isDigit }.prefix(width), as: UTF8.self)
    return digits.leftPadded(to: width, with: "0")
  }
  return padded.joined(separator: "-")
}

extension Lexer {
  mutating func lexString() {
    let start = offset
    offset += 1
    skipStringBody(until: UInt8(ascii: "\""))
    if peek() == UInt8(ascii: "\"") {
      offset += 1
      for problem in StringContent(source.bytes[start..<offset]).problems {
        let place = Span(file: file, start: problem.range.lowerBound, end: problem.range.upperBound)
        report(
          .invalidEscape, problem.message, at: place,
          notes: ["the escapes are `\\\"`, `\\\\`, `\\n`, `\\t` and `\\u{…}` with a code point"])
      }
    } else {
      silencing.insert(tokens.count)
      report(
        .unterminatedString, "this text has no closing `\"`", at: span(from: start),
        notes: ["a text ends on the line it starts on; a line break in it is written `\\n`"])
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
      at: span(from: start), notes: ["put texts in double quotes"])
    emit(.unknown, from: start)
  }

  private mutating func reportQuotes(from start: Int, content: String) {
    let place = span(from: start)
    let mended = "\"\(content.filter { $0 != "\"" })\""
    report(
      .quoteStyle, "texts are written in `\"`, not in `\(source.text(place).prefix(1))`", at: place,
      writing: mended)
  }
}

/// The content of a string token: its value, and the escapes in it that are none.
struct StringContent {
  private(set) var value = ""
  private(set) var problems: [(range: Range<Int>, message: String)] = []
  private let bytes: ArraySlice<UInt8>
  private var place: Int

  /// Reads a whole token with its quotes, of whatever style they are; a closing one may be missing.
  init(_ token: ArraySlice<UInt8>) {
    let text = String(decoding: token, as: UTF8.self)
    let quote = text.unicodeScalars.first.map { UTF8.width($0) } ?? 0
    place = min(token.startIndex + quote, token.endIndex)
    // A closing quote after an odd number of backslashes is itself escaped.
    let escapes = token.dropLast().reversed().prefix { $0 == UInt8(ascii: "\\") }
    var end = token.endIndex
    if quote > 1, let last = text.unicodeScalars.last {
      end = max(place, end - UTF8.width(last))
    } else if token.count > 1, token.last == token.first, escapes.count.isMultiple(of: 2) {
      end -= 1
    }
    bytes = token[..<end]
    while place < end {
      let run = bytes[place...].prefix { $0 != UInt8(ascii: "\\") }
      value += String(decoding: run, as: UTF8.self)
      place = run.endIndex
      if place < end { decodeEscape() }
    }
  }

  private mutating func decodeEscape() {
    let start = place
    place = min(place + 2, bytes.endIndex)
    switch start + 1 < bytes.endIndex ? bytes[start + 1] : 0 {
    case UInt8(ascii: "\""): value += "\""
    case UInt8(ascii: "\\"): value += "\\"
    case UInt8(ascii: "n"): value += "\n"
    case UInt8(ascii: "t"): value += "\t"
    case UInt8(ascii: "u"): decodeCodePoint(from: start)
    default:
      while place < bytes.endIndex, bytes[place] & 0xC0 == 0x80 { place += 1 }
      addProblem(from: start, "is not an escape")
    }
  }

  /// `\u{1F4D6}`: one to eight hexadecimal digits that name a Unicode scalar.
  private mutating func decodeCodePoint(from start: Int) {
    guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "{") else {
      return addProblem(from: start, "needs a code point in braces")
    }
    let digits = bytes[(place + 1)...].prefix { Character(UnicodeScalar($0)).isHexDigit }
    place = digits.endIndex
    guard place < bytes.endIndex, bytes[place] == UInt8(ascii: "}") else {
      return addProblem(from: start, "needs a closing `}` after its code point")
    }
    place += 1
    guard digits.count <= 8, let number = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
      let scalar = Unicode.Scalar(number)
    else { return addProblem(from: start, "names no character") }
    value.unicodeScalars.append(scalar)
  }

  private mutating func addProblem(from start: Int, _ message: String) {
    let text = String(decoding: bytes[start..<place], as: UTF8.self)
    problems.append((start..<place, "`\(text)` \(message)"))
  }
}
