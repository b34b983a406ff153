import Foundation

/// All bytes of a file at once: mapped into memory where it is a regular one, read to the end otherwise
/// (pipes, `/dev/stdin`, files of `/proc`). What is read in parts is an `InputFile`.
///
/// A file that shrinks while it is mapped ends the run as one that cannot be read: see `Interruption`.
final class MappedFile {
  let path: String
  private let bytes: UnsafeRawBufferPointer
  /// What was read from where nothing can be mapped.
  private let held: HeldBytes?

  init(path: String) throws(CommandFailure) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable(SystemError.cannotRead(path)) }
    defer { close(descriptor) }
    RunInputs.add(path)
    guard let status = FileStatus(descriptor: descriptor) else {
      throw .unreadable(SystemError.cannotRead(path))
    }
    if status.kind == .file, let mapped = MappedFile.map(descriptor, size: status.size) {
      bytes = mapped
      held = nil
    } else {
      let held = try HeldBytes(reading: descriptor, path: path, most: HeldBytes.most)
      bytes = held.bytes
      self.held = held
    }
  }

  /// Calls `body` with the bytes, which are valid during the call.
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withExtendedLifetime(self) { body(bytes) }
  }

  deinit {
    if held == nil { munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count) }
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
