import MetricData
import MetricDiagnostics
import MetricEvaluate
import MetricLanguage
import MetricTestSupport
import Testing

/// Texts compare by their bytes: two that only look the same are two.
@Suite struct ByteEqualityTests {
  @Test func conditionsOnTextsThatLookTheSame() throws {
    let found = try rows(
      """
      measure both {
        for app
        value count(Event where name == "caf\\u{E9}") + 10 * count(Event where name == "cafe\\u{301}")
      }
      measure one { for app  value count(Event where name == "cafe\\u{301}") }
      """,
      [
        "Event":
          "userId,name,dayKey\nu,caf\u{E9},2026-01-01\nu,caf\u{E9},2026-01-01\nu,cafe\u{301},2026-01-01\n"
      ], at: ["2026-01-01"])
    #expect(found == ["both,,,,2026-01-01,12", "one,,,,2026-01-01,1"])
  }

  @Test func valuesThatLookTheSame() {
    #expect(Value.text("caf\u{E9}") != .text("cafe\u{301}"))
    #expect(Set([Value.text("caf\u{E9}"), .text("cafe\u{301}"), .text("caf\u{E9}")]).count == 2)
  }

  /// A test block names a group by its bytes, too.
  @Test func groupsThatLookTheSame() {
    let library = MetricLibrary(sources: [
      SourceFile(
        path: "test.metric",
        text: """
          measure m { for app  value count(Event)  by name }
          test "t" {
            given Event { userId: "u", name: "caf\\u{E9}", dayKey: 2026-01-01 }
            given Event { userId: "u", name: "cafe\\u{301}", dayKey: 2026-01-01 }
            given Event { userId: "u", name: "cafe\\u{301}", dayKey: 2026-01-02 }
            expect m group "caf\\u{E9}" at 2026-01-02 = 1
            expect m group "cafe\\u{301}" at 2026-01-02 = 2
          }
          """)
    ])
    #expect(library.runTests(filter: nil).map(\.passed) == [true])
  }
}
