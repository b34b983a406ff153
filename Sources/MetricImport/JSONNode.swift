/// A JSON value (RFC 8259) with its place. Numbers stay the text that was written, so that none is rounded.
struct JSONNode {
  indirect enum Value {
    case object([(key: String, value: JSONNode)])
    case array(JSONItems)
    case string(String)
    case number(String)
    case bool(Bool)
    case null
  }

  var value: Value
  let file: ExportFile
  /// Where it starts in the file.
  var offset: Int

  /// The value of a key; nil if this is not an object, has no such key, or `null` is there.
  subscript(_ key: String) -> JSONNode? {
    guard let found = members?.first(where: { $0.key == key })?.value else { return nil }
    if case .null = found.value { return nil }
    return found
  }

  var members: [(key: String, value: JSONNode)]? {
    if case .object(let members) = value { members } else { nil }
  }
  var items: JSONItems? { if case .array(let items) = value { items } else { nil } }
  var string: String? { if case .string(let text) = value { text } else { nil } }
  var bool: Bool? { if case .bool(let truth) = value { truth } else { nil } }
  /// A number's text as it was written.
  var number: String? { if case .number(let text) = value { text } else { nil } }
  /// A whole number, also where it was written `3.0`.
  var integer: Int64? { number.flatMap { Int64($0) ?? Double($0).flatMap { Int64(exactly: $0) } } }

  /// A text, number or truth as the text of a cell; nil for anything else.
  var cell: String? {
    switch value {
    case .string(let text), .number(let text): text
    case .bool(let truth): truth ? "true" : "false"
    case .null: ""
    case .object, .array: nil
    }
  }

  func text(_ key: String) throws(ImportFailure) -> String? {
    guard let value = self[key] else { return nil }
    guard let text = value.string else { throw value.fault("`\(key)`", expected: "a text") }
    return text
  }

  func failure(_ message: String) -> ImportFailure { file.failure(message, at: offset) }

  /// `found an array, expected a text`; with a name, `` `unit` is an array, expected a text``.
  func fault(_ name: String? = nil, expected: String) -> ImportFailure {
    failure("\(name.map { "\($0) is" } ?? "found") \(described), expected \(expected)")
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

/// The values of an array, read again each time that they are gone through: it may be as long as the export.
struct JSONItems: Sequence {
  fileprivate let file: ExportFile
  /// After the brackets.
  let start: Int
  let end: Int
  let count: Int
  let depth: Int

  var isEmpty: Bool { count == 0 }

  func makeIterator() -> AnyIterator<JSONNode> {
    var parser = JSONParser(file, from: start, to: end)
    var isFirst = true
    // The array has been read once, so that nothing in it is a surprise.
    return AnyIterator {
      defer { isFirst = false }
      return try? parser.element(isFirst: isFirst, depth: depth)
    }
  }
}

/// Makes nodes of JSON that `JSONScanner` reads.
struct JSONParser {
  private let file: ExportFile
  private var scanner: JSONScanner
  private let end: Int

  /// Reads `start ..< end` of a file; all of it where they are not given.
  init(_ file: ExportFile, from start: Int? = nil, to end: Int? = nil) {
    self.file = file
    self.end = end ?? file.bytes.count
    scanner = JSONScanner(file.input(start ?? file.start, self.end))
  }

  /// What belongs to one record, arrays aside, is held: no more values and bytes of text than these.
  static let mostValues = 100_000
  static let mostText = 16 << 20

  private var heldValues = 0
  private var heldText = 0

  mutating func document() throws(ImportFailure) -> JSONNode {
    let node = try next()
    try checked { (scanner) throws(JSONFault) in try scanner.passEnd("the end") }
    return node
  }

  /// The next of several values that follow one another.
  mutating func next() throws(ImportFailure) -> JSONNode {
    (heldValues, heldText) = (0, 0)
    return try value(depth: 0)
  }

  /// Whether nothing but blanks is left.
  mutating func isAtEnd() -> Bool { scanner.peek() == nil }

  /// The next value of an array, which has been read once.
  mutating func element(isFirst: Bool, depth: Int) throws(ImportFailure) -> JSONNode? {
    (heldValues, heldText) = (0, 0)
    let isThere = try checked { (scanner) throws(JSONFault) in try scanner.nextElement(isFirst: isFirst) }
    return isThere ? try value(depth: depth) : nil
  }

  private mutating func value(depth: Int) throws(ImportFailure) -> JSONNode {
    let first = scanner.peek()
    let start = scanner.cursor
    heldValues += 1
    guard heldValues <= JSONParser.mostValues else {
      throw file.failure(
        "found more than \(JSONParser.mostValues) values in one record, expected an array where there are so many",
        at: start)
    }
    let isNested = first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    guard !isNested || depth < JSONScanner.nestingLimit else { throw tooDeep(at: start) }
    let value: JSONNode.Value =
      switch first {
      case UInt8(ascii: "{"): .object(try members(depth: depth + 1))
      case UInt8(ascii: "["): .array(try items(depth: depth + 1))
      default: try plainValue()
      }
    return JSONNode(value: value, file: file, offset: start)
  }

  private mutating func plainValue() throws(ImportFailure) -> JSONNode.Value {
    let value = try checked { (scanner) throws(JSONFault) in try scanner.scanValue(depth: 0) }
    switch value.kind {
    case .string: return .string(try text(value))
    case .number: return .number(try file.text(value.start, value.end))
    case .bool: return .bool(file.bytes[value.start] == UInt8(ascii: "t"))
    case .null, .array, .object: return .null
    }
  }

  private mutating func members(depth: Int) throws(ImportFailure) -> [(key: String, value: JSONNode)] {
    var members: [(key: String, value: JSONNode)] = []
    var known: Set<String> = []
    scanner.passByte()
    while let place = try checked({ (scanner) throws(JSONFault) in
      try scanner.nextKey(isFirst: members.isEmpty)
    }) {
      let key = try text(place)
      guard known.insert(key).inserted else {
        throw file.failure("found the key \(quoted(key)) twice in one object", at: place.start - 1)
      }
      members.append((key, try value(depth: depth)))
    }
    return members
  }

  /// Looks through an array, and says where it is. Each of its values is a record of its own.
  private mutating func items(depth: Int) throws(ImportFailure) -> JSONItems {
    scanner.passByte()
    let (start, held) = (scanner.cursor, (heldValues, heldText))
    var count = 0
    while try element(isFirst: count == 0, depth: depth) != nil { count += 1 }
    (heldValues, heldText) = held
    return JSONItems(file: file, start: start, end: scanner.cursor, count: count, depth: depth)
  }

  private mutating func text(_ string: JSONValue) throws(ImportFailure) -> String {
    heldText += string.end - string.start + 1
    guard heldText <= JSONParser.mostText else {
      throw file.failure(
        "found a record with more than \(JSONParser.mostText) bytes of text", at: string.start - 1)
    }
    guard string.hasEscapes else { return try file.text(string.start, string.end) }
    var bytes = ByteBuffer()
    do throws(JSONFault) { try scanner.unescape(string, into: &bytes) } catch { throw failure(error) }
    return try file.text(bytes.bytes, at: string.start)
  }

  /// Runs the scanner, and says of the file what it finds wrong.
  private mutating func checked<T>(
    _ scan: (inout JSONScanner) throws(JSONFault) -> T
  ) throws(ImportFailure) -> T {
    do throws(JSONFault) { return try scan(&scanner) } catch { throw failure(error) }
  }

  private func tooDeep(at offset: Int) -> ImportFailure {
    file.failure("found values nested deeper than \(JSONScanner.nestingLimit) levels", at: offset)
  }

  private func failure(_ fault: JSONFault) -> ImportFailure {
    guard case .unexpected(let expected) = fault.reason else { return tooDeep(at: fault.offset) }
    guard fault.offset < end else {
      return file.failure("found the end of the text, expected \(expected)", at: fault.offset)
    }
    let found = Unicode.Scalar(file.bytes[fault.offset])
    let shown = found.isASCII && found.value > 0x20 ? "`\(found)`" : "a byte \(found.value)"
    return file.failure("found \(shown), expected \(expected)", at: fault.offset)
  }
}
