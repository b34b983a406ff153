import Dispatch

extension LanguageServer {
  /// Publishes what has changed in the findings of each file since they were last published.
  func publish() {
    var said: Set<String> = []
    var isChanged = false
    for library in workspace.ordered {
      said.formUnion(library.paths)
      let analysis = library.analysis
      guard publishedAnalyses[library.root] !== analysis else { continue }
      // The answer does not wait until the trees of the last keystroke are freed, which takes a tenth as long as this
      // one. Unmanaged, since otherwise a reference of this function is the last one.
      let before = publishedAnalyses.updateValue(analysis, forKey: library.root).map(Unmanaged.passRetained)
      nonisolated(unsafe) let retired = before
      DispatchQueue.global().async { retired?.release() }
      say(library)
      hasIdleWork = true
      isChanged = true
    }
    if isChanged { refresh() }
    for key in published.keys.sorted() where !said.contains(key) { say([], about: key) }
    publishedAnalyses = publishedAnalyses.filter { workspace.libraries[$0.key] != nil }
  }

  /// Has the client ask again for what it shows of all open documents.
  func refresh() {
    if client.refreshesHints { request("workspace/inlayHint/refresh", .null) }
    if client.refreshesLenses { request("workspace/codeLens/refresh", .null) }
    if client.pullsDiagnostics, client.refreshesDiagnostics { request("workspace/diagnostic/refresh", .null) }
  }

  /// The findings of one document, for a client that asks for them.
  func diagnostics(_ request: DocumentRequest) -> JSON {
    let items = diagnostics(request.library)[request.key] ?? []
    let id = String(JSON.array(items).hashValue)
    guard request.params["previousResultId"].string != id else {
      return ["kind": "unchanged", "resultId": .string(id)]
    }
    return ["kind": "full", "resultId": .string(id), "items": .array(items)]
  }

  /// Looks for one counterexample that is not known yet, and publishes it.
  package func idle() {
    guard state == .running else {
      hasIdleWork = false
      return
    }
    for library in workspace.ordered where witnesses.searchNext(library.analysis) {
      say(library)
      if client.pullsDiagnostics, client.refreshesDiagnostics {
        request("workspace/diagnostic/refresh", .null)
      }
      return
    }
    hasIdleWork = false
  }

  /// Publishes the findings of a library again.
  func say(_ library: OpenLibrary) {
    let byPath = diagnostics(library)
    for path in library.paths {
      // A client that pulls would show pushed findings twice.
      let isPulled = client.pullsDiagnostics && workspace.documents[path] != nil
      say(isPulled ? [] : byPath[path] ?? [], about: path)
    }
  }

  /// What is said about each file: findings, declarations that are deprecated, expectations that were not met.
  private func diagnostics(_ library: OpenLibrary) -> [String: [JSON]] {
    let analysis = library.analysis
    let places = Places(workspace, library, client.encoding)
    var byFile: [Int: [JSON]] = [:]
    for finding in witnesses.completed(analysis) {
      guard let span = finding.span, library.paths.indices.contains(span.file) else { continue }
      byFile[span.file, default: []].append(json(finding, span, places))
    }
    for metric in analysis.plan.metrics {
      guard let reason = metric.deprecated, library.paths.indices.contains(metric.span.file) else { continue }
      byFile[metric.span.file, default: []].append(
        [
          "range": places.range(metric.span), "severity": 4, "source": "metricc", "tags": [2],
          "message": .string("`\(metric.name)` is deprecated: \(reason)"),
        ])
    }
    for (file, path) in library.paths.enumerated() {
      for failure in testFailures[path] ?? [] {
        byFile[file, default: []].append(
          [
            "range": places.range(failure.span), "severity": 1, "source": "metricc test",
            "message": .string(failure.message),
          ])
      }
    }
    return Dictionary(uniqueKeysWithValues: byFile.map { (library.paths[$0], $1) })
  }

  private func say(_ diagnostics: [JSON], about key: String) {
    let list = JSON.array(diagnostics)
    guard published[key] ?? [] != list else { return }
    published[key] = diagnostics.isEmpty ? nil : list
    var params: [String: JSON] = ["uri": .string(workspace.uri(of: key)), "diagnostics": list]
    if let version = workspace.documents[key]?.version { params["version"] = .int(version) }
    notify("textDocument/publishDiagnostics", .object(params))
  }

  private func json(_ finding: Diagnostic, _ span: Span, _ places: Places) -> JSON {
    var related: [JSON] = []
    var message = finding.message
    for note in finding.notes {
      if case .source(let other) = note.location, let location = places.location(other) {
        related.append(["location": location, "message": .string(note.message)])
      } else {
        message += "\nnote: \(note.message)"
      }
    }
    return .compact([
      "range": places.range(span), "severity": finding.severity == .error ? 1 : 2, "source": "metricc",
      "code": .string(finding.code.description), "message": .string(message),
      "relatedInformation": related.isEmpty ? .null : .array(related),
    ])
  }
}
