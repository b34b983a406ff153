/// Cuts a stream of bytes into messages. With headers (LSP, *Base Protocol*): headers, an empty line, and as many
/// bytes as `Content-Length` says. By lines (MCP, *stdio*): one on each line.
///
///     var reader = MessageReader()
///     reader.append(bytes)
///     while let message = reader.next() { … }
///
/// A block of headers without a usable length is skipped and reported once; reading continues after it.
package struct MessageReader: Sendable {
  package enum Framing: Sendable { case headers, lines }

  package enum Message: Hashable, Sendable {
    case body([UInt8])
    /// Why headers are of no use.
    case malformed(String)
  }

  private let framing: Framing
  private var buffer: [UInt8] = []
  private var start = 0
  /// The length of the body that comes next, once its headers are read.
  private var length: Int?
  /// How many bytes are to come of a body that is too long; `Int.max` is all up to the end of the line.
  private var passing = 0
  /// How far no end of a line was found.
  private var searched = 0

  /// Longer headers, and longer bodies, are not messages.
  private static let longestHeaders = 16 << 10
  /// The longest file of definitions, every byte of it escaped, is shorter. A message is held twice.
  private static let longestBody = 128 << 20

  package init(_ framing: Framing = .headers) { self.framing = framing }

  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if passing > 0, framing == .headers { pass() }
    if start > 1 << 16, start * 2 > buffer.count {
      buffer.removeFirst(start)
      searched -= start
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole message; nil until more bytes come.
  package mutating func next() -> Message? {
    if framing == .lines { return nextLine() }
    if passing > 0 {
      pass()
      guard passing == 0 else { return nil }
    }
    if length == nil {
      guard let headers = takeHeaders() else {
        guard buffer.count - start > MessageReader.longestHeaders else { return nil }
        start = buffer.count
        return .malformed("headers of more than \(MessageReader.longestHeaders) bytes")
      }
      guard let found = MessageReader.contentLength(in: headers) else {
        return .malformed("headers without a valid Content-Length")
      }
      guard found <= MessageReader.longestBody else {
        passing = found
        return .malformed("a message of \(found) bytes, of which there may be \(MessageReader.longestBody)")
      }
      length = found
    }
    guard let length, buffer.count - start >= length else { return nil }
    let body = Array(buffer[start..<start + length])
    start += length
    self.length = nil
    return .body(body)
  }

  private mutating func nextLine() -> Message? {
    while let end = buffer[max(start, searched)...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = buffer[start..<end]
      (start, searched) = (end + 1, end + 1)
      let isRest = passing > 0
      passing = 0
      if !isRest, !line.allSatisfy({ $0 == 0x20 || $0 == 0x0D || $0 == 0x09 }) { return .body(Array(line)) }
    }
    searched = buffer.count
    guard passing > 0 || searched - start > MessageReader.longestBody else { return nil }
    let isNew = passing == 0
    passing = Int.max
    (start, searched) = (0, 0)
    buffer.removeAll()
    return isNew ? .malformed("a line of more than \(MessageReader.longestBody) bytes") : nil
  }

  /// Drops what has come of a body that is too long.
  private mutating func pass() {
    let count = min(passing, buffer.count - start)
    passing -= count
    start += count
    guard start == buffer.count else { return }
    buffer.removeAll(keepingCapacity: true)
    start = 0
  }

  /// The header lines, where the empty line after them has come.
  private mutating func takeHeaders() -> [Substring]? {
    for end in start..<buffer.count where buffer[end] == UInt8(ascii: "\n") {
      let rest = buffer[(end + 1)...]
      let skip = rest.first == UInt8(ascii: "\n") ? 1 : rest.starts(with: "\r\n".utf8) ? 2 : 0
      guard skip > 0 else { continue }
      let text = String(decoding: buffer[start..<end], as: UTF8.self)
      start = end + 1 + skip
      return text.split { $0.isNewline }
    }
    return nil
  }

  private static func contentLength(in headers: [Substring]) -> Int? {
    let fields = headers.map { $0.split(separator: ":", maxSplits: 1) }
    let length = fields.first { $0.count == 2 && $0[0].lowercased() == "content-length" }?[1]
    return length.flatMap { Int($0.drop { $0 == " " || $0 == "\t" }.prefix { $0.isASCII && $0.isNumber }) }
  }

  /// A message as it goes over the wire, with headers.
  package static func framed(_ message: JSON) -> [UInt8] {
    let body = message.bytes
    return Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
  }
}
