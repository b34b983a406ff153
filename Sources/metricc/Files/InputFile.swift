import Foundation
import MetricData
import Synchronization

/// The bytes of a file: read where they are wanted from a regular one, taken in as a whole from any other
/// (pipes, `/dev/stdin`, files of `/proc`).
///
/// A regular file may grow while it is read: what is added is not examined. Where it shrinks, it is an error.
final class InputFile: Sendable {
  let path: String
  private let descriptor: Int32
  private let content: Content
  /// What a read has failed with; 0 while all is well, and `InputFile.hasShrunk` where bytes are gone.
  private let failure = Mutex<Int32>(0)

  private enum Content: Sendable {
    case file(size: Int)
    case memory(HeldBytes)
  }

  private static let hasShrunk: Int32 = -1

  /// - Parameter most: a larger file is an error; nil lets a regular one have any size.
  init(path: String, most: Int? = nil) throws(CommandFailure) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(SystemError.cannotRead(path)) }
    self.descriptor = descriptor
    RunInputs.add(path)
    guard let status = FileStatus(descriptor: descriptor) else {
      throw .unreadable(SystemError.cannotRead(path))
    }
    // Files of /proc say that they are empty.
    if status.kind == .file, status.size > 0 {
      content = .file(size: status.size)
      if let most, status.size > most { throw .unreadable(HeldBytes.tooLarge(path, most: most)) }
    } else {
      content = .memory(try HeldBytes(reading: descriptor, path: path, most: most ?? HeldBytes.most))
    }
  }

  deinit { close(descriptor) }

  /// Calls `body` with the bytes as a source, which may be used during the call.
  ///
  /// - Throws: where a read has failed meanwhile; what `body` has made of the rest is worth nothing.
  func withSource<Result>(_ body: (ByteSource) -> Result) throws(CommandFailure) -> Result {
    let result: Result
    switch content {
    case .memory(let held): result = withExtendedLifetime(held) { body(ByteSource(held.bytes)) }
    case .file(let size):
      result = body(ByteSource(count: size) { [self] buffer, offset in read(into: buffer, from: offset) })
    }
    switch failure.withLock({ $0 }) {
    case 0: return result
    case InputFile.hasShrunk:
      throw .unreadable("cannot read \(Quoting.quoted(path)): it became shorter while it was read")
    case let error: throw .unreadable(SystemError.cannotRead(path, error))
    }
  }

  /// All bytes; for small files.
  func bytes() throws(CommandFailure) -> [UInt8] {
    try withSource { source in source.prefix(source.count) }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count > 0 { return count }
      let error = count == 0 ? InputFile.hasShrunk : errno
      guard error != EINTR else { continue }
      failure.withLock { $0 = error }
      return -1
    }
  }
}
