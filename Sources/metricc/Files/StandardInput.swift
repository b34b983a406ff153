import Foundation
import MetricDiagnostics

/// The content of standard input.
enum StandardInput {
  /// What a command line calls it.
  static let argument = "-"

  /// Reads to the end.
  static func source() throws(CommandFailure) -> SourceFile {
    let name = "<standard input>"
    let held = try HeldBytes(reading: 0, path: "standard input", most: SourceFile.greatestSize)
    return SourceFile(path: name, bytes: Array(held.bytes))
  }
}
