import MetricDiagnostics

/// A JSON value (RFC 8259) with the place where it stands. Numbers stay the text that was written, so that
/// none is rounded on the way.
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
  /// Where it starts in the file.
  var offset: Int

  /// The value of a key; nil where this is no object, has no such key, or `null` is there.
  subscript(_ key: String) -> JSONNode? {
    guard case .object(let members) = value, let found = members.first(where: { $0.key == key })?.value
    else { return nil }
    if case .null = found.value { return nil }
    return found
  }

  var members: [(key: String, value: JSONNode)]? {
    if case .object(let members) = value { members } else { nil }
  }

  var items: JSONItems? {
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

/// The values of an array, which are read again each time that they are gone through: the arrays of an export are as
/// long as the export.
struct JSONItems: Sequence {
  let file: ExportFile
  /// Behind the brackets.
  let start: Int
  let end: Int
  let count: Int
  let depth: Int

  var isEmpty: Bool { count == 0 }

  func makeIterator() -> Iterator { Iterator(self) }

  struct Iterator: IteratorProtocol {
    private var parser: JSONParser
    private var isFirst = true
    private let depth: Int

    init(_ items: JSONItems) {
      parser = JSONParser(items.file, from: items.start, to: items.end)
      depth = items.depth
    }

    /// The array has been read once, so that nothing in it is a surprise.
    mutating func next() -> JSONNode? {
      defer { isFirst = false }
      return try? parser.element(isFirst: isFirst, depth: depth)
    }
  }
}
