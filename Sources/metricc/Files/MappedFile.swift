import Foundation

/// All bytes of a file at once: mapped into memory where it is a regular one, read to the end otherwise
/// (pipes, `/dev/stdin`, files of `/proc`). What is read in parts is an `InputFile`.
///
/// A file that shrinks while it is mapped ends the process; data files are exports that nobody writes
/// to any more.
final class MappedFile {
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
    if status.kind == .file, let mapped = MappedFile.map(descriptor, size: status.size) {
      bytes = mapped
      isMapped = true
    } else {
      bytes = try InputFile.readAll(descriptor, path: path)
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
}
