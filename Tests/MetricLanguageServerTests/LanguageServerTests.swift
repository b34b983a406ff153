import MetricLanguageServer
import MetricTestSupport
import Testing

/// The protocol: lifecycle, order, errors, and each request once.
@Suite struct LanguageServerTests {
  private func error(_ response: JSON) -> Int? { response["error"]["code"].int }

  @Test func lifecycle() {
    var said: [JSON] = []
    let server = LanguageServer(files: MemoryFiles([:]), version: "1") { said.append($0) }
    func send(_ text: String) { server.receive([.body(Array(text.utf8))]) }
    send(#"{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}"#)
    #expect(error(said[0]) == -32002)
    send(
      #"{"jsonrpc":"2.0","id":"x","method":"initialize","params":{"capabilities":{"general":{"positionEncodings":["utf-8","utf-16"]}}}}"#
    )
    #expect(said[1]["id"] == "x")
    #expect(said[1]["result"]["capabilities"]["positionEncoding"] == "utf-8")
    send(#"{"jsonrpc":"2.0","id":2,"method":"initialize","params":{}}"#)
    #expect(error(said[2]) == -32600)
    send(#"{"jsonrpc":"2.0","id":3,"method":"shutdown"}"#)
    #expect(said[3] == ["jsonrpc": "2.0", "id": 3, "result": nil])
    send(#"{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{}}"#)
    #expect(error(said[4]) == -32600)
    #expect(server.exitStatus == nil)
    send(#"{"jsonrpc":"2.0","method":"exit"}"#)
    #expect(server.exitStatus == 0)
  }

  @Test func exitWithoutShutdown() {
    let client = TestClient([:])
    client.notify("exit", nil)
    #expect(client.server.exitStatus == 1)
  }

  @Test(arguments: [
    ("{", -32700), ("[]", -32600), ("5", -32600), (#"{"jsonrpc":"2.0","id":9}"#, -32600),
    (#"{"jsonrpc":"2.0","id":9,"method":"no/such"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":{},"method":"shutdown"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":{"textDocument":{}}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":7}"#, -32602),
    (
      #"{"jsonrpc":"2.0","id":9,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///w/none"},"position":{"line":0,"character":0}}}"#,
      -32803
    ),
    (#"{"jsonrpc":"2.0","id":9,"method":"workspace/executeCommand","params":{"command":"rm"}}"#, -32602),
  ])
  func errors(text: String, code: Int) {
    let client = TestClient([:])
    client.sendText(text)
    #expect(client.messages.last?["error"]["code"].int == code)
    // It goes on.
    #expect(client.request("workspace/symbol", ["query": ""]) == [])
  }

  @Test func responsesAndUnknownNotificationsNeedNoAnswer() {
    let client = TestClient([:])
    let count = client.messages.count
    client.sendText(#"{"jsonrpc":"2.0","id":"metricc-1","result":null}"#)
    client.sendText(#"{"jsonrpc":"2.0","method":"$/setTrace","params":{"value":"off"}}"#)
    #expect(client.messages.count == count)
  }

  /// An answer speaks of the text that the messages before it made; a cancelled request is not carried out.
  @Test func orderAndCancellation() {
    let client = TestClient(["/w/a.metric": habits])
    client.open("/w/a.metric", habits)
    func symbols(_ id: Int) -> JSON {
      [
        "jsonrpc": "2.0", "id": .int(id), "method": "textDocument/documentSymbol",
        "params": TestClient.document("/w/a.metric"),
      ]
    }
    let change: JSON = [
      "jsonrpc": "2.0", "method": "textDocument/didChange",
      "params": [
        "textDocument": ["uri": "file:///w/a.metric", "version": 2],
        "contentChanges": [["text": "streak x { of y }"]],
      ],
    ]
    let before = client.messages.count
    client.send([
      symbols(101), symbols(102), change, symbols(103),
      ["jsonrpc": "2.0", "method": "$/cancelRequest", "params": ["id": 102]],
    ])
    let said = client.messages[before...]
    #expect(said.compactMap { $0["id"].int } == [101, 102, 103])
    #expect(said.first { $0["id"] == 101 }?["result"].items.count == 3)
    #expect(said.first { $0["id"] == 102 }?["error"]["code"] == -32800)
    #expect(said.first { $0["id"] == 103 }?["result"].items.map { $0["name"] } == ["x"])
    #expect(said.last?["method"] == "textDocument/publishDiagnostics")
  }

  @Test func incrementalChangesInUTF16() {
    let client = TestClient([:])
    client.open("/w/a.metric", "// 😀\nstreak é {\n  of done }\n")
    client.change("/w/a.metric", version: 2, TestClient.range(0, 3, 0, 5), "x")
    client.change("/w/a.metric", version: 3, TestClient.range(1, 7, 1, 8), "run")
    client.change("/w/a.metric", version: 4, TestClient.range(2, 5, 2, 9), "nothing")
    let diagnostic = client.diagnostics("/w/a.metric")?.first { $0["code"] == "T001 unknown-name" }
    #expect(diagnostic?["range"] == TestClient.range(2, 5, 2, 12))
    #expect(client.messages.last?["params"]["version"] == 4)
  }

  @Test func positionsInUTF8WhereOffered() {
    let client = TestClient([:], capabilities: ["general": ["positionEncodings": ["utf-16", "utf-8"]]])
    client.open("/w/a.metric", "/// 😀\nstreak run { title \"é😀\"  of done }\n")
    client.change("/w/a.metric", version: 2, TestClient.range(1, 32, 1, 36), "nothing")
    let diagnostic = client.diagnostics("/w/a.metric")?.first { $0["code"] == "T001 unknown-name" }
    #expect(diagnostic?["range"] == TestClient.range(1, 32, 1, 39))
  }

  @Test func positionsInUTF32WhereNothingElseIsOffered() {
    let client = TestClient([:], capabilities: ["general": ["positionEncodings": ["utf-32"]]])
    client.open("/w/a.metric", "streak run { title \"é😀\"  of done }\n")
    let diagnostic = client.diagnostics("/w/a.metric")?.first { $0["code"] == "T001 unknown-name" }
    #expect(diagnostic?["range"] == TestClient.range(0, 28, 0, 32))
  }

  @Test func findingsCarryNotesAndPlaces() {
    let client = TestClient([:])
    client.open("/w/a.metric", habits + habits)
    let finding = client.diagnostics("/w/a.metric")?.first { $0["code"] == "T004 duplicate-name" }
    #expect(finding?["severity"] == 1)
    #expect(finding?["relatedInformation"][0]["message"] == "first declared here")
    #expect(finding?["relatedInformation"][0]["location"]["range"]["start"]["line"] == 1)
  }

  /// The counterexample comes when nothing else is to do, and stays while others are typed.
  @Test func counterexamplesComeLater() {
    let client = TestClient([:])
    let bad = "/// B.\nmeasure m { for habit  value average(HabitEntry.value) }\n"
    client.open("/w/a.metric", bad)
    func message() -> String {
      client.diagnostics("/w/a.metric")?.first { $0["code"].string?.hasPrefix("C401") == true }?["message"]
        .string ?? ""
    }
    #expect(!message().contains("after logging"))
    #expect(client.server.hasIdleWork)
    while client.server.hasIdleWork { client.server.idle() }
    #expect(message().contains("after logging"))
    client.change("/w/a.metric", version: 2, nil, "// moved\n" + bad)
    #expect(message().contains("after logging"))
    client.change(
      "/w/a.metric", version: 3, nil,
      bad.replacing("average(HabitEntry.value)", with: "average(HabitEntry.value) * 2"))
    #expect(!message().contains("after logging"))
  }

  // MARK: Each request

  @Test func requestsOfADocument() {
    let client = TestClient(
      ["/w/a.metric": habits, "/w/Sample/HabitEntry.csv": "id,habitId,dayKey\n1,read,2026-01-01\n"],
      capabilities: ["textDocument": ["documentSymbol": ["hierarchicalDocumentSymbolSupport": true]]])
    client.open("/w/a.metric", habits)
    let document = TestClient.document("/w/a.metric")
    let place = TestClient.place("/w/a.metric", 8, 17)
    #expect(
      client.request("textDocument/hover", place)["contents"]["value"].string?.contains("Was it done?")
        == true)
    #expect(client.request("textDocument/definition", place)[0]["range"] == TestClient.range(1, 11, 1, 15))
    #expect(client.request("textDocument/references", place).items.count == 3)
    #expect(client.request("textDocument/documentHighlight", place).items.count == 3)
    #expect(client.request("textDocument/prepareRename", place)["placeholder"] == "done")
    let renamed = client.request("textDocument/rename", place.adding("newName", "ready"))
    #expect(renamed["changes"]["file:///w/a.metric"].items.count == 3)
    #expect(
      client.response("textDocument/rename", place.adding("newName", "run"))["error"]["message"]
        == "`run` is the name of another metric")
    #expect(
      client.request("textDocument/documentSymbol", document).items.map { $0["name"] } == [
        "done", "run", "a run",
      ])
    #expect(client.request("textDocument/foldingRange", document).items.count == 2)
    #expect(
      client.request("textDocument/completion", place)["items"].items.contains { $0["label"] == "done" })
    #expect(client.request("textDocument/semanticTokens/full", document)["data"].items.count % 5 == 0)
    #expect(client.request("textDocument/formatting", document) == [])
    let hints = client.request(
      "textDocument/inlayHint", document.adding("range", TestClient.range(0, 0, 99, 0)))
    #expect(hints[0]["label"] == "Bool, rising")
    #expect(hints[0]["position"] == ["line": 1, "character": 15])
  }

  @Test func formattingIsEditsOfLines() {
    let client = TestClient([:])
    client.open(
      "/w/a.metric",
      habits.replacing("    every day", with: "  every   day").replacing("  every day", with: "every    day"))
    let edits = client.request("textDocument/formatting", TestClient.document("/w/a.metric"))
    #expect(edits.items.map { $0["range"] } == [TestClient.range(3, 0, 4, 0)])
    #expect(edits[0]["newText"] == "  every day\n")
    client.change("/w/a.metric", version: 2, nil, "streak {")
    #expect(
      client.response("textDocument/formatting", TestClient.document("/w/a.metric"))["error"]["code"]
        == -32803)
  }

  @Test func lensesAreCarriedOut() {
    let client = TestClient([
      "/w/a.metric": habits,
      "/w/Sample/HabitEntry.csv": "id,habitId,dayKey\n1,read,2026-01-01\n2,read,2026-01-02\n",
    ])
    client.open("/w/a.metric", habits)
    let lenses = client.request("textDocument/codeLens", TestClient.document("/w/a.metric")).items
    #expect(
      lenses.map { $0["command"]["title"] } == [
        "value on the sample data", "value on the sample data", "run this test",
      ])
    let value = client.request("workspace/executeCommand", lenses[1]["command"])
    #expect(value["at"] == "2026-01-02")
    #expect(value["rows"][0]["value"] == 2)
    #expect(client.request("workspace/executeCommand", lenses[2]["command"])["passed"] == 1)
    // A test that fails marks the expectation until the next edit.
    let failing = habits.replacing("= 3", with: "= 4")
    client.change("/w/a.metric", version: 2, nil, failing)
    let result = client.request("workspace/executeCommand", lenses[2]["command"])
    #expect(result["failed"] == 1)
    #expect(client.diagnostics("/w/a.metric")?.map { $0["source"] } == ["metricc test"])
    #expect(client.diagnostics("/w/a.metric")?[0]["range"]["start"]["line"] == 12)
    #expect(client.messages.contains { $0["method"] == "window/showMessage" && $0["params"]["type"] == 2 })
    client.change("/w/a.metric", version: 3, nil, habits)
    #expect(client.diagnostics("/w/a.metric") == [])
  }

  @Test func codeActionsByKind() {
    let client = TestClient([:])
    client.open("/w/a.metric", "measure m { for User  value count(Event) }\n")
    func titles(_ only: JSON) -> [JSON] {
      let params = TestClient.document("/w/a.metric").adding("range", TestClient.range(0, 16, 0, 16)).adding(
        "context", only)
      return client.request("textDocument/codeAction", params).items.map { $0["title"] }
    }
    #expect(titles(["diagnostics": []]).contains("write `user`"))
    #expect(titles(["only": ["source.fixAll"]]) == ["Apply all safe fixes"])
    #expect(titles(["only": ["refactor"]]) == [])
  }
}

extension JSON {
  /// The object with one more member.
  func adding(_ key: String, _ value: JSON) -> JSON {
    guard case .object(var members) = self else { return self }
    members[key] = value
    return .object(members)
  }
}
