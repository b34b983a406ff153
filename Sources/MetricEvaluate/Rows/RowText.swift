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
  private let job: RowJob
  private let names: EntityNames.View?
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
  private let end: Range<Int>
  /// The place of the open day, and the end of its rows.
  private let openDay: Int
  private let openEnd: Range<Int>

  /// The current subject; nil for none.
  private var subject: Int?
  /// Where the text up to the group was first written for the current subject.
  private var prefix: Range<Int>?

  init(_ format: RowFormat, job: RowJob, _ metric: CompiledMetric, open: DayKey?) {
    self.format = format
    self.job = job
    names = job.names?.view
    isGrouped = metric.isGrouped
    let plan = metric.plan
    types = plan.parts.map(\.type)
    var pieces = ByteBuffer()
    if format != .csv { pieces.append(format == .json ? ",\n{\"metric\":" : "{\"metric\":") }
    RowText.append(plan.name, format, to: &pieces)
    pieces.append(format == .csv ? "," : ",\"subject\":")
    start = 0..<pieces.count
    pieces.append(format == .csv ? "," : ",\"group\":")
    behindSubject = start.upperBound..<pieces.count
    for part in plan.parts {
      for day in job.days {
        let first = pieces.count
        if !isGrouped, format != .csv { pieces.append("\"\"") }
        pieces.append(format == .csv ? "," : ",\"part\":")
        RowText.append(part.name, format, to: &pieces)
        pieces.append(format == .csv ? "," : ",\"at\":\"")
        ValueText.write(day, to: &pieces)
        pieces.append(format == .csv ? "," : "\",\"value\":")
        middles.append(first..<pieces.count)
      }
    }
    let newline = format == .csv ? "\n" : format == .json ? "}" : "}\n"
    let flag = open == nil ? "" : format == .csv ? "," : ",\"open\":"
    let first = pieces.count
    pieces.append(flag + (open == nil ? "" : "false") + newline)
    end = first..<pieces.count
    openDay = open.flatMap { job.days.firstIndex(of: $0) } ?? -1
    pieces.append(flag + "true" + newline)
    openEnd = end.upperBound..<pieces.count
    self.pieces = pieces
  }

  @inline(__always)
  private mutating func append(piece: Range<Int>) {
    text.append(UnsafeBufferPointer(rebasing: pieces.bytes[piece]))
  }

  /// Starts another subject: its number, nil for none.
  mutating func start(_ number: Int?) {
    subject = number
    prefix = nil
  }

  mutating func append(group: GroupKey, part: Int, day: Int, value: Cell) {
    if let prefix { text.appendCopy(of: prefix) } else { appendPrefix() }
    if isGrouped { appendGroup(group) }
    append(piece: middles[part &* job.days.count &+ day])
    append(value, types[part])
    append(piece: day == openDay ? openEnd : end)
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
    if let subject, let names {
      let name = names[subject]
      if names.isPlain(subject) {
        if format != .csv { text.append(RowText.quote) }
        text.append(name)
        if format != .csv { text.append(RowText.quote) }
      } else {
        RowText.append(name, format, to: &text)
      }
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
      if format != .csv { text.append(RowText.quote) }
      ValueText.write(DayKey(number: Int32(cell)), to: &text)
      if format != .csv { text.append(RowText.quote) }
    case .text:
      job.engine.dataset.pool.withBytes(of: Int32(cell)) { RowText.append($0, format, to: &text) }
    }
  }

  consuming func finish() -> [UInt8] { Array(text.bytes) }

  // MARK: Texts

  private static let quote = UInt8(ascii: "\"")

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
      let needsQuotes = text.contains { byte in
        byte == UInt8(ascii: ",") || byte == quote || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
      }
      guard needsQuotes else { return bytes.append(text) }
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
        return bytes.append(JSONText.string(String(decoding: text, as: UTF8.self)).description)
      }
      bytes.append(quote)
      bytes.append(text)
      bytes.append(quote)
    }
  }
}

/// The ids of an entity in the order of their numbers, concatenated for fast output.
///
/// `@unchecked Sendable`: the memory is only read.
final class EntityNames: @unchecked Sendable {
  private let text: ByteBuffer
  /// The start of each id, and the end of the last.
  private let starts: UnsafeMutablePointer<Int>
  /// Whether an id needs no quotes or escapes in CSV and JSON.
  private let arePlain: UnsafeMutablePointer<Bool>

  init(_ space: EntitySpace, _ pool: StringPool) {
    var text = ByteBuffer()
    let starts = UnsafeMutablePointer<Int>.allocate(capacity: space.count + 1)
    let arePlain = UnsafeMutablePointer<Bool>.allocate(capacity: space.count)
    pool.forEach(space.ids) { number, name in
      (starts + number).initialize(to: text.count)
      text.append(name)
      (arePlain + number).initialize(to: name.allSatisfy(EntityNames.isPlain))
    }
    (starts + space.count).initialize(to: text.count)
    self.text = text
    self.starts = starts
    self.arePlain = arePlain
  }

  deinit {
    starts.deallocate()
    arePlain.deallocate()
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
      && byte != UInt8(ascii: ",")
  }

  /// The ids for use in a loop; valid while the object lives.
  var view: View { View(text: text.bytes, starts: starts, arePlain: arePlain) }

  struct View {
    fileprivate let text: UnsafeBufferPointer<UInt8>
    fileprivate let starts: UnsafePointer<Int>
    fileprivate let arePlain: UnsafePointer<Bool>

    /// The bytes of an id.
    @inline(__always)
    subscript(number: Int) -> UnsafeBufferPointer<UInt8> {
      UnsafeBufferPointer(rebasing: text[starts[number]..<starts[number &+ 1]])
    }

    /// Whether an id needs no quotes or escapes in any format.
    @inline(__always)
    func isPlain(_ number: Int) -> Bool { arePlain[number] }
  }
}
