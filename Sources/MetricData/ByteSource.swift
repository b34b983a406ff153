/// The bytes of a file, read from any place on any thread. The library opens nothing: the caller
/// says how to read.
public struct ByteSource: Sendable {
  /// How many bytes there are.
  public let count: Int
  private let read: @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int

  /// `read` fills the buffer with the bytes from `offset` on and gives how many these are; 0 or
  ///   less where nothing can be read, which is taken for the end of the file. Several threads call it.
  public init(
    count: Int, read: @escaping @Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ offset: Int) -> Int
  ) {
    self.count = count
    self.read = read
  }

  /// Bytes in memory, which stay valid as long as the source is used.
  public init(_ bytes: UnsafeRawBufferPointer) {
    nonisolated(unsafe) let bytes = bytes
    self.init(count: bytes.count) { buffer, offset in
      let part = bytes[min(offset, bytes.count)..<min(offset + buffer.count, bytes.count)]
      buffer.copyBytes(from: part)
      return part.count
    }
  }

  /// The first bytes, at most `length` of them.
  public func prefix(_ length: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: min(length, count)) { buffer, filled in
      filled = fill(UnsafeMutableRawBufferPointer(buffer), from: 0)
    }
  }

  /// Fills the buffer from `offset` on as far as there are bytes, and gives how many it took.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, from offset: Int) -> Int {
    var taken = 0
    let wanted = min(buffer.count, count - offset)
    while taken < wanted {
      let got = read(UnsafeMutableRawBufferPointer(rebasing: buffer[taken..<wanted]), offset + taken)
      guard got > 0 else { break }
      taken += got
    }
    return taken
  }
}
