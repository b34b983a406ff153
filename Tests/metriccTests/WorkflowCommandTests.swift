import MetricDiagnostics
import Testing

@testable import metricc

struct WorkflowCommandTests {
  private let code = DiagnosticCode("T001", "unknown-name")

  @Test func theFindingStandsAtItsPlace() {
    let source = SourceFile(path: "a,b.metric", text: "one\ntwo three\n")
    let finding = Diagnostic.error(
      code, "no `100%`\nhere", at: Span(file: 0, start: 8, end: 13), notes: [Note("look")])
    #expect(
      finding.workflowCommand(in: [source])
        == "::error file=a%2Cb.metric,line=2,endLine=2,col=5,endColumn=10,title=T001 unknown-name"
        + "::no `100%25`%0Ahere%0Anote: look")
  }

  @Test func aFindingWithoutAPlaceNamesItsPath() {
    let finding = Diagnostic(.warning, code, "odd", at: .path("data"))
    #expect(finding.workflowCommand(in: []) == "::warning file=data,title=T001 unknown-name::odd")
  }

  @Test func whatCannotBeFormattedIsAnnotated() throws {
    let folder = try TemporaryFolder()
    try folder.write("a.metric", "streak run { of }\n")
    let run = try runMetricc(["fmt", "a.metric", "--check", "--format", "github"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out.hasPrefix("::error file=a.metric,line=1,"))
  }

  @Test(arguments: ["gone.metric", "empty"])
  func whatCannotBeReadIsAnnotated(path: String) throws {
    let folder = try TemporaryFolder()
    try folder.write("empty/a.txt", "")
    let run = try runMetricc(["fmt", path, "--check", "--format", "github"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out.hasPrefix("::error::") && run.out.contains("`\(path)`"), "\(run.out)")
    #expect(try runMetricc(["fmt", path, "--check"], in: folder.path).out == "")
  }
}
