/// A language server: messages in, messages out, and a disk that is handed in.
///
///     let server = LanguageServer(files: disk, version: "0.1.0") { message in write(message) }
///     server.receive(messages)   // all that have come
///     while server.hasIdleWork { server.idle() }
///
/// It answers in the order of the messages, so that an answer is about the text that all messages before it made. Slow
/// work waits for `idle`.
package final class LanguageServer {
  enum State { case waiting, running, shutDown }

  let workspace: Workspace
  let version: String
  let approver: () -> Approver?
  private let output: (JSON) -> Void

  var state = State.waiting
  var client = Client()
  /// What was last published about each file, by its key.
  var published: [String: JSON] = [:]
  /// The libraries as they were when that was published.
  var publishedAnalyses: [LibraryRoot: Analysis] = [:]
  var witnesses = Witnesses()
  /// Whether a library may have findings whose counterexample has not been searched.
  package internal(set) var hasIdleWork = false
  /// Expectations that were not met in the last run of tests, by key of the file; gone with the next edit of any.
  var testFailures: [String: [TestFailure]] = [:]
  private var requestCount = 0

  /// The exit status of the process, once the client has asked for its end: 0 after a shutdown.
  package private(set) var exitStatus: Int32?

  /// What the client can do, as it says itself.
  struct Client {
    var abilities = JSON.null
    var encoding = PositionEncoding.utf16

    private var document: JSON { abilities["textDocument"] }
    private var workspace: JSON { abilities["workspace"] }
    private var item: JSON { document["completion"]["completionItem"] }

    var takesSnippets: Bool { item["snippetSupport"] == true }
    var takesMarkdown: Bool { Client.isMarkdown(document["hover"]["contentFormat"]) }
    var takesMarkdownItems: Bool { Client.isMarkdown(item["documentationFormat"]) }
    var takesItemTags: Bool { item["tagSupport"]["valueSet"].items.contains(1) }
    /// Whether it asks for the findings of the documents that it has open.
    var pullsDiagnostics: Bool { !document["diagnostic"].isNull }
    var refreshesDiagnostics: Bool { pullsDiagnostics && workspace["diagnostics"]["refreshSupport"] == true }
    var registersFileWatchers: Bool { workspace["didChangeWatchedFiles"]["dynamicRegistration"] == true }
    var refreshesHints: Bool { workspace["inlayHint"]["refreshSupport"] == true }
    var refreshesLenses: Bool { workspace["codeLens"]["refreshSupport"] == true }
    var takesSymbolTrees: Bool { document["documentSymbol"]["hierarchicalDocumentSymbolSupport"] == true }

    /// A client that names no format takes all.
    private static func isMarkdown(_ formats: JSON) -> Bool {
      let names = formats.items.compactMap(\.string)
      return names.isEmpty || names.contains("markdown")
    }
  }

  /// - Parameters:
  ///   - version: of the product, sent to the client.
  ///   - approver: who approves today, asked when an approval is void.
  ///   - output: takes each message for the client.
  package init(
    files: any WorkspaceFiles, version: String, approver: @escaping () -> Approver? = { nil },
    output: @escaping (JSON) -> Void
  ) {
    workspace = Workspace(files: files)
    self.version = version
    self.approver = approver
    self.output = output
  }

  /// Takes all messages received so far, answers them in order, and then publishes what has changed in the findings. A
  /// request whose cancellation is among them is not carried out.
  package func receive(_ messages: [MessageReader.Message]) {
    let incoming = messages.map(IncomingMessage.init)
    var cancelled: Set<JSON> = []
    for case .notification("$/cancelRequest", let params) in incoming { cancelled.insert(params["id"]) }
    for message in incoming where exitStatus == nil {
      switch message {
      case .invalid(let id, let error): respond(to: id, .failure(error))
      case .notification(let method, let params): notified(method, params)
      case .request(let id, _, _) where cancelled.contains(id): respond(to: id, .failure(.cancelled))
      case .request(let id, let method, let params):
        respond(to: id, Result { () throws(ResponseError) in try result(of: method, params) })
      case .response: break
      }
    }
    if state == .running { publish() }
  }

  private func respond(to id: JSON, _ result: Result<JSON, ResponseError>) {
    switch result {
    case .success(let value): output(["jsonrpc": "2.0", "id": id, "result": value])
    case .failure(let error): output(["jsonrpc": "2.0", "id": id, "error": error.json])
    }
  }

  func notify(_ method: String, _ params: JSON) {
    output(["jsonrpc": "2.0", "method": .string(method), "params": params])
  }

  /// Asks the client for something; its answer does not matter.
  func request(_ method: String, _ params: JSON) {
    requestCount += 1
    output(
      .compact([
        "jsonrpc": "2.0", "id": .string("metricc-\(requestCount)"), "method": .string(method),
        "params": params,
      ]))
  }

  private func result(of method: String, _ params: JSON) throws(ResponseError) -> JSON {
    switch (state, method) {
    case (.waiting, "initialize"): return initialize(params)
    case (.waiting, _): throw .notInitialized
    case (.shutDown, _): throw .invalidRequest("the server is shut down")
    case (.running, "initialize"): throw .invalidRequest("the server is initialized already")
    case (.running, "shutdown"):
      publish()
      state = .shutDown
      return .null
    case (.running, _): return try answer(method, params)
    }
  }

  private func answer(_ method: String, _ params: JSON) throws(ResponseError) -> JSON {
    switch method {
    case "textDocument/hover": try hover(place(params))
    case "textDocument/completion": try completion(place(params))
    case "textDocument/definition": try definition(place(params))
    case "textDocument/references": try references(place(params))
    case "textDocument/documentHighlight": try highlights(place(params))
    case "textDocument/prepareRename": try prepareRename(place(params))
    case "textDocument/rename": try rename(place(params))
    case "textDocument/documentSymbol": try documentSymbols(document(params))
    case "textDocument/formatting", "textDocument/rangeFormatting": try formatting(document(params))
    case "textDocument/codeAction": try codeActions(document(params))
    case "textDocument/codeLens": try codeLenses(document(params))
    case "textDocument/foldingRange": try foldingRanges(document(params))
    case "textDocument/selectionRange": try selectionRanges(document(params))
    case "textDocument/signatureHelp": try signatureHelp(place(params))
    case "textDocument/documentLink": try documentLinks(document(params))
    case "textDocument/prepareCallHierarchy": try prepareCallHierarchy(place(params))
    case "callHierarchy/incomingCalls": try calls(params, incoming: true)
    case "callHierarchy/outgoingCalls": try calls(params, incoming: false)
    case "textDocument/onTypeFormatting": try formattingOnType(place(params))
    case "textDocument/diagnostic": try diagnostics(document(params))
    case "textDocument/inlayHint": try inlayHints(document(params))
    case "textDocument/semanticTokens/full", "textDocument/semanticTokens/range":
      try semanticTokens(document(params))
    case "workspace/symbol": workspaceSymbols(params)
    case "workspace/executeCommand": try executeCommand(params)
    default: throw .unknownMethod(method)
    }
  }

  private func notified(_ method: String, _ params: JSON) {
    if method == "exit" {
      if state == .running { publish() }
      exitStatus = state == .shutDown ? 0 : 1
      return
    }
    guard state == .running else { return }
    switch method {
    case "initialized": watchFiles()
    case "textDocument/didOpen": didOpen(params)
    case "textDocument/didChange": didChange(params)
    case "textDocument/didClose": didClose(params)
    case "workspace/didChangeWatchedFiles": didChangeFiles(params)
    case "workspace/didChangeWorkspaceFolders": didChangeFolders(params)
    default: return
    }
  }
}
