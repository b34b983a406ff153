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

  package func covers(_ other: Span) -> Bool {
    file == other.file && start <= other.start && other.end <= end
  }

  /// Where it is after the text around it moved from one place to another.
  package func moved(from old: Span, to new: Span) -> Span {
    Span(file: new.file, start: start - old.start + new.start, end: end - old.start + new.start)
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
  /// The bytes, as read. The lexer reports bytes that are not UTF-8.
  public let bytes: [UInt8]
  /// The offset at which each line starts, after a `\n` or, the first, a mark of the byte order.
  public let lineStarts: [Int]
  /// How many scalars start before each multiple of `stride`, from which columns of very long lines are counted.
  private let scalarCounts: [Int]
  private static let stride = 4096

  /// Larger files are not taken for definitions.
  public static let greatestSize = 16 << 20

  public init(path: String, bytes: [UInt8]) {
    self.path = path
    self.bytes = bytes
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    var counts: [Int] = []
    var scalars = 0
    for (offset, byte) in bytes.enumerated() {
      if offset % SourceFile.stride == 0 { counts.append(scalars) }
      if byte == UInt8(ascii: "\n") { starts.append(offset + 1) }
      if byte & 0xC0 != 0x80 { scalars += 1 }
    }
    lineStarts = starts
    scalarCounts = counts
  }

  public init(path: String, text: String) {
    self.init(path: path, bytes: Array(text.utf8))
  }

  /// The text between two offsets; bytes that are not UTF-8 are shown as replacement characters.
  public func text(_ start: Int, _ end: Int) -> String {
    let low = max(0, min(start, bytes.count))
    let high = max(low, min(end, bytes.count))
    return String(decoding: bytes[low..<high], as: UTF8.self)
  }

  /// The text that a span of this file covers.
  public func text(_ span: Span) -> String {
    text(span.start, span.end)
  }

  /// Line and column of an offset; an offset after the end is the end.
  public func position(of offset: Int) -> Position {
    let offset = max(lineStarts[0], min(offset, bytes.count))
    let line = lineStarts.partitioningIndex { $0 > offset }
    return Position(line: line, column: scalars(before: offset) - scalars(before: lineStarts[line - 1]) + 1)
  }

  /// How many scalars start before an offset. Of bytes that are not UTF-8 each counts that could start one.
  private func scalars(before offset: Int) -> Int {
    guard !scalarCounts.isEmpty else { return 0 }
    let mark = min(offset / SourceFile.stride, scalarCounts.count - 1)
    var count = scalarCounts[mark]
    for byte in bytes[mark * SourceFile.stride..<offset] where byte & 0xC0 != 0x80 { count += 1 }
    return count
  }

  /// What surrounds the start of a span on its line, up to a number of bytes on either side: the scalars, how
  /// many of them come before the span, and how many belong to it.
  func surroundings(
    of span: Span, atMost reach: Int
  ) -> (before: Int, scalars: [Unicode.Scalar], length: Int) {
    let place = max(0, min(span.start, bytes.count))
    let line = lineRange(position(of: place).line)
    let start = max(line.lowerBound, min(place, line.upperBound))
    var low = max(line.lowerBound, start - reach)
    while low < start, bytes[low] & 0xC0 == 0x80 { low += 1 }
    var high = min(line.upperBound, start + reach)
    while high > start, high < line.upperBound, bytes[high] & 0xC0 == 0x80 { high -= 1 }
    let before = Array(text(low, start).unicodeScalars)
    let length = text(start, min(span.end, high)).unicodeScalars.count
    return (before.count, before + text(start, high).unicodeScalars, length)
  }

  /// The text of a line (from 1), without its line end.
  public func line(_ number: Int) -> String {
    guard number >= 1, number <= lineStarts.count else { return "" }
    let range = lineRange(number)
    return text(range.lowerBound, range.upperBound)
  }

  /// The bytes of a line (from 1), without its line end.
  private func lineRange(_ number: Int) -> Range<Int> {
    let start = lineStarts[number - 1]
    var end = number < lineStarts.count ? lineStarts[number] - 1 : bytes.count
    if end > start, bytes[end - 1] == UInt8(ascii: "\r") { end -= 1 }
    return start..<end
  }
}
