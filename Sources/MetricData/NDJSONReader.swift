import MetricDiagnostics

/// Reads the records of a file with one JSON object a line. Blank lines are passed over; a line that is
/// no JSON is one bad record.
struct NDJSONReader {
  private let input: Input

  init(_ input: Input) {
    self.input = input
  }

  func read(into builder: inout TableBuilder) {
    var reader = JSONRecordReader(input, schema: builder.schema)
    var start = input.start
    while start < input.end, !builder.isFatal {
      let end = ByteScan.first(Byte.newline, input.base, from: start, to: input.end)
      reader.scanner.restrict(from: start, to: end)
      if reader.scanner.peek() != nil {
        readLine(end, &reader, into: &builder)
        builder.finishRecord(from: start, to: end)
      }
      start = end + 1
    }
  }

  @inline(__always)
  private func readLine(_ end: Int, _ reader: inout JSONRecordReader, into builder: inout TableBuilder) {
    do throws(JSONFault) {
      try reader.readRecord(depth: 0, into: &builder)
      try reader.scanner.passEnd("the end of the line")
    } catch {
      builder.add(error.finding(input, end: end, endName: "the end of the line"), at: error.offset)
    }
  }
}
