import Foundation
import PackagePlugin

/// `swift package check-metrics [--target NAME]… [options of metricc check]`: checks the `.metric` files
/// of each target, and runs their tests.
@main
struct CheckMetricsCommand: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let names = extractor.extractOption(named: "target")
    let options = extractor.remainingArguments
    let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
    let tool = try context.tool(named: "metricc").url
    var hasFailed = false
    var count = 0
    for target in targets {
      guard let module = target as? SourceModuleTarget else { continue }
      let files = module.sourceFiles(withSuffix: "metric").map { $0.url.path(percentEncoded: false) }
      guard !files.isEmpty else { continue }
      count += 1
      print("\(target.name):")
      let isAccepted = try run(tool, ["check"] + options + ["--"] + files)
      let isTested = isAccepted ? try run(tool, ["test", "--"] + files) : false
      hasFailed = hasFailed || !isAccepted || !isTested
    }
    if count == 0 { print("no target has `.metric` files") }
    if hasFailed { throw Rejected() }
  }

  private func run(_ tool: URL, _ arguments: [String]) throws -> Bool {
    let process = Process()
    process.executableURL = tool
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}

/// What went wrong has been said by the command.
struct Rejected: Error, CustomStringConvertible {
  var description: String { "the metrics are rejected, or a test failed" }
}
