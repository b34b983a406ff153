import MetricDiagnostics
import MetricLanguage

/// Findings on their way to the client.
extension LanguageServer {
  /// Says what has changed in the findings of each file since they were last said.
  func publish() {
    var said: Set<String> = []
    for library in workspace.ordered {
      said.formUnion(library.paths)
      let analysis = library.analysis
      guard publishedAnalyses[library.root] !== analysis else { continue }
      publishedAnalyses[library.root] = analysis
      say(library, analysis)
      hasIdleWork = true
    }
    for key in published.keys.sorted() where !said.contains(key) { say([], about: key) }
    publishedAnalyses = publishedAnalyses.filter { workspace.libraries[$0.key] != nil }
  }

  /// Looks for one counterexample that is not known yet, and says it.
  package func idle() {
    guard state == .running else {
      hasIdleWork = false
      return
    }
    for library in workspace.ordered where witnesses.searchNext(library.analysis) {
      say(library, library.analysis)
      return
    }
    hasIdleWork = false
  }

  /// Says the findings of a library anew, after a run of tests.
  func say(_ library: OpenLibrary) { say(library, library.analysis) }

  private func say(_ library: OpenLibrary, _ analysis: Analysis) {
    var places = Places(workspace, library, client.encoding)
    var byFile: [Int: [JSON]] = [:]
    for finding in witnesses.completed(analysis) {
      guard let span = finding.span, library.paths.indices.contains(span.file) else { continue }
      byFile[span.file, default: []].append(json(finding, span, &places))
    }
    for (file, path) in library.paths.enumerated() {
      let failures = (testFailures[path] ?? []).map { failure -> JSON in
        [
          "range": places.range(failure.span), "severity": 1, "source": "metricc test",
          "message": .string(failure.message),
        ]
      }
      say((byFile[file] ?? []) + failures, about: path)
    }
  }

  private func say(_ diagnostics: [JSON], about key: String) {
    let list = JSON.array(diagnostics)
    guard published[key] ?? [] != list else { return }
    published[key] = diagnostics.isEmpty ? nil : list
    var params: [String: JSON] = ["uri": .string(workspace.uri(of: key)), "diagnostics": list]
    if let version = workspace.documents[key]?.version { params["version"] = .int(version) }
    notify("textDocument/publishDiagnostics", .object(params))
  }

  private func json(_ finding: Diagnostic, _ span: Span, _ places: inout Places) -> JSON {
    var related: [JSON] = []
    var message = finding.message
    for note in finding.notes {
      if case .source(let other) = note.location, let location = places.location(other) {
        related.append(["location": location, "message": .string(note.message)])
      } else {
        message += "\nnote: \(note.message)"
      }
    }
    var members: [String: JSON] = [
      "range": places.range(span), "severity": finding.severity == .error ? 1 : 2, "source": "metricc",
      "code": .string(finding.code.description), "message": .string(message),
    ]
    if !related.isEmpty { members["relatedInformation"] = .array(related) }
    if finding.code.name == "reads-deprecated" { members["tags"] = [2] }
    return .object(members)
  }
}
