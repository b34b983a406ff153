import Foundation

/// The bytes of a file: mapped into memory where it is a regular one, read to the end otherwise
/// (pipes, `/dev/stdin`, files of `/proc`).
///
/// A file that shrinks while it is mapped ends the process; data files are exports that nobody writes
/// to any more.
final class InputFile {
  let path: String
  private let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  init(path: String) throws(CommandFailure) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(SystemError.cannotRead(path)) }
    defer { close(descriptor) }
    guard let status = FileStatus(descriptor: descriptor) else {
      throw .unreadable(SystemError.cannotRead(path))
    }
    if status.kind == .file, let mapped = InputFile.map(descriptor, size: status.size) {
      bytes = mapped
      isMapped = true
    } else {
      bytes = try InputFile.read(descriptor, path: path)
      isMapped = false
    }
  }

  /// Calls `body` with the bytes, which are valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.deallocate()
    }
  }

  private static func map(_ descriptor: Int32, size: Int) -> UnsafeRawBufferPointer? {
    guard size > 0 else { return nil }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return nil
    }
    madvise(start, size, Int32(MADV_SEQUENTIAL))
    return UnsafeRawBufferPointer(start: start, count: size)
  }

  private static func read(
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
