import MetricDiagnostics
import MetricLanguage
import Testing

/// Very many mistakes, in very long lines.
@Suite struct FindingLimitTests {
  @Test func ofVeryManyFindingsTheFirstAreKept() {
    let library = MetricLibrary(sources: [
      SourceFile(path: "a.metric", text: String(repeating: "@ \n", count: 12_000))
    ])
    #expect(library.findings.count == Diagnostic.mostShown)
    #expect(library.hasMoreFindings)
    #expect(!library.isAccepted)
    guard case .source(let span)? = library.findings.last?.location else { return }
    #expect(library.sources[0].position(of: span.start) == Position(line: 10_000, column: 1))
  }

  @Test func allOfAFewAreShown() {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: "@ \n@ \n")])
    #expect(library.findings.count == 2)
    #expect(!library.hasMoreFindings)
  }

  /// A line of a megabyte: what is shown of it is the part around the place, whose column is exact.
  @Test func placesInAVeryLongLine() throws {
    let word = "\u{E9} "
    let line = "// " + String(repeating: word, count: 300_000) + "\n"
    let text = "/* " + String(repeating: "\u{E9}x ", count: 250_000) + "@"
    let source = SourceFile(path: "a.metric", text: line + text)
    let finding = Diagnostic.error(
      DiagnosticCode("X001", "example"), "found",
      at: Span(file: 0, start: source.bytes.count - 1, end: source.bytes.count))
    let rendered = finding.rendered(in: [source]).split(separator: "\n")
    #expect(rendered[0] == "a.metric:2:750004: error: found [X001 example]")
    #expect(rendered[1].count == 242)
    #expect(rendered[1].hasSuffix("\u{E9}x @"))
    #expect(rendered[2].count == 242)
    #expect(rendered[2].hasSuffix(" ^"))
  }
}
