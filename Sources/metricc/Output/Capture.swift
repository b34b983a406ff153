import Synchronization

/// What a command writes to both streams, captured for a server that runs commands in its own process.
struct Capture {
  /// The whole lines of standard output, up to `most` bytes.
  private(set) var output: [UInt8] = []
  /// How many lines standard output got in all.
  private(set) var lineCount = 0
  /// Whether that is not all.
  private(set) var isCut = false
  /// What standard error got.
  private(set) var remarks = ""
  /// Why the command ended early.
  private(set) var error: (any Error)?

  static let most = 16 << 20
  private static let current = Mutex<Capture?>(nil)

  static var isActive: Bool { current.withLock { $0 != nil } }

  static func of(_ body: () throws -> Void) -> Capture {
    current.withLock { $0 = Capture() }
    var error: (any Error)?
    do { try body() } catch let thrown { error = thrown }
    var captured = current.withLock { current in
      defer { current = nil }
      return current ?? Capture()
    }
    captured.error = error
    if captured.isCut {
      let end = captured.output.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      captured.output.removeSubrange(end...)
    }
    return captured
  }

  /// Takes bytes written to standard output; false if nothing captures them.
  static func takes(output bytes: UnsafeRawBufferPointer) -> Bool {
    current.withLock { current in
      guard var captured = current else { return false }
      // Not two references to one buffer, which would be copied.
      current = nil
      let room = most - captured.output.count
      captured.output += bytes.prefix(room)
      captured.isCut = captured.isCut || bytes.count > room
      captured.lineCount += bytes.count { $0 == UInt8(ascii: "\n") }
      current = captured
      return true
    }
  }

  static func takes(remark: String) -> Bool {
    current.withLock { current in
      current?.remarks += remark
      return current != nil
    }
  }
}
