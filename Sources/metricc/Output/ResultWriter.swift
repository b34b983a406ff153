import MetricDiagnostics
import MetricEvaluate

/// Results for programs: the six columns `metric,subject,group,part,at,value` in each format.
enum ResultWriter {
  /// RFC 4180 with `\n`; no value is an empty field.
  static func writeCSV(_ rows: [ResultRow], to output: BufferedOutput) {
    output.write("metric,subject,group,part,at,value\n")
    for row in rows {
      for field in [row.metric, row.subject, row.group, row.part] {
        writeCSVField(field, to: output)
        output.write(byte: UInt8(ascii: ","))
      }
      output.write(row.at.description)
      output.write(byte: UInt8(ascii: ","))
      writeCSVField(row.value.plainText, to: output)
      output.write(byte: UInt8(ascii: "\n"))
    }
  }

  /// An array with an object a line.
  static func writeJSON(_ rows: [ResultRow], to output: BufferedOutput) {
    output.write("[")
    for (index, row) in rows.enumerated() {
      output.write(index == 0 ? "\n" : ",\n")
      writeObject(row, to: output)
    }
    output.write(rows.isEmpty ? "]\n" : "\n]\n")
  }

  /// An object a line.
  static func writeNDJSON(_ rows: [ResultRow], to output: BufferedOutput) {
    for row in rows {
      writeObject(row, to: output)
      output.write(byte: UInt8(ascii: "\n"))
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

  private static func writeObject(_ row: ResultRow, to output: BufferedOutput) {
    output.write("{\"metric\":")
    writeJSONString(row.metric, to: output)
    output.write(",\"subject\":")
    writeJSONString(row.subject, to: output)
    output.write(",\"group\":")
    writeJSONString(row.group, to: output)
    output.write(",\"part\":")
    writeJSONString(row.part, to: output)
    output.write(",\"at\":\"\(row.at)\",\"value\":")
    switch row.value {
    case .none: output.write("null")
    case .bool, .int, .decimal: output.write(row.value.plainText)
    case .day, .text: writeJSONString(row.value.plainText, to: output)
    }
    output.write("}")
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
