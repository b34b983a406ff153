import MetricDiagnostics
import Testing

@testable import MetricSyntax

/// What is taken over from an earlier parse. That it comes to the same, `MutationTests` say.
@Suite struct UnchangedStartTests {
  private let declarations = (0..<10).map { "streak s\($0) { of done }\n" }

  private func takenOver(
    _ change: (inout [String]) -> Void, before: (inout [String]) -> Void = { _ in }
  ) -> Int {
    var texts = (declarations, declarations)
    before(&texts.0)
    before(&texts.1)
    change(&texts.1)
    let (earlier, later) = (Parsed(texts.0.joined()), Parsed(texts.1.joined()))
    let start = UnchangedStart(of: earlier.tree, earlier.diagnostics, in: later.tree.source)
    return start?.declarations.count ?? 0
  }

  @Test func whatEndsBeforeTheChange() {
    #expect(takenOver { $0[7] = "streak s7 { of met }\n" } == 6)
    #expect(takenOver { $0[7] = "" } == 6)
    #expect(takenOver { $0.insert("// A line.\n", at: 4) } == 3)
    #expect(takenOver { $0[0] = "\n" + $0[0] } == 0)
    #expect(takenOver { $0.removeLast(8) } == 1)
    #expect(takenOver { _ in } == 9)
  }

  @Test func aFindingIsFoundAgain() {
    #expect(takenOver({ $0[7] = "" }, before: { $0[3] = "streak s3 { off done }\n" }) == 2)
    #expect(takenOver({ $0[7] = "" }, before: { $0[8] = "streak s8 { off done }\n" }) == 6)
  }
}
