/// The beginning of a session, and what comes about documents and files.
extension LanguageServer {
  func initialize(_ params: JSON) -> JSON {
    state = .running
    client.abilities = params["capabilities"]
    let encodings = client.abilities["general"]["positionEncodings"].items.compactMap(\.string)
    client.encoding = PositionEncoding.allCases.first { encodings.contains($0.rawValue) } ?? .utf16
    workspace.changeFolders(added: folders(params), removed: [])
    return ["capabilities": capabilities, "serverInfo": ["name": "metricc", "version": .string(version)]]
  }

  /// The folders that the client has open; older clients name one root.
  private func folders(_ params: JSON) -> [String] {
    let folders = params["workspaceFolders"]
    if !folders.items.isEmpty { return paths(folders) }
    if !params["rootUri"].isNull { return paths([["uri": params["rootUri"]]]) }
    return [params["rootPath"].string].compactMap { $0 }.filter { $0.hasPrefix("/") }
  }

  /// The paths of files that have URIs.
  private func paths(_ list: JSON) -> [String] {
    list.items.compactMap(\.["uri"].string).compactMap(DocumentURI.path)
  }

  private var capabilities: JSON {
    [
      "positionEncoding": .string(client.encoding.rawValue),
      "textDocumentSync": ["openClose": true, "change": 2, "save": false],
      "hoverProvider": true,
      "completionProvider": ["triggerCharacters": [".", "\""], "resolveProvider": false],
      "definitionProvider": true,
      "referencesProvider": true,
      "documentHighlightProvider": true,
      "renameProvider": ["prepareProvider": true],
      "documentSymbolProvider": true,
      "workspaceSymbolProvider": true,
      "documentFormattingProvider": true,
      "documentRangeFormattingProvider": true,
      "documentOnTypeFormattingProvider": ["firstTriggerCharacter": "}", "moreTriggerCharacter": ["\n"]],
      "codeActionProvider": ["codeActionKinds": .list(CodeAction.Kind.allCases) { .string($0.rawValue) }],
      "diagnosticProvider": [
        "identifier": "metricc", "interFileDependencies": true, "workspaceDiagnostics": false,
      ],
      "selectionRangeProvider": true,
      "signatureHelpProvider": ["triggerCharacters": ["(", ","]],
      "documentLinkProvider": ["resolveProvider": false],
      "callHierarchyProvider": true,
      "codeLensProvider": ["resolveProvider": false],
      "foldingRangeProvider": true,
      "inlayHintProvider": true,
      "semanticTokensProvider": [
        "legend": [
          "tokenTypes": .list(SemanticToken.Kind.allCases) { .string("\($0)") },
          "tokenModifiers": .list(SemanticToken.Modifier.allCases) { .string("\($0)") },
        ],
        "full": true, "range": true,
      ],
      "executeCommandProvider": ["commands": .list(Command.allCases) { .string($0.rawValue) }],
      "workspace": ["workspaceFolders": ["supported": true, "changeNotifications": true]],
    ]
  }

  func watchFiles() {
    guard client.registersFileWatchers else { return }
    let patterns = ["**/*\(LibraryLayout.suffix)", "**/\(LibraryLayout.marker)"]
    let registration: JSON = [
      "id": "metric-files", "method": "workspace/didChangeWatchedFiles",
      "registerOptions": ["watchers": .list(patterns) { ["globPattern": .string($0)] }],
    ]
    request("client/registerCapability", ["registrations": [registration]])
  }

  func didOpen(_ params: JSON) {
    let document = params["textDocument"]
    guard let uri = document["uri"].string, let text = document["text"].string else { return }
    workspace.open(uri, version: document["version"].int, text: text)
    testFailures[Workspace.key(of: uri)] = nil
  }

  /// Takes changes in their order; one without a range is the whole text.
  func didChange(_ params: JSON) {
    guard let uri = params["textDocument"]["uri"].string else { return }
    workspace.change(uri, version: params["textDocument"]["version"].int) { text in
      for change in params["contentChanges"].items {
        guard let new = change["text"].string else { continue }
        if let start = change["range"]["start"].position, let end = change["range"]["end"].position {
          text.replace(from: start, to: end, with: new, in: client.encoding)
        } else {
          text = DocumentText(new)
        }
      }
    }
    testFailures = [:]
  }

  func didClose(_ params: JSON) {
    if let uri = params["textDocument"]["uri"].string { workspace.close(uri) }
  }

  func didChangeFiles(_ params: JSON) {
    for path in paths(params["changes"]) { workspace.diskChanged(path) }
    refresh()
  }

  func didChangeFolders(_ params: JSON) {
    let event = params["event"]
    workspace.changeFolders(added: paths(event["added"]), removed: paths(event["removed"]))
  }
}
