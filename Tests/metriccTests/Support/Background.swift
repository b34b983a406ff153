import Foundation

/// A run of the command that goes on while the test does something.
final class Background {
  private let process = Process()
  private let scratch: TemporaryFolder
  /// How much of the output has been waited for.
  private var seen = 0

  init(_ arguments: [String], in folder: String) throws {
    scratch = try TemporaryFolder()
    process.executableURL = commandURL
    process.arguments = arguments
    process.environment = ["PATH": "/usr/bin:/bin"]
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("out", "")))
    process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("err", "")))
    // A script that puts the tests into the background has them ignore interrupts, and a process inherits that.
    signal(SIGINT, SIG_DFL)
    try process.run()
  }

  deinit { if process.isRunning { process.terminate() } }

  /// Whether a text comes within half a minute, behind what came before.
  func waits(for text: String, inErrors: Bool = false) throws -> Bool {
    for _ in 0..<1500 {
      let output = try scratch.read(inErrors ? "err" : "out")
      let rest = inErrors ? output[...] : output.dropFirst(seen)
      if let range = rest.range(of: text) {
        if !inErrors { seen = output.distance(from: output.startIndex, to: range.upperBound) }
        return true
      }
      usleep(20_000)
    }
    return false
  }

  /// Sends what Ctrl-C sends, and gives the exit status; of a run that the signal ended its negative number.
  func interrupt() -> Int32 {
    process.interrupt()
    return waitForEnd()
  }

  /// The exit status; of a run that a signal ended the signal's negative number.
  func waitForEnd() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
  }

  /// What stands on standard error.
  var errors: String { (try? scratch.read("err")) ?? "" }
}
