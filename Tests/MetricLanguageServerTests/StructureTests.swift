import MetricLanguageServer
import Testing

/// Selections, calls, links, signatures, and what the server makes of them.
@Suite struct StructureTests {
  @Test func selectionsGrow() {
    let (analysis, offset) = marked(
      "measure m {\n  for habit\n  value sum(HabitEntry.value where 1️⃣value > 2) + 1\n}\n")
    let texts = analysis.texts(analysis.selections(in: 0, at: offset)).reversed().map { $0 }
    #expect(
      texts.prefix(5) == [
        "value", "value > 2", "sum(HabitEntry.value where value > 2)",
        "sum(HabitEntry.value where value > 2) + 1", "value sum(HabitEntry.value where value > 2) + 1",
      ])
    #expect(texts.last?.hasSuffix("}\n") == true)
  }

  @Test func callsLeadBothWays() throws {
    let analysis = analysis(habits, "momentum week { of done  over last 7 days }\n")
    let readers = analysis.readers(of: "done")
    #expect(readers.map(\.name) == ["run", "a run", "week"])
    #expect(readers.map(\.isTest) == [false, true, false])
    #expect(analysis.texts(readers.flatMap(\.places)) == ["done", "done", "done"])
    #expect(analysis.read(by: "week").map(\.name) == ["done"])
    #expect(analysis.read(by: "done").isEmpty)
  }

  @Test func calledByName() throws {
    let client = TestClient(["/w/a.metric": habits])
    client.open("/w/a.metric", habits)
    let items = client.request("textDocument/prepareCallHierarchy", TestClient.place("/w/a.metric", 8, 17))
    #expect(items[0]["name"] == "done")
    let calls = client.request("callHierarchy/incomingCalls", ["item": items[0]])
    #expect(calls.items.map(\.["from"]["name"].string) == ["run", "a run"])
    let read = client.request("callHierarchy/outgoingCalls", ["item": calls[0]["from"]])
    #expect(read.items.map(\.["to"]["name"].string) == ["done"])
  }

  @Test func linksLeadToDeclarationsAndAddresses() {
    let text = "/// Like `done`, see https://example.com/a?b=1. Not `nothing`.\nstreak s { of done }\n"
    let analysis = analysis(habits, text)
    let links = analysis.documentLinks(in: 1)
    #expect(analysis.texts(links.map(\.span)).first == "done")
    #expect(links.count == 2)
    #expect(links.last?.target == .url("https://example.com/a?b=1."))
  }

  @Test(arguments: [
    ("value sum(1️⃣)", "sum(F.x …)", 0), ("value percentile(HabitEntry.value, 1️⃣50)", "percentile(F.x …, P)", 1),
    ("value least(count(HabitEntry), greatest(1, 2), 1️⃣3)", "least(a, b)", 2),
    ("value first(1️⃣HabitEntry)", "first(F …)", 0),
  ])
  func signatures(_ value: String, _ call: String, _ argument: Int) throws {
    let (analysis, offset) = marked("measure m {\n  for habit\n  \(value)\n}\n")
    let help = try #require(analysis.signatureHelp(in: 0, at: offset))
    #expect(help.calls.first == call)
    #expect(help.argument == argument)
  }

  // MARK: The server

  @Test func typedBracesLayOutTheirDeclaration() {
    let text = "measure  a {\n for habit\n  value 1 }\n\nmeasure   b { for habit  value 1 }\n"
    let client = TestClient(["/w/a.metric": text])
    client.open("/w/a.metric", text)
    func edits(_ line: Int, _ character: Int, _ typed: String) -> [JSON] {
      guard case .object(var params) = TestClient.place("/w/a.metric", line, character) else { return [] }
      params["ch"] = .string(typed)
      params["options"] = ["tabSize": 2, "insertSpaces": true]
      return client.request("textDocument/onTypeFormatting", .object(params)).items
    }
    let lines = edits(2, 11, "}").compactMap { $0["range"]["start"]["line"].int }
    #expect(!lines.isEmpty && lines.allSatisfy { $0 < 3 }, "\(lines)")
    client.change("/w/a.metric", version: 2, nil, text + "measure {")
    #expect(edits(2, 11, "}").isEmpty)
  }

  @Test func findingsCanBeAskedFor() {
    let capabilities: JSON = [
      "textDocument": ["diagnostic": [:]], "workspace": ["diagnostics": ["refreshSupport": true]],
    ]
    let broken = "streak s { of dnoe }\n"
    let client = TestClient(["/w/a.metric": broken, "/w/b.metric": broken], capabilities: capabilities)
    client.open("/w/a.metric", broken)
    let report = client.request("textDocument/diagnostic", TestClient.document("/w/a.metric"))
    #expect(report["kind"] == "full")
    #expect(report["items"].items.contains { $0["code"] == "T001 unknown-name" })
    // What is asked for is not said as well; a file that is not open is.
    #expect(client.diagnostics("/w/a.metric") ?? [] == [])
    #expect(client.diagnostics("/w/b.metric")?.isEmpty == false)
    guard case .object(var params) = TestClient.document("/w/a.metric") else { return }
    params["previousResultId"] = report["resultId"]
    #expect(client.request("textDocument/diagnostic", .object(params))["kind"] == "unchanged")
    #expect(client.messages.contains { $0["method"] == "workspace/diagnostic/refresh" })
  }

  @Test func whatIsDeprecatedIsMarkedWhereItIsDeclared() throws {
    let text = """
      completion done { for habit  every day  when count(HabitEntry) >= 1  deprecated "use `kept`" }
      streak run { of done }

      """
    let client = TestClient(["/w/a.metric": text])
    client.open("/w/a.metric", text)
    let tagged = (client.diagnostics("/w/a.metric") ?? []).filter { $0["tags"] == [2] }
    #expect(tagged.map(\.["range"]["start"]["line"]) == [0])
    #expect(tagged.first?["message"] == "`done` is deprecated: use `kept`")
  }

  @Test func hintsAndLensesFollowEdits() {
    let refreshed: JSON = ["refreshSupport": true]
    let client = TestClient(
      ["/w/a.metric": habits], capabilities: ["workspace": ["inlayHint": refreshed, "codeLens": refreshed]])
    client.open("/w/a.metric", habits)
    func count() -> Int { client.messages.count { $0["method"].string?.hasSuffix("/refresh") == true } }
    let before = count()
    client.change("/w/a.metric", version: 2, nil, habits.replacing("run", with: "streak_of_days"))
    #expect(count() == before + 2)
  }

  @Test func rangesAreLaidOutInsideTheirLines() {
    let source = "streak   a { of b }\nstreak   c { of b }\nstreak   d { of b }\n"
    let client = TestClient(["/w/a.metric": source])
    client.open("/w/a.metric", source)
    guard case .object(var params) = TestClient.document("/w/a.metric") else { return }
    params["range"] = TestClient.range(1, 0, 1, 5)
    let edits = client.request("textDocument/rangeFormatting", .object(params)).items
    #expect(edits.map(\.["range"]) == [TestClient.range(1, 0, 2, 0)])
  }

  // MARK: Completion

  @Test(arguments: [
    ("log 1️⃣", ["\"read\""]), ("log \"read\" from 2026-01-01 1️⃣", ["\"###\""]),
    (
      "log \"x\" from 2026-01-01 \"##\"\n  expect run for \"x\" at 1️⃣",
      ["2026-01-01", "2026-01-02", "2026-01-03"]
    ),
    ("given HabitEntry { habitId: 1️⃣ }", ["\"read\""]),
  ])
  func completionInTests(_ text: String, _ wanted: [String]) throws {
    let (analysis, offset) = marked(habits + "test \"t\" {\n  \(text)\n}\n")
    let labels = try #require(analysis.completions(in: 0, at: offset)).items.map(\.label)
    for label in wanted { #expect(labels.contains(label), "\(labels)") }
  }

  @Test func noLabelIsEmpty() throws {
    let (analysis, offset) = marked("measure m {\n  for habit\n  unit 1️⃣\n  value 1\n}\n")
    let items = try #require(analysis.completions(in: 0, at: offset)).items
    #expect(items.allSatisfy { !$0.label.isEmpty })
  }
}
