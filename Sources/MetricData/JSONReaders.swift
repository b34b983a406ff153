/// Reads one JSON object as a record: decodes the needed fields, checks and skips the others.
struct JSONRecordReader: ~Copyable {
  var scanner: JSONScanner
  /// Of each column its name in the file.
  private let names: [[UInt8]]
  private var scratch = ByteBuffer()
  /// For each column the number of the last record that gave it.
  private var lastSeen: [Int]
  private var recordNumber = 0

  init(_ input: Input, schema: TableSchema) {
    scanner = JSONScanner(input)
    names = schema.columns.map { Array($0.nameInFile.utf8) }
    lastSeen = Array(repeating: 0, count: schema.columns.count)
  }

  /// Reads the value at the cursor, which lies in `depth` arrays, as a record; the caller finishes it.
  ///
  /// - Throws: if the bytes are not JSON. A value that is not an object is a mistake of the record.
  mutating func readRecord(depth: Int, into builder: inout TableBuilder) throws(JSONFault) {
    guard scanner.peek() == Byte.openBrace else {
      let value = try scanner.scanValue(depth: depth)
      let found = described(value)
      let message = "found \(found), expected an object with the fields of `\(builder.schema.record)`"
      return builder.add(Finding(code: .wrongJSONType, message: message), at: value.place)
    }
    let start = scanner.cursor
    try scanner.pass(Byte.openBrace, "an object")
    recordNumber &+= 1
    let isFirstOfFile = recordNumber == 1 && builder.isFirstPart
    var keys: [String] = []
    var isFirst = true
    while let key = try scanner.nextKey(isFirst: isFirst) {
      isFirst = false
      // What nobody needs may hold half a surrogate pair.
      let name = (try? text(of: key)) ?? scanner.input.bytes(key.start, key.end)
      let column = column(of: name)
      if isFirstOfFile { keys.append(String(decoding: name, as: UTF8.self)) }
      let value = try scanner.scanValue(depth: depth + 1)
      guard let column else { continue }
      if lastSeen[column] == recordNumber {
        let name = builder.schema.columns[column].name
        let message = "found the key `\(name)` twice in one object, expected it once"
        builder.add(Finding(code: .repeatedKey, message: message), at: key.place)
      } else {
        lastSeen[column] = recordNumber
        try decode(value, column: column, into: &builder)
      }
    }
    for column in lastSeen.indices where lastSeen[column] != recordNumber {
      let schema = builder.schema.columns[column]
      // The record itself reports a required field without a similar key.
      if keys.contains(where: { ColumnSchema.isSimilar($0, schema.nameInFile) }) {
        builder.failMissing(schema, among: keys, of: "the first record", at: start)
      }
      builder.decodeMissing(column: column, at: start)
    }
  }

  private func column(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    guard let base = key.baseAddress else { return nil }
    return names.firstIndex { $0.count == key.count && ByteScan.areEqual($0, base, key.count) }
  }

  /// The decoded bytes of a string.
  @inline(__always)
  private mutating func text(of string: JSONValue) throws(JSONFault) -> UnsafeBufferPointer<UInt8> {
    guard string.hasEscapes else { return scanner.input.bytes(string.start, string.end) }
    scratch.removeAll()
    try scanner.unescape(string, into: &scratch)
    return scratch.bytes
  }

  private mutating func decode(
    _ value: JSONValue, column: Int, into builder: inout TableBuilder
  ) throws(JSONFault) {
    let rule = builder.rules[column]
    let offset = value.place
    builder.search?.meetValue(column, at: offset)
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

extension JSONFault {
  /// What was found and what was expected, where the text ends with `endName`.
  func finding(_ input: Input, end: Int, endName: String) -> Finding {
    switch reason {
    case .tooDeep:
      let message = "found arrays and objects nested deeper than \(JSONScanner.nestingLimit) levels"
      return Finding(code: .nestedTooDeeply, message: message)
    case .unexpected(let expected):
      let text = String(decoding: input.bytes(offset, max(offset, min(offset + 4, end))), as: UTF8.self)
      let found = text.unicodeScalars.first.map { quoted(String($0)) } ?? endName
      return Finding(code: .malformedJSON, message: "found \(found), expected \(expected)")
    }
  }
}

/// Reads the records of a file with one JSON object per line. Blank lines are skipped; a line that is not JSON is one
/// bad record.
struct NDJSONReader: RecordReader, ~Copyable {
  private var reader: JSONRecordReader
  private var plain: PlainObjects

  init(_ input: Input, schema: TableSchema) {
    reader = JSONRecordReader(input, schema: schema)
    plain = PlainObjects(schema)
  }

  var mayBeCut: Bool { true }

  /// Reads the lines that start in `start ..< limit` of the file, and gives where the next one starts.
  mutating func read(
    into builder: inout TableBuilder, _ window: inout FileWindow, from start: Int, to limit: Int
  ) -> Int {
    var line = start - window.origin
    var generalEnd = builder.search == nil ? 0 : Int.max
    while !builder.isDone, window.origin + line < limit {
      if window.origin + line >= generalEnd {
        let (next, general) = plain.read(into: &builder, window.input, from: line, to: limit - window.origin)
        line = next
        generalEnd = window.origin + general
        if window.origin + line >= limit { break }
      }
      let end = ByteScan.first(Byte.newline, window.base, from: line, to: window.count)
      if end == window.count, !window.isAtEnd {
        guard builder.slide(&window, to: line) else { break }
        line = 0
        continue
      }
      if line >= window.count { break }
      readLine(line, end, window.input, into: &builder)
      line = min(end + 1, window.count)
    }
    return window.origin + line
  }

  private mutating func readLine(
    _ start: Int, _ end: Int, _ input: Input, into builder: inout TableBuilder
  ) {
    reader.scanner.move(to: input, from: start, to: end)
    guard reader.scanner.peek() != nil else { return }
    do throws(JSONFault) {
      try reader.readRecord(depth: 0, into: &builder)
      try reader.scanner.passEnd("the end of the line")
      if !builder.hasPending { plain.learn(input, start, end, builder.rules) }
    } catch {
      builder.add(error.finding(input, end: end, endName: "the end of the line"), at: error.offset)
    }
    builder.finishRecord(from: start, to: end)
  }
}

/// Reads the records of a file that is one JSON array of objects. Where it is not JSON, reading ends: nothing shows
/// where the next record would start.
///
/// A record that the window cuts is begun again when more of it is there.
struct JSONArrayReader: ~Copyable {
  private var reader: JSONRecordReader
  private let expected: String

  init(_ input: Input, schema: TableSchema) {
    reader = JSONRecordReader(input, schema: schema)
    expected = "expected an array of `\(schema.record)` objects"
  }

  mutating func read(into builder: inout TableBuilder, _ window: inout FileWindow) {
    guard readOpening(into: &builder, &window) else { return }
    var isFirst = true
    while !builder.isDone {
      let start = reader.scanner.cursor
      do throws(JSONFault) {
        guard try readNext(isFirst: isFirst, into: &builder, window) else {
          return readEnd(into: &builder, &window)
        }
        isFirst = false
      } catch {
        // A value may have ended the reading already.
        guard !builder.isDone else { return }
        guard isCut(error, window) else {
          return builder.fail(finding(error, window.input), at: error.offset)
        }
        builder.forgetPending()
        slide(to: start, &window, &builder)
      }
    }
  }

  /// Passes what precedes the first record; false where it is not an array.
  private mutating func readOpening(into builder: inout TableBuilder, _ window: inout FileWindow) -> Bool {
    let beginning = window.input.start
    while reader.scanner.peek() == nil, !window.isAtEnd { slide(to: window.count, &window, &builder) }
    guard let first = reader.scanner.peek() else {
      builder.fail(
        Finding(code: .emptyFile, message: "found an empty file, \(expected)"), at: beginning - window.origin)
      return false
    }
    guard first == Byte.openBracket else {
      let found = first == Byte.openBrace ? "an object" : "no `[`"
      builder.fail(
        Finding(code: .notAnArray, message: "found \(found) at the start, \(expected)"),
        at: reader.scanner.cursor,
        notes: first == Byte.openBrace ? [Note("a file with one object a line ends in `.ndjson`")] : [])
      return false
    }
    reader.scanner.passByte()
    return true
  }

  /// Reads one record; false after the end of the array.
  private mutating func readNext(
    isFirst: Bool, into builder: inout TableBuilder, _ window: borrowing FileWindow
  ) throws(JSONFault) -> Bool {
    guard try reader.scanner.nextElement(isFirst: isFirst) else { return false }
    _ = reader.scanner.peek()
    let start = reader.scanner.cursor
    try reader.readRecord(depth: 1, into: &builder)
    if reader.scanner.cursor == window.count, !window.isAtEnd {
      // A number may go on after the window.
      throw JSONFault(reason: .unexpected(expected: "a comma or `]`"), offset: window.count)
    }
    builder.finishRecord(from: start, to: reader.scanner.cursor)
    return true
  }

  /// After the array there are blanks only.
  private mutating func readEnd(into builder: inout TableBuilder, _ window: inout FileWindow) {
    while reader.scanner.peek() == nil, !window.isAtEnd { slide(to: window.count, &window, &builder) }
    do throws(JSONFault) {
      try reader.scanner.passEnd("the end of the file")
    } catch {
      builder.fail(finding(error, window.input), at: error.offset)
    }
  }

  /// Whether the JSON may be right and the window ends too early. The longest construct whose first byte depends on its
  /// last one is an escape.
  private func isCut(_ fault: JSONFault, _ window: borrowing FileWindow) -> Bool {
    !window.isAtEnd && fault.offset + 16 >= window.count
  }

  private mutating func slide(to position: Int, _ window: inout FileWindow, _ builder: inout TableBuilder) {
    guard builder.slide(&window, to: position) else { return }
    reader.scanner.move(to: window.input, from: 0, to: window.count)
  }

  private func finding(_ fault: JSONFault, _ input: Input) -> Finding {
    guard fault.offset >= input.end, case .unexpected(let expected) = fault.reason else {
      return fault.finding(input, end: input.end, endName: "the end of the file")
    }
    return Finding(
      code: .truncatedJSON, message: "found the end of the file within the array, expected \(expected)")
  }
}
