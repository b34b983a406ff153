import MetricLanguageServer
import Testing

@Suite struct MessageReaderTests {
  private func read(
    _ bytes: [UInt8], chunk: Int, _ framing: MessageReader.Framing = .headers
  ) -> [MessageReader.Message] {
    var reader = MessageReader(framing)
    var messages: [MessageReader.Message] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      reader.append(bytes[start..<min(start + chunk, bytes.count)])
      while let message = reader.next() { messages.append(message) }
    }
    return messages
  }

  @Test(arguments: [1, 2, 7, 1000])
  func messagesInPieces(chunk: Int) {
    let first = MessageReader.framed(["id": 1, "text": "é😀"])
    let second = Array("content-length:2\r\nContent-Type: application/vscode-jsonrpc\r\n\r\n{}".utf8)
    let bodies: [MessageReader.Message] = [
      .body(Array(#"{"id":1,"text":"é😀"}"#.utf8)), .body(Array("{}".utf8)),
    ]
    #expect(read(first + second, chunk: chunk) == bodies)
  }

  /// Empty lines and ends of lines of Windows are no messages; what has no end yet is waited for.
  @Test(arguments: [1, 2, 7, 1000])
  func linesInPieces(chunk: Int) {
    let bytes = Array("\n{\"text\":\"é😀\"}\r\n \r\n{}\n{\"id\"".utf8)
    #expect(
      read(bytes, chunk: chunk, .lines) == [
        .body(Array("{\"text\":\"é😀\"}\r".utf8)), .body(Array("{}".utf8)),
      ])
  }

  /// A line of more than 128 MB is said once and passed over.
  @Test func anOverlongLine() {
    var reader = MessageReader(.lines)
    let piece = [UInt8](repeating: 0x41, count: 1 << 20)
    var found: [MessageReader.Message] = []
    for _ in 0..<140 {
      reader.append(piece)
      while let message = reader.next() { found.append(message) }
    }
    reader.append("A\n{}\n".utf8)
    while let message = reader.next() { found.append(message) }
    #expect(found == [.malformed("a line of more than \(128 << 20) bytes"), .body(Array("{}".utf8))])
  }

  @Test func headersWithoutLengthAreSaidAndPassedOver() {
    let bytes = Array("Hello: 1\r\n\r\nContent-Length: 2\r\n\r\n{}".utf8)
    #expect(
      read(bytes, chunk: 3) == [
        .malformed("headers without a valid Content-Length"), .body(Array("{}".utf8)),
      ])
    #expect(read(Array("Content-Length: -4\r\n\r\n".utf8), chunk: 99).count == 1)
    #expect(read([UInt8](repeating: 65, count: 40_000), chunk: 1000).count >= 1)
  }

  /// Headers of more than 16 KB and bodies of more than 128 MB are no messages; nothing is held of them.
  @Test func lengthsHaveLimits() {
    let long = "X: \(String(repeating: "x", count: 16 << 10))"
    let next = "Content-Length: 2\r\n\r\n{}"
    #expect(
      read(Array(long.utf8), chunk: 1 << 20) == [.malformed("headers of more than 16384 bytes")])
    #expect(
      read(Array("Content-Length: 99999999999999999999\r\n\r\n\(next)".utf8), chunk: 5) == [
        .malformed("headers without a valid Content-Length"), .body(Array("{}".utf8)),
      ])
    // As long as may be is waited for.
    #expect(read(Array("Content-Length: \(128 << 20)\r\n\r\n\(next)".utf8), chunk: 5) == [])
  }

  /// A body that is too long is passed over, in whatever pieces it comes; the message behind it is read.
  @Test(arguments: [1, 1000, 1 << 16, 1 << 20])
  func anOverlongBody(chunk: Int) {
    var reader = MessageReader()
    let length = (128 << 20) + 1
    reader.append("Content-Length: \(length)\r\n\r\n".utf8)
    #expect(
      reader.next() == .malformed("a message of \(length) bytes, of which there may be \(128 << 20)"))
    let piece = [UInt8](repeating: 0x0A, count: 1 << 20)
    for _ in 0..<128 {
      reader.append(piece)
      #expect(reader.next() == nil)
    }
    let rest = Array("xContent-Length: 2\r\n\r\n{}".utf8)
    var found: [MessageReader.Message] = []
    for start in stride(from: 0, to: rest.count, by: chunk) {
      reader.append(rest[start..<min(start + chunk, rest.count)])
      while let message = reader.next() { found.append(message) }
    }
    #expect(found == [.body(Array("{}".utf8))])
  }
}
