import MetricDiagnostics

/// Reads the records of a file that is one JSON array of objects. Where it is no JSON, reading ends:
/// nothing tells where the next record would start.
struct JSONArrayReader {
  private let input: Input

  init(_ input: Input) {
    self.input = input
  }

  func read(into builder: inout TableBuilder) {
    var reader = JSONRecordReader(input, schema: builder.schema)
    let expected = "expected an array of `\(builder.schema.record)` objects"
    guard let first = reader.scanner.peek() else {
      return builder.fail(
        Finding(code: .emptyFile, message: "found an empty file, \(expected)"), at: input.start)
    }
    guard first == Byte.openBracket else {
      let found = first == Byte.openBrace ? "an object" : "no `[`"
      return builder.fail(
        Finding(code: .notAnArray, message: "found \(found) at the start, \(expected)"),
        at: reader.scanner.cursor)
    }
    do throws(JSONFault) {
      try readElements(&reader, into: &builder)
    } catch {
      builder.fail(finding(error), at: error.offset)
    }
  }

  private func readElements(
    _ reader: inout JSONRecordReader, into builder: inout TableBuilder
  ) throws(JSONFault) {
    try reader.scanner.pass(Byte.openBracket, "an array")
    var isFirst = true
    while try reader.scanner.nextElement(isFirst: isFirst) {
      isFirst = false
      _ = reader.scanner.peek()
      let start = reader.scanner.cursor
      try reader.readRecord(depth: 1, into: &builder)
      builder.finishRecord(from: start, to: reader.scanner.cursor)
      if builder.isFatal { return }
    }
    try reader.scanner.passEnd("the end of the file")
  }

  private func finding(_ fault: JSONFault) -> Finding {
    guard fault.offset >= input.end, case .unexpected(let expected) = fault.reason else {
      return fault.finding(input, end: input.end, endName: "the end of the file")
    }
    return Finding(
      code: .truncatedJSON, message: "found the end of the file within the array, expected \(expected)")
  }
}
