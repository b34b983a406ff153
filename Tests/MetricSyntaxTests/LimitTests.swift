import MetricDiagnostics
import MetricSyntax
import Testing

/// Sources that are hostile rather than wrong.
@Suite struct LimitTests {
  @Test(arguments: ["(", "-", "not ", "f(", "if ", "[", "1 + (", "if a then ", "x in [", "{", "a.", "1 +"])
  func depthIsLimited(opening: String) {
    let text = "measure m { for app value " + String(repeating: opening, count: 20_000)
    let parsed = Parsed(text)
    #expect(parsed.diagnostics.count == 1, "\(parsed.messages.prefix(600))")
    #expect(parsed.tree.invariantViolation == nil)
  }

  @Test func aHundredLevelsAreFine() {
    let text = String(repeating: "(", count: 99) + "1" + String(repeating: ")", count: 99)
    #expect(Parsed("measure m { value \(text) }").messages == "")
  }

  @Test func deepNestingHasItsOwnError() {
    let text = String(repeating: "(", count: 101) + "1" + String(repeating: ")", count: 101)
    let parsed = Parsed("measure m { value \(text)\n over last 7 days }")
    #expect(parsed.codes == ["S019"])
    #expect(parsed.metrics.first?.clauses.count == 2)
  }

  @Test func longChainsAreLimited() {
    let sum = (0..<600).map { "\($0)" }.joined(separator: " + ")
    #expect(Parsed("measure m { value \(sum) }").codes == ["S019"])
    let arms = (0..<600).map { "if a == \($0) then \($0) else " }.joined()
    #expect(Parsed("measure m { value \(arms) 0 }").codes == ["S019"])
    let many = (0..<400).map { "if a == \($0) then \($0) else " }.joined()
    #expect(Parsed("measure m { value least(\(many.prefix(4000))0 0, 1) }").diagnostics.count == 1)
  }

  /// Where the limits of the reference lie, to the level, the operator and the byte.
  @Test func whereTheLimitsLie() {
    func parens(_ count: Int) -> String {
      String(repeating: "(", count: count) + "1" + String(repeating: ")", count: count)
    }
    func sum(_ operators: Int) -> String { (0...operators).map { "\($0)" }.joined(separator: " + ") }
    func list(_ values: Int) -> String { (1...values).map { "\($0)" }.joined(separator: ", ") }
    // The number within is a level, too.
    #expect(Parsed("measure m { value \(parens(99)) }").codes == [])
    #expect(Parsed("measure m { value \(parens(100)) }").codes == ["S019"])
    #expect(Parsed("measure m { value \(sum(500)) }").codes == [])
    #expect(Parsed("measure m { value \(sum(501)) }").codes == ["S019"])
    #expect(Parsed("measure m { value x in [\(list(1000))] }").codes == [])
    #expect(Parsed("measure m { value x in [\(list(1001))] }").codes == ["S019"])
    #expect(Parsed("measure \(String(repeating: "n", count: 255)) { }").codes == [])
    #expect(Parsed("measure \(String(repeating: "n", count: 256)) { }").codes == ["S038"])
    #expect(Parsed("measure m { value \(String(repeating: "5", count: 64)) }").codes == [])
    #expect(Parsed("measure m { value \(String(repeating: "5", count: 65)) }").codes == ["S038"])
  }

  @Test func wideIsNoProblem() {
    let fields = (0..<5_000).map { "f\($0) : Int" }.joined(separator: " ")
    #expect(Parsed("fact F { \(fields) }").messages == "")
  }

  @Test func emptyAndBlankFilesAreFine() {
    // They declare nothing, and say so.
    #expect(Parsed("").codes == ["W025"])
    #expect(Parsed("\u{FEFF}// only a comment").codes == ["W025"])
    #expect(Parsed("language 1").codes == [])
    #expect(Parsed("\r\n\t \n").tree.declarations.isEmpty)
  }
}
