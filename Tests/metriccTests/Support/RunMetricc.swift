import Foundation
import Testing

/// What a run of the command gave.
struct Run {
  var exit: Int32
  var out: String
  var err: String
}

/// Runs the built command to its end.
///
/// - Parameters:
///   - stdin: What it reads from standard input.
///   - closesOutput: Whether nobody reads its standard output, as after `| head`.
func runMetricc(
  _ arguments: [String], stdin: String = "", environment: [String: String] = [:], in folder: String? = nil,
  closesOutput: Bool = false
) throws -> Run {
  let scratch = try TemporaryFolder()
  let process = Process()
  let command: URL = try #require(commandURL, "metricc is not built beside the tests")
  process.executableURL = command
  process.arguments = arguments
  process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { $1 }
  if let folder { process.currentDirectoryURL = URL(fileURLWithPath: folder) }
  let input = try scratch.write("in", stdin)
  let out = try scratch.write("out", "")
  let err = try scratch.write("err", "")
  process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: input))
  process.standardError = try FileHandle(forWritingTo: URL(fileURLWithPath: err))
  let pipe = Pipe()
  if closesOutput {
    try pipe.fileHandleForReading.close()
    process.standardOutput = pipe
  } else {
    process.standardOutput = try FileHandle(forWritingTo: URL(fileURLWithPath: out))
  }
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationReason == .exit, "metricc was killed by a signal")
  return Run(exit: process.terminationStatus, out: try scratch.read("out"), err: try scratch.read("err"))
}

/// The command, which the package manager builds into the folder of the tests.
let commandURL: URL? = {
  let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }.map(\.bundleURL)
  let places = bundles + [URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()]
  let candidates = places.map { $0.deletingLastPathComponent().appendingPathComponent("metricc") }
  return candidates.first { FileManager.default.isExecutableFile(atPath: $0.path) }
}()
