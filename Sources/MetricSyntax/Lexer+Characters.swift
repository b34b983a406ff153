/// How long single tokens may be, in bytes. Names and numbers are repeated in messages, plans and SQL.
enum TokenLimit {
  static let name = 255
  static let number = 64
}

extension Lexer {
  mutating func lexIdentifier() {
    let start = offset
    var isASCII = true
    while let byte = peek() {
      if byte.isNamePart {
        offset += 1
      } else if let length = letterLength() {
        isASCII = false
        offset += length
      } else {
        break
      }
    }
    guard offset - start <= TokenLimit.name else {
      return refuse(from: start, "a name has at most \(TokenLimit.name) characters")
    }
    if !isASCII {
      let place = span(from: start)
      report(
        .nonASCIIName, "the name \(quoted(source.text(place))) has letters beyond a–z", at: place,
        notes: ["names are written with the letters a–z, A–Z, digits and `_`"])
    }
    emit(.identifier, from: start)
  }

  /// A token too long to be written by a person: it means nothing, and is not repeated in other messages.
  mutating func refuse(from start: Int, _ rule: String) {
    let place = span(from: start)
    report(.tooLong, "\(quoted(source.text(place))) is \(offset - start) bytes long; \(rule)", at: place)
    silencing.insert(tokens.count)
    emit(.unknown, from: start)
  }

  mutating func lexPunctuation(_ byte: UInt8) {
    let start = offset
    if let next = peek(1), Self.seconds.contains(next), let pair = Self.pairs[[byte, next]] {
      offset += 2
      if let meant = pair.meant { reportForeign(from: start, meant: meant) }
      emit(pair.kind, from: start)
    } else if let kind = Self.signs[Int(byte)] {
      offset += 1
      emit(kind, from: start)
    } else {
      lexUnknown(byte)
    }
  }

  /// Signs of two bytes; `meant` is what to write for one that the language does not have.
  private static let pairs: [[UInt8]: (kind: TokenKind, meant: String?)] = {
    let pairs: [(text: String, kind: TokenKind, meant: String?)] = [
      ("==", .equalEqual, nil), ("!=", .notEqual, nil), ("<=", .lessOrEqual, nil),
      (">=", .greaterOrEqual, nil), ("<>", .notEqual, "!="), ("=<", .lessOrEqual, "<="),
      ("=>", .greaterOrEqual, ">="), ("&&", .unknown, "and"), ("||", .unknown, "or"),
    ]
    return Dictionary(uniqueKeysWithValues: pairs.map { (Array($0.text.utf8), ($0.kind, $0.meant)) })
  }()

  private static let seconds: [UInt8] = Array("=>&|<".utf8)

  private static let signs = (UInt8(0)..<0x80).map { TokenKind(rawValue: String(UnicodeScalar($0))) }

  private mutating func reportForeign(from start: Int, meant: String) {
    let place = span(from: start)
    report(
      .foreignOperator, "`\(source.text(place))` is not an operator of the language; write `\(meant)`",
      at: place, writing: meant)
  }

  private mutating func lexUnknown(_ byte: UInt8) {
    let start = offset
    offset += 1
    switch byte {
    case UInt8(ascii: "!"):
      let place = span(from: start)
      report(
        .foreignOperator, "`!` is not an operator of the language; write `not`", at: place,
        fixes: [Fix("write `not`", replace: place, with: "not ")])
    case UInt8(ascii: ";"):
      report(
        .straySeparator, "`;` has no meaning in the language", at: span(from: start),
        notes: ["a clause ends where the next one starts"], writing: "")
    case UInt8(ascii: "%"):
      report(
        .foreignOperator, "`%` must touch the number before it", at: span(from: start),
        notes: ["`80%` is 0.8; there is no remainder operator, and `floor(a / b)` divides whole numbers"])
    default:
      skip { Self.strangers.contains($0) }
      reportUnexpected(from: start)
    }
    emit(.unknown, from: start)
  }

  private static let strangers = Set("@$^&~\\`".utf8)

  private mutating func reportUnexpected(from start: Int) {
    let place = span(from: start)
    let text = source.text(place)
    let shown = text == "`" ? "a backtick" : quoted(text)
    report(
      .unexpectedCharacter, "\(shown) is not part of the language", at: place,
      notes: [FamiliarWord.note(text, as: .sign)])
  }

  /// Words, white space or signs that are not ASCII; bytes that are not UTF-8.
  mutating func lexNonASCII() {
    let start = offset
    guard let (scalar, length) = scalar(at: offset) else {
      // Reported for the whole file beforehand.
      skip { $0 >= 0x80 }
      emit(.unknown, from: start)
      return
    }
    if letterLength() != nil { return lexIdentifier() }
    offset += length
    let properties = scalar.properties
    if properties.isWhitespace || properties.isDefaultIgnorableCodePoint
      || properties.generalCategory == .control
    {
      let code = String(scalar.value, radix: 16, uppercase: true).leftPadded(to: 4, with: "0")
      report(
        .unexpectedCharacter, "the invisible character U+\(code) is not allowed here", at: span(from: start),
        fixes: [Fix("write a space", replace: span(from: start), with: " ")])
      add(.whitespace, from: start)
    } else if let plain = Self.plainQuotes[scalar] {
      lexCurlyQuoted(from: start, closing: plain)
    } else if let meant = Self.lookalikes[scalar] {
      reportForeign(from: start, meant: meant.text)
      emit(meant.kind, from: start)
    } else {
      reportUnexpected(from: start)
      emit(.unknown, from: start)
    }
  }

  private static let plainQuotes: [Unicode.Scalar: Set<Unicode.Scalar>] = [
    "“": ["”", "“"], "„": ["“", "”"], "‘": ["’"], "«": ["»"],
  ]

  private static let lookalikes: [Unicode.Scalar: (kind: TokenKind, text: String)] = [
    "≥": (.greaterOrEqual, ">="), "≤": (.lessOrEqual, "<="), "≠": (.notEqual, "!="),
    "×": (.star, "*"), "÷": (.slash, "/"), "−": (.minus, "-"), "–": (.minus, "-"),
    "—": (.minus, "-"),
  ]

  /// The length of the letter beyond ASCII at the offset, nil if there is none.
  private func letterLength() -> Int? {
    guard let byte = peek(), byte >= 0x80, let (scalar, length) = scalar(at: offset),
      scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark
    else { return nil }
    return length
  }

  /// The scalar that starts at a place and its length; nil if the bytes are not UTF-8.
  func scalar(at place: Int) -> (Unicode.Scalar, Int)? {
    var bytes = source.bytes[place...].makeIterator()
    var parser = Unicode.UTF8.ForwardParser()
    guard case .valid(let scalar) = parser.parseScalar(from: &bytes) else { return nil }
    return (Unicode.UTF8.decode(scalar), scalar.count)
  }

  /// One finding for each line that holds bytes which are not UTF-8.
  mutating func reportInvalidUTF8() {
    var place = 0
    var reportedUpTo = 0
    while place < source.bytes.count {
      if source.bytes[place] < 0x80 {
        place += 1
      } else if let (_, length) = scalar(at: place) {
        place += length
      } else {
        if place >= reportedUpTo {
          report(
            .notUTF8, "this byte is not valid UTF-8", at: Span(file: file, start: place, end: place + 1),
            notes: ["save the file as UTF-8"])
          reportedUpTo = source.bytes[place...].firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count
        }
        place += 1
      }
    }
  }
}
