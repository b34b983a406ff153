/// Bytes that are no JSON, and where that shows.
package struct MalformedJSON: Error, Hashable {
  package var offset: Int
  /// What was expected there: `a value`.
  package var expected: String
}

extension JSON {
  /// The value of a text in JSON (RFC 8259).
  ///
  /// Bytes that are no UTF-8 and halves of surrogate pairs become U+FFFD; of two members with one key the
  /// last counts. Arrays and objects nest at most 128 deep.
  package init(parsing bytes: [UInt8]) throws(MalformedJSON) {
    var parser = JSONParser(bytes: bytes)
    self = try parser.parse()
  }
}

/// A recursive descent over the bytes of a message.
private struct JSONParser {
  let bytes: [UInt8]
  var index = 0

  static let deepest = 128

  mutating func parse() throws(MalformedJSON) -> JSON {
    let value = try value(depth: 0)
    skipBlanks()
    guard index == bytes.count else { throw fault("the end") }
    return value
  }

  private func fault(_ expected: String) -> MalformedJSON { MalformedJSON(offset: index, expected: expected) }

  private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

  private mutating func skipBlanks() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { index += 1 }
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard current == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  private mutating func value(depth: Int) throws(MalformedJSON) -> JSON {
    skipBlanks()
    switch current {
    case UInt8(ascii: "{"): return try object(depth: depth + 1)
    case UInt8(ascii: "["): return try array(depth: depth + 1)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ text: String, _ value: JSON) throws(MalformedJSON) -> JSON {
    guard bytes[index...].starts(with: text.utf8) else { throw fault("`\(text)`") }
    index += text.utf8.count
    return value
  }

  private mutating func object(depth: Int) throws(MalformedJSON) -> JSON {
    guard depth <= Self.deepest else { throw fault("less nesting") }
    index += 1
    var members: [String: JSON] = [:]
    skipBlanks()
    if take("}") { return .object(members) }
    repeat {
      skipBlanks()
      guard current == UInt8(ascii: "\"") else { throw fault("a key") }
      let key = try string()
      skipBlanks()
      guard take(":") else { throw fault("a colon") }
      members[key] = try value(depth: depth)
      skipBlanks()
    } while take(",")
    guard take("}") else { throw fault("a comma or `}`") }
    return .object(members)
  }

  private mutating func array(depth: Int) throws(MalformedJSON) -> JSON {
    guard depth <= Self.deepest else { throw fault("less nesting") }
    index += 1
    var items: [JSON] = []
    skipBlanks()
    if take("]") { return .array(items) }
    repeat {
      items.append(try value(depth: depth))
      skipBlanks()
    } while take(",")
    guard take("]") else { throw fault("a comma or `]`") }
    return .array(items)
  }

  private mutating func number() throws(MalformedJSON) -> JSON {
    let start = index
    _ = take("-")
    let whole = digits()
    guard !whole.isEmpty, whole.count == 1 || bytes[whole.lowerBound] != UInt8(ascii: "0") else {
      throw fault("a value")
    }
    var isWhole = true
    if take(".") {
      isWhole = false
      guard !digits().isEmpty else { throw fault("a digit") }
    }
    if take("e") || take("E") {
      isWhole = false
      if !take("+") { _ = take("-") }
      guard !digits().isEmpty else { throw fault("a digit") }
    }
    let text = String(decoding: bytes[start..<index], as: UTF8.self)
    if isWhole, let number = Int(text) { return .int(number) }
    guard let number = Double(text) else { throw fault("a number") }
    return .double(number)
  }

  private mutating func digits() -> Range<Int> {
    let start = index
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
    return start..<index
  }

  // MARK: Strings

  private mutating func string() throws(MalformedJSON) -> String {
    index += 1
    var text: [UInt8] = []
    while let byte = current {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += try escape()
      case 0..<0x20:
        index -= 1
        throw fault("no control character")
      default: text.append(byte)
      }
    }
    throw fault("the quote that ends a string")
  }

  /// The bytes that the escape behind a `\` stands for.
  private mutating func escape() throws(MalformedJSON) -> [UInt8] {
    guard let byte = current else { throw fault("an escape") }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default:
      index -= 1
      throw fault("an escape of JSON")
    }
  }

  /// The scalar behind `\u`, with the second half of a surrogate pair.
  private mutating func scalar() throws(MalformedJSON) -> Unicode.Scalar {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard (0xD800..<0xDC00).contains(high), bytes[index...].starts(with: "\\u".utf8) else {
      return "\u{FFFD}"
    }
    let before = index
    index += 2
    let low = try codeUnit()
    guard (0xDC00..<0xE000).contains(low) else {
      index = before
      return "\u{FFFD}"
    }
    return Unicode.Scalar(0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func codeUnit() throws(MalformedJSON) -> UInt32 {
    let digits = bytes[index...].prefix(4)
    let text = String(decoding: digits, as: UTF8.self)
    guard digits.count == 4, text.allSatisfy(\.isHexDigit), let unit = UInt32(text, radix: 16) else {
      throw fault("four hexadecimal digits")
    }
    index += 4
    return unit
  }
}
