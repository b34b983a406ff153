import MetricTestSupport
import Testing

/// Files of one subject, and functions that fit a screen.
@Suite struct SizeTests {
  static let fileLimit = 500
  static let functionLimit = 60

  @Test(arguments: ["Sources", "Tests"])
  func filesAreShort(_ folder: String) throws {
    for path in Repository.files(".swift", under: folder) {
      let count = try Repository.lines(path).count
      #expect(count <= Self.fileLimit, "\(path) has \(count) lines")
    }
  }

  @Test func functionsAreShort() throws {
    for path in Repository.files(".swift", under: "Sources") {
      for (name, line, count) in Self.functions(in: try Repository.lines(path)) {
        #expect(count <= Self.functionLimit, "\(path):\(line): \(name) has \(count) lines")
      }
    }
  }

  @Test func theMeasureSeesALongFunction() {
    let body = Array(repeating: Substring("    work()"), count: 70)
    let lines = ["struct S {", "  package func long(", "    a: Int", "  ) {"] + body + ["  }", "}"]
    let found = Self.functions(in: lines)
    #expect(found.map(\.name) == ["long"])
    #expect(found.first?.count == 74)
  }

  /// A quick look: a debug build matches patterns slowly.
  private static func mayStart(_ line: Substring) -> Bool {
    let words = line.utf8.split(separator: UInt8(ascii: " "))
    return words.contains { $0.elementsEqual("func".utf8) || $0.starts(with: "init".utf8) }
  }

  /// Each function with its first line and how many lines it has, by the indentation that the formatter gives.
  static func functions(in lines: [Substring]) -> [(name: String, line: Int, count: Int)] {
    var functions: [(name: String, line: Int, count: Int)] = []
    for (start, line) in lines.enumerated() where mayStart(line) {
      guard let match = line.firstMatch(of: /^( *)(?:@?\w+ )*(?:func (\S+?)|(init)\??)[(<]/) else { continue }
      let end = String(match.output.1) + "}"
      // A requirement of a protocol has no body.
      guard line.hasSuffix("{") || line.hasSuffix("(") else { continue }
      guard let last = lines[start...].firstIndex(where: { $0.hasPrefix(end) }) else { continue }
      let name = match.output.2 ?? match.output.3 ?? ""
      functions.append((String(name), start + 1, last - start + 1))
    }
    return functions
  }
}
