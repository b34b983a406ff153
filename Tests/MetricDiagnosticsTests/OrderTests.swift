import MetricDiagnostics
import Testing

@Suite struct OrderTests {
  private func finding(_ code: String, _ location: Location) -> Diagnostic {
    Diagnostic(.error, DiagnosticCode(code, "example"), "m", at: location)
  }

  @Test func byPathPlaceAndCode() {
    let sources = [SourceFile(path: "b", text: ""), SourceFile(path: "a", text: "")]
    let findings = [
      finding("S3", .source(Span(file: 0, start: 5, end: 6))),
      finding("S2", .source(Span(file: 0, start: 5, end: 9))),
      finding("S1", .source(Span(file: 1, start: 9, end: 9))),
      finding("S5", .data(path: "a", line: 2, column: 1)),
      finding("S4", .path("a")),
      finding("S9", .source(Span(file: 7, start: 0, end: 0))),
    ]
    #expect(findings.sorted(in: sources).map(\.code.id) == ["S9", "S4", "S5", "S1", "S2", "S3"])
  }

  @Test func equalOnesKeepTheirOrder() {
    let place = Location.source(Span(file: 0, start: 0, end: 1))
    let findings = ["one", "two", "three"].map {
      Diagnostic(.error, DiagnosticCode("S1", "x"), $0, at: place)
    }
    #expect(findings.sorted(in: []).map(\.message) == ["one", "two", "three"])
  }
}
