import Foundation
import MetricData
import Synchronization

/// The bytes of a file: read where they are wanted from a regular one, taken in as a whole from any other
/// (pipes, `/dev/stdin`, files of `/proc`).
final class InputFile: Sendable {
  let path: String
  private let descriptor: Int32
  private let content: Content
  private let mapping = Mutex(Mapping())
  /// What a read has failed with; 0 while all is well.
  private let failure = Mutex<Int32>(0)

  /// `@unchecked`: the bytes are only read.
  private enum Content: @unchecked Sendable {
    case file(size: Int)
    /// Owned by the object.
    case memory(UnsafeRawBufferPointer)
  }

  init(path: String) throws(CommandFailure) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(SystemError.cannotRead(path)) }
    guard let status = FileStatus(descriptor: descriptor) else {
      throw .unreadable(SystemError.cannotRead(path))
    }
    // Files of /proc say that they are empty.
    if status.kind == .file, status.size > 0 {
      content = .file(size: status.size)
    } else {
      content = .memory(try InputFile.readAll(descriptor, path: path))
    }
  }

  deinit {
    close(descriptor)
    mapping.withLock { $0.end() }
    if case .memory(let bytes) = content { bytes.deallocate() }
  }

  /// Calls `body` with the bytes as a source, which may be used during the call.
  ///
  /// - Throws: where a read has failed meanwhile; what `body` has made of the rest is worth nothing.
  func withSource<Result>(_ body: (ByteSource) -> Result) throws(CommandFailure) -> Result {
    let result: Result
    switch content {
    case .memory(let bytes): result = withExtendedLifetime(self) { body(ByteSource(bytes)) }
    case .file(let size):
      result = body(ByteSource(count: size) { [self] buffer, offset in read(into: buffer, from: offset) })
    }
    let error = failure.withLock { $0 }
    guard error == 0 else { throw .unreadable(SystemError.cannotRead(path, error)) }
    return result
  }

  /// Calls `body` with all bytes in memory, which are valid as long as the object is. A regular file is mapped.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) {
      switch content {
      case .memory(let bytes): body(bytes)
      case .file(let size): body(mapping.withLock { $0.bytes(of: descriptor, size) })
      }
    }
  }

  /// All bytes; for small files.
  func bytes() throws(CommandFailure) -> [UInt8] {
    try withSource { source in source.prefix(source.count) }
  }

  private func read(into buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let error = errno
      guard error != EINTR else { continue }
      failure.withLock { $0 = error }
      return -1
    }
  }

  private static func readAll(
    _ descriptor: Int32, path: String
  ) throws(CommandFailure) -> UnsafeRawBufferPointer {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(descriptor, &chunk, chunk.count)
      if count == 0 { break }
      if count > 0 {
        bytes.append(contentsOf: chunk[..<count])
      } else if errno != EINTR {
        throw .unreadable(SystemError.cannotRead(path))
      }
    }
    let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 8)
    copy.copyBytes(from: bytes)
    return UnsafeRawBufferPointer(copy)
  }
}

/// A file that is mapped into memory where somebody wants all of it at once.
///
/// A file that shrinks while it is mapped ends the process; data files are exports that nobody writes to any more.
private struct Mapping: @unchecked Sendable {
  private var mapped: UnsafeRawBufferPointer?

  mutating func bytes(of descriptor: Int32, _ size: Int) -> UnsafeRawBufferPointer {
    if let mapped { return mapped }
    let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let start, start != MAP_FAILED else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    madvise(start, size, Int32(MADV_SEQUENTIAL))
    let bytes = UnsafeRawBufferPointer(start: start, count: size)
    mapped = bytes
    return bytes
  }

  mutating func end() {
    if let mapped { munmap(UnsafeMutableRawPointer(mutating: mapped.baseAddress), mapped.count) }
    mapped = nil
  }
}
