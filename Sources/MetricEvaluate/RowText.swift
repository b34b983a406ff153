import MetricData
import MetricDiagnostics
import MetricPlan

/// How result rows are written for programs.
package enum RowFormat: Sendable {
  /// RFC 4180 with `\n`; no value is an empty field.
  case csv
  /// An array with an object a line.
  case json
  /// An object a line.
  case ndjson

  /// What stands before the rows. Each JSON row has a comma before it; that of the first one is left out.
  package var head: String {
    switch self {
    case .csv: "metric,subject,group,part,at,value\n"
    case .json: "["
    case .ndjson: ""
    }
  }

  /// What stands behind them.
  package func tail(isEmpty: Bool) -> String { self == .json ? (isEmpty ? "]\n" : "\n]\n") : "" }
}

/// The text of rows, made straight from cells: a row costs a few copies of bytes and no string.
struct RowText: ~Copyable {
  private let format: RowFormat
  private let job: RowJob
  private let metric: CompiledMetric
  private var bytes: [UInt8] = []
  /// Of the subject at hand: all up to its group.
  private var subject: [UInt8] = []
  /// All up to the subject.
  private let start: [UInt8]
  /// By part, what stands between the group and the value; then by day within it.
  private let middles: [[UInt8]]
  private let end: [UInt8]
  private let types: [ValueType]

  init(_ format: RowFormat, job: RowJob, _ metric: CompiledMetric) {
    self.format = format
    self.job = job
    self.metric = metric
    let plan = metric.plan
    types = plan.parts.map(\.type)
    var start: [UInt8] = []
    switch format {
    case .csv: RowText.append(plan.name, format, to: &start)
    case .json, .ndjson:
      start += Array((format == .json ? ",\n{\"metric\":" : "{\"metric\":").utf8)
      RowText.append(plan.name, format, to: &start)
    }
    start += Array((format == .csv ? "," : ",\"subject\":").utf8)
    self.start = start
    middles = plan.parts.flatMap { part in
      job.days.map { day in
        var middle = Array((format == .csv ? "," : ",\"part\":").utf8)
        RowText.append(part.name, format, to: &middle)
        middle += Array((format == .csv ? "," : ",\"at\":\"").utf8)
        ValueText.write(day, to: &middle)
        return middle + Array((format == .csv ? "," : "\",\"value\":").utf8)
      }
    }
    end = Array((format == .csv ? "\n" : format == .json ? "}" : "}\n").utf8)
  }

  /// Takes up another subject: its number, nil for none.
  mutating func start(_ number: Int?) {
    subject.removeAll(keepingCapacity: true)
    subject.append(contentsOf: start)
    if let number, let names = job.names {
      names.withName(number) { text, isPlain in
        guard isPlain else { return RowText.append(text, format, to: &subject) }
        if format != .csv { subject.append(RowText.quote) }
        subject.append(contentsOf: text)
        if format != .csv { subject.append(RowText.quote) }
      }
    } else {
      RowText.append("", format, to: &subject)
    }
    subject.append(contentsOf: (format == .csv ? "," : ",\"group\":").utf8)
  }

  mutating func append(group: Cell, part: Int, day: Int, value: Cell) {
    bytes.append(contentsOf: subject)
    if metric.isGrouped {
      RowText.append(job.groupName(group, metric), format, to: &bytes)
    } else if format != .csv {
      bytes.append(contentsOf: "\"\"".utf8)
    }
    bytes.append(contentsOf: middles[part * job.days.count + day])
    append(value, types[part])
    bytes.append(contentsOf: end)
  }

  private mutating func append(_ cell: Cell, _ type: ValueType) {
    if cell == noValue {
      if format != .csv { bytes.append(contentsOf: "null".utf8) }
      return
    }
    switch type {
    case .int, .instant: ValueText.write(cell, to: &bytes)
    case .decimal: ValueText.write(FixedDecimal(millionths: cell), to: &bytes)
    case .bool: bytes.append(contentsOf: (cell != 0 ? "true" : "false").utf8)
    case .dayKey:
      if format != .csv { bytes.append(RowText.quote) }
      ValueText.write(DayKey(number: Int32(cell)), to: &bytes)
      if format != .csv { bytes.append(RowText.quote) }
    case .text:
      job.engine.dataset.pool.withBytes(of: Int32(cell)) { RowText.append($0, format, to: &bytes) }
    }
  }

  consuming func finish() -> [UInt8] { bytes }

  // MARK: Texts

  private static let quote = UInt8(ascii: "\"")

  private static func append(_ text: String, _ format: RowFormat, to bytes: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, format, to: &bytes) }
  }

  /// A text as a field of CSV, in quotes where it needs them, or as a string of JSON.
  private static func append(
    _ text: UnsafeBufferPointer<UInt8>, _ format: RowFormat, to bytes: inout [UInt8]
  ) {
    switch format {
    case .csv:
      let needsQuotes = text.contains { byte in
        byte == UInt8(ascii: ",") || byte == quote || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      }
      guard needsQuotes else { return bytes.append(contentsOf: text) }
      bytes.append(quote)
      for byte in text {
        if byte == quote { bytes.append(quote) }
        bytes.append(byte)
      }
      bytes.append(quote)
    case .json, .ndjson:
      let isPlain = text.allSatisfy { byte in
        byte >= 0x20 && byte != 0x7F && byte != quote && byte != UInt8(ascii: "\\")
      }
      guard isPlain else {
        return bytes.append(
          contentsOf: JSONText.string(String(decoding: text, as: UTF8.self)).description.utf8)
      }
      bytes.append(quote)
      bytes.append(contentsOf: text)
      bytes.append(quote)
    }
  }
}
