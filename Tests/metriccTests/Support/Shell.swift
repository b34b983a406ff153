import Foundation
import Testing

/// Runs a script of bash in a folder; the command is `$metricc`. A script that takes more than a minute is
/// killed, which no exit status promised anywhere is equal to.
func runShell(_ script: String, in folder: TemporaryFolder) throws -> Run {
  let scratch = try TemporaryFolder()
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["timeout", "--kill-after=1", "60", "bash", "-c", script]
  process.environment = ["PATH": "/usr/bin:/bin", "metricc": try #require(commandURL).path]
  process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
  process.standardInput = FileHandle.nullDevice
  process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("out", "")))
  process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: scratch.write("err", "")))
  try process.run()
  process.waitUntilExit()
  return Run(exit: process.terminationStatus, out: try scratch.read("out"), err: try scratch.read("err"))
}
