import Foundation

/// Programs of the machine that tests use where they are there.
enum Tool {
  /// Where a program is; nil where it is not on the path.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program to its end.
  static func run(_ name: String, _ arguments: [String], stdin: String = "") throws -> Run {
    let scratch = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: path(name) ?? name)
    process.arguments = arguments
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: scratch.write("in", stdin)))
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("out", "")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("err", "")))
    try process.run()
    process.waitUntilExit()
    return Run(exit: process.terminationStatus, out: try scratch.read("out"), err: try scratch.read("err"))
  }
}
