import MetricDiagnostics
import Testing

/// Texts, numbers and searches that all targets share.
@Suite struct WordingTests {
  @Test func counting() {
    #expect(Counting.of(1, "test") == "1 test")
    #expect(Counting.of(2113, "finding") == "2,113 findings")
    #expect(
      ["family", "day", "user", "box", "class", "y", "person", "grandchild"].map(Counting.plural) == [
        "families", "days", "users", "boxes", "classes", "ys", "people", "grandchildren",
      ])
    #expect(Counting.grouped(digits: "-1234567.5") == "-1,234,567.5")
    #expect(Counting.grouped(digits: "-123") == "-123")
  }

  @Test(arguments: [
    ("a", "`a`"), ("", "``"), ("a\nb\r\t", "`a\\nb\\r\\t`"),
    ("\u{1b}[1m\u{0}\u{9b}", "`\\u{1b}[1m\\u{0}\\u{9b}`"),
    ("é ☘ `x`", "`é ☘ `x``"), (String(repeating: "é", count: 60), "`\(String(repeating: "é", count: 60))`"),
    (String(repeating: "é", count: 61), "`\(String(repeating: "é", count: 60))…`"),
  ])
  func textsAreQuoted(_ text: String, _ shown: String) {
    #expect(quoted(text) == shown)
  }

  @Test func aWholeTextIsQuoted() {
    let text = String(repeating: "x", count: 1000)
    #expect(quoted(text, longest: .max) == "`\(text)`")
  }

  @Test func theSecondPartIsFound() {
    for count in 0...20 {
      for place in 0...count {
        let elements = (0..<count).map { $0 >= place }[...]
        #expect(elements.partitioningIndex { $0 } == place)
        #expect(([false] + elements).dropFirst().partitioningIndex { $0 } == place + 1)
      }
    }
  }
}
