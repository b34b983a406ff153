import Foundation
import MetricDiagnostics

/// What a pipe, a terminal or a device gives, up to its end: it can be read only once, so all of it is held.
///
/// Memory that the system does not give is an error of the input, not the end of the process.
final class HeldBytes: Sendable {
  /// Valid as long as this object is.
  nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

  /// A pipe holds at most so much: a greater dataset has to be a file, of which a few blocks are in memory.
  static let most = 2 << 30

  /// - Parameters:
  ///   - path: as messages name the input.
  ///   - most: more bytes than these are an error, which is met without holding them.
  init(reading descriptor: Int32, path: String, most: Int) throws(CommandFailure) {
    var memory = HeldBytes.resized(nil, to: HeldBytes.firstCapacity)
    var capacity = HeldBytes.firstCapacity
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

  private static let firstCapacity = 1 << 16

  /// The memory with more room; nil, and the memory freed, where there is none.
  private static func resized(_ memory: UnsafeMutableRawPointer?, to capacity: Int)
    -> UnsafeMutableRawPointer?
  {
    if let larger = realloc(memory, capacity) { return larger }
    free(memory)
    return nil
  }

  /// The message for an input above the size limit.
  static func tooLarge(_ path: String, most: Int) -> String {
    "cannot read \(Quoting.quoted(path)): it has more than \(Counting.grouped(most)) bytes, the most that is read of it"
  }
}
