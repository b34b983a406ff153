import MetricLanguage
import MetricTestSupport
import Testing

/// `owner`, `tags` and `approved` (MET-06).
@Suite struct StewardTests {
  @Test("MET-06: every kind takes owner, tags and approved") func everyKindTakesThem() throws {
    checks(
      """
      completion done {
        for habit  every day  when count(HabitEntry) >= 1
        owner "growth team"  tags ["habit", "daily"]  approved "Ana" on 2026-06-30 meaning "0"  allow W026 "a test"
      }
      streak run { of done  owner "growth team" }
      """)
  }

  @Test(arguments: [
    #"owner " ""#, #"tags [""]"#, #"approved "" on 2026-06-30 meaning "0""#,
  ])
  func namesAreNotEmpty(_ clause: String) {
    #expect(codes(clause) == ["T030"], "\(codes(clause))")
  }

  @Test(arguments: [
    (#"tags [1, "a"]"#, ["T012"]), (#"tags ["a", "a"]"#, ["T007"]),
    (#"owner "a"  owner "b""#, ["T007"]), (#"approved "a" on 2026-02-30 meaning "0""#, ["T018"]),
    (#"approved "a" on 2026-02-03"#, ["S026"]), (#"approved "a" meaning "0""#, ["S026"]),
    ("tags []", ["S036"]),
    (#"tags "a""#, ["S036"]), ("approved", ["S025"]),
  ])
  func whatIsWrongIsReported(_ clause: String, _ expected: [String]) {
    #expect(codes(clause) == expected, "\(clause): \(codes(clause))")
  }

  private func codes(_ clause: String) -> [String] {
    let text = "measure m { for habit  value count(HabitEntry)  \(clause) }\n"
    return MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)]).findings
      .filter { $0.severity == .error }.map(\.code.id)
  }
}
