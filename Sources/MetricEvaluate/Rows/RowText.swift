/// Output formats for programs.
package enum RowFormat: String, Sendable {
  /// RFC 4180 with `\n`; no value is an empty field.
  case csv
  /// An array with an object per line.
  case json
  /// An object a line.
  case ndjson

  /// The text before the rows. Each JSON row starts with a comma; that of the first is dropped.
  package func head(hasOpen: Bool) -> String {
    switch self {
    case .csv: "metric,subject,group,part,at,value\(hasOpen ? ",open" : "")\n"
    case .json: "["
    case .ndjson: ""
    }
  }

  /// The text after the rows.
  package func tail(isEmpty: Bool) -> String { self == .json ? (isEmpty ? "]\n" : "\n]\n") : "" }
}

/// Writes rows as text straight from cells: a row costs a few copies of bytes and no string.
struct RowText: ~Copyable {
  private let format: RowFormat
  private let dayCount: Int
  private let pool: StringPool
  /// Nil for a metric without subjects.
  private let names: EntityNames?
  private let ids: EntityNames.View?
  private let isGrouped: Bool
  private let types: [ValueType]

  private var text = ByteBuffer()
  /// The constant pieces of rows, concatenated.
  private var pieces = ByteBuffer()
  /// The piece before the subject.
  private let start: Range<Int>
  /// The piece between subject and group.
  private let behindSubject: Range<Int>
  /// The pieces between group and value, by part and then by day.
  private var middles: [Range<Int>] = []
  /// The ends of rows, of the open day and of all others, and the place of that day.
  private let ends: (open: Range<Int>, other: Range<Int>)
  private let openDay: Int?

  private var subject = 0
  /// Where the text up to the group was first written for the current subject.
  private var prefix: Range<Int>?

  init(_ format: RowFormat, job: RowJob, _ metric: CompiledMetric, open: DayKey?) {
    self.format = format
    dayCount = job.days.count
    pool = job.engine.dataset.pool
    names = job.names
    ids = names?.view
    isGrouped = metric.isGrouped
    let plan = metric.plan
    types = plan.parts.map(\.type)
    let isCSV = format == .csv
    var pieces = ByteBuffer()
    if !isCSV { pieces.append(format == .json ? ",\n{\"metric\":" : "{\"metric\":") }
    RowText.append(plan.name, format, to: &pieces)
    pieces.append(isCSV ? "," : ",\"subject\":")
    start = 0..<pieces.count
    pieces.append(isCSV ? "," : ",\"group\":")
    behindSubject = start.upperBound..<pieces.count
    for part in plan.parts {
      for day in job.days {
        let first = pieces.count
        if !isGrouped, !isCSV { pieces.append("\"\"") }
        pieces.append(isCSV ? "," : ",\"part\":")
        RowText.append(part.name, format, to: &pieces)
        pieces.append(isCSV ? "," : ",\"at\":\"")
        ValueText.write(day, to: &pieces)
        pieces.append(isCSV ? "," : "\",\"value\":")
        middles.append(first..<pieces.count)
      }
    }
    let newline = isCSV ? "\n" : format == .json ? "}" : "}\n"
    func end(isOpen: Bool) -> String {
      open == nil ? newline : (isCSV ? "," : ",\"open\":") + "\(isOpen)" + newline
    }
    let first = pieces.count
    pieces.append(end(isOpen: true))
    let middle = pieces.count
    pieces.append(end(isOpen: false))
    ends = (first..<middle, middle..<pieces.count)
    openDay = open.flatMap(job.days.firstIndex)
    self.pieces = pieces
  }

  @inline(__always)
  private mutating func append(piece: Range<Int>) {
    text.append(UnsafeBufferPointer(rebasing: pieces.bytes[piece]))
  }

  /// Starts another subject: its number.
  mutating func start(_ number: Int) {
    subject = number
    prefix = nil
  }

  mutating func append(group: GroupKey, part: Int, day: Int, value: Cell) {
    if let prefix { text.appendCopy(of: prefix) } else { appendPrefix() }
    if isGrouped { appendGroup(group) }
    append(piece: middles[part &* dayCount &+ day])
    append(value, types[part])
    append(piece: day == openDay ? ends.open : ends.other)
  }

  /// A group of several fields is a record within a field of CSV, and an array of JSON.
  private mutating func appendGroup(_ group: GroupKey) {
    guard format != .csv, group.isOfSeveralFields else {
      return RowText.append(group.text, format, to: &text)
    }
    for (index, field) in group.fields.enumerated() {
      text.append(index == 0 ? "[" : ",")
      RowText.append(field, format, to: &text)
    }
    text.append("]")
  }

  private mutating func appendPrefix() {
    let first = text.count
    append(piece: start)
    if let ids {
      RowText.append(ids[subject], format, to: &text)
    } else {
      RowText.append("", format, to: &text)
    }
    append(piece: behindSubject)
    prefix = first..<text.count
  }

  @inline(__always)
  private mutating func append(_ cell: Cell, _ type: ValueType) {
    if cell == noValue {
      if format != .csv { text.append("null") }
      return
    }
    switch type {
    case .int, .instant: ValueText.write(cell, to: &text)
    case .decimal: ValueText.write(FixedDecimal(millionths: cell), to: &text)
    case .bool: text.append(cell != 0 ? "true" : "false")
    case .dayKey:
      if format != .csv { text.append(Byte.quote) }
      ValueText.write(DayKey(number: Int32(cell)), to: &text)
      if format != .csv { text.append(Byte.quote) }
    case .text: pool.withBytes(of: Int32(cell)) { RowText.append($0, format, to: &text) }
    }
  }

  consuming func finish() -> [UInt8] { Array(text.bytes) }

  private static func append(_ text: String, _ format: RowFormat, to bytes: inout ByteBuffer) {
    var text = text
    text.withUTF8 { append($0, format, to: &bytes) }
  }

  /// A text as a field of CSV, in quotes where it needs them, or as a string of JSON.
  private static func append(
    _ text: UnsafeBufferPointer<UInt8>, _ format: RowFormat, to bytes: inout ByteBuffer
  ) {
    switch format {
    case .csv:
      let isPlain = text.allSatisfy { byte in
        byte != Byte.comma && byte != Byte.quote && byte != Byte.newline && byte != Byte.carriageReturn
      }
      guard !isPlain else { return bytes.append(text) }
      bytes.append(Byte.quote)
      for byte in text {
        if byte == Byte.quote { bytes.append(Byte.quote) }
        bytes.append(byte)
      }
      bytes.append(Byte.quote)
    case .json, .ndjson:
      let isPlain = text.allSatisfy { byte in
        byte >= 0x20 && byte != 0x7F && byte != Byte.quote && byte != Byte.backslash
      }
      guard isPlain else {
        return bytes.append(JSONText.string(String(decoding: text, as: UTF8.self)).description)
      }
      bytes.append(Byte.quote)
      bytes.append(text)
      bytes.append(Byte.quote)
    }
  }
}
