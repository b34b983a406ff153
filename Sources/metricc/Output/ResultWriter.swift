import MetricDiagnostics
import MetricEvaluate
import MetricValues

/// Results for programs: the names of the columns, and a value for each in every record.
struct ResultRecords {
  var columns: [String]
  var count: Int
  var record: (Int) -> [Value]

  init(columns: [String], count: Int, record: @escaping (Int) -> [Value]) {
    (self.columns, self.count, self.record) = (columns, count, record)
  }

  /// A record for each row: `metric,subject,group,part,at,value`, and `open` where a week or month is open.
  init(_ rows: [ResultRow], open: DayKey? = nil) {
    let columns = ["metric", "subject", "group", "part", "at", "value"] + (open == nil ? [] : ["open"])
    self.init(columns: columns, count: rows.count) { index in
      let row = rows[index]
      return [
        .text(row.metric), .text(row.subject), .text(row.group), .text(row.part), .day(row.at), row.value,
      ]
        + (open.map { [.bool(row.at == $0)] } ?? [])
    }
  }
}

/// Writes records in each format.
enum ResultWriter {
  static func write(_ records: ResultRecords, as format: RowFormat, to output: BufferedOutput) {
    switch format {
    case .csv: writeCSV(records, to: output)
    case .json:
      output.write("[")
      writeObjects(records, to: output) { $0 == 0 ? "\n" : ",\n" }
      output.write(records.count == 0 ? "]\n" : "\n]\n")
    case .ndjson:
      writeObjects(records, to: output) { $0 == 0 ? "" : "\n" }
      if records.count > 0 { output.write(byte: UInt8(ascii: "\n")) }
    }
  }

  /// RFC 4180 with `\n`; no value is an empty field.
  private static func writeCSV(_ records: ResultRecords, to output: BufferedOutput) {
    func writeLine(_ fields: [String]) {
      for (index, field) in fields.enumerated() {
        if index > 0 { output.write(byte: UInt8(ascii: ",")) }
        writeCSVField(field, to: output)
      }
      output.write(byte: UInt8(ascii: "\n"))
    }
    writeLine(records.columns)
    for index in 0..<records.count { writeLine(records.record(index).map(\.plainText)) }
  }

  /// An object for each record, on a line of its own.
  private static func writeObjects(
    _ records: ResultRecords, to output: BufferedOutput, before: (Int) -> String
  ) {
    let keys = records.columns.enumerated().map { "\($0 == 0 ? "{" : ",")\(JSONText.string($1)):" }
    for index in 0..<records.count {
      output.write(before(index))
      for (key, value) in zip(keys, records.record(index)) {
        output.write(key)
        switch value {
        case .none: output.write("null")
        case .bool, .int, .decimal: output.write(value.plainText)
        case .day, .text: writeJSONString(value.plainText, to: output)
        }
      }
      output.write(byte: UInt8(ascii: "}"))
    }
  }

  /// A field, in quotes where it needs them.
  private static func writeCSVField(_ field: String, to output: BufferedOutput) {
    let needsQuotes = field.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\n")
        || byte == UInt8(ascii: "\r")
    }
    guard needsQuotes else { return output.write(field) }
    let quote = UInt8(ascii: "\"")
    output.write(byte: quote)
    for byte in field.utf8 {
      if byte == quote { output.write(byte: quote) }
      output.write(byte: byte)
    }
    output.write(byte: quote)
  }

  private static func writeJSONString(_ text: String, to output: BufferedOutput) {
    let isPlain = text.utf8.allSatisfy { byte in
      byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    guard isPlain else { return output.write(JSONText.string(text).description) }
    output.write(byte: UInt8(ascii: "\""))
    output.write(text)
    output.write(byte: UInt8(ascii: "\""))
  }
}
