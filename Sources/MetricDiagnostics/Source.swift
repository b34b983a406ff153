/// A place in a source file: UTF-8 offsets, half open.
public struct Span: Hashable, Sendable {
  /// The index of the file in the library's list of sources.
  public var file: Int
  public var start: Int
  public var end: Int

  public init(file: Int, start: Int, end: Int) {
    self.file = file
    self.start = start
    self.end = end
  }

  /// The smallest span that covers both; both lie in the same file.
  public func union(_ other: Span) -> Span {
    Span(file: file, start: min(start, other.start), end: max(end, other.end))
  }
}

/// A position as people and editors count it: lines and columns from 1, columns in Unicode scalars.
public struct Position: Hashable, Sendable {
  public var line: Int
  public var column: Int

  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// The text of one file with an index of its lines.
public struct SourceFile: Sendable {
  /// The path as it is shown in findings.
  public let path: String
  /// The bytes, as read. The lexer reports bytes that are no UTF-8.
  public let bytes: [UInt8]
  /// The offset at which each line starts; a line ends with `\n`.
  public let lineStarts: [Int]

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [0]
    for (offset, byte) in bytes.enumerated() where byte == UInt8(ascii: "\n") {
      starts.append(offset + 1)
    }
    lineStarts = starts
  }

  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The text between two offsets; bytes that are no UTF-8 are shown as replacement characters.
  public func text(_ start: Int, _ end: Int) -> String {
    let low = max(0, min(start, bytes.count))
    let high = max(low, min(end, bytes.count))
    return String(decoding: bytes[low..<high], as: UTF8.self)
  }

  /// The text that a span of this file covers.
  public func text(_ span: Span) -> String {
    text(span.start, span.end)
  }

  /// Line and column of an offset; an offset behind the end is the end.
  public func position(of offset: Int) -> Position {
    let offset = max(0, min(offset, bytes.count))
    var low = 0
    var high = lineStarts.count
    while high - low > 1 {
      let middle = (low + high) / 2
      if lineStarts[middle] <= offset { low = middle } else { high = middle }
    }
    let column = text(lineStarts[low], offset).unicodeScalars.count + 1
    return Position(line: low + 1, column: column)
  }

  /// The text of a line (from 1), without its line end.
  public func line(_ number: Int) -> String {
    guard number >= 1, number <= lineStarts.count else { return "" }
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return text(start, end)
  }
}
