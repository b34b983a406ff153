import Foundation
import MetricDiagnostics

/// What stands on standard input.
enum StandardInput {
  /// What a command line calls it.
  static let argument = "-"

  /// Reads to the end.
  static func source() throws(CommandFailure) -> SourceFile {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Foundation.read(0, &chunk, chunk.count)
      if count == 0 { return SourceFile(path: "<standard input>", bytes: bytes) }
      if count > 0 {
        bytes += chunk[..<count]
      } else if errno != EINTR {
        throw .unreadable("cannot read standard input: \(SystemError.text(errno))")
      }
    }
  }
}
