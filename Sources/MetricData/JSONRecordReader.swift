import MetricDiagnostics

/// Reads one JSON object as a record: decodes the needed fields, checks and passes over the others.
struct JSONRecordReader: ~Copyable {
  var scanner: JSONScanner
  private var names: FieldNames
  private var scratch = ByteBuffer()
  /// For each column the number of the last record that gave it.
  private var lastSeen: [Int]
  private var recordNumber = 0

  init(_ input: Input, schema: TableSchema) {
    scanner = JSONScanner(input)
    names = FieldNames(schema)
    lastSeen = Array(repeating: 0, count: schema.columns.count)
  }

  /// Reads the value at the cursor, which lies in `depth` arrays, as a record; the caller finishes it.
  ///
  /// - Throws: where the bytes are no JSON. A value that is no object is a mistake of the record.
  mutating func readRecord(depth: Int, into builder: inout TableBuilder) throws(JSONFault) {
    guard scanner.peek() == Byte.openBrace else {
      let value = try scanner.scanValue(depth: depth)
      let found = described(value)
      let message = "found \(found), expected an object with the fields of `\(builder.schema.record)`"
      return builder.add(
        Finding(code: .wrongJSONType, message: message), at: JSONRecordReader.start(of: value))
    }
    let start = scanner.cursor
    try scanner.pass(Byte.openBrace, "an object")
    recordNumber &+= 1
    let isFirstOfFile = recordNumber == 1 && builder.start == 0
    var keys: [String] = []
    var isFirst = true
    while let key = try scanner.nextKey(isFirst: isFirst) {
      isFirst = false
      let name = try text(of: key, isLenient: true)
      let column = names.column(of: name)
      if isFirstOfFile { keys.append(String(decoding: name, as: UTF8.self)) }
      let value = try scanner.scanValue(depth: depth + 1)
      guard let column else { continue }
      if lastSeen[column] == recordNumber {
        addRepeatedKey(builder.schema.columns[column].name, key, to: &builder)
      } else {
        lastSeen[column] = recordNumber
        try decode(value, column: column, into: &builder)
      }
    }
    for column in lastSeen.indices where lastSeen[column] != recordNumber {
      let schema = builder.schema.columns[column]
      // Of a required field without a similar key the record tells itself.
      if keys.contains(where: { ColumnSchema.isSimilar($0, schema.nameInFile) }) {
        builder.failMissing(schema, among: keys, of: "the first record", at: start)
      }
      builder.decodeMissing(column: column, at: start)
    }
  }

  private func addRepeatedKey(_ name: String, _ key: JSONValue, to builder: inout TableBuilder) {
    let message = "found the key `\(name)` twice in one object, expected it once"
    builder.add(Finding(code: .repeatedKey, message: message), at: JSONRecordReader.start(of: key))
  }

  /// The decoded bytes of a string. A lenient caller takes the raw ones of a string that is no Unicode:
  /// what nobody needs may hold half a surrogate pair.
  @inline(__always)
  private mutating func text(
    of string: JSONValue, isLenient: Bool = false
  ) throws(JSONFault) -> UnsafeBufferPointer<UInt8> {
    guard string.hasEscapes else { return scanner.input.bytes(string.start, string.end) }
    scratch.removeAll()
    do throws(JSONFault) {
      try scanner.unescape(string, into: &scratch)
    } catch {
      if isLenient { return scanner.input.bytes(string.start, string.end) }
      throw error
    }
    return scratch.bytes
  }

  private mutating func decode(
    _ value: JSONValue, column: Int, into builder: inout TableBuilder
  ) throws(JSONFault) {
    let rule = builder.rules[column]
    let offset = JSONRecordReader.start(of: value)
    let isRight: Bool
    switch value.kind {
    case .null: return builder.decodeMissing(column: column, at: offset)
    case .string where value.start == value.end: return builder.decodeMissing(column: column, at: offset)
    case .string: isRight = rule.type == .text || rule.type == .dayKey || rule.type == .instant
    case .number:
      isRight = rule.type == .int || rule.type == .decimal || rule.isIdentifier && isWhole(value)
    case .bool: isRight = rule.type == .bool
    case .array, .object: isRight = false
    }
    if isRight {
      let text = value.kind == .string ? try text(of: value) : scanner.input.bytes(value.start, value.end)
      builder.decode(text, column: column, at: offset)
    } else {
      let schema = builder.schema.columns[column]
      let message = "`\(schema.name)` is \(described(value)), expected \(Wording.expectation(schema))"
      builder.add(Finding(code: .wrongJSONType, message: message), at: offset)
    }
  }

  /// Whether a number is written with a sign and digits only.
  private func isWhole(_ number: JSONValue) -> Bool {
    scanner.input.bytes(number.start, number.end).allSatisfy { $0 == Byte.minus || Byte.digit($0) <= 9 }
  }

  private static func start(of value: JSONValue) -> Int {
    value.kind == .string ? value.start - 1 : value.start
  }

  private func described(_ value: JSONValue) -> String {
    let text = Wording.quoted(scanner.input.bytes(value.start, value.end))
    return switch value.kind {
    case .string: "the text \(text)"
    case .number: "the number \(text)"
    case .bool, .null: text
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// Finds the column of a key; the keys of a file mostly come in the same order in each record.
private struct FieldNames {
  /// The names, one behind the other.
  private var bytes: [UInt8] = []
  private var ends: [Int] = []
  /// The column that stood behind each column in the last record; the count for the first key.
  private var followers: [Int]
  private var previous: Int

  init(_ schema: TableSchema) {
    for column in schema.columns {
      bytes.append(contentsOf: column.nameInFile.utf8)
      ends.append(bytes.count)
    }
    previous = schema.columns.count
    followers = schema.columns.indices.map { $0 + 1 } + [0]
  }

  mutating func column(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    let guess = followers[previous]
    if guess < ends.count, isName(guess, key) {
      previous = guess
      return guess
    }
    for column in ends.indices where isName(column, key) {
      followers[previous] = column
      previous = column
      return column
    }
    return nil
  }

  @inline(__always)
  private func isName(_ column: Int, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
    let start = column == 0 ? 0 : ends[column - 1]
    guard ends[column] - start == key.count, let base = key.baseAddress else { return false }
    return bytes.withUnsafeBufferPointer { names in
      names.baseAddress.map { ByteScan.areEqual($0 + start, base, key.count) } ?? false
    }
  }
}

extension JSONFault {
  /// What was found and what was expected, where the text ends with `endName`.
  func finding(_ input: Input, end: Int, endName: String) -> Finding {
    switch reason {
    case .tooDeep:
      let message = "found arrays and objects nested deeper than \(JSONScanner.nestingLimit) levels"
      return Finding(code: .nestedTooDeeply, message: message)
    case .unexpected(let expected):
      let found = offset >= end ? endName : JSONFault.scalar(input, offset, end)
      return Finding(code: .malformedJSON, message: "found \(found), expected \(expected)")
    }
  }

  /// The scalar that starts at an offset.
  private static func scalar(_ input: Input, _ offset: Int, _ end: Int) -> String {
    let text = String(decoding: input.bytes(offset, min(offset + 4, end)), as: UTF8.self)
    return quoted(String(String.UnicodeScalarView(text.unicodeScalars.prefix(1))))
  }
}
