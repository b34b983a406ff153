import MetricDiagnostics

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

  /// What belongs to one record, arrays aside, is held: no more values and bytes of text than these.
  static let mostValues = 100_000
  static let mostText = 16 << 20

  private var heldValues = 0
  private var heldText = 0

  /// Begins another record.
  mutating func holdNothing() { (heldValues, heldText) = (0, 0) }

  private mutating func holdValue() throws(ImportFailure) {
    heldValues += 1
    guard heldValues <= JSONParser.mostValues else {
      throw file.failure(
        "found more than \(JSONParser.mostValues) values in one record, expected an array where there are so many",
        at: cursor)
    }
  }

  private mutating func holdText(_ bytes: Int, from start: Int) throws(ImportFailure) {
    heldText += bytes
    guard heldText <= JSONParser.mostText else {
      throw file.failure("found a record with more than \(JSONParser.mostText) bytes of text", at: start)
    }
  }

  /// The one value of the text.
  mutating func document() throws(ImportFailure) -> JSONNode {
    holdNothing()
    let node = try value(depth: 0)
    guard peek() == nil else { throw unexpected("the end") }
    return node
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
    let (byte, start) = try begin(depth)
    let value: JSONNode.Value =
      switch byte {
      case UInt8(ascii: "{"): .object(try members(depth: depth + 1))
      case UInt8(ascii: "["): .array(try items(depth: depth + 1))
      case UInt8(ascii: "\""): .string(try string())
      case UInt8(ascii: "t"): try word("true", .bool(true))
      case UInt8(ascii: "f"): try word("false", .bool(false))
      case UInt8(ascii: "n"): try word("null", .null)
      default: .number(try file.text(start, passNumber()))
      }
    return JSONNode(value: value, offset: start)
  }

  /// Looks at a value as if it were held, and holds nothing of it.
  private mutating func skip(depth: Int) throws(ImportFailure) {
    let (byte, _) = try begin(depth)
    switch byte {
    case UInt8(ascii: "{"):
      try forEachKey { (parser, _) throws(ImportFailure) in try parser.skip(depth: depth + 1) }
    case UInt8(ascii: "["): _ = try items(depth: depth + 1)
    case UInt8(ascii: "\""): try skipString()
    case UInt8(ascii: "t"): _ = try word("true", .bool(true))
    case UInt8(ascii: "f"): _ = try word("false", .bool(false))
    case UInt8(ascii: "n"): _ = try word("null", .null)
    default: _ = try passNumber()
    }
  }

  /// The first byte of a value, and where it stands.
  private mutating func begin(_ depth: Int) throws(ImportFailure) -> (byte: UInt8, start: Int) {
    guard let byte = peek() else { throw unexpected("a value") }
    guard depth < JSONParser.nestingLimit else {
      throw file.failure("found values nested deeper than \(JSONParser.nestingLimit) levels", at: cursor)
    }
    try holdValue()
    return (byte, cursor)
  }

  private mutating func members(depth: Int) throws(ImportFailure) -> [(key: String, value: JSONNode)] {
    var members: [(key: String, value: JSONNode)] = []
    try forEachKey { (parser, key) throws(ImportFailure) in
      members.append((key, try parser.value(depth: depth)))
    }
    return members
  }

  /// Goes through an object; `body` passes the value of each key.
  private mutating func forEachKey(
    _ body: (inout JSONParser, String) throws(ImportFailure) -> Void
  ) throws(ImportFailure) {
    try pass("{")
    var keys: [String] = []
    // Few keys are compared one by one; of many there is a set.
    var known: Set<String> = []
    guard !passIfThere("}") else { return }
    repeat {
      guard peek() == UInt8(ascii: "\"") else { throw unexpected("a key") }
      let start = cursor
      let key = try string()
      if keys.count == 16 { known = Set(keys) }
      let isKnown = keys.count < 16 ? keys.contains(key) : !known.insert(key).inserted
      guard !isKnown else {
        throw file.failure("found the key \(quoted(key)) twice in one object", at: start)
      }
      if keys.count <= 16 { keys.append(key) }
      try pass(":")
      try body(&self, key)
    } while passIfThere(",")
    try pass("}")
  }

  /// Looks through an array, and says where it is. Each of its values is a record of its own.
  private mutating func items(depth: Int) throws(ImportFailure) -> JSONItems {
    try pass("[")
    let (start, held) = (cursor, (heldValues, heldText))
    var count = 0
    if !passIfThere("]") {
      repeat {
        holdNothing()
        try skip(depth: depth)
        count += 1
      } while passIfThere(",")
      try pass("]")
    }
    (heldValues, heldText) = held
    return JSONItems(file: file, start: start, count: count, depth: depth)
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
  ///
  /// - Returns: where it ends.
  private mutating func passNumber() throws(ImportFailure) -> Int {
    let start = cursor
    _ = skip("-")
    try passDigits(expected: cursor == start ? "a value" : "a digit")
    if skip(".") { try passDigits(expected: "a digit") }
    if skip("e") || skip("E") {
      if !skip("+") { _ = skip("-") }
      try passDigits(expected: "a digit")
    }
    return cursor
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
    let (end, isPlain) = try findEnd()
    cursor = start + 1
    var text: String?
    if isPlain {
      text = String(validating: file.bytes[cursor..<end], as: UTF8.self)
    } else {
      var bytes: [UInt8] = []
      while cursor < end {
        let byte = file.bytes[cursor]
        cursor += 1
        if byte == UInt8(ascii: "\\") { bytes += try escape() } else { bytes.append(byte) }
      }
      text = String(validating: bytes, as: UTF8.self)
    }
    cursor = end + 1
    guard let text else { throw file.failure("found bytes that are not valid UTF-8", at: start) }
    return text
  }

  /// Passes a string that is right.
  private mutating func skipString() throws(ImportFailure) {
    let start = cursor
    let (end, isPlain) = try findEnd()
    if isPlain, file.bytes[start..<end].allSatisfy({ $0 < 0x80 }) {
      cursor = end + 1
    } else {
      heldText -= end - start
      cursor = start
      _ = try string()
    }
  }

  /// Where the quote stands that ends a string, and whether it holds no escape.
  private mutating func findEnd() throws(ImportFailure) -> (end: Int, isPlain: Bool) {
    let start = cursor
    var isPlain = true
    cursor += 1
    while true {
      guard cursor < end else { throw unexpected("the quote that ends a string") }
      let byte = file.bytes[cursor]
      guard byte >= 0x20 else { throw unexpected("no control character in a string") }
      if byte == UInt8(ascii: "\"") { break }
      if byte == UInt8(ascii: "\\") {
        isPlain = false
        cursor += 1
      }
      cursor += 1
    }
    try holdText(cursor - start, from: start)
    return (cursor, isPlain)
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
