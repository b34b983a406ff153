import MetricLanguageServer
import MetricTestSupport
import Testing

/// A server that has followed every keystroke says the same as one that opens the text as it is then.
@Suite struct TypingTests {
  /// What the server tells a client about a text: findings, colours, and what can be written at some places.
  private struct Told: Equatable {
    var findings: [JSON]
    var tokens: JSON
    var completions: [JSON]

    init(_ client: TestClient, _ path: String, at places: [TextPosition]) {
      findings = client.diagnostics(path) ?? []
      tokens = client.request("textDocument/semanticTokens/full", TestClient.document(path))
      completions = places.map {
        client.request("textDocument/completion", TestClient.place(path, $0.line, $0.character))
      }
    }
  }

  /// Pieces as people type them, broken ones too.
  private static let pieces = [
    "x", " ", "\n", "}", "{", "\"", "// a", "/// A doc.\n", "_", "1", "value ", "by ",
    "\nmeasure fresh { for user",
    "\nstreak fresh { of ", "extend Habit { mood : Text }\n", " + 1", "allow W007 \"why\"\n",
  ]

  @Test(arguments: [
    ("Habits", "completion"), ("Habits", "less"), ("FamilyRewards", "activity"), ("StoryReading", "records"),
  ])
  func randomKeystrokes(_ folder: String, _ name: String) throws {
    var random = SeededGenerator(seed: testSeed)
    let files = Dictionary(
      uniqueKeysWithValues: try Repository.files(".metric", under: "Definitions/\(folder)").map {
        ("/w/" + $0.split(separator: "/").joined(separator: "-"), try Repository.text($0))
      })
    let path = try #require(files.keys.first { $0.hasSuffix("\(name).metric") })
    let typing = TestClient(files)
    let original = files[path] ?? ""
    var text = DocumentText(original)
    typing.open(path, original)
    for version in 1...36 {
      edit(&text, typing, path, version, original, &random)
      guard version % 6 == 0 else { continue }
      let fresh = TestClient(files)
      fresh.open(path, text.string)
      let places = (0..<4).map { _ in text.position(of: random.int(0...text.bytes.count), in: .utf16) }
      let told = Told(typing, path, at: places)
      #expect(told == Told(fresh, path, at: places), "\(folder), version \(version), \(random.replay)")
    }
  }

  /// Types a piece somewhere, removes some characters, or has the text as it was.
  private func edit(
    _ text: inout DocumentText, _ client: TestClient, _ path: String, _ version: Int, _ original: String,
    _ random: inout SeededGenerator
  ) {
    if random.int(0...9) == 0 {
      text = DocumentText(original)
      return client.change(path, version: version, nil, original)
    }
    let start = random.int(0...text.bytes.count)
    let end = random.int(0...3) == 0 ? min(start + random.int(1...12), text.bytes.count) : start
    let places = [start, end].map { text.position(of: $0, in: .utf16) }
    let piece = start < end ? "" : random.pick(Self.pieces)
    text.replace(from: places[0], to: places[1], with: piece, in: .utf16)
    client.change(
      path, version: version,
      TestClient.range(places[0].line, places[0].character, places[1].line, places[1].character), piece)
  }
}
