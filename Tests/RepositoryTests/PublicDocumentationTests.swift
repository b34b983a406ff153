import MetricTestSupport
import Testing

/// Public types and functions say what they are for. (A stored property or a case may speak for itself.)
@Suite struct PublicDocumentationTests {
  @Test func publicDeclarationsAreDocumented() throws {
    var seen = 0
    for path in Repository.files(".swift", under: "Sources") where !path.hasPrefix("Sources/metricc") {
      let lines = try Repository.lines(path)
      for (number, line) in lines.enumerated() where Self.needsDocumentation(line) {
        seen += 1
        #expect(
          Self.hasDocumentation(above: number, lines),
          "\(path):\(number + 1): \(line.drop { $0 == " " }) has no `///` comment")
      }
    }
    #expect(seen > 50)
  }

  private static func needsDocumentation(_ line: Substring) -> Bool {
    line.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("public".utf8) }
      && line.contains(
        /^\s*(?:@\w+ )*public (?:static |mutating |final |indirect )*(?:func [a-z]|struct|enum|class|actor|protocol|typealias)/
      )
      && !line.contains(" func hash(")
  }

  private static func hasDocumentation(above number: Int, _ lines: [Substring]) -> Bool {
    var above = number - 1
    while above >= 0, lines[above].drop(while: { $0 == " " }).hasPrefix("@") { above -= 1 }
    return above >= 0 && lines[above].drop { $0 == " " }.hasPrefix("///")
  }
}
