import Foundation
import PackagePlugin

/// Checks the `.metric` files of a target whenever it is built: a target whose definitions are rejected
/// does not build.
///
///     .target(name: "Habits", plugins: [.plugin(name: "CheckMetrics", package: "metricc")])
@main
struct CheckMetrics: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let module = target as? SourceModuleTarget else { return [] }
    let definitions = module.sourceFiles(withSuffix: "metric").map(\.url)
    guard !definitions.isEmpty else { return [] }
    let tool = try context.tool(named: "metricc")
    // A file that is no source would become a resource of the target, so the stamp is an empty source.
    let suffix = target is ClangSourceModuleTarget ? "c" : "swift"
    let stamp = context.pluginWorkDirectoryURL.appending(path: "\(target.name)Metrics.\(suffix)")
    return [
      .buildCommand(
        displayName: "Checking the metrics of \(target.name)", executable: tool.url,
        arguments: ["check", "--stamp", stamp.path(percentEncoded: false), "--"]
          + definitions.map { $0.path(percentEncoded: false) },
        inputFiles: definitions, outputFiles: [stamp])
    ]
  }
}
