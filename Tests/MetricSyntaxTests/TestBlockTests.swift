import MetricSyntax
import Testing

@Suite struct TestBlockTests {
  private func statements(_ text: String) -> [TestStatement] {
    let parsed = Parsed("test \"t\" {\n\(text)\n}")
    #expect(parsed.messages == "")
    return parsed.tests.first?.statements ?? []
  }

  @Test func given() {
    guard
      case .given(let record, let fields, _)? = statements(
        "given Habit { id: \"read\", value: -3.5, live: true, gone: none, at: 2026-01-01 }"
      ).first
    else {
      Issue.record("no statement")
      return
    }
    #expect(record.text == "Habit")
    #expect(
      fields.map { "\($0.name.text) \($0.value.outline)" } == [
        "id \"read\"", "value (- 3.5)", "live true", "gone none", "at 2026-01-01",
      ])
  }

  @Test func log() {
    guard
      case .log(let subject, let day, let pattern, _)? = statements(
        "log \"read\" from 2026-01-01 \"### #..\""
      ).first
    else {
      Issue.record("no statement")
      return
    }
    #expect([subject.value, day.outline, pattern.value] == ["read", "2026-01-01", "### #.."])
  }

  @Test func expectation() {
    guard
      case .expect(let full)? = statements(
        "expect value for \"a\" group \"\" part \"d1.rate\" at 2026-01-01 = -80%"
      ).first,
      case .expect(let bare)? = statements("expect for at 2026-01-01 = none").first
    else {
      Issue.record("no statement")
      return
    }
    #expect(
      [full.metric.text, full.subject?.value, full.group.first?.value, full.part?.value] == [
        "value", "a", "", "d1.rate",
      ])
    #expect(full.value.outline == "(- 80%)")
    #expect(bare.metric.text == "for")
    #expect(bare.subject == nil && bare.group.isEmpty && bare.part == nil)
  }

  @Test func brokenStatementsLeaveTheOthers() {
    let parsed = Parsed(
      """
      test "t" {
        given Habit { id: "a" oops
        }
        log "a" 2026-01-01 "#"
        what is this
        expect s at 2026-01-01 = 1
      }
      streak s { of done }
      """)
    #expect(parsed.diagnostics.count == 3)
    #expect(parsed.tests.first?.statements.count == 4)
    #expect(parsed.metrics.count == 1)
  }
}
