import MetricDiagnostics
import MetricTestSupport
import Testing

@Suite struct SourceFileTests {
  @Test func positionsCountLinesAndScalars() throws {
    let marked = MarkedSource("a\r\nü1️⃣b\n\n2️⃣")
    let file = SourceFile(path: "f", text: marked.text)
    #expect(marked.text == "a\r\nüb\n\n")
    #expect(file.position(of: try #require(marked["1️⃣"])) == Position(line: 2, column: 2))
    #expect(file.position(of: try #require(marked["2️⃣"])) == Position(line: 4, column: 1))
    #expect(file.line(1) == "a")
    #expect(file.line(4) == "")
    #expect(file.line(9) == "")
  }

  /// Nobody sees the mark, so nobody counts it.
  @Test func aByteOrderMarkIsNoColumn() {
    let file = SourceFile(path: "f", text: "\u{FEFF}ab\nc")
    #expect(file.position(of: 0) == Position(line: 1, column: 1))
    #expect(file.position(of: 3) == Position(line: 1, column: 1))
    #expect(file.position(of: 4) == Position(line: 1, column: 2))
    #expect(file.position(of: 6) == Position(line: 2, column: 1))
    #expect(file.line(1) == "ab")
  }

  @Test func offsetsOutsideAreTheEnds() {
    let file = SourceFile(path: "f", text: "ab")
    #expect(file.position(of: 99) == Position(line: 1, column: 3))
    #expect(file.position(of: -1) == Position(line: 1, column: 1))
    #expect(file.text(-5, 99) == "ab")
    #expect(file.text(2, 1) == "")
  }
}
