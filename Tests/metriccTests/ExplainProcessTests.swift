import Foundation
import Testing

/// `metricc explain` as a process.
@Suite struct ExplainProcessTests {
  @Test(arguments: ["C401", "c401", "falls-when-logged"])
  func aCodeOrItsName(_ name: String) throws {
    let run = try runMetricc(["explain", name])
    #expect(run.exit == 0)
    #expect(run.out.hasPrefix("C401 falls-when-logged: "))
    #expect(run.out.contains("\nWrong:\n\n    measure amount {"))
    #expect(run.err == "")
  }

  @Test func anUnknownCode() throws {
    let run = try runMetricc(["explain", "falls-when-loged"])
    #expect(run.exit == 64)
    #expect(run.out == "")
    #expect(
      run.err
        == "metricc: error: there is no code or word `falls-when-loged`; did you mean `falls-when-logged`?\n")
  }

  @Test(arguments: [
    ("streak", "    streak NAME { of done }"), ("grace", "A clause of `streak`."), ("rest", "`rest when`"),
    ("average", "`average(F.x …)`"), ("title", "A clause of every metric."), ("penalty", "C402 penalty-term"),
    ("avg", "as a function: write `average(Record.field)`"), ("C4", "  C401 falls-when-logged"),
    ("w", "  W001 stored-like-name"),
  ])
  func aWordOrAFamily(_ word: String, _ shown: String) throws {
    let run = try runMetricc(["explain", word])
    #expect(run.exit == 0)
    #expect(run.out.contains(shown))
  }

  @Test func aFamilyHasNoOtherCodes() throws {
    let run = try runMetricc(["explain", "C4"])
    #expect(run.out.split(separator: "\n").allSatisfy { $0.hasPrefix("  C4") })
  }

  @Test func allCodes() throws {
    let list = try runMetricc(["explain"])
    #expect(list.out.hasPrefix("S: syntax\n  S001 not-utf8 "))
    #expect(list.out.contains("\n  D033 overflow "))
    let json = try runMetricc(["explain", "--format", "json", "W002"])
    let pages = try JSONSerialization.jsonObject(with: Data(json.out.utf8)) as? [String: [[String: Any]]]
    #expect(pages?["pages"]?.first?["name"] as? String == "calendar-window")
    let markdown = try runMetricc(["explain", "--format", "markdown", "W002"])
    #expect(markdown.out.hasPrefix("### W002 calendar-window\n**A calendar window"))
  }
}
