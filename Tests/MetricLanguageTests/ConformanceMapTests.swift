import Foundation
import MetricTestSupport
import Testing

/// Every rule of `Documentation/Language.md` has a test, and `Documentation/Conformance.md` says which.
///
/// A test says which rules it holds in its name, in a conformance file as in Swift: `WIN-01 WIN-02: …`. A file of
/// definitions that are refused says it after the mark of the line.
@Suite struct ConformanceMapTests {
  /// `METRICC_UPDATE=1` writes the page anew.
  static let pagePath = "Documentation/Conformance.md"

  @Test func everyRuleHasATest() {
    let tests = Self.tests()
    let untested = Self.rules().filter { tests[$0] == nil }
    #expect(untested == [])
  }

  @Test func everyTestNamesRulesThatThereAre() {
    let rules = Set(Self.rules())
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

  /// The rules of the page in their order: items that start with `- **WIN-01** `.
  static func rules() -> [String] {
    LanguageReferenceTests.page.split(separator: "\n").filter { $0.hasPrefix("- **") }
      .compactMap { ids(in: $0.prefix(16)).first }
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

  /// `windows`, `Rejected/windows` or `LawTests`.
  private static func file(_ path: String) -> String {
    let pieces = path.split(separator: ".")[0].split(separator: "/")
    if path.hasSuffix(".swift") { return String(pieces.last ?? "") }
    return (pieces[1] == "Conformance" ? "" : "\(pieces[1])/") + (pieces.last ?? "")
  }

  // MARK: Page

  /// `01–03, 05`: the numbers of the rules that hold.
  private static func ranges(_ rules: [String], where holds: [Bool]) -> String {
    var ranges: [(first: Substring, last: Substring)] = []
    for index in rules.indices where holds[index] {
      let number = rules[index].suffix(2)
      if index > 0, holds[index - 1] {
        ranges[ranges.count - 1].last = number
      } else {
        ranges.append((number, number))
      }
    }
    return ranges.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)–\($0.last)" }.joined(
      separator: ", ")
  }

  static func page() -> String {
    let tests = tests()
    var families: [(name: String, rules: [String])] = []
    for rule in rules() {
      let name = String(rule.prefix { $0 != "-" })
      if families.last?.name != name { families.append((name, [])) }
      families[families.count - 1].rules.append(rule)
    }
    let rows = families.map { family in
      let places = Set(family.rules.flatMap { tests[$0] ?? [] }).sorted().map { place in
        let tested = family.rules.map { tests[$0]?.contains(place) == true }
        return "\(place) \(Self.ranges(family.rules, where: tested))"
      }
      return "| \(family.name) | \(places.joined(separator: " · ")) |"
    }
    return """
      # Conformance

      The tests of each rule of the [language reference](Language.md). Another implementation starts with
      [Tests/Conformance](../Tests/Conformance): definitions with `test` blocks whose names cite the rules.
      [Tests/Rejected/Language](../Tests/Rejected/Language) has definitions that must be rejected, with the code at the end of
      each line. Below, `windows` is a file of the first folder; names that end in `Tests` are Swift suites.

      ```sh
      metricc test Tests/Conformance                     # all rules
      metricc test Tests/Conformance --filter WIN-01     # one rule
      metricc test Tests/Conformance --engine sqlite     # the generated SQL on a real engine, see SQL.md
      ```

      Generated by `METRICC_UPDATE=1 swift test --filter ConformanceMapTests`.

      | rules | tests, with the rules' numbers |
      |---|---|

      """ + rows.joined(separator: "\n") + "\n"
  }
}

extension Substring {
  fileprivate func lastRange(of text: String) -> Range<Index>? {
    ranges(of: text).last
  }
}
