import MetricDiagnostics
import MetricLanguage
import Testing

@testable import MetricLanguageServer

@Suite struct CodeActionTests {
  /// The titles of the actions at a mark, with what the file's text is after each.
  private func actions(_ text: String) -> [(title: String, result: String)] {
    let (analysis, offset) = marked(text)
    let findings = analysis.library.findings.map(analysis.library.withCounterexample)
    let bytes = analysis.trees[0].source.bytes
    let approver = { DayKey("2026-07-01").map { Approver(who: "Ben", day: $0) } }
    return analysis.codeActions(
      in: 0, from: offset, to: offset, findings: findings, approver: approver
    ).map { action in
      var changed = bytes
      for edit in action.edits.reversed() {
        changed.replaceSubrange(edit.span.start..<edit.span.end, with: edit.text.utf8)
      }
      return (action.title, String(decoding: changed, as: UTF8.self))
    }
  }

  private func result(_ text: String, _ title: String) -> String? {
    actions(text).first { $0.title.hasPrefix(title) }?.result
  }

  @Test func certainFix() {
    let text = "measure m { for 1️⃣User  value count(Event) && 1 }"
    #expect(result(text, "write `user`") == "measure m { for user  value count(Event) && 1 }")
    #expect(actions(text).contains { $0.title == "Apply all safe fixes" })
  }

  @Test func nearName() {
    #expect(
      result("streak s { of 1️⃣dnoe }\n" + habits, "Change to `done`")?.hasPrefix("streak s { of done }")
        == true)
    let choice = "measure m { for habit where cadence == 1️⃣\"weakly\"  value count(HabitEntry) }"
    #expect(result(choice, "Change to `weekly`")?.contains("cadence == \"weekly\"") == true)
  }

  @Test func warnings() {
    let text = "completion 1️⃣c {\n  for habit\n  every day\n  when count(HabitEntry) >= 1\n}\n"
    #expect(result(text, "Write a doc comment")?.hasPrefix("/// What does it say?\ncompletion c {") == true)
    #expect(
      result(text, "Allow W006")
        == "completion c {\n  for habit\n  every day\n  when count(HabitEntry) >= 1\n  allow W006 \"say why\"\n}\n"
    )
  }

  @Test func aVoidApprovalIsGivenAgain() throws {
    let text =
      "measure m {\n  for habit\n  value count(HabitEntry)\n  1️⃣approved \"Ana\" on 2026-06-30 meaning \"0\"\n}\n"
    let made = try #require(result(text, "Approve what `m` means now, as Ben"))
    #expect(made.contains("(HabitEntry)\n  approved \"Ben\" on 2026-07-01 meaning \"1:"), "\(made)")
    #expect(!analysis(made).library.findings.contains { $0.code.id == "W026" })
  }

  @Test func counterexampleAsTests() throws {
    let text = "/// Bad.\nmeasure m {\n  for habit\n  value average(HabitEntry.1️⃣value)\n}\n"
    let found = actions(text).map(\.title)
    let made = try #require(result(text, "Write the counterexample as tests"), "\(found)")
    #expect(made.contains("test \"m, before\""))
    let tests = analysis(made)
    #expect(try tests.runTests(in: 0) { _ in true }.map(\.passed) == [true, true])
  }

  @Test func layout() throws {
    let source = SourceFile(
      path: "a", text: "streak   a { of b }\n\nstreak b {\n   of c\n}\n\nstreak   c { of d }\n")
    let all = try layoutEdits(of: source, in: nil)
    #expect(
      all.map { source.text($0.span) } == ["streak   a { of b }\n", "   of c\n", "streak   c { of d }\n"])
    #expect(try layoutEdits(of: source, in: 2...4) == [all[1]])
    #expect(all[1].text == "  of c\n")
    #expect(throws: ResponseError.failed("the file has 1 syntax error and is unchanged")) {
      try layoutEdits(of: SourceFile(path: "a", text: "streak a {"), in: nil)
    }
  }
}
