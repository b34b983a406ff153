import MetricDiagnostics

/// Reads the records of a file with one JSON object a line. Blank lines are skipped; a line that is
/// no JSON is one bad record.
struct NDJSONReader: ~Copyable {
  private var reader: JSONRecordReader
  private var plain: PlainObjects

  init(_ window: borrowing FileWindow, schema: TableSchema) {
    reader = JSONRecordReader(window.input, schema: schema)
    plain = PlainObjects(schema)
  }

  /// Reads the lines that start in `start ..< limit` of the file, and gives where the next one starts.
  mutating func read(
    into builder: inout TableBuilder, _ window: inout FileWindow, from start: Int, to limit: Int
  ) -> Int {
    var line = start - window.origin
    var generalEnd = 0
    while !builder.isFatal, window.origin + line < limit {
      if window.origin + line >= generalEnd {
        let (next, general) = plain.read(into: &builder, window.input, from: line, to: limit - window.origin)
        line = next
        generalEnd = window.origin + general
        if window.origin + line >= limit { break }
      }
      let end = ByteScan.first(Byte.newline, window.base, from: line, to: window.count)
      if end == window.count, !window.isAtEnd {
        guard !window.isTooLong(from: line) else {
          builder.failTooLong(at: line, window)
          break
        }
        window.slide(to: line)
        builder.move(to: window, from: line)
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
