import Foundation
import MetricTestSupport
import Testing

/// Every rule of `Documentation/Language.md` has a test, and `Documentation/Conformance.md` says which.
///
/// A test says which rules it holds in its name, in a conformance file as in Swift: `WIN-01 WIN-02: …`. A file of
/// definitions that are refused says it behind the mark of the line.
@Suite struct ConformanceMapTests {
  struct Rule {
    var id: String
    /// Its first words.
    var summary: String
  }

  /// `METRICC_UPDATE=1` writes the page anew.
  static let pagePath = "Documentation/Conformance.md"

  @Test func everyRuleHasATest() {
    let tests = Self.tests()
    let untested = Self.rules().map(\.id).filter { tests[$0] == nil }
    #expect(untested == [])
  }

  @Test func everyTestNamesRulesThatThereAre() {
    let rules = Set(Self.rules().map(\.id))
    #expect(rules.count > 100)
    #expect(Self.tests().keys.filter { !rules.contains($0) }.sorted() == [])
  }

  @Test func everyConformanceTestNamesARule() throws {
    for path in ConformanceTests.files(in: "Tests/Conformance") {
      for name in Self.testNames(in: try Repository.text(path)) {
        #expect(!Self.ids(in: name).isEmpty, "\(path): `\(name)` names no rule")
      }
    }
  }

  @Test func thePageIsFresh() throws {
    let url = Repository.root.appending(path: Self.pagePath)
    if environment("METRICC_UPDATE") != nil { try Data(Self.page().utf8).write(to: url) }
    let shown = try Repository.text(Self.pagePath)
    #expect(shown == Self.page(), "run `METRICC_UPDATE=1 swift test --filter ConformanceMapTests`")
  }

  // MARK: Rules

  /// The rules of the page in their order: items that start with `- **WIN-01** `, over one line or several.
  static func rules() -> [Rule] {
    let page = LanguageReferenceTests.page.replacing("\n  ", with: " ")
    return page.split(separator: "\n").compactMap { line in
      guard line.hasPrefix("- **"), let id = ids(in: line.prefix(16)).first else { return nil }
      return Rule(id: id, summary: firstSentence(line.dropFirst("- **\(id)** ".count)))
    }
  }

  private static func firstSentence(_ text: Substring) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    return text[..<end].replacing("|", with: "\\|").replacing(/\.$/, with: "") + "."
  }

  /// `WIN-01`, wherever it stands.
  static func ids(in text: some StringProtocol) -> [String] {
    String(text).matches(of: /\b[A-Z]{3,4}-[0-9]{2}\b/).map { String($0.output) }
  }

  // MARK: Tests

  /// For each rule the places of its tests, sorted.
  static func tests() -> [String: [String]] {
    var tests: [String: Set<String>] = [:]
    func add(_ ids: [String], _ place: String) {
      for id in ids { tests[id, default: []].insert(place) }
    }
    for path in ConformanceTests.files(in: "Tests/Conformance") {
      for name in testNames(in: (try? Repository.text(path)) ?? "") { add(ids(in: name), file(path)) }
    }
    for path in ConformanceTests.files(in: "Tests/Rejected/Language") {
      for line in ((try? Repository.text(path)) ?? "").split(separator: "\n") {
        if let mark = line.lastRange(of: "// ") { add(ids(in: line[mark.upperBound...]), file(path)) }
      }
    }
    for path in Repository.files(".swift", under: "Tests") {
      for match in ((try? Repository.text(path)) ?? "").matches(of: /@Test\(\s*"([^"]*)"/) {
        add(ids(in: match.output.1), file(path))
      }
    }
    return tests.mapValues { $0.sorted() }
  }

  private static func testNames(in text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("test \"") }.map(String.init)
  }

  /// A link to a file from the page.
  private static func file(_ path: String) -> String {
    "[\(path.split(separator: "/").suffix(2).joined(separator: "/"))](../\(path))"
  }

  // MARK: Page

  static func page() -> String {
    let tests = tests()
    let rows = rules().map { rule in
      "| \(rule.id) | \(rule.summary) | \((tests[rule.id] ?? []).joined(separator: ", ")) |"
    }
    return """
      # Conformance

      Each rule of the [language reference](Language.md) and the tests that hold an implementation to it. Another
      implementation starts with the files of `Tests/Conformance`: definitions and `test` blocks in the language itself,
      a rule's number in the name of each test. `Tests/Rejected/Language` holds what must be refused, with the code
      behind each line.

      ```sh
      metricc test Tests/Conformance                     # all of them
      metricc test Tests/Conformance --filter WIN-01     # those of one rule
      metricc test Tests/Conformance --engine sqlite     # the SQL of the rules, on an engine: SQL.md
      ```

      This page is written by `METRICC_UPDATE=1 swift test --filter ConformanceMapTests`.

      | rule | | tests |
      |---|---|---|

      """ + rows.joined(separator: "\n") + "\n"
  }
}

extension Substring {
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    ranges(of: text).last
  }
}
