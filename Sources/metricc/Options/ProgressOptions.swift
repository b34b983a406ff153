import ArgumentParser
import MetricLanguage

/// `--no-progress`, for commands that may take longer than about a second.
struct ProgressOptions: ParsableArguments {
  @Flag(name: .customLong("no-progress"), help: "Show no progress line.")
  var noProgress = false

  /// A line for a run; nothing is shown where no person looks at standard error.
  var line: ProgressLine {
    ProgressLine(isShown: !noProgress && Terminal.isInteractive(.error))
  }
}

extension DefinitionOptions {
  /// Reads, parses and checks the definitions, and says so meanwhile: the search for harm may take long.
  func load(_ progress: ProgressLine) throws(CommandFailure) -> MetricLibrary {
    progress.show("checking the definitions")
    defer { progress.clear() }
    return MetricLibrary(sources: try SourceDiscovery.sources(at: paths))
  }
}
