import MetricDiagnostics
import MetricLanguage
import MetricPlan
import MetricTestSupport
import Testing

@Suite struct CodeTests {
  private let all = Page.all.map(\.code)

  /// A text that is no UTF-8 has one name in a source and in a data file.
  @Test func everyCodeIsUnique() {
    #expect(Set(all.map(\.id)).count == all.count)
    #expect(Set(all.map { $0.id.prefix(1) + $0.name }).count == all.count)
  }

  @Test func everyCodeBelongsToAFamily() {
    for code in all {
      #expect(code.id.wholeMatch(of: /[STDW]\d{3}|C[1-4]\d{2}/) != nil)
      #expect(code.name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil)
    }
  }

  /// The marks in the sources of these tests are held against the findings, so a code that stands in
  /// one is triggered.
  @Test func everyCodeIsTriggered() throws {
    let files = Repository.files(".swift", under: "Tests/MetricPlanTests")
    let text = try files.map(Repository.text).joined()
    var triggered: Set<String> = []
    for mark in text.matches(of: /\/\/ (error|warning):((?: [A-Z]\d{3})+)/) {
      triggered.formUnion(mark.output.2.split(separator: " ").map(String.init))
    }
    // The words of `AntiPatternTests` are marked by their table.
    for code in text.matches(of: /\("[a-z]+", "(C\d{3})"\)/) { triggered.insert(String(code.output.1)) }
    let open = (ResolveCode.allCases.map(\.code) + Rules.codes).map(\.id).filter { !triggered.contains($0) }
    #expect(open.isEmpty)
  }
}
