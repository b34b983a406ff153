import MetricDiagnostics
import Testing

extension DiagnosticCode {
  fileprivate static let example = DiagnosticCode("S099", "example")
}

@Suite struct RenderingTests {
  private let sources = [
    SourceFile(path: "a.metric", text: "streak s {\n\tof done\n}\n"),
    SourceFile(path: "b.metric", text: "über = „x“\r\nlast"),
  ]

  private func span(_ start: Int, _ end: Int, file: Int = 0) -> Span {
    Span(file: file, start: start, end: end)
  }

  @Test func headerSourceLineAndCarets() {
    let finding = Diagnostic.error(.example, "found `s`", at: span(7, 8))
    #expect(
      finding.rendered(in: sources) == """
        a.metric:1:8: error: found `s` [S099 example]
          streak s {
                 ^

        """)
  }

  @Test func tabsAreKeptUnderTheLine() {
    let finding = Diagnostic.warning(.example, "found", at: span(15, 19))
    #expect(
      finding.rendered(in: sources)
        == "a.metric:2:5: warning: found [S099 example]\n  \tof done\n  \t   ^^^^\n")
  }

  @Test func spansAreCutAtTheLineEnd() {
    let finding = Diagnostic.error(.example, "found", at: span(7, 21))
    #expect(finding.rendered(in: sources).hasSuffix("  streak s {\n         ^^^\n"))
  }

  @Test func columnsCountScalarsAndLineEndsAreDropped() {
    let finding = Diagnostic.error(.example, "found", at: span(8, 15, file: 1))
    #expect(
      finding.rendered(in: sources)
        == "b.metric:1:8: error: found [S099 example]\n  über = „x“\n         ^^^\n")
  }

  @Test func emptySpansAndTheEndOfTheFileHaveOneCaret() {
    #expect(
      Diagnostic.error(.example, "m", at: span(10, 10)).rendered(in: sources).hasSuffix(
        "  streak s {\n            ^\n"))
    #expect(Diagnostic.error(.example, "m", at: span(23, 23)).rendered(in: sources).hasSuffix("  \n  ^\n"))
    #expect(
      Diagnostic.error(.example, "m", at: span(900, 999)).rendered(in: sources).hasPrefix("a.metric:4:1"))
  }

  @Test func notesAndFixesFollow() {
    let finding = Diagnostic(
      .error, .example, "found", at: .source(span(7, 8)),
      notes: [
        Note("opened here", at: .source(span(9, 10))), Note("more"),
        Note("row", at: .data(path: "x.csv", line: 3, column: 9)),
      ],
      fixes: [Fix("write `t`", replace: span(7, 8), with: "t")])
    #expect(
      finding.rendered(in: sources) == """
        a.metric:1:8: error: found [S099 example]
          streak s {
                 ^
        a.metric:1:10: note: opened here
          streak s {
                   ^
        note: more
        x.csv:3:9: note: row
        fix: write `t`

        """)
  }

  @Test func dataAndFoldersHaveNoSourceLine() {
    let data = Diagnostic(.error, .example, "found", at: .data(path: "x.csv", line: 3, column: 9))
    #expect(data.rendered(in: sources) == "x.csv:3:9: error: found [S099 example]\n")
    let folder = Diagnostic(.error, .example, "found", at: .path("data"))
    #expect(folder.rendered(in: sources) == "data: error: found [S099 example]\n")
  }

  @Test func filesThatAreNotThereHaveNoPlace() {
    #expect(
      Diagnostic.error(.example, "m", at: span(0, 1, file: 9)).rendered(in: []) == "error: m [S099 example]\n"
    )
  }

  @Test func controlCharactersNeverReachTheTerminal() {
    let hostile = [SourceFile(path: "a\u{1B}.metric", text: "\u{1B}[31mred\u{0}")]
    let text = Diagnostic.error(.example, "found `\u{1B}`", at: span(0, 1)).rendered(in: hostile)
    #expect(!text.contains("\u{1B}"))
    #expect(!text.contains("\u{0}"))
  }

  @Test func colourIsAParameter() {
    let text = Diagnostic.error(.example, "found", at: span(7, 8)).rendered(in: sources, color: true)
    #expect(text.contains("\u{1B}[1;31merror:\u{1B}[0m found"))
  }

  @Test func veryLongLinesAreShownInPart() {
    let long = [
      SourceFile(
        path: "l", text: String(repeating: "a", count: 10_000) + "!" + String(repeating: "b", count: 10_000))
    ]
    let lines = Diagnostic.error(.example, "m", at: span(10_000, 15_000)).rendered(in: long).split(
      separator: "\n")
    #expect(lines[1].count == 242)
    #expect(lines[2].count <= 242)
    #expect(Array(lines[1])[lines[2].prefix { $0 == " " }.count] == "!")
  }
}
