import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import MetricLanguage
@testable import MetricResolve

/// The examples of `Documentation/Language.md` do what the page says of them.
@Suite struct LanguageReferenceTests {
  /// A fenced block of the page: ```` ```metric ```` is accepted and its tests pass,
  /// ```` ```metric rejected C401 ```` has exactly these errors.
  struct Example: CustomTestStringConvertible, Sendable {
    var line: Int
    var info: String
    var text: String
    var testDescription: String { "line \(line)" }
  }

  static let page = (try? Repository.text("Documentation/Language.md")) ?? ""

  static func examples(_ language: String) -> [Example] {
    var examples: [Example] = []
    var open: Example?
    for (number, line) in page.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard line.hasPrefix("```") else {
        open?.text += line + "\n"
        continue
      }
      if let example = open {
        if example.info.split(separator: " ").first == Substring(language) { examples.append(example) }
        open = nil
      } else {
        open = Example(line: number + 1, info: String(line.dropFirst(3)), text: "")
      }
    }
    return examples
  }

  @Test(arguments: examples("metric"))
  func exampleIsWhatItIsSaidToBe(_ example: Example) {
    let library = MetricLibrary(sources: [SourceFile(path: "example.metric", text: example.text)])
    let errors = library.findings.filter { $0.severity == .error }
    let expected = example.info.split(separator: " ").dropFirst(2).map(String.init)
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
