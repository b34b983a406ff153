import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

@Suite struct MendingTests {
  private func mendedText(_ text: String) -> String? {
    let result = mended([SourceFile(path: "a.metric", text: text)])
    return result.first.map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  @Test func nothingToMend() {
    #expect(mendedText("streak s {of dnoe}") == nil)
  }

  @Test func fixesThatUncoverOthers() {
    #expect(
      mendedText("completion a { for App  every weekly  when !(count(Event) = 1,) }")?
        .hasPrefix("completion a { for app  every week  when not (count(Event) == 1") == true)
  }

  /// Bytes that are no text stay what they are.
  @Test func bytesStay() {
    let bytes: [UInt8] = Array("# a\n// ".utf8) + [0xFF, 0x0A]
    let result = mended([SourceFile(path: "a.metric", bytes: bytes)])
    #expect(result.first.map { $0.bytes } == Array("// a\n// ".utf8) + [0xFF, 0x0A])
  }

  /// However a definition is broken: mending it ends, loses no declaration, and what can be parsed is
  /// formatted.
  @Test(arguments: seeds(40))
  func mutatedDefinitions(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = random.pick(Repository.definitions.filter { $0.hasPrefix("Definitions/Habits") })
    var bytes = Array(try Repository.text(path).utf8)
    let pieces = [";", ",", "=", "&&", "!", "# ", "||", "{", "}", "\u{7}", "daily", "'", "==", "0", ":"]
    for _ in 0..<random.int(1...6) {
      bytes.insert(contentsOf: Array(random.pick(pieces).utf8), at: random.int(0...bytes.count))
    }
    for result in mended([SourceFile(path: path, bytes: bytes)]) {
      let after = SourceFile(path: path, bytes: result.bytes)
      #expect(!result.mends.isEmpty, "\(random.replay)")
      if case .changed = formatted(after) { Issue.record("not formatted, \(random.replay)") }
      if case .failed(let reason) = formatted(after) { Issue.record("\(reason), \(random.replay)") }
    }
  }
}
