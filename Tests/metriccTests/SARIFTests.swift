import Foundation
import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import metricc

struct SARIFTests {
  private let sources = [
    SourceFile(path: "my defs/ä.metric", text: "streak s {\n  // 😀\n  off done }\n"),
    SourceFile(path: "/b.metric", text: "one\ntwo\n"),
  ]
  private let unknown = DiagnosticCode("T001", "unknown-name")
  private let odd = DiagnosticCode("S014", "expected-clause")

  private var findings: [Diagnostic] {
    [
      .error(
        odd, "`off` does not start a clause", at: Span(file: 0, start: 23, end: 26), metric: "s",
        notes: [
          Note("look here", at: .source(Span(file: 1, start: 0, end: 7))), Note("think"),
          Note("and here", at: .data(path: "d.csv", line: 3, column: 4)),
        ],
        fixes: [Fix("write `of`", replace: Span(file: 0, start: 23, end: 26), with: "of \"x\"")]),
      .warning(unknown, "odd", at: Span(file: 1, start: 4, end: 4)),
      Diagnostic(.error, unknown, "a folder", at: .path("some/folder")),
      Diagnostic(.error, unknown, "bad data", at: .data(path: "d.csv", line: 7, column: 2)),
    ]
  }

  private func log(_ findings: [Diagnostic]) throws -> [String: Any] {
    try Self.object(SARIFLog(findings: findings, sources: sources).json.description)
  }

  static func object(_ text: String) throws -> [String: Any] {
    try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func results(_ findings: [Diagnostic]) throws -> [[String: Any]] {
    let run = try #require((try log(findings)["runs"] as? [[String: Any]])?.first)
    return try #require(run["results"] as? [[String: Any]])
  }

  @Test func theLogIsWhatTheSchemaAsksFor() throws {
    #expect(SARIFSchema.mistakes(in: try log(findings)) == [])
    #expect(SARIFSchema.mistakes(in: try log([])) == [])
  }

  @Test func theCheckSeesMistakes() throws {
    var log = try log(findings)
    log["version"] = nil
    log["colour"] = 1
    #expect(SARIFSchema.mistakes(in: log) == ["$: colour is unknown", "$: version is missing"])
    let region: [String: Any] = ["startColumn": 0]
    #expect(
      SARIFSchema.mistakes(in: region, as: "region", at: "$")
        == ["$: none of startLine, charOffset", "$.startColumn: 0 is less than 1"])
  }

  @Test func rulesAreTheCodesSeen() throws {
    let run = try #require((try log(findings)["runs"] as? [[String: Any]])?.first)
    #expect(run["columnKind"] as? String == "unicodeCodePoints")
    let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
    let described = try #require(driver["rules"] as? [[String: Any]])
    let rules = described.map { $0.compactMapValues { $0 as? String }.filter { $0.key != "helpUri" } }
    for rule in described {
      let texts = ["shortDescription", "fullDescription", "help"].map {
        (rule[$0] as? [String: String])?["text"] ?? ""
      }
      #expect(texts.allSatisfy { !$0.isEmpty })
      let link = try #require(rule["helpUri"] as? String)
      let anchor = try #require(link.split(separator: "#").last)
      let heading = "\n### \(anchor.prefix(4).uppercased()) \(anchor.dropFirst(5))\n"
      #expect(try Repository.text("Documentation/Diagnostics.md").contains(heading))
    }
    #expect(
      rules == [["id": "S014", "name": "expected-clause"], ["id": "T001", "name": "unknown-name"]])
    for result in try results(findings) {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] == result["ruleId"] as? String)
    }
    #expect(try results(findings).map { $0["level"] as? String } == ["error", "warning", "error", "error"])
  }

  /// Columns count scalars, and the path is a URI.
  @Test func theRegionIsThePlaceInTheSource() throws {
    let text = SARIFLog(findings: findings, sources: sources).json.description
    #expect(
      text.contains(
        #""locations":[{"physicalLocation":{"artifactLocation":{"uri":"my%20defs/%C3%A4.metric"},"#
          + #""region":{"startLine":3,"startColumn":3,"endLine":3,"endColumn":6}},"#
          + #""logicalLocations":[{"name":"s","kind":"metric"}]}]"#))
    #expect(
      text.contains(
        #"{"artifactLocation":{"uri":"file:///b.metric"},"#
          + #""region":{"startLine":2,"startColumn":1,"endLine":2,"endColumn":1}}"#))
  }

  @Test func aColumnBehindAnEmojiCountsItOnce() throws {
    let finding = Diagnostic.error(odd, "odd", at: Span(file: 0, start: 16, end: 20))
    let text = SARIFLog(findings: [finding], sources: sources).json.description
    #expect(text.contains(#""region":{"startLine":2,"startColumn":6,"endLine":2,"endColumn":7}"#))
  }

  @Test func notesWithAPlaceAreRelatedLocations() throws {
    let result = try #require(try results(findings).first)
    #expect((result["message"] as? [String: String])?["text"] == "`off` does not start a clause\nnote: think")
    let related = try #require(result["relatedLocations"] as? [[String: Any]])
    #expect(related.map { ($0["message"] as? [String: String])?["text"] } == ["look here", "and here"])
    #expect(related.map { $0["id"] as? Int } == [1, 2])
    #expect(
      try results(findings).dropFirst().allSatisfy { $0["relatedLocations"] == nil && $0["fixes"] == nil })
  }

  @Test func aFixReplacesARegion() throws {
    let text = SARIFLog(findings: findings, sources: sources).json.description
    #expect(
      text.contains(
        #""fixes":[{"description":{"text":"write `of`"},"artifactChanges":[{"artifactLocation":"#
          + #"{"uri":"my%20defs/%C3%A4.metric"},"replacements":[{"deletedRegion":{"startLine":3,"startColumn":3,"#
          + #""endLine":3,"endColumn":6},"insertedContent":{"text":"of \"x\""}}]}]}]"#))
  }

  @Test(arguments: [
    ("a/b.metric", "a/b.metric"), ("/a b", "file:///a%20b"), ("c:d", "c%3Ad"),
    ("<built-in>", "%3Cbuilt-in%3E"),
    ("100%", "100%25"), ("ª", "%C2%AA"), ("x_\n~", "x_%0A~"),
  ])
  func paths(_ path: String, _ uri: String) {
    #expect(SARIFLog.uri(ofPath: path) == uri)
  }
}

@Suite(.serialized)
struct SARIFProcessTests {
  @Test func checkWritesALog() throws {
    let folder = try TemporaryFolder()
    try folder.write("broken.metric", Example.rejected)
    let run = try runMetricc(["check", "broken.metric", "--format", "sarif"], in: folder.path)
    #expect(run.exit == 1)
    #expect(run.err == "")
    let log = try SARIFTests.object(run.out)
    #expect(SARIFSchema.mistakes(in: log) == [])
    let results = (log["runs"] as? [[String: Any]])?.first?["results"] as? [[String: Any]]
    #expect(results?.contains { $0["ruleId"] as? String == "T001" } == true)
  }

  @Test func nothingFoundIsALogToo() throws {
    let folder = try Example.folder()
    let run = try runMetricc(["check", "defs", "--format", "sarif"], in: folder.path)
    #expect(run.exit == 0)
    let log = try SARIFTests.object(run.out)
    #expect(SARIFSchema.mistakes(in: log) == [])
    #expect(((log["runs"] as? [[String: Any]])?.first?["results"] as? [Any])?.isEmpty == true)
  }
}
