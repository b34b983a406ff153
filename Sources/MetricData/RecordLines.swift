/// The lines on which records start, for messages that name single records.
///
/// Readers keep no places, as nearly nobody asks for them. This walks through the bytes again.
///
/// - Parameters:
///   - bytes: the whole file; it has been read without a finding.
///   - rows: numbers of records in the order of the file, from 0.
/// - Returns: by number of the record its line, from 1.
public func recordLines(
  _ bytes: UnsafeRawBufferPointer, format: DataFormat, rows: Set<Int>
) -> [Int: Int] {
  var walk = RecordWalk(bytes: bytes, wanted: rows)
  switch format {
  case .csv: walk.csv()
  case .ndjson: walk.ndjson()
  case .json: walk.json()
  }
  return walk.lines
}

/// Counts lines and records of a file that is known to be well formed.
private struct RecordWalk {
  let bytes: UnsafeRawBufferPointer
  let wanted: Set<Int>
  private(set) var lines: [Int: Int] = [:]
  private var record = 0
  private var line = 1

  init(bytes: UnsafeRawBufferPointer, wanted: Set<Int>) {
    self.bytes = bytes
    self.wanted = wanted
  }

  private var isDone: Bool { lines.count == wanted.count }

  private mutating func meet(at line: Int) {
    if wanted.contains(record) { lines[record] = line }
    record += 1
  }

  /// Rows behind the header; a quoted cell may hold line ends, and blank lines are no rows.
  mutating func csv() {
    var isQuoted = false
    var isBlank = true
    var rowLine = 1
    var isHeader = true
    func isLast(_ offset: Int) -> Bool { offset + 1 == bytes.count }
    for (offset, byte) in bytes.enumerated() {
      if isDone { return }
      if isBlank, byte != Byte.newline, byte != Byte.carriageReturn { (isBlank, rowLine) = (false, line) }
      if byte == Byte.quote { isQuoted.toggle() }
      guard byte == Byte.newline || isLast(offset) else { continue }
      if byte == Byte.newline { line += 1 }
      if isQuoted, !isLast(offset) { continue }
      if !isBlank, isHeader { isHeader = false } else if !isBlank { meet(at: rowLine) }
      isBlank = true
    }
  }

  /// Lines that are not blank.
  mutating func ndjson() {
    var isBlank = true
    for byte in bytes {
      if isDone { return }
      if byte == Byte.newline {
        if !isBlank { meet(at: line) }
        line += 1
        isBlank = true
      } else if byte != Byte.blank, byte != Byte.tab, byte != Byte.carriageReturn {
        isBlank = false
      }
    }
    if !isBlank { meet(at: line) }
  }

  /// Objects directly in the array.
  mutating func json() {
    var depth = 0
    var isText = false
    var isEscaped = false
    for byte in bytes {
      if isDone { return }
      if byte == Byte.newline { line += 1 }
      if isText {
        if byte == Byte.quote, !isEscaped { isText = false }
        isEscaped = byte == Byte.backslash && !isEscaped
        continue
      }
      switch byte {
      case Byte.quote: isText = true
      case Byte.openBrace, Byte.openBracket:
        if depth == 1 { meet(at: line) }
        depth += 1
      case Byte.closeBrace, Byte.closeBracket: depth -= 1
      default: break
      }
    }
  }
}
