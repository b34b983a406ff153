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
    if client.refreshesDiagnostics { request("workspace/diagnostic/refresh", .null) }
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
    hasIdleWork = false
    guard state == .running,
      let library = workspace.ordered.first(where: { witnesses.searchNext($0.analysis) })
    else { return }
    hasIdleWork = true
    say(library)
    if client.refreshesDiagnostics { request("workspace/diagnostic/refresh", .null) }
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
    let places = Places(workspace, library, client.encoding)
    var found: [String: [JSON]] = [:]
    for finding in witnesses.completed(library.analysis) {
      guard let span = finding.span, library.paths.indices.contains(span.file) else { continue }
      found[library.paths[span.file], default: []].append(json(finding, span, places))
    }
    for metric in library.analysis.plan.metrics {
      guard let reason = metric.deprecated else { continue }
      let deprecation: JSON = [
        "range": places.range(metric.span), "severity": 4, "source": "metricc", "tags": [2],
        "message": .string("`\(metric.name)` is deprecated: \(reason)"),
      ]
      found[library.paths[metric.span.file], default: []].append(deprecation)
    }
    for path in library.paths {
      found[path, default: []] += (testFailures[path] ?? []).map { failure in
        [
          "range": places.range(failure.span), "severity": 1, "source": "metricc test",
          "message": .string(failure.message),
        ]
      }
    }
    return found
  }

  private func say(_ diagnostics: [JSON], about key: String) {
    let list = JSON.array(diagnostics)
    guard published[key] ?? [] != list else { return }
    published[key] = diagnostics.isEmpty ? nil : list
    let version = workspace.documents[key]?.version.map(JSON.int) ?? .null
    notify(
      "textDocument/publishDiagnostics",
      .compact(["uri": .string(workspace.uri(of: key)), "diagnostics": list, "version": version]))
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
