import ArgumentParser
import MetricDiagnostics
import MetricLanguage
import MetricSyntax

/// What shells offer behind an option or in the place of an argument.
extension CompletionKind {
  /// Definition files, and folders.
  static let definitions = CompletionKind.file(extensions: ["metric"])

  /// The metrics of the definitions that the command line names, or of this folder.
  static let metricNames = CompletionKind.custom { words, _, prefix in
    let named = words.dropFirst().filter { word in
      word.hasSuffix(SourceDiscovery.suffix) || FileStatus(path: word)?.kind == .directory
    }
    guard let sources = try? SourceDiscovery.sources(at: named.isEmpty ? ["."] : Array(named)) else {
      return []
    }
    let names = sources.enumerated().flatMap { file, source in
      ParsedSource(source, file: file).tree.declarations.compactMap { declaration -> String? in
        guard case .metric(let metric) = declaration else { return nil }
        return metric.name.text
      }
    }
    return Set(names).filter { $0.hasPrefix(prefix) }.sorted()
  }

  /// Codes of findings; their readable names once one is begun.
  static let codes = CompletionKind.custom { _, _, prefix in
    Page.all.map(\.code.id).filter { $0.lowercased().hasPrefix(prefix.lowercased()) }
      + (prefix.isEmpty ? [] : Page.all.map(\.code.name).filter { $0.hasPrefix(prefix) })
  }
}
