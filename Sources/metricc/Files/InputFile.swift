import Foundation
import Synchronization

/// The bytes of a file: read where they are wanted from a regular one, taken in as a whole from any other
/// (pipes, `/dev/stdin`, files of `/proc`).
///
/// A regular file may grow while it is read: what is added is not examined. Where it shrinks, it is an error.
final class InputFile: Sendable {
  let path: String
  fileprivate let descriptor: Int32
  fileprivate let content: Content
  /// What a read has failed with; 0 while all is well, and `InputFile.hasShrunk` where bytes are gone.
  private let failure = Mutex<Int32>(0)

  fileprivate enum Content: Sendable {
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

  /// Calls `body` with the bytes as a source, for this call alone. Throws if a read has failed meanwhile: what
  /// `body` has made of the rest is worth nothing.
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
      throw .unreadable("cannot read \(path.quoted): it became shorter while it was read")
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

/// All bytes of a file at once: mapped into memory where it is a regular one, read to the end otherwise
/// (pipes, `/dev/stdin`, files of `/proc`). What is read in parts is an `InputFile`.
///
/// A file that shrinks while it is mapped ends the run as one that cannot be read: see `Interruption`.
final class MappedFile {
  private let input: InputFile
  /// What was read from where nothing can be mapped.
  private let held: HeldBytes?
  /// Valid as long as this object is.
  let bytes: UnsafeRawBufferPointer

  var path: String { input.path }

  init(path: String) throws(CommandFailure) {
    input = try InputFile(path: path)
    switch input.content {
    case .memory(let held): (self.held, bytes) = (held, held.bytes)
    case .file(let size):
      if let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, input.descriptor, 0), start != MAP_FAILED {
        madvise(start, size, Int32(MADV_SEQUENTIAL))
        (held, bytes) = (nil, UnsafeRawBufferPointer(start: start, count: size))
      } else {
        let held = try HeldBytes(reading: input.descriptor, path: path, most: HeldBytes.most)
        (self.held, bytes) = (held, held.bytes)
      }
    }
  }

  deinit {
    if held == nil { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
  }
}

/// What a pipe, a terminal or a device gives, up to its end: it can be read only once, so all of it is held.
///
/// Memory that the system does not give is an error of the input, not the end of the process.
final class HeldBytes: Sendable {
  /// Valid as long as this object is.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// The most that a pipe may hold: a larger dataset has to be a file, of which only a few blocks are in memory.
  static let most = 2 << 30

  /// - Parameter most: more bytes than these are an error, which is met without holding them.
  init(reading descriptor: Int32, path: String, most: Int) throws(CommandFailure) {
    var capacity = 1 << 16
    var memory = HeldBytes.resized(nil, to: capacity)
    var count = 0
    while let start = memory {
      let read = Foundation.read(descriptor, start + count, capacity - count)
      if read == 0 { break }
      guard read > 0 || errno == EINTR else {
        let error = errno
        free(start)
        throw .unreadable(SystemError.cannotRead(path, error))
      }
      count += max(0, read)
      guard count <= most else {
        free(start)
        throw .unreadable(HeldBytes.tooLarge(path, most: most))
      }
      if count == capacity {
        capacity = min(capacity * 2, most + 1)
        memory = HeldBytes.resized(start, to: capacity)
      }
    }
    guard let memory else { throw .unreadable(SystemError.cannotRead(path, ENOMEM)) }
    bytes = UnsafeRawBufferPointer(start: memory, count: count)
  }

  deinit { free(UnsafeMutableRawPointer(mutating: bytes.baseAddress)) }

  /// The memory with more room; nil, and the memory freed, where there is none.
  private static func resized(_ memory: UnsafeMutableRawPointer?, to capacity: Int)
    -> UnsafeMutableRawPointer?
  {
    if let larger = realloc(memory, capacity) { return larger }
    free(memory)
    return nil
  }

  static func tooLarge(_ path: String, most: Int) -> String {
    "cannot read \(path.quoted): it has more than \(Counting.grouped(most)) bytes, the most that is read of it"
  }
}
