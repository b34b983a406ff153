import MetricDiagnostics
import MetricLanguage
import MetricLanguageServer
import MetricTestSupport
import Testing

/// The seed of the random tests: `METRICC_SEED`, else always the same one.
let testSeed = seeds(1)[0]

/// A library of some texts, `0.metric`, `1.metric` …
func analysis(_ texts: String...) -> Analysis {
  Analysis(
    texts.enumerated().map { index, text in
      ParsedSource(SourceFile(path: "\(index).metric", text: text), file: index)
    })
}

/// A library of one text with a mark `1️⃣`, and the offset of the mark.
func marked(_ text: String) -> (analysis: Analysis, offset: Int) {
  let source = MarkedSource(text)
  return (analysis(source.text), source["1️⃣"] ?? 0)
}

extension Analysis {
  /// The text of spans, for expectations.
  func texts(_ spans: [Span]) -> [String] { spans.map { trees[$0.file].source.text($0) } }
}

/// A disk in memory.
final class MemoryFiles: WorkspaceFiles, @unchecked Sendable {
  /// By absolute path. Tests use it from one thread.
  var files: [String: String]

  init(_ files: [String: String]) {
    self.files = files
  }

  func entries(of folder: String) -> [FolderEntry] {
    let prefix = folder == "/" ? "/" : folder + "/"
    var names: Set<String> = []
    var folders: Set<String> = []
    for path in files.keys where path.hasPrefix(prefix) {
      let parts = path.dropFirst(prefix.count).split(separator: "/")
      guard let name = parts.first, !name.hasPrefix(".") else { continue }
      names.insert(String(name))
      if parts.count > 1 { folders.insert(String(name)) }
    }
    return names.sorted().map { FolderEntry(name: $0, isFolder: folders.contains($0), identity: prefix + $0) }
  }

  func contents(of path: String) -> [UInt8]? { files[path].map { Array($0.utf8) } }
}

/// A client that talks to a server in the same process.
final class TestClient {
  let files: MemoryFiles
  private let box: Box
  let server: LanguageServer
  private var nextID = 0

  /// What the server has said.
  private final class Box {
    var messages: [JSON] = []
  }

  /// - Parameter folder: the workspace folder; nil for a client without one.
  init(_ files: [String: String], folder: String? = "/w", capabilities: JSON = [:]) {
    self.files = MemoryFiles(files)
    let box = Box()
    self.box = box
    server = LanguageServer(files: self.files, version: "test") { box.messages.append($0) }
    let folders = folder.map { JSON.array([["uri": .string("file://\($0)"), "name": "w"]]) } ?? .null
    _ = request("initialize", ["capabilities": capabilities, "workspaceFolders": folders])
    notify("initialized", [:])
  }

  var messages: [JSON] { box.messages }

  func send(_ messages: [JSON]) {
    server.receive(messages.map { .body(Array($0.text.description.utf8)) })
  }

  func sendText(_ text: String) { server.receive([.body(Array(text.utf8))]) }

  func notify(_ method: String, _ params: JSON) {
    send([["jsonrpc": "2.0", "method": .string(method), "params": params]])
  }

  /// The whole response.
  func response(_ method: String, _ params: JSON) -> JSON {
    nextID += 1
    send([["jsonrpc": "2.0", "id": .int(nextID), "method": .string(method), "params": params]])
    return messages.last { $0["id"] == .int(nextID) } ?? .null
  }

  func request(_ method: String, _ params: JSON) -> JSON { response(method, params)["result"] }

  func open(_ path: String, _ text: String) {
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": .string(Self.uri(path)), "languageId": "metric", "version": 1, "text": .string(text),
        ]
      ])
  }

  /// Replaces a range, or everything where it is nil.
  func change(_ path: String, version: Int, _ range: JSON?, _ text: String) {
    var change: [String: JSON] = ["text": .string(text)]
    if let range { change["range"] = range }
    notify(
      "textDocument/didChange",
      [
        "textDocument": ["uri": .string(Self.uri(path)), "version": .int(version)],
        "contentChanges": [.object(change)],
      ])
  }

  static func uri(_ path: String) -> String { path.hasPrefix("/") ? "file://" + path : path }

  static func document(_ path: String) -> JSON { ["textDocument": ["uri": .string(uri(path))]] }

  static func place(_ path: String, _ line: Int, _ character: Int) -> JSON {
    [
      "textDocument": ["uri": .string(uri(path))],
      "position": ["line": .int(line), "character": .int(character)],
    ]
  }

  static func range(_ line: Int, _ character: Int, _ endLine: Int, _ endCharacter: Int) -> JSON {
    [
      "start": ["line": .int(line), "character": .int(character)],
      "end": ["line": .int(endLine), "character": .int(endCharacter)],
    ]
  }

  /// What was last published about a file; nil where nothing was.
  func diagnostics(_ path: String) -> [JSON]? {
    messages.last {
      $0["method"] == "textDocument/publishDiagnostics" && $0["params"]["uri"].string == Self.uri(path)
    }
    .map { $0["params"]["diagnostics"].items }
  }

  func codes(_ path: String) -> [String]? { diagnostics(path)?.map { $0["code"].string ?? "-" } }
}

/// A small library that is accepted.
let habits = """
  /// Was it done?
  completion done {
    for habit
    every day
    when count(HabitEntry) >= 1
  }

  /// Days in a row.
  streak run { of done }

  test "a run" {
    log "read" from 2026-01-01 "###"
    expect run  for "read" at 2026-01-03 = 3
    expect done for "read" at 2026-01-03 = true
  }

  """
