import Foundation
import MetricDiagnostics
import MetricLanguage
import MetricSyntax
import MetricTestSupport
import Testing

/// The snippets of the extension for VS Code, filled with what they offer.
@Suite struct EditorSnippetTests {
  private struct Snippet: Decodable {
    var prefix: String
    var description: String
    var body: [String]

    /// The text with the first choice or the default in each place.
    var text: String {
      body.joined(separator: "\n")
        .replacing(/\$\{\d+\|([^,|]*)[^}]*\}/) { $0.output.1 }
        .replacing(/\$\{\d+:([^}]*)\}/) { $0.output.1 }
        .replacing("$0", with: "")
    }
  }

  private func snippets() throws -> [String: Snippet] {
    let data = Data(try Repository.text("Grammar/vscode-metric/snippets/metric.json").utf8)
    return try JSONDecoder().decode([String: Snippet].self, from: data)
  }

  @Test func everyKindHasOne() throws {
    let kinds = MetricKind.allCases.map(\.rawValue)
    #expect(Set(try snippets().values.map(\.prefix)) == Set(kinds + ["test", "fact", "entity"]))
  }

  /// Together they are a library without an error, in the canonical layout, whose test passes.
  @Test func theyAreALibrary() throws {
    let texts = try snippets().sorted { $0.key < $1.key }.map(\.value.text)
    #expect(texts.allSatisfy { !$0.contains("$") })
    let longest = "/// The longest run.\nstreak longest_run { of done  best }"
    let source = SourceFile(
      path: "a.metric", text: (texts + [longest]).joined(separator: "\n\n") + "\n")
    let library = MetricLibrary(sources: [source])
    // Only the tests of the others are the reader's to write.
    #expect(library.findings.filter { $0.code.id != "W007" }.isEmpty, "\(library.findings)")
    #expect(library.metrics.count == MetricKind.allCases.count + 1)
    if case .unchanged = formatted(source) {} else { Issue.record("\(formatted(source))") }
    #expect(library.runTests(filter: nil).map(\.passed) == [true])
  }
}
