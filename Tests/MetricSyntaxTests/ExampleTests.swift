import MetricSyntax
import Testing

@Suite struct ExampleTests {
  @Test(arguments: Examples.all.map(\.name))
  func parsesWithoutFinding(name: String) {
    let text = Examples.all.first { $0.name == name }?.text ?? ""
    let parsed = Parsed(text)
    #expect(parsed.messages == "")
    #expect(parsed.tree.invariantViolation == nil)
  }

  @Test func declarationsKeepTheirKindsAndNames() {
    let parsed = Parsed(Examples.habits)
    #expect(
      parsed.metrics.map { "\($0.kind.rawValue) \($0.name.text)" }.prefix(4) == [
        "completion done", "streak daily_streak", "streak best_streak", "streak kind_streak",
      ])
    #expect(parsed.metrics.first?.clauses.count == 4)
  }

  @Test func everythingAtOnceIsStillRight() {
    let parsed = Parsed(Examples.all.map(\.text).joined())
    #expect(parsed.messages == "")
    #expect(parsed.tree.declarations.count == 27)
  }
}
