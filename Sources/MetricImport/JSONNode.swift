import MetricDiagnostics

/// A JSON value (RFC 8259) with the place where it stands. Numbers stay the text that was written, so that
/// none is rounded on the way.
struct JSONNode {
  indirect enum Value {
    case object([(key: String, value: JSONNode)])
    case array([JSONNode])
    case string(String)
    case number(String)
    case bool(Bool)
    case null
  }

  var value: Value
  /// Where it starts in the file.
  var offset: Int

  /// The value of a key; nil where this is no object, has no such key, or `null` stands there.
  subscript(_ key: String) -> JSONNode? {
    guard case .object(let members) = value, let found = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = found.value { return nil }
    return found
  }

  var members: [(key: String, value: JSONNode)]? {
    if case .object(let members) = value { members } else { nil }
  }

  var items: [JSONNode]? {
    if case .array(let items) = value { items } else { nil }
  }

  var string: String? {
    if case .string(let text) = value { text } else { nil }
  }

  var bool: Bool? {
    if case .bool(let truth) = value { truth } else { nil }
  }

  /// A number's text as it was written.
  var number: String? {
    if case .number(let text) = value { text } else { nil }
  }

  /// A whole number, also where it was written `3.0`.
  var integer: Int64? {
    guard case .number(let text) = value else { return nil }
    return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
  }

  /// A text, number or truth as the text of a cell; nil for anything else.
  var cell: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let truth): truth ? "true" : "false"
    case .null: ""
    case .object, .array: nil
    }
  }

  /// What it is, in a message.
  var described: String {
    switch value {
    case .object: "an object"
    case .array: "an array"
    case .string(let text): "the text \(quoted(text))"
    case .number(let text): quoted(text)
    case .bool(let truth): truth ? "`true`" : "`false`"
    case .null: "`null`"
    }
  }
}

/// Reads JSON into nodes.
struct JSONParser {
  private let file: ExportFile
  private(set) var cursor: Int
  private let end: Int

  /// Deeper than this nothing that anyone exports is nested.
  static let nestingLimit = 64

  /// Reads `start ..< end` of a file; all of it where they are not given.
  init(_ file: ExportFile, from start: Int? = nil, to end: Int? = nil) {
    self.file = file
    cursor = start ?? file.start
    self.end = end ?? file.bytes.count
  }

  /// A document is held whole, with about nine bytes for each of its own.
  static let greatestDocument = 256 << 20

  /// The one value of the text.
  mutating func document() throws(ImportFailure) -> JSONNode {
    try requireHoldable()
    let node = try value(depth: 0)
    guard peek() == nil else { throw unexpected("the end") }
    return node
  }

  /// Fails where there is more than can be held.
  func requireHoldable() throws(ImportFailure) {
    guard end - cursor > JSONParser.greatestDocument else { return }
    throw ImportFailure(
      "it has more than \(JSONParser.greatestDocument) bytes, the most that is read of JSON", file: file.name)
  }

  /// The byte behind blanks; nil at the end.
  mutating func peek() -> UInt8? {
    while cursor < end {
      let byte = file.bytes[cursor]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
      cursor += 1
    }
    return nil
  }

  /// Passes a byte behind blanks.
  mutating func pass(_ byte: Unicode.Scalar) throws(ImportFailure) {
    guard peek() == UInt8(ascii: byte) else { throw unexpected("`\(byte)`") }
    cursor += 1
  }

  /// Passes a byte behind blanks where it stands there.
  mutating func passIfThere(_ byte: Unicode.Scalar) -> Bool {
    guard peek() == UInt8(ascii: byte) else { return false }
    cursor += 1
    return true
  }

  func unexpected(_ expected: String) -> ImportFailure {
    guard cursor < end else {
      return file.failure("found the end of the text, expected \(expected)", at: cursor)
    }
    let found = Unicode.Scalar(file.bytes[cursor])
    let shown = found.isASCII && found.value > 0x20 ? "`\(found)`" : "a byte \(found.value)"
    return file.failure("found \(shown), expected \(expected)", at: cursor)
  }

  mutating func value(depth: Int) throws(ImportFailure) -> JSONNode {
    guard let byte = peek() else { throw unexpected("a value") }
    let start = cursor
    guard depth < JSONParser.nestingLimit else {
      throw file.failure("found values nested deeper than \(JSONParser.nestingLimit) levels", at: start)
    }
    let value: JSONNode.Value =
      switch byte {
      case UInt8(ascii: "{"): .object(try members(depth: depth + 1))
      case UInt8(ascii: "["): .array(try items(depth: depth + 1))
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "t"): try word("true", .bool(true))
      case UInt8(ascii: "f"): try word("false", .bool(false))
      case UInt8(ascii: "n"): try word("null", .null)
      default: .number(try number())
      }
    return JSONNode(value: value, offset: start)
  }

  private mutating func members(depth: Int) throws(ImportFailure) -> [(key: String, value: JSONNode)] {
    try pass("{")
    var members: [(key: String, value: JSONNode)] = []
    // Few keys are compared one by one; of many there is a set.
    var known: Set<String> = []
    guard !passIfThere("}") else { return [] }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key") }
      let start = cursor
      let key = try string()
      if members.count == 16 { known = Set(members.map(\.key)) }
      let isKnown =
        members.count < 16 ? members.contains { $0.key == key } : !known.insert(key).inserted
      guard !isKnown else {
        throw file.failure("found the key \(quoted(key)) twice in one object", at: start)
      }
      try pass(":")
      members.append((key, try value(depth: depth)))
    } while passIfThere(",")
    try pass("}")
    return members
  }

  private mutating func items(depth: Int) throws(ImportFailure) -> [JSONNode] {
    try pass("[")
    var items: [JSONNode] = []
    guard !passIfThere("]") else { return [] }
    repeat { items.append(try value(depth: depth)) } while passIfThere(",")
    try pass("]")
    return items
  }

  private mutating func word(
    _ word: StaticString, _ value: JSONNode.Value
  ) throws(ImportFailure) -> JSONNode.Value {
    for index in 0..<word.utf8CodeUnitCount {
      guard cursor < end, file.bytes[cursor] == word.utf8Start[index] else { throw unexpected("`\(word)`") }
      cursor += 1
    }
    return value
  }

  /// A number by the grammar of JSON.
  private mutating func number() throws(ImportFailure) -> String {
    let start = cursor
    _ = skip("-")
    try passDigits(expected: cursor == start ? "a value" : "a digit")
    if skip(".") { try passDigits(expected: "a digit") }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try passDigits(expected: "a digit")
    }
    return try file.text(start, cursor)
  }

  private mutating func passDigits(expected: String) throws(ImportFailure) {
    let start = cursor
    while cursor < end, (0x30...0x39).contains(file.bytes[cursor]) { cursor += 1 }
    guard cursor > start else { throw unexpected(expected) }
  }

  /// Passes a byte where it stands at the cursor.
  private mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
    guard cursor < end, file.bytes[cursor] == UInt8(ascii: scalar) else { return false }
    cursor += 1
    return true
  }

  // MARK: Strings

  private mutating func string() throws(ImportFailure) -> String {
    let start = cursor
    cursor += 1
    var bytes: [UInt8] = []
    while true {
      guard cursor < end else { throw unexpected("the quote that ends a string") }
      let byte = file.bytes[cursor]
      guard byte >= 0x20 else { throw unexpected("no control character in a string") }
      cursor += 1
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") { bytes += try escape() } else { bytes.append(byte) }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw file.failure("found bytes that are not valid UTF-8", at: start)
    }
    return text
  }

  /// What the escape behind a backslash stands for.
  private mutating func escape() throws(ImportFailure) -> [UInt8] {
    guard cursor < end else { throw unexpected("an escape") }
    let letter = Unicode.Scalar(file.bytes[cursor])
    cursor += 1
    switch letter {
    case "\"", "\\", "/": return [UInt8(ascii: letter)]
    case "b": return [0x08]
    case "f": return [0x0C]
    case "n": return [0x0A]
    case "r": return [0x0D]
    case "t": return [0x09]
    case "u": return Array(String(try unicodeEscape()).utf8)
    default:
      cursor -= 1
      throw unexpected("an escape of JSON")
    }
  }

  private mutating func unicodeEscape() throws(ImportFailure) -> Unicode.Scalar {
    let high = try codeUnit()
    if let scalar = Unicode.Scalar(high) { return scalar }
    guard cursor + 1 < end, file.bytes[cursor] == UInt8(ascii: "\\"),
      file.bytes[cursor + 1] == UInt8(ascii: "u"),
      high < 0xDC00
    else { throw unexpected("the second half of a surrogate pair") }
    cursor += 2
    let low = try codeUnit()
    guard (0xDC00...0xDFFF).contains(low),
      let scalar = Unicode.Scalar(0x10000 + (UInt32(high) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
    else { throw unexpected("the second half of a surrogate pair") }
    return scalar
  }

  private mutating func codeUnit() throws(ImportFailure) -> UInt16 {
    guard cursor + 4 <= end, let text = String(validating: file.bytes[cursor..<cursor + 4], as: UTF8.self),
      text.utf8.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(text, radix: 16)
    else { throw unexpected("four hexadecimal digits") }
    cursor += 4
    return unit
  }
}
