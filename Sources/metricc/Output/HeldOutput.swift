import Foundation

/// Bytes held back until it is certain that they are worth something: in memory while they are few, else in a file that
/// has no name, so that a long series takes disk and no memory.
final class HeldOutput {
  private var bytes: [UInt8] = []
  private var spill: (descriptor: Int32, stream: BufferedOutput)?
  private var failure: CommandFailure?
  private let mostInMemory: Int

  init(mostInMemory: Int = 32 << 20) { self.mostInMemory = mostInMemory }

  deinit { if let spill { close(spill.descriptor) } }

  func write(_ new: ArraySlice<UInt8>) {
    bytes += new
    guard bytes.count > mostInMemory, failure == nil else { return }
    if spill == nil { openSpill() }
    spill?.stream.write(bytes: bytes[...])
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes all that was held.
  func copy(to output: BufferedOutput) throws(CommandFailure) {
    if let failure { throw failure }
    if let (descriptor, stream) = spill {
      try stream.finish()
      lseek(descriptor, 0, SEEK_SET)
      var block = [UInt8](repeating: 0, count: 1 << 20)
      while !output.isClosed {
        let count = read(descriptor, &block, block.count)
        if count == 0 { break }
        if count < 0, errno != EINTR {
          throw .unreadable("cannot read a temporary file: \(SystemError.text(errno))")
        }
        output.write(bytes: block[..<max(0, count)])
      }
    }
    output.write(bytes: bytes[...])
  }

  private func openSpill() {
    var path = Array((FileManager.default.temporaryDirectory.path + "/metricc.XXXXXX").utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      failure = .unreadable(SystemError.cannotWrite(FileManager.default.temporaryDirectory.path, errno))
      return
    }
    unlink(path)
    spill = (descriptor, BufferedOutput(descriptor: descriptor, name: "a temporary file"))
  }
}
