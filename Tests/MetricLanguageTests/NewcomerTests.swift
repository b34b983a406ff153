import Foundation
import MetricLanguage
import Testing

@testable import MetricDiagnostics

/// What people write who know another language, and the answer: `Tests/Messages/newcomers.txt`.
///
/// A case is `=== name`, definitions, `---` and the errors with their notes. To add one, write it with the answer
/// that you would like to read.
@Suite struct NewcomerTests {
  struct Case: CustomTestStringConvertible {
    var testDescription: String
    var source: String
    var messages: String
  }

  static let cases: [Case] = {
    let text = try? String(contentsOfFile: "Tests/Messages/newcomers.txt", encoding: .utf8)
    return (text ?? "").split(separator: "=== ").map { piece in
      let lines = piece.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      let middle = lines.firstIndex(of: "---") ?? lines.count
      return Case(
        testDescription: lines[0], source: lines[1..<middle].joined(separator: "\n"),
        messages: lines[min(middle + 1, lines.count)...].joined(separator: "\n")
          .trimmingCharacters(in: .newlines))
    }
  }()

  @Test func theCorpusIsThere() { #expect(Self.cases.count >= 18) }

  @Test(arguments: cases)
  func answered(_ example: Case) {
    let library = MetricLibrary(sources: [SourceFile(path: "x", text: example.source)])
    let errors = library.findings.filter { $0.severity == .error }
    let lines = errors.flatMap { $0.rendered(in: library.sources, color: false).split(separator: "\n") }
    let shown = lines.filter { !$0.hasPrefix("  ") }.map {
      $0.hasPrefix("x:") ? String($0.dropFirst(2)) : String($0)
    }
    #expect(shown.joined(separator: "\n") == example.messages)
  }

  /// Each answer is for the words that it names, in small letters without `_`.
  @Test func wordsAreAnswered() {
    #expect(FamiliarWord.note("COUNT_DISTINCT", as: .function)?.message == "write `distinct(Record.field)`")
    #expect(FamiliarWord.note("Timestamp", as: .type) != nil)
    #expect(FamiliarWord.note("average", as: .function) == nil)
    for place in FamiliarWord.Place.allCases {
      let words = FamiliarWord.answers[place, default: [:]].keys
      #expect(words.count >= 3, "\(place)")
      #expect(words.allSatisfy { $0 == $0.lowercased() && !$0.contains("_") }, "\(place)")
    }
  }
}
