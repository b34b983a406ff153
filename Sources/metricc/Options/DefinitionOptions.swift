import ArgumentParser

struct DefinitionOptions: ParsableArguments {
  @Argument(help: .library, completion: .definitions)
  var paths: [String]

  /// A text that is read as a file of the library, in place of one with its path; no option sets it.
  var draft: SourceFile?

  private enum CodingKeys: CodingKey { case paths }

  func load() throws(CommandFailure) -> MetricLibrary { MetricLibrary(sources: try sources()) }

  /// Reads the definitions, which are then parsed and checked: the search for harm may take long.
  func sources() throws(CommandFailure) -> [SourceFile] {
    ProgressLine.show("checking the definitions")
    var sources = try SourceDiscovery.sources(at: paths)
    if let draft {
      let place = sources.firstIndex { $0.path == draft.path } ?? sources.endIndex
      sources.replaceSubrange(place..<min(place + 1, sources.endIndex), with: [draft])
    }
    return sources
  }
}

extension MetricLibrary {
  /// `23 metrics: 22 accepted, 1 rejected; 1 error, 2 warnings`.
  var summaryLine: String {
    let accepted = metrics.count { $0.isAccepted }
    var line = "\(Counting.of(metrics.count, "metric")): \(Counting.grouped(accepted)) accepted"
    if accepted < metrics.count { line += ", \(Counting.grouped(metrics.count - accepted)) rejected" }
    let counts = [Severity.error, .warning].compactMap { severity in
      let count = findings.count { $0.severity == severity }
      return count > 0 ? Counting.of(count, severity.rawValue) : nil
    }
    return counts.isEmpty ? line : line + "; " + counts.joined(separator: ", ")
  }

  /// Says on standard error where not all findings are shown.
  func remarkHiddenFindings() {
    guard hasMoreFindings else { return }
    let shown = Counting.of(Diagnostic.mostShown, "finding")
    Remarks.say("there are more than \(shown); the first are shown")
  }

  /// Ends the run where the definitions are rejected, with the findings and what follows: `nothing was evaluated`.
  func requireAcceptance(before consequence: String) throws(CommandFailure) {
    guard !isAccepted else { return }
    Remarks.report(findings, in: sources)
    remarkHiddenFindings()
    throw CommandFailure(messages: ["\(consequence): \(summaryLine)"], status: .rejected)
  }
}

/// A command over definitions, which an agent may run with a draft among them.
protocol DefinitionsCommand: ParsableCommand {
  var definitions: DefinitionOptions { get set }
}

/// `--no-progress`, for commands that may take longer than about a second.
struct ProgressOptions: ParsableArguments {
  @Flag(name: .customLong("no-progress"), help: "Show no progress line.")
  var noProgress = false

  /// Nothing is shown unless standard error is a terminal.
  func validate() { ProgressLine.isShown = !noProgress && Terminal.isInteractive(.error) }
}

/// What shells offer after an option or in place of an argument.
extension CompletionKind {
  static let definitions = CompletionKind.file(extensions: ["metric"])

  /// The metrics of the definitions that the command line names, or of this folder.
  static let metricNames = names { tree in tree.metrics.map(\.name.text) }

  static let reportNames = names { tree in
    tree.declarations.compactMap { if case .report(let report) = $0 { report.name.text } else { nil } }
  }

  private static func names(_ tree: @escaping @Sendable (SyntaxTree) -> [String]) -> CompletionKind {
    .custom { words, _, prefix in
      guard let sources = definitions(in: words) else { return [] }
      let names = sources.enumerated().flatMap { file, source in
        tree(ParsedSource(source, file: file).tree)
      }
      return Set(names).filter { $0.hasPrefix(prefix) }.sorted()
    }
  }

  /// What the command line names, or this folder has.
  static func definitions(in words: [String]) -> [SourceFile]? {
    let named = words.dropFirst().filter { word in
      word.hasSuffix(SourceDiscovery.suffix) || FileStatus(path: word)?.kind == .directory
    }
    return try? SourceDiscovery.sources(at: named.isEmpty ? ["."] : Array(named))
  }

  /// The fields by which the metrics on the command line can be grouped.
  static let dimensions = CompletionKind.custom { words, _, prefix in
    guard let sources = definitions(in: words) else { return [] }
    let library = MetricLibrary(sources: sources)
    let asked = library.metrics.map(\.name).filter(words.contains)
    let names = asked.flatMap { library.dimensions(of: $0, sources: sources).map(\.name) }
    return Set(names + ["none"]).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Codes of findings; their readable names once one is begun.
  static let codes = CompletionKind.custom { _, _, prefix in
    Page.all.map(\.code.id).filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
      + (prefix.isEmpty ? [] : Page.all.map(\.code.name).filter { $0.hasPrefix(prefix) })
  }
}
