import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import MetricLanguage
@testable import MetricPlan

/// The examples of `Documentation/Language.md`, and of every other document, do what the pages say of them.
@Suite struct LanguageReferenceTests {
  /// A fenced block of the page: ```` ```metric ```` is accepted and its tests pass,
  /// ```` ```metric rejected C401 ```` has exactly these errors.
  struct Example: CustomTestStringConvertible, Sendable {
    var path: String
    var line: Int
    var info: String
    var text: String
    var testDescription: String { "\(path):\(line)" }
  }

  static let path = "Documentation/Language.md"
  static let page = (try? Repository.text(path)) ?? ""

  /// All documents but the pages of the codes, which have a test of their own.
  static let documents =
    ["README.md"]
    + Repository.files(".md", under: "Documentation").filter { !$0.hasSuffix("/Diagnostics.md") }

  static func examples(_ language: String, in path: String = path) -> [Example] {
    var examples: [Example] = []
    var open: Example?
    let page = (try? Repository.text(path)) ?? ""
    for (number, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("```") else {
        open?.text += line + "\n"
        continue
      }
      if let example = open {
        if example.info.split(separator: " ").first == Substring(language) { examples.append(example) }
        open = nil
      } else {
        open = Example(path: path, line: number + 1, info: String(line.dropFirst(3)), text: "")
      }
    }
    return examples
  }

  @Test(arguments: documents.flatMap { examples("metric", in: $0) })
  func exampleIsWhatItIsSaidToBe(_ example: Example) {
    let library = MetricLibrary(sources: [SourceFile(path: "example.metric", text: example.text)])
    let errors = library.findings.filter { $0.severity == .error }
    let expected = example.info.split(separator: " ").drop { $0 != "rejected" }.dropFirst().map(String.init)
    #expect(errors.map(\.code.id).sorted() == expected.sorted(), "\(errors.map(\.message))")
    guard expected.isEmpty else { return }
    for result in library.runTests(filter: nil) {
      #expect(result.passed, "\(result.name): \(result.failures.map(\.message))")
    }
    guard case .unchanged = formatted(SourceFile(path: "example.metric", text: example.text)) else {
      Issue.record("the example is not in the canonical layout")
      return
    }
  }

  @Test func examplesAreThere() {
    #expect(Self.examples("metric").count >= 12)
  }

  /// The page shows the built-in records as the language declares them.
  @Test func builtInRecordsAreThose() throws {
    let shown = try #require(Self.examples("metric-fragment").first)
    #expect(tokens(shown.text) == tokens(BuiltIn.source))
  }

  /// A text without comments and white space.
  private func tokens(_ text: String) -> String {
    text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined()
      .filter { !$0.isWhitespace }
  }
}
