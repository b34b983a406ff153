import MetricDiagnostics
import MetricTestSupport
import Testing

@testable import MetricLanguage

/// What an approval is of (MET-07), and when it no longer holds (MET-08).
@Suite struct ApprovalTests {
  private static let read = """
    /// Entries.
    measure entries { for habit  value count(HabitEntry where value >= 1)  over last 7 days }

    """
  private static let definitions =
    read + "measure twice { for habit  value entries * 2 }\n"

  private func meaning(_ text: String, of name: String = "twice") throws -> String {
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)])
    #expect(library.isAccepted, "\(library.findings)")
    return try #require(library.meaning(of: name))
  }

  /// The hashes of some metrics. They change with the normal form alone, whose version then changes, too: every approval
  /// that somebody has written is void afterwards.
  @Test("MET-07: hashes are the same on every machine") func hashesArePinned() throws {
    #expect(try meaning(Self.definitions, of: "entries") == "93f5f15d4302d7c8")
    #expect(try meaning(Self.definitions) == "16a6de49dcbaa400")
  }

  @Test(arguments: [
    ("count(HabitEntry where value >= 1)", "count(HabitEntry where 1 <= value)"),
    ("over last 7 days", "over last 1 week"), ("entries * 2", "2 * entries"),
    ("/// Entries.", "/// Other words."),
    ("over last 7 days", "over last 7 days  title \"Entries\"  owner \"a\"  tags [\"b\"]"),
    ("entries", "logged"),
    ("value entries * 2", "value entries * 2  approved \"Ana\" on 2026-06-30 meaning \"0\""),
  ])
  func aRewordingKeepsTheMeaning(_ old: String, _ new: String) throws {
    let text = Self.definitions.replacing(old, with: new)
    #expect(text != Self.definitions)
    #expect(try meaning(text) == meaning(Self.definitions), "\(text)")
  }

  @Test(arguments: [
    ("value >= 1", "value >= 2"), ("last 7 days", "last 8 days"), ("entries * 2", "entries * 3"),
    ("entries * 2", "entries * 2  unit entries"), ("entries * 2", "entries * 2  audience team"),
    ("for habit  value entries", "for habit where createdAt is not none  value entries"),
  ])
  func aChangeHasAnotherMeaning(_ old: String, _ new: String) throws {
    let text = "extend Habit { createdAt : DayKey? }\n" + Self.definitions
    let changed = text.replacing(old, with: new)
    #expect(changed != text)
    #expect(try meaning(changed) != meaning(text), "\(changed)")
  }

  @Test("MET-08: a voided approval is a warning that can be allowed")
  func aVoidedApprovalIsAWarningThatCanBeAllowed() throws {
    let hash = try meaning(Self.definitions)
    func findings(_ hash: String, _ more: String = "") -> [String] {
      let clause = "approved \"Ana\" on 2026-06-30 meaning \"\(hash)\" \(more)"
      let text = Self.definitions.replacing("entries * 2", with: "entries * 2  \(clause)")
      return MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)]).findings
        .filter { $0.code.id == "W026" }.map(\.message)
    }
    #expect(findings(hash).isEmpty && findings("1:\(hash)").isEmpty)
    for other in ["0", "1:0", "x:\(hash)"] {
      #expect(findings(other) == ["`twice` means something else than `Ana` approved on 2026-06-30"])
    }
    #expect(findings("0", "allow W026 \"soon\"").isEmpty)
  }

  /// Of another form of meanings, equal digits say as little as different ones.
  @Test(
    "MET-08: an approval of another form asks to approve again", arguments: [(0, "an older"), (2, "a newer")])
  func anApprovalOfAnotherFormSaysSo(_ form: Int, _ words: String) throws {
    let hash = try meaning(Self.definitions)
    let clause = "approved \"Ana\" on 2026-06-30 meaning \"\(form):\(hash)\""
    let text = Self.definitions.replacing("entries * 2", with: "entries * 2  \(clause)")
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)])
    let finding = try #require(library.findings.first { $0.code.id == "W026" })
    #expect(finding.message == "`Ana` approved `twice` on 2026-06-30 under \(words) form of meanings")
    #expect(finding.notes.map(\.message) == ["`metricc approve twice` approves what it means now"])
    let approval = try #require(library.plannedMetrics.last?.approval)
    #expect(!approval.holds && approval.text.hasSuffix("void: approved under another form of meanings"))
  }

  @Test func aFamilyIsApprovedAsOne() throws {
    let family = """
      measure active {
        for app  audience team  value days(Event)
        over each [last 1 day as daily, last 7 days as weekly]
      }

      """
    let one = try meaning(family, of: "daily_active")
    #expect(try meaning(family, of: "weekly_active") == one)
    #expect(try meaning(family.replacing("7 days", with: "8 days"), of: "daily_active") != one)
  }

  @Test func theClauseIsWrittenWhereItBelongs() throws {
    let text =
      Self.definitions + """

        measure lines {
          for habit
          value entries
          // A remark.
        }

        """
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)])
    let day = try #require(DayKey("2026-06-30"))
    let edits = library.approving(["twice", "lines"], by: "A \"B\"", on: day)
    #expect(edits.clauses.map(\.line) == [3, 5] && edits.sources.count == 1)
    let written = String(decoding: try #require(edits.sources[0]).bytes, as: UTF8.self)
    let again = MetricLibrary(sources: [SourceFile(path: "a.metric", text: written)])
    #expect(again.isAccepted, "\(written) \(again.findings)")
    #expect(!again.findings.contains { $0.code.id == "W026" })
    #expect(again.plannedMetrics.compactMap(\.approval).allSatisfy { $0.meaning.hasPrefix("1:") })
    #expect(again.plannedMetrics.compactMap(\.approval).map(\.who) == ["A \"B\"", "A \"B\""])
    #expect(
      written.contains("  // A remark.\n  approved \"A \\\"B\\\"\" on 2026-06-30 meaning"), "\(written)")
    if case .unchanged = formatted(SourceFile(path: "a.metric", text: text)) {
      guard case .unchanged = formatted(SourceFile(path: "a.metric", text: written)) else {
        Issue.record("not formatted: \(written)")
        return
      }
    }
    let later = try #require(again.approving(["lines"], by: "C", on: day).sources[0]).bytes
    #expect(String(decoding: later, as: UTF8.self).contains("approved \"C\" on 2026-06-30"))
    #expect(!String(decoding: later, as: UTF8.self).contains("remark.\n  approved \"A"))
  }

  @Test func linesKeepTheirEnds() throws {
    let text = "/// A.\r\nmeasure a {\r\n  for app\r\n  value count(Event)\r\n}\r\n"
    let library = MetricLibrary(sources: [SourceFile(path: "a.metric", text: text)])
    let edits = library.approving(["a"], by: "Ana", on: try #require(DayKey("2026-06-30")))
    let written = String(decoding: try #require(edits.sources[0]).bytes, as: UTF8.self)
    #expect(
      written.contains("count(Event)\r\n  approved \"Ana\"") && written.hasSuffix("\"\r\n}\r\n"), "\(written)"
    )
  }
}
