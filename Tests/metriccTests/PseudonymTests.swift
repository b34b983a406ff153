import Foundation
import MetricData
import MetricEvaluate
import Testing

@testable import metricc

struct PseudonymTests {
  private let pseudonyms: Pseudonyms

  init() throws {
    pseudonyms = try Pseudonyms(key: Array("sixteen bytes at".utf8))
  }

  private func row(_ metric: String, _ subject: String, part: String = "") -> ResultRow {
    ResultRow(
      metric: metric, subject: subject, group: "", part: part, at: DayKey(number: 20_454), value: .none)
  }

  /// Test case 1 of RFC 4231.
  @Test func theyAreTheHMACOfTheId() throws {
    #expect(
      try Pseudonyms(key: [UInt8](repeating: 0x0b, count: 20)).of("Hi There")
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
  }

  @Test func noSubjectStaysNone() {
    #expect(pseudonyms.of("") == "")
  }

  @Test func rowsAreSortedByPseudonym() {
    let ids = (1...20).map { "user\($0)" }
    let rows = ["alpha", "beta"].flatMap { metric in
      ids.flatMap { [row(metric, $0, part: "target"), row(metric, $0, part: "fraction")] }
    }
    let replaced = pseudonyms.replacingSubjects(in: rows)
    let expected = ids.map(pseudonyms.of).sorted()
    #expect(replaced.map(\.metric) == rows.map(\.metric))
    #expect(replaced.map(\.subject) == ["alpha", "beta"].flatMap { _ in expected.flatMap { [$0, $0] } })
    #expect(replaced.prefix(4).map(\.part) == ["target", "fraction", "target", "fraction"])
  }

  @Test func aLineEndIsNoPartOfTheKey() throws {
    let folder = try TemporaryFolder()
    for (name, end) in [("unix", "\n"), ("windows", "\r\n"), ("two", "\n\n"), ("space", " ")] {
      let file = try folder.write(name, "sixteen bytes at\(end)")
      #expect(
        (try Pseudonyms(keyFile: file).of("ada") == pseudonyms.of("ada"))
          == (name != "two" && name != "space"))
    }
  }

  @Test func errorsNameThePseudonym() {
    let error = EvaluationError.overflow(metric: "total", subject: "ada", day: nil)
    #expect(
      pseudonyms.replacingSubject(in: error)
        == .overflow(metric: "total", subject: pseudonyms.of("ada"), day: nil))
  }
}

/// `metricc eval --pseudonymize` as a process.
@Suite(.serialized)
struct PseudonymProcessTests {
  private let arguments = [
    "eval", "defs", "--data", "data", "--at", "2026-01-03", "--metric", "daily_streak", "--metric", "entries",
  ]

  private func folder(key: String = "a key of many bytes\n") throws -> TemporaryFolder {
    let folder = try Example.folder()
    try folder.write("key", key)
    return folder
  }

  @Test(arguments: ["csv", "json", "ndjson", "table"])
  func noFormatShowsAnId(_ format: String) throws {
    let folder = try folder()
    let pseudonyms = try Pseudonyms(key: Array("a key of many bytes".utf8))
    let run = try runMetricc(
      arguments + ["--format", format, "--pseudonymize", "key"], in: folder.path)
    #expect(run.exit == 0)
    #expect(run.err == "")
    for id in ["read", "walk"] {
      #expect(!run.out.contains(id))
      // A table cuts what is too wide for it.
      #expect(run.out.contains(pseudonyms.of(id).prefix(format == "table" ? 40 : 64)))
    }
    #expect(run.out.contains("entries"))
  }

  @Test func anAppHasNoPseudonym() throws {
    let folder = try folder()
    let run = try runMetricc(
      arguments + ["--format", "csv", "--pseudonymize", "key"], in: folder.path)
    #expect(run.out.contains("\nentries,,,,2026-01-03,4\n"))
  }

  @Test func subjectsAreChosenByTheirId() throws {
    let folder = try folder()
    let run = try runMetricc(
      arguments + ["--format", "csv", "--pseudonymize", "key", "--subject", "walk"], in: folder.path)
    let pseudonym = try Pseudonyms(key: Array("a key of many bytes".utf8)).of("walk")
    #expect(run.out.contains("daily_streak,\(pseudonym),,,2026-01-03,1\n"))
    #expect(run.out.split(separator: "\n").count { $0.hasPrefix("daily_streak,") } == 1)
    #expect(run.err == "")
  }

  @Test(arguments: [
    ("", "the key file `key` is empty"), ("\n", "the key file `key` is empty"),
    ("fifteen bytes!!\n", "the key in `key` is too short: it has 15 bytes, and needs 16"),
  ])
  func aBadKeyIsRefused(_ key: String, _ message: String) throws {
    let folder = try folder(key: key)
    let run = try runMetricc(arguments + ["--pseudonymize", "key"], in: folder.path)
    #expect(run.exit == 2)
    #expect(run.out == "")
    #expect(run.err.hasPrefix("metricc: error: \(message)"))
  }

  @Test func aKeyFileMustBeReadable() throws {
    let folder = try folder()
    for name in ["nowhere", "data"] {
      let run = try runMetricc(arguments + ["--pseudonymize", name], in: folder.path)
      #expect(run.exit == 2)
      #expect(run.err.hasPrefix("metricc: error: cannot read `\(name)`"))
    }
  }

  @Test func theKeyFileIsNotOverwritten() throws {
    let folder = try folder()
    let run = try runMetricc(arguments + ["--pseudonymize", "key", "--output", "key"], in: folder.path)
    #expect(run.exit == 64)
    #expect(try folder.read("key") == "a key of many bytes\n")
  }
}
