import Foundation

/// Another program, run to its end.
struct ProgramRun {
  var status: Int32
  var output: [UInt8]
  var errors: String

  /// Where a program is; nil where it is not on the path.
  static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return path.split(separator: ":").map { "\($0)/\(name)" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
  }

  /// Runs a program whose standard input is a text.
  ///
  /// What it reads and writes goes through files of a folder that is removed afterwards, so that nothing waits for
  /// a full pipe.
  static func of(
    _ program: String, _ arguments: [String], input: String, environment: [String: String] = [:]
  ) throws(CommandFailure) -> ProgramRun {
    do {
      let folder = try ScratchFolder()
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
      process.standardInput = try FileHandle(forReadingFrom: try folder.write("input", input))
      let (output, errors) = (try folder.write("output", ""), try folder.write("errors", ""))
      process.standardOutput = try FileHandle(forWritingTo: output)
      process.standardError = try FileHandle(forWritingTo: errors)
      try process.run()
      process.waitUntilExit()
      return ProgramRun(
        status: process.terminationStatus, output: Array(try Data(contentsOf: output)),
        errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
    } catch {
      throw .unreadable("\(program.quoted) cannot be run: \(error.localizedDescription)")
    }
  }

  /// The last line that says something.
  var lastError: String {
    errors.split(whereSeparator: \.isNewline).last { !$0.allSatisfy(\.isWhitespace) }.map(String.init)
      ?? "exit status \(status)"
  }

  /// The first line in which the program says what is wrong.
  var message: String {
    let lines = errors.split(whereSeparator: \.isNewline).map(String.init)
    return lines.first { $0.localizedCaseInsensitiveContains("error") } ?? lines.first ?? lastError
  }
}

/// A folder for the files of a run, gone with the value.
final class ScratchFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("metricc-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ name: String, _ text: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }
}
