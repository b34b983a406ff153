import Foundation
import PackagePlugin

/// Writes Swift for the `.metric` files of a target whenever it is built: the records as structs, the metrics as
/// methods of `MetricSession`, and the definitions as `MetricLibrary.embedded`. A target whose definitions are rejected
/// does not build, nor does one that names a metric which is gone.
///
///     .target(
///       name: "Habits", dependencies: [.product(name: "MetricLanguage", package: "metricc")],
///       plugins: [.plugin(name: "GenerateMetrics", package: "metricc")])
@main
struct GenerateMetrics: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
    guard let module = target as? SourceModuleTarget else { return [] }
    let definitions = module.sourceFiles(withSuffix: "metric").map(\.url)
    guard !definitions.isEmpty else { return [] }
    let output = context.pluginWorkDirectoryURL.appending(path: "\(target.name)Metrics.swift")
    return [
      .buildCommand(
        displayName: "Writing Swift for the metrics of \(target.name)",
        executable: try context.tool(named: "metricc").url,
        arguments: ["swift", "--embed", "--output", output.path(percentEncoded: false), "--"]
          + definitions.map { $0.path(percentEncoded: false) }.sorted(),
        inputFiles: definitions, outputFiles: [output])
    ]
  }
}
