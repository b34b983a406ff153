import Foundation
import MetricDiagnostics
import Testing

extension DiagnosticCode {
  fileprivate static let example = DiagnosticCode("S099", "example")
}

@Suite struct JSONTests {
  private let sources = [SourceFile(path: "a.metric", text: "streak s {\n  of done\n}\n")]

  @Test func findingHasTheKeysOfTheTool() {
    let finding = Diagnostic(
      .error, .example, "found `s`", at: .source(Span(file: 0, start: 7, end: 13)), metric: "s",
      notes: [Note("more"), Note("here", at: .source(Span(file: 0, start: 13, end: 15)))],
      fixes: [Fix("write `t`", replace: Span(file: 0, start: 7, end: 8), with: "t")])
    #expect(
      finding.json(in: sources).description
        == #"{"path":"a.metric","line":1,"column":8,"endLine":2,"endColumn":3,"#
        + #""severity":"error","code":"S099","name":"example","message":"found `s`","metric":"s","#
        + #""notes":[{"message":"more","path":null,"line":null,"column":null},"#
        + #"{"message":"here","path":"a.metric","line":2,"column":3}],"#
        + #""fixes":[{"title":"write `t`","path":"a.metric","line":1,"column":8,"endLine":1,"endColumn":9,"replacement":"t"}],"#
        + #""counterexample":null}"#)
  }

  @Test func placesWithoutLinesAreNull() {
    let folder = Diagnostic(.warning, .example, "m", at: .path("data"))
    #expect(
      folder.json(in: []).description
        == #"{"path":"data","line":null,"column":null,"endLine":null,"endColumn":null,"#
        + #""severity":"warning","code":"S099","name":"example","message":"m","metric":null,"notes":[],"fixes":[],"counterexample":null}"#
    )
    let data = Diagnostic(.warning, .example, "m", at: .data(path: "x.csv", line: 3, column: 9))
    #expect(
      data.json(in: []).description.hasPrefix(
        #"{"path":"x.csv","line":3,"column":9,"endLine":3,"endColumn":9,"#))
  }

  @Test func counterexampleIsPassedThrough() {
    var finding = Diagnostic(.error, .example, "m", at: .path("data"))
    #expect(finding.json(in: []).description.hasSuffix(#""counterexample":null}"#))
    finding.counterexample = .init(summary: "s", test: "t", before: "1", after: "0")
    #expect(
      finding.json(in: []).description.hasSuffix(
        #""counterexample":{"summary":"s","before":"1","after":"0","test":"t"}}"#))
  }

  @Test func stringsRoundTrip() throws {
    let text =
      String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
      + "\u{1F4D6}\u{2028}\u{FEFF}"
    let written = [text].json.description
    let read = try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String]
    #expect(read == [text])
  }

  @Test func valuesAreWritten() {
    let value = JSONText.object([
      "a": -3, "b": true, "c": [nil, "x"], "d": nil as String?, "e": JSONText.omitted,
    ])
    #expect(value.description == #"{"a":-3,"b":true,"c":[null,"x"],"d":null}"#)
    #expect(JSONText(verbatim: "1.5").description == "1.5")
  }
}
