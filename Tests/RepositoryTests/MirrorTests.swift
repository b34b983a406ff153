import MetricTestSupport
import Testing

/// `Tests` mirrors `Sources`.
@Suite struct MirrorTests {
  @Test func everyTargetHasTests() {
    func folders(_ root: String) -> Set<Substring> {
      Set(Repository.files(".swift", under: root).compactMap { $0.split(separator: "/").dropFirst().first })
    }
    let (targets, tests) = (folders("Sources"), folders("Tests"))
    #expect(targets.count > 12)
    for target in targets {
      #expect(tests.contains("\(target)Tests"), "\(target) has no tests of its own")
    }
  }

  /// What has a page is a rule.
  @Test func everyRuleHasAFileOfTests() throws {
    let tests = Set(Repository.files("Tests.swift", under: "Tests/MetricPlanTests/Check/Rules"))
    let rules = try Repository.files(".swift", under: "Sources/MetricPlan/Check/Rules").filter {
      try Repository.lines($0).contains { $0.contains("static let page = Page.checklist(") }
    }
    #expect(rules.count > 25)
    for rule in rules {
      let name = rule.split(separator: "/").last?.dropLast(".swift".count) ?? ""
      #expect(tests.contains("Tests/MetricPlanTests/Check/Rules/\(name)Tests.swift"), "\(name) has no tests")
    }
  }
}
