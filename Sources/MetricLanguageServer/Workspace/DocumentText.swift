/// How a client counts the characters of a line.
package enum PositionEncoding: String, CaseIterable, Sendable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The units of a character with this many bytes.
  fileprivate func units(ofBytes count: Int) -> Int {
    switch self {
    case .utf8: count
    case .utf16: count == 4 ? 2 : 1
    case .utf32: 1
    }
  }
}

/// A place as LSP counts it: lines and characters from 0, characters in units of the encoding.
package struct TextPosition: Hashable, Sendable {
  package var line: Int
  package var character: Int
}

/// The bytes of a document with an index of its lines, which end with `\n`, `\r\n` or `\r`.
package struct DocumentText: Hashable, Sendable {
  package private(set) var bytes: [UInt8]
  private var lineStarts: [Int]

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    lineStarts = DocumentText.lineStarts(of: bytes)
  }

  package init(_ text: String) { self.init(Array(text.utf8)) }

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package var lineCount: Int { lineStarts.count }

  private static func lineStarts(of bytes: [UInt8]) -> [Int] {
    var starts = [0]
    for (offset, byte) in bytes.enumerated() {
      let isPair = byte == UInt8(ascii: "\r") && bytes[(offset + 1)...].first == UInt8(ascii: "\n")
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") && !isPair { starts.append(offset + 1) }
    }
    return starts
  }

  /// The byte offset of a position; after the end of its line or of the text that end, inside a character its start.
  package func offset(of position: TextPosition, in encoding: PositionEncoding) -> Int {
    guard position.line >= 0 else { return 0 }
    guard position.line < lineStarts.count else { return bytes.count }
    let line = lineStarts[position.line]..<start(ofLine: position.line + 1)
    let length = bytes[line].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.count
    return end(of: line.prefix(length), encoding) { _, character in character <= position.character }.offset
  }

  /// The position of a byte offset; one after the end is the end.
  package func position(of offset: Int, in encoding: PositionEncoding) -> TextPosition {
    let offset = max(0, min(offset, bytes.count))
    let line = self.line(of: offset)
    let start = lineStarts[line]
    guard encoding != .utf8 else { return TextPosition(line: line, character: offset - start) }
    let character = end(of: start..<bytes.count, encoding) { at, _ in at <= offset }.character
    return TextPosition(line: line, character: character)
  }

  /// Goes over whole characters as long as the place after them is wanted.
  private func end(
    of range: Range<Int>, _ encoding: PositionEncoding,
    while isWanted: (_ offset: Int, _ character: Int) -> Bool
  ) -> (offset: Int, character: Int) {
    var (offset, character) = (range.lowerBound, 0)
    while offset < range.upperBound {
      let length = scalarLength(at: offset, before: range.upperBound)
      let units = encoding.units(ofBytes: length)
      guard isWanted(offset + length, character + units) else { break }
      (offset, character) = (offset + length, character + units)
    }
    return (offset, character)
  }

  package func line(of offset: Int) -> Int { max(0, lineStarts.partitioningIndex { $0 > offset } - 1) }

  /// Where a line starts; the end of the text for one that is not there.
  package func start(ofLine line: Int) -> Int {
    lineStarts.indices.contains(line) ? lineStarts[line] : bytes.count
  }

  /// How many bytes the character at an offset has; 1 for a byte that starts none.
  private func scalarLength(at offset: Int, before end: Int) -> Int {
    let lead = bytes[offset]
    let length = lead < 0xC0 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF8 ? 4 : 1
    guard length > 1, offset + length <= end else { return 1 }
    let isWhole = bytes[(offset + 1)..<(offset + length)].allSatisfy { $0 & 0xC0 == 0x80 }
    return isWhole ? length : 1
  }

  /// Replaces what is between two positions; where they are the wrong way round, between the other.
  package mutating func replace(
    from start: TextPosition, to end: TextPosition, with text: String, in encoding: PositionEncoding
  ) {
    let (first, last) = (offset(of: start, in: encoding), offset(of: end, in: encoding))
    bytes.replaceSubrange(min(first, last)..<max(first, last), with: text.utf8)
    lineStarts = DocumentText.lineStarts(of: bytes)
  }
}
