import MetricDiagnostics
import MetricSyntax
import Testing

/// A wrong source with all that is said about it, without the source lines.
struct MessageCase: CustomTestStringConvertible {
  var name: String
  var source: String
  var messages: String

  init(_ name: String, _ source: String, _ messages: String) {
    self.name = name
    self.source = source
    self.messages = messages
  }

  var testDescription: String { name }
}

extension Parsed {
  /// The findings as text, without path and source lines.
  var shortMessages: String {
    messages.split(separator: "\n").filter { !$0.hasPrefix("  ") }
      .map { $0.hasPrefix("test.metric:") ? $0.dropFirst("test.metric:".count) : $0 }
      .joined(separator: "\n")
  }
}

/// The messages as they are, kept so that a change of them is seen, and made better.
@Suite struct MessageTests {
  static let all =
    lexicalMessages + declarationMessages + clauseMessages + expressionMessages + recordMessages
    + testMessages

  @Test(arguments: all)
  func message(example: MessageCase) {
    #expect(Parsed(example.source).shortMessages == example.messages)
  }

  @Test func everyCodeIsOfItsFamily() {
    // A doc comment that stands nowhere is a warning, and so of the warnings' family.
    let warnings: [SyntaxCode] = [.misplacedDoc, .declaresNothing]
    #expect(SyntaxCode.allCases.allSatisfy { $0.code.id.hasPrefix("S0") || warnings.contains($0) })
  }

  @Test func everyCodeIsTriggered() {
    var seen = Set(Self.all.flatMap { Parsed($0.source).codes })
    seen.formUnion(Parsed(bytes: [0xFF]).codes)
    seen.formUnion(Parsed("measure m { value \(String(repeating: "(", count: 200)) }").codes)
    #expect(Set(SyntaxCode.allCases.map(\.code.id)) == seen)
  }

  @Test func messagesFollowTheirStyle() {
    for diagnostic in Self.all.flatMap({ Parsed($0.source).diagnostics }) {
      for message in [diagnostic.message] + diagnostic.notes.map(\.message) {
        #expect(!message.hasSuffix("."), "\(message)")
        #expect(message.first?.isUppercase == false, "\(message)")
        #expect(message.count { $0 == "`" }.isMultiple(of: 2), "\(message)")
      }
    }
  }
}
