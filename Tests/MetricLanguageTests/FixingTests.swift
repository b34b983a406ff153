import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

@Suite struct FixingTests {
  private func fixedText(_ text: String) -> String? {
    let result = fixed([SourceFile(path: "a.metric", text: text)])
    return result.first.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func nothingToFix() {
    #expect(fixedText("streak s {of dnoe}") == nil)
  }

  @Test func fixesThatUncoverOthers() {
    #expect(
      fixedText("completion a { for User  every weekly  when !(count(Event) = 1,) }")?
        .hasPrefix("completion a { for user  every week  when not (count(Event) == 1") == true)
  }

  /// Bytes that are no text stay what they are.
  @Test func bytesStay() {
    let bytes: [UInt8] = Array("# a\n// ".utf8) + [0xFF, 0x0A]
    let result = fixed([SourceFile(path: "a.metric", bytes: bytes)])
    #expect(result.first.map { $0.bytes } == Array("// a\n// ".utf8) + [0xFF, 0x0A])
  }

  /// What a fix would leave as wrong as before is not offered.
  @Test(arguments: [
    "measure m { for app  audience team  value count(user) by name, userId }",
    "retention r { for user  audience team  start first Event  return Event  after 1 week, 4 days }",
  ])
  func unsafeFixes(text: String) {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)])
    #expect(!library.isAccepted)
    #expect(library.findings.allSatisfy { $0.fixes.isEmpty })
  }

  @Test func unitOfEachNumber() {
    #expect(
      fixedText("retention r { for user  start first Event  return Event  after 1 week, 4 weeks, 8 week }")?
        .contains("after 1, 4, 8 week") == true)
  }

  /// However a definition is broken: each fix on its own leaves fewer findings and no new one.
  @Test(arguments: seeds(40))
  func everyFixIsSafe(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (path, bytes) = try brokenDefinition(&random)
    expectSafeFixes(SourceFile(path: path, bytes: bytes), "\(random.replay)")
  }

  /// The same for the wrong example of every code.
  @Test func fixesOfEveryCode() {
    for page in Page.all where page.language == .metric {
      expectSafeFixes(SourceFile(path: "a.metric", text: page.wrong), page.code.id)
    }
  }

  private func expectSafeFixes(_ source: SourceFile, _ replay: String) {
    let library = MetricLibrary(sources: [source])
    let before = library.findings.map { "\($0.code) \($0.message)" }
    for fix in library.findings.flatMap(\.fixes) {
      let after =
        source.bytes[..<fix.span.start] + Array(fix.replacement.utf8) + source.bytes[fix.span.end...]
      let fixed = MetricLibrary(sources: [SourceFile(path: source.path, bytes: Array(after))])
      var left = before
      for finding in fixed.findings {
        let index = left.firstIndex(of: "\(finding.code) \(finding.message)")
        #expect(index != nil, "`\(fix.title)` leads to \(finding.message); \(replay)")
        if let index { left.remove(at: index) }
      }
      #expect(!left.isEmpty, "`\(fix.title)` removes nothing; \(replay)")
    }
  }

  /// However a definition is broken: fixing it ends, and what can be parsed is formatted.
  @Test(arguments: seeds(40))
  func mutatedDefinitions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (path, bytes) = try brokenDefinition(&random)
    for result in fixed([SourceFile(path: path, bytes: bytes)]) {
      let after = SourceFile(path: path, bytes: result.bytes)
      #expect(!result.fixes.isEmpty, "\(random.replay)")
      if case .changed = formatted(after) { Issue.record("not formatted, \(random.replay)") }
      if case .failed(let reason) = formatted(after) { Issue.record("\(reason), \(random.replay)") }
    }
  }

  private func brokenDefinition(_ random: inout SeededGenerator) throws -> (path: String, bytes: [UInt8]) {
    let path = random.pick(Repository.definitions.filter { $0.hasPrefix("Definitions/Habits") })
    var bytes = Array(try Repository.text(path).utf8)
    let pieces = [";", ",", "=", "&&", "!", "# ", "||", "{", "}", "\u{7}", "daily", "'", "==", "0", ":"]
    for _ in 0..<random.int(1...6) {
      bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: random.int(0...bytes.count))
    }
    return (path, bytes)
  }
}
