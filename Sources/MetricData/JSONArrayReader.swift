import MetricDiagnostics

/// Reads the records of a file that is one JSON array of objects. Where it is no JSON, reading ends:
/// nothing tells where the next record would start.
///
/// A record that the window cuts is begun again when more of it is there.
struct JSONArrayReader: ~Copyable {
  private var reader: JSONRecordReader
  private let expected: String

  init(_ window: borrowing FileWindow, schema: TableSchema) {
    reader = JSONRecordReader(window.input, schema: schema)
    expected = "expected an array of `\(schema.record)` objects"
  }

  mutating func read(into builder: inout TableBuilder, _ window: inout FileWindow) {
    guard readOpening(into: &builder, &window) else { return }
    var isFirst = true
    while !builder.isFatal {
      let start = reader.scanner.cursor
      do throws(JSONFault) {
        guard try readNext(isFirst: isFirst, into: &builder, window) else {
          return readEnd(into: &builder, &window)
        }
        isFirst = false
      } catch {
        // A value may have ended the reading already.
        guard !builder.isFatal else { return }
        guard isCut(error, window) else {
          return builder.fail(finding(error, window.input), at: error.offset)
        }
        builder.forgetPending()
        slide(to: start, &window, &builder)
      }
    }
  }

  /// Passes what precedes the first record; false where it is no array.
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

  /// Reads one record; false behind the end of the array.
  private mutating func readNext(
    isFirst: Bool, into builder: inout TableBuilder, _ window: borrowing FileWindow
  ) throws(JSONFault) -> Bool {
    guard try reader.scanner.nextElement(isFirst: isFirst) else { return false }
    _ = reader.scanner.peek()
    let start = reader.scanner.cursor
    try reader.readRecord(depth: 1, into: &builder)
    if reader.scanner.cursor == window.count, !window.isAtEnd {
      // A number may go on behind the window.
      throw JSONFault(reason: .unexpected(expected: "a comma or `]`"), offset: window.count)
    }
    builder.finishRecord(from: start, to: reader.scanner.cursor)
    return true
  }

  /// Behind the array there are blanks only.
  private mutating func readEnd(into builder: inout TableBuilder, _ window: inout FileWindow) {
    while reader.scanner.peek() == nil, !window.isAtEnd { slide(to: window.count, &window, &builder) }
    do throws(JSONFault) {
      try reader.scanner.passEnd("the end of the file")
    } catch {
      builder.fail(finding(error, window.input), at: error.offset)
    }
  }

  /// Whether the JSON may be right and the window ends too early. The longest thing whose first byte tells of
  /// a fault in its last one is an escape.
  private func isCut(_ fault: JSONFault, _ window: borrowing FileWindow) -> Bool {
    !window.isAtEnd && fault.offset + 16 >= window.count
  }

  private mutating func slide(to position: Int, _ window: inout FileWindow, _ builder: inout TableBuilder) {
    guard !window.isTooLong(from: position) else { return builder.failTooLong(at: position, window) }
    window.slide(to: position)
    builder.move(to: window, from: position)
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
