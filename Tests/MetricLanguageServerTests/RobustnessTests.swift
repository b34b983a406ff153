import MetricDiagnostics
import MetricLanguage
import MetricLanguageServer
import MetricTestSupport
import Testing

/// Nothing that a client can send ends the server, and it answers whatever is half written.
@Suite struct RobustnessTests {
  private static let requests = [
    "hover", "completion", "definition", "references", "prepareRename", "documentHighlight",
  ]

  /// Each request on prefixes of the definitions and conformance files, at their end and at a random place.
  @Test func prefixes() throws {
    var random = SeededGenerator(seed: testSeed)
    let paths = Repository.definitions.filter {
      $0.hasPrefix("Definitions") || $0.hasPrefix("Tests/Conformance")
    }
    for path in paths {
      let bytes = Array(try Repository.text(path).utf8)
      let client = TestClient([:])
      client.open("/w/a.metric", "")
      for _ in 0..<2 {
        let prefix = bytes[..<random.int(0...bytes.count)]
        ask(client, String(decoding: prefix, as: UTF8.self), &random, path)
      }
    }
  }

  /// All prefixes of a text that has everything.
  @Test func allPrefixes() {
    var random = SeededGenerator(seed: testSeed)
    let text = Array((CompletionTests.records + OutlineTests.text).utf8)
    let client = TestClient([:])
    client.open("/w/a.metric", "")
    for length in stride(from: 0, through: text.count, by: 3) {
      ask(client, String(decoding: text[..<length], as: UTF8.self), &random, "the example")
    }
  }

  private func ask(_ client: TestClient, _ text: String, _ random: inout SeededGenerator, _ name: String) {
    client.change("/w/a.metric", version: 2, nil, text)
    let document = DocumentText(text)
    let places = [document.bytes.count, random.int(0...document.bytes.count)]
    for place in places.map({ document.position(of: $0, in: .utf16) }) {
      for method in Self.requests {
        let response = client.response(
          "textDocument/\(method)", TestClient.place("/w/a.metric", place.line, place.character))
        let isAnswer = response["error"].isNull || response["error"]["code"] == -32803
        #expect(isAnswer, "\(method) in a prefix of \(name), \(random.replay): \(response)")
      }
    }
    let tree = ParsedSource(SourceFile(path: "", text: text), file: 0).tree
    for symbol in tree.symbols.flatMap({ [$0] + $0.children }) {
      let isInside = symbol.span.start <= symbol.nameSpan.start && symbol.nameSpan.end <= symbol.span.end
      #expect(isInside, "editors refuse the outline of a prefix of \(name), \(random.replay): \(symbol)")
    }
    for method in ["documentSymbol", "foldingRange", "semanticTokens/full", "inlayHint", "codeLens"] {
      let response = client.response("textDocument/\(method)", TestClient.document("/w/a.metric"))
      #expect(response["error"].isNull, "\(method) in a prefix of \(name), \(random.replay)")
    }
  }

  /// Messages with pieces broken, left out or swapped.
  @Test func brokenMessages() {
    var random = SeededGenerator(seed: testSeed)
    let client = TestClient(["/w/a.metric": habits])
    client.open("/w/a.metric", habits)
    let methods = [
      "textDocument/hover", "textDocument/didChange", "textDocument/rename", "workspace/executeCommand",
      "initialize", "x",
    ]
    for round in 0..<500 {
      let values: [JSON] = [
        nil, 1, -1, "x", "file:///w/a.metric", [], [:], true, ["line": -5, "character": 99_999_999],
        .double(0.5),
      ]
      let params: JSON = [
        "textDocument": random.chance(70) ? ["uri": "file:///w/a.metric"] : random.pick(values),
        "position": random.pick(values), "range": ["start": random.pick(values), "end": random.pick(values)],
        "contentChanges": [
          random.pick(values),
          [
            "range": ["start": random.pick(values), "end": random.pick(values)], "text": random.pick(values),
          ],
        ],
        "newName": random.pick(values), "command": "metricc.runTest",
        "arguments": [random.pick(values), random.pick(values)],
      ]
      let message: JSON = [
        "jsonrpc": "2.0", "id": random.pick(values), "method": .string(random.pick(methods)),
        "params": random.chance(90) ? params : random.pick(values),
      ]
      var bytes = Array(message.text.description.utf8)
      if random.chance(30) { bytes[random.int(0...bytes.count - 1)] = UInt8(random.int(0...255)) }
      client.server.receive([.body(bytes)])
      #expect(client.server.exitStatus == nil, "round \(round), \(random.replay)")
    }
    #expect(client.request("textDocument/documentSymbol", TestClient.document("/w/a.metric")) != nil)
  }
}
