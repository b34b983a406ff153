import Foundation

/// Bytes on their way to a file descriptor, gathered so that a row costs no system call.
///
/// A failure is kept and thrown by `finish`. When the reader at the other end of a pipe goes away
/// (`| head`), the rest is dropped and nothing has failed: the exit status is what it would have been.
final class BufferedOutput {
  private let descriptor: Int32
  /// What the stream is called in a message.
  private let name: String
  private var buffer: [UInt8] = []
  private var failure: CommandFailure?
  /// Whether the rest goes nowhere.
  private(set) var isClosed = false

  private static let capacity = 1 << 16

  /// Writes to a descriptor that stays the caller's to close.
  init(descriptor: Int32, name: String) {
    (self.descriptor, self.name) = (descriptor, name)
    buffer.reserveCapacity(BufferedOutput.capacity + 1024)
  }

  /// A stream to standard output; a command makes one and finishes it.
  static var standardOutput: BufferedOutput { BufferedOutput(descriptor: 1, name: "standard output") }

  /// Writes all that there is for standard output.
  static func print(_ text: String) throws(CommandFailure) {
    let output = standardOutput
    output.write(text)
    try output.finish()
  }

  func write(_ text: String) { write(text.utf8) }

  func write(_ bytes: some Sequence<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= BufferedOutput.capacity { flush() }
  }

  /// Many bytes, which bypass the buffer.
  func write(bytes: ArraySlice<UInt8>) {
    guard bytes.count >= BufferedOutput.capacity else { return write(bytes) }
    flush()
    bytes.withUnsafeBytes { send($0) }
  }

  /// Writes what is left.
  func finish() throws(CommandFailure) {
    flush()
    if let failure { throw failure }
  }

  private func flush() {
    defer { buffer.removeAll(keepingCapacity: true) }
    buffer.withUnsafeBytes { send($0) }
  }

  private func send(_ bytes: UnsafeRawBufferPointer) {
    guard !isClosed, descriptor != 1 || !Capture.takes(output: bytes) else { return }
    if descriptor == 1 { ProgressLine.clear() }
    let error = BufferedOutput.writeAll(bytes, to: descriptor)
    guard error != 0 else { return }
    isClosed = true
    if error != EPIPE { failure = .unreadable("cannot write \(name): \(SystemError.text(error))") }
  }

  /// Writes to standard error, unbuffered; what cannot be written there is lost.
  static func writeToStandardError(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { writeAll($0, to: 2) }
  }

  /// The error number, or 0.
  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
    var rest = bytes[...]
    while !rest.isEmpty {
      let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
      let written = Foundation.write(descriptor, start, rest.count)
      if written > 0 {
        rest = rest.dropFirst(written)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }
}

/// What the command says on standard error, beside its results.
enum Remarks {
  /// A line, with the command's name before it.
  static func say(_ message: String) { ProgressLine.writeInItsPlace("metricc: \(message)\n") }

  /// Writes findings; those about data are in no source.
  static func report(_ findings: [Diagnostic], in sources: [SourceFile] = []) {
    let isColored = Terminal.isColored(.error) && !Capture.isActive
    for finding in findings {
      ProgressLine.writeInItsPlace(finding.rendered(in: sources, color: isColored))
    }
  }
}
