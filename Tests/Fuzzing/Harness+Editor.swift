import MetricLanguageServer

extension Harness {
  /// What the client hears, in the order of the messages.
  private final class Ear {
    var heard: [JSON] = []
  }

  /// No files at all: everything is open in the editor.
  private struct NoFiles: WorkspaceFiles {
    func entries(of folder: String) -> [FolderEntry] { [] }
    func contents(of path: String) -> [UInt8]? { nil }
  }

  /// Any bytes: the server goes on, and answers what it understands.
  func messages(_ bytes: [UInt8]) -> String? {
    let ear = Ear()
    let server = LanguageServer(files: NoFiles(), version: "fuzz") { ear.heard.append($0) }
    Self.start(server, "measure m { for user  value count(Event) }\n")
    var reader = MessageReader()
    // The bytes come in two pieces, as they do from a pipe.
    for piece in [bytes.prefix(bytes.count / 2), bytes.dropFirst(bytes.count / 2)] {
      reader.append(piece)
      while let message = reader.next() { server.receive([message]) }
    }
    return nil
  }

  /// Edits and questions: each question has one answer, and at the end the server says of the text what a
  /// server says that was given it as a whole.
  func editor(_ bytes: [UInt8]) -> String? {
    let pieces = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false).map(Array.init)
    guard pieces.count == 2 else { return nil }
    var text = EditedText(String(decoding: pieces[0], as: UTF8.self))
    let ear = Ear()
    let server = LanguageServer(files: NoFiles(), version: "fuzz") { ear.heard.append($0) }
    Self.start(server, text.string)
    var script = EditorScript(pieces[1])
    var questions = 1
    while let step = script.next(in: text) {
      switch step {
      case .edit(let edit):
        text.apply(edit)
        Self.send(server, method: "textDocument/didChange", Self.change(edit), id: nil)
      case .ask(let method, let params):
        questions += 1
        Self.send(server, method: method, params, id: questions)
        let answers = ear.heard.filter { $0["id"] == .int(questions) }
        guard answers.count == 1 else { return "\(method) has \(answers.count) answers" }
      }
    }
    let other = Ear()
    Self.start(LanguageServer(files: NoFiles(), version: "fuzz") { other.heard.append($0) }, text.string)
    let (edited, whole) = (Self.published(ear.heard), Self.published(other.heard))
    guard edited != whole else { return nil }
    return """
      after the edits the findings are not those of the text
      \(edited.text)
      \(whole.text)
      \(text.string.debugDescription)
      """
  }

  static let document = "file:///w/a.metric"

  private static func start(_ server: LanguageServer, _ text: String) {
    send(server, method: "initialize", ["capabilities": [:]], id: 0)
    send(server, method: "initialized", [:], id: nil)
    let item: JSON = [
      "uri": .string(document), "languageId": "metric", "version": 1, "text": .string(text),
    ]
    send(server, method: "textDocument/didOpen", ["textDocument": item], id: nil)
  }

  private static func send(_ server: LanguageServer, method: String, _ params: JSON, id: Int?) {
    var message: [String: JSON] = ["jsonrpc": "2.0", "method": .string(method), "params": params]
    if let id { message["id"] = .int(id) }
    var reader = MessageReader()
    reader.append(MessageReader.framed(.object(message)))
    while let message = reader.next() { server.receive([message]) }
  }

  private static func change(_ edit: EditedText.Edit) -> JSON {
    var change: [String: JSON] = ["text": .string(edit.text)]
    if let range = edit.range { change["range"] = range.json }
    return [
      "textDocument": ["uri": .string(document), "version": 2], "contentChanges": [.object(change)],
    ]
  }

  /// What was last said about the document; of one that never had a finding nothing is said.
  private static func published(_ heard: [JSON]) -> JSON {
    heard.last {
      $0["method"] == "textDocument/publishDiagnostics" && $0["params"]["uri"].string == document
    }?["params"]["diagnostics"] ?? []
  }
}
