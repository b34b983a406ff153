/// Why bytes are not JSON (RFC 8259), and where.
package struct JSONFault: Error {
  package enum Reason {
    case unexpected(expected: StaticString)
    case tooDeep
  }

  package var reason: Reason
  /// Where the first wrong byte stands; the end of the text where it is cut short.
  package var offset: Int
}

/// A value as it is in the file. Arrays and objects were checked and skipped.
package struct JSONValue {
  package enum Kind { case string, number, bool, null, array, object }

  package var kind: Kind
  /// A string without its quotes, otherwise the whole value.
  package var start: Int
  package var end: Int
  package var hasEscapes = false

  /// Where it starts, its quote included.
  var place: Int { kind == .string ? start - 1 : start }
}

/// A strict scanner that builds nothing: it checks the grammar and says where values are.
package struct JSONScanner {
  private(set) var input: Input
  package private(set) var cursor: Int
  private(set) var end: Int

  /// How deep arrays and objects may be nested.
  package static let nestingLimit = 128

  package init(_ input: Input) {
    self.input = input
    cursor = input.start
    end = input.end
  }

  /// Scans `start ..< end` of a stretch of the file from now on.
  mutating func move(to input: Input, from start: Int, to end: Int) {
    self.input = input
    cursor = start
    self.end = end
  }

  /// The byte after blanks, or nil at the end.
  @inline(__always)
  package mutating func peek() -> UInt8? {
    while cursor < end {
      let byte = input.base[cursor]
      guard byte <= Byte.blank, JSONScanner.isBlank(byte) else { return byte }
      cursor &+= 1
    }
    return nil
  }

  @inline(__always)
  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == Byte.blank || byte == Byte.newline || byte == Byte.carriageReturn || byte == Byte.tab
  }

  private func fault(_ expected: StaticString) -> JSONFault {
    JSONFault(reason: .unexpected(expected: expected), offset: min(cursor, end))
  }

  /// Passes blanks and then `byte`.
  @inline(__always)
  mutating func pass(_ byte: UInt8, _ expected: StaticString) throws(JSONFault) {
    guard peek() == byte else { throw fault(expected) }
    cursor &+= 1
  }

  package mutating func passByte() { cursor &+= 1 }

  /// Passes blanks up to the end.
  package mutating func passEnd(_ expected: StaticString) throws(JSONFault) {
    guard peek() == nil else { throw fault(expected) }
  }

  /// Any value that lies in `depth` arrays and objects.
  @inline(__always)
  package mutating func scanValue(depth: Int) throws(JSONFault) -> JSONValue {
    guard let byte = peek() else { throw fault("a value") }
    if byte == Byte.quote { return try scanString() }
    let start = cursor
    let kind: JSONValue.Kind =
      switch byte {
      case Byte.minus, UInt8(ascii: "0")...UInt8(ascii: "9"): try passNumber()
      case Byte.openBrace: try passNested(.object, depth: depth + 1)
      case Byte.openBracket: try passNested(.array, depth: depth + 1)
      case UInt8(ascii: "n"): try pass("null", .null)
      case UInt8(ascii: "t"): try pass("true", .bool)
      case UInt8(ascii: "f"): try pass("false", .bool)
      default: throw fault("a value")
      }
    return JSONValue(kind: kind, start: start, end: cursor)
  }

  private mutating func pass(
    _ word: StaticString, _ kind: JSONValue.Kind
  ) throws(JSONFault) -> JSONValue.Kind {
    for index in 0..<word.utf8CodeUnitCount {
      guard cursor < end, input.base[cursor] == word.utf8Start[index] else { throw fault(word) }
      cursor += 1
    }
    return kind
  }

  /// A number: no leading zeros, a digit on each side of the point.
  private mutating func passNumber() throws(JSONFault) -> JSONValue.Kind {
    if input.base[cursor] == Byte.minus { cursor &+= 1 }
    if cursor < end, input.base[cursor] == Byte.zero {
      cursor &+= 1
      if cursor < end, Byte.digit(input.base[cursor]) <= 9 {
        throw fault("a number without leading zeros")
      }
    } else {
      try passDigits()
    }
    if cursor < end, input.base[cursor] == Byte.point {
      cursor &+= 1
      try passDigits()
    }
    if cursor < end, input.base[cursor] | 0x20 == UInt8(ascii: "e") {
      cursor &+= 1
      if cursor < end, input.base[cursor] == Byte.minus || input.base[cursor] == Byte.plus { cursor &+= 1 }
      try passDigits()
    }
    return .number
  }

  @inline(__always)
  private mutating func passDigits() throws(JSONFault) {
    let start = cursor
    while cursor < end, Byte.digit(input.base[cursor]) <= 9 { cursor &+= 1 }
    guard cursor > start else { throw fault("a digit") }
  }

  /// An array or object whose bracket is at the cursor.
  private mutating func passNested(
    _ kind: JSONValue.Kind, depth: Int
  ) throws(JSONFault) -> JSONValue.Kind {
    guard depth <= JSONScanner.nestingLimit else { throw JSONFault(reason: .tooDeep, offset: cursor) }
    cursor += 1
    var isFirst = true
    while kind == .array ? try nextElement(isFirst: isFirst) : try nextKey(isFirst: isFirst) != nil {
      _ = try scanValue(depth: depth)
      isFirst = false
    }
    return kind
  }

  /// Within brackets of which the first was passed: goes to the next element, or after the last bracket and false.
  @inline(__always)
  private mutating func next(
    isFirst: Bool, before end: UInt8, _ expected: StaticString
  ) throws(JSONFault) -> Bool {
    let next = peek()
    if next == end {
      cursor &+= 1
      return false
    }
    if !isFirst {
      guard next == Byte.comma else { throw fault(expected) }
      cursor &+= 1
    }
    return true
  }

  /// Within an array whose `[` was passed: goes to the next element, or after `]` and false.
  @inline(__always)
  package mutating func nextElement(isFirst: Bool) throws(JSONFault) -> Bool {
    try next(isFirst: isFirst, before: Byte.closeBracket, "a comma or `]`")
  }

  /// Within an object whose `{` was passed: the next key, its colon passed; or nil after `}`.
  @inline(__always)
  package mutating func nextKey(isFirst: Bool) throws(JSONFault) -> JSONValue? {
    guard try next(isFirst: isFirst, before: Byte.closeBrace, "a comma or `}`") else { return nil }
    guard peek() == Byte.quote else { throw fault(isFirst ? "a key or `}`" : "a key") }
    let key = try scanString()
    try pass(Byte.colon, "a colon")
    return key
  }

  /// A string whose quote is at the cursor.
  @inline(__always)
  private mutating func scanString() throws(JSONFault) -> JSONValue {
    let start = cursor &+ 1
    var hasEscapes = false
    cursor = start
    while true {
      cursor = ByteScan.stringStop(input.base, from: cursor, to: end)
      guard cursor < end else { throw fault("the quote that ends a string") }
      switch input.base[cursor] {
      case Byte.quote:
        cursor &+= 1
        return JSONValue(kind: .string, start: start, end: cursor &- 1, hasEscapes: hasEscapes)
      case Byte.backslash:
        hasEscapes = true
        try passEscape()
      default:
        throw fault("no control character in a string")
      }
    }
  }

  private mutating func passEscape() throws(JSONFault) {
    cursor += 1
    guard cursor < end else { throw fault("an escape") }
    let isKnown = JSONScanner.plainEscape(input.base[cursor]) != nil
    guard isKnown || input.base[cursor] == UInt8(ascii: "u") else { throw fault("an escape of JSON") }
    cursor += 1
    if isKnown { return }
    for _ in 0..<4 {
      guard cursor < end, JSONScanner.hexDigit(input.base[cursor]) != nil else {
        throw fault("four hexadecimal digits")
      }
      cursor += 1
    }
  }

  /// Appends the text of a string that was scanned; refuses half a surrogate pair.
  package func unescape(_ string: JSONValue, into scratch: inout ByteBuffer) throws(JSONFault) {
    var offset = string.start
    while offset < string.end {
      let stop = ByteScan.first(Byte.backslash, input.base, from: offset, to: string.end)
      scratch.append(input.bytes(offset, stop))
      guard stop < string.end else { return }
      offset = stop + 2
      if let plain = JSONScanner.plainEscape(input.base[stop + 1]) {
        scratch.append(plain)
      } else {
        scratch.append(try scalar(at: stop, in: string, next: &offset))
      }
    }
  }

  /// The scalar of the `\uXXXX` at `start`, or of the two that make a surrogate pair.
  private func scalar(
    at start: Int, in string: JSONValue, next: inout Int
  ) throws(JSONFault) -> Unicode.Scalar {
    let high = codeUnit(at: start)
    next = start + 6
    if let scalar = Unicode.Scalar(high) { return scalar }
    let hasPartner =
      UTF16.isLeadSurrogate(UInt16(high)) && next + 6 <= string.end
      && input.base[next] == Byte.backslash && input.base[next + 1] == UInt8(ascii: "u")
    let low = hasPartner ? codeUnit(at: next) : 0
    guard hasPartner, UTF16.isTrailSurrogate(UInt16(low)),
      let scalar = Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    else {
      throw JSONFault(reason: .unexpected(expected: "both halves of a surrogate pair"), offset: start)
    }
    next += 6
    return scalar
  }

  /// The four digits of the `\uXXXX` at `start`, which `passEscape` has seen.
  private func codeUnit(at start: Int) -> UInt32 {
    (start + 2..<start + 6).reduce(0) { $0 << 4 | (JSONScanner.hexDigit(input.base[$1]) ?? 0) }
  }

  private static func plainEscape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case Byte.quote, Byte.backslash, UInt8(ascii: "/"): byte
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): Byte.newline
    case UInt8(ascii: "r"): Byte.carriageReturn
    case UInt8(ascii: "t"): Byte.tab
    default: nil
    }
  }

  private static func hexDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - Byte.zero)
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a") + 10)
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A") + 10)
    default: nil
    }
  }
}
