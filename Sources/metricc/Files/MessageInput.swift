import Foundation

/// Messages on standard input.
struct MessageInput {
  private var reader: MessageReader

  init(_ framing: MessageReader.Framing) { reader = MessageReader(framing) }

  enum Arrival {
    case messages([MessageReader.Message])
    /// Nothing came in the time given.
    case silence
    case end
  }

  /// Waits for a message, some milliseconds or for ever, and takes all that have come by then.
  mutating func messages(waiting delay: Int32?) throws(CommandFailure) -> Arrival {
    var messages: [MessageReader.Message] = []
    var wait = delay ?? -1
    while messages.isEmpty {
      guard try isReadable(waiting: wait) else { return .silence }
      repeat {
        let bytes = try read()
        if bytes.isEmpty { return messages.isEmpty ? .end : .messages(messages) }
        reader.append(bytes)
        while let message = reader.next() { messages.append(message) }
      } while try isReadable(waiting: 0)
      wait = -1
    }
    return .messages(messages)
  }

  /// Whether something can be read, after at most some milliseconds.
  func isReadable(waiting delay: Int32) throws(CommandFailure) -> Bool {
    var descriptor = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&descriptor, 1, delay)
      if count >= 0 { return count > 0 }
      guard errno == EINTR else { throw MessageInput.failure }
    }
  }

  /// The bytes that have come; none at the end.
  private func read() throws(CommandFailure) -> ArraySlice<UInt8> {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(0, &chunk, chunk.count)
      if count >= 0 { return chunk[..<count] }
      guard errno == EINTR else { throw MessageInput.failure }
    }
  }

  private static var failure: CommandFailure {
    .unreadable("cannot read standard input: \(SystemError.text(errno))")
  }
}
