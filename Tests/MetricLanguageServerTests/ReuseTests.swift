import MetricDiagnostics
import MetricLanguage
import MetricLanguageServer
import MetricSyntax
import MetricTestSupport
import Testing

@testable import MetricPlan

/// A look that takes over what has not changed comes to the same as one at everything.
@Suite struct ReuseTests {
  /// Files of a library, changed as somebody changes them who does not always know what they do.
  private struct Edited {
    private(set) var parsed: [ParsedSource]
    private let texts: [String]

    init(_ texts: [String]) {
      self.texts = texts
      parsed = texts.enumerated().map { Edited.parse($1, $0) }
    }

    private static func parse(_ text: String, _ file: Int) -> ParsedSource {
      ParsedSource(SourceFile(path: "\(file).metric", text: text), file: file)
    }

    mutating func set(_ file: Int, _ text: String) { parsed[file] = Edited.parse(text, file) }

    func text(_ file: Int) -> String {
      String(decoding: parsed[file].tree.source.bytes, as: UTF8.self)
    }

    /// Changes a file: a token goes, comes from elsewhere or is doubled, a line moves the rest, another file
    /// comes behind it, or all is as it was at first.
    mutating func change(_ random: inout SeededGenerator) {
      let file = random.int(0...parsed.count - 1)
      let tree = parsed[file].tree
      let other = parsed[random.int(0...parsed.count - 1)].tree
      let token = random.pick(tree.tokens).span
      let bytes = tree.source.bytes
      let (head, tail) = (bytes[..<token.start], bytes[token.end...])
      var text: [UInt8]
      switch random.int(0...6) {
      case 0: text = Array(head + tail)
      case 1: text = head + Array(other.source.text(random.pick(other.tokens).span).utf8) + tail
      case 2: text = head + Array(" \(tree.source.text(token)) \(tree.source.text(token)) ".utf8) + tail
      case 3: text = Array("// a line\n".utf8) + bytes
      case 4: text = bytes + Array("\n".utf8) + other.source.bytes
      default: text = Array(texts[file].utf8)
      }
      set(file, String(decoding: text, as: UTF8.self))
    }
  }

  private func expectSame(_ reusing: Analysis, _ parsed: [ParsedSource], _ message: String) {
    let fresh = Analysis(parsed)
    #expect(reusing.library.findings == fresh.library.findings, "\(message)")
    #expect(reusing.plan.records == fresh.plan.records, "\(message)")
    #expect(reusing.plan.metrics == fresh.plan.metrics, "\(message)")
    #expect(reusing.plan.tests == fresh.plan.tests, "\(message)")
    #expect(Set(reusing.library.uses) == Set(fresh.library.uses), "\(message)")
    #expect(reusing.library.metrics == fresh.library.metrics, "\(message)")
  }

  @Test(arguments: ["Habits", "FamilyRewards"])
  func randomChanges(_ name: String) throws {
    var random = SeededGenerator(seed: testSeed)
    let texts = try Repository.files(".metric", under: "Definitions/\(name)").map(Repository.text)
    var edited = Edited(texts)
    var last = Analysis(edited.parsed)
    for round in 1...60 {
      for _ in 0..<random.int(1...2) { edited.change(&random) }
      let next = Analysis(edited.parsed, previous: last)
      expectSame(next, edited.parsed, "\(name), round \(round), \(random.replay)")
      last = next
    }
  }

  /// What rests on a changed metric, directly or not, is looked at again, in whichever file it stands.
  @Test func whatReadsTheChangedIsLookedAtAgain() {
    var edited = Edited([
      "/// C.\ncompletion done { for habit  every day  when count(HabitEntry) >= 1 }\n",
      "/// S.\nstreak run { of done  best }\n/// N.\nmeasure other { for habit  value count(HabitEntry) }\n",
      "/// L.\nlevel reached { of run  at 3 }\n",
      """
      test "t" {
        expect reached for "a" at 2026-01-01 = 0
        expect other for "a" at 2026-01-01 = 0
        expect done for "a" at 2026-01-01 = false
      }
      """,
    ])
    let first = Analysis(edited.parsed)
    #expect(first.library.findings == [])
    edited.set(0, edited.text(0).replacing(">= 1", with: "< 5"))
    let second = Analysis(edited.parsed, previous: first)
    #expect(second.library.findings.map(\.metric) == ["done"])
    expectSame(second, edited.parsed, "a metric that is rejected")
    edited.set(0, edited.text(0).replacing("done", with: "met"))
    let third = Analysis(edited.parsed, previous: second)
    #expect(third.library.findings.contains { $0.message == "no metric is called `done`" })
    expectSame(third, edited.parsed, "a metric that is gone")
    edited.set(0, edited.text(0).replacing("met", with: "done").replacing("< 5", with: ">= 1"))
    expectSame(
      Analysis(edited.parsed, previous: third), edited.parsed, "a metric that is back")
  }

  /// What metrics of several users give away together (W017) is taken over as long as none of them changes.
  @Test func whatMetricsGiveAwayTogether() {
    func team(_ name: String, _ condition: String) -> String {
      """
      /// N.
      measure \(name) {
        for app
        value count(HabitEntry where \(condition))
        at least 5 users
      }

      """
    }
    let own = "/// O.\nmeasure own { for habit  value count(HabitEntry) }\n"
    var edited = Edited([team("many", "value > 1") + own, team("more", "value > 2")])
    var last = Analysis(edited.parsed)
    func expectPartners(_ count: Int, after file: Int, _ text: String) {
      edited.set(file, text)
      last = Analysis(edited.parsed, previous: last)
      #expect(last.library.findings.count { $0.code.id == "W017" } == count, "\(text)")
      expectSame(last, edited.parsed, text)
    }
    let (first, second) = (edited.text(0), edited.text(1))
    expectPartners(1, after: 0, first.replacing("habit  value", with: "habit  value 1 +"))
    expectPartners(1, after: 0, "// A line.\n" + first)
    expectPartners(2, after: 1, second + team("most", "value > 3"))
    expectPartners(0, after: 1, "")
    expectPartners(1, after: 1, second)
    expectPartners(0, after: 1, second.replacing("at least 5", with: "allow W017 \"w\"\n  at least 5"))
    expectPartners(0, after: 0, "// A line.\n" + first)
  }

  /// The resolver does take over: everything but the changed metric and what reads it, wherever it stands now.
  @Test func whatDidNotChangeIsTakenOver() {
    func trees(_ limit: String, lead: String = "", field: String = "pages") -> [SyntaxTree] {
      [
        """
        \(lead)fact Reading { id : ID  habitId : Habit  dayKey : DayKey  \(field) : Int? min 0 }
        completion a { for habit  every day  when count(HabitEntry) >= \(limit) }
        completion b { for habit  every day  when count(HabitEntry) >= 1 }
        streak c { of b }
        streak d { of a }
        level e { of f  at 1 }
        streak f { of b  best }
        measure g { for habit  value count(Reading) }
        measure h { for habit  value g * 2 }
        test "t" { expect g for "x" at 2026-01-01 = 0 }
        """, BuiltIn.source,
      ].enumerated().map { parse(SourceFile(path: "\($0).metric", text: $1), file: $0).0 }
    }
    let first = resolve(trees("1"), builtInFile: 1, remembers: true)
    func takenOver(_ trees: [SyntaxTree]) -> String {
      let next = resolve(trees, builtInFile: 1, remembers: true, previous: first.memory)
      let fresh = resolve(trees, builtInFile: 1)
      #expect(next.library.metrics == fresh.library.metrics)
      #expect(next.library.tests == fresh.library.tests)
      #expect(Set(next.uses) == Set(fresh.uses))
      return next.unchanged.map { next.library.metrics[$0].name }.sorted().joined()
    }
    #expect(takenOver(trees("2")) == "bcefgh")
    // Without `a` and `d` the others stand elsewhere in the plan.
    #expect(takenOver(trees("none")) == "bcefgh")
    #expect(takenOver(trees("1", lead: "// A line.\n")) == "abcdefgh")
    #expect(takenOver(trees("1", field: "words")) == "abcdef")
    #expect(takenOver(trees("10", lead: "/// A line.\n", field: "words")) == "bcef")
    // A part of a longer name is no use of it.
    #expect(takenOver(trees("1", lead: "measure ount { for habit  value 1 }\n")) == "abcdefgh")
  }

  /// A keystroke works out what it can have changed, with findings and approvals on all metrics too.
  @Test func workDoesNotGrowWithTheLibrary() {
    func text(_ limit: Int, _ minutes: String = "minutes", lead: String = "") -> String {
      let metrics = (0..<100).map { index in
        """
        completion read_\(index) {
          for user
          approved "Ana" on 2026-06-30 meaning "0000000000000000"
          every day
          when count(Reading) >= \(index == 50 ? limit : 1)
        }
        streak run_\(index) { of read_\(index) }
        measure twice_\(index) {
          for user
          approved "Ana" on 2026-06-30 meaning "0000000000000000"
          value sum(Reading.minutes) * 2
        }

        """
      }
      return """
        \(lead)fact Reading { id : ID  userId : User  dayKey : DayKey  \(minutes) : Decimal min 0 }

        """ + metrics.joined()
    }
    var edited = Edited([text(1)])
    var last = Analysis(edited.parsed)
    func counts(_ work: MetricLibrary.Work) -> [Int] { [work.resolved, work.examined, work.hashed] }
    #expect(counts(last.library.work) == [300, 300, 200])
    // No doc, no test, and a void approval.
    #expect(last.library.findings.count == 800)
    func work(_ text: String, _ message: String) -> [Int] {
      edited.set(0, text)
      last = Analysis(edited.parsed, previous: last)
      expectSame(last, edited.parsed, message)
      return counts(last.library.work)
    }
    #expect(work(text(2), "a number") == [2, 2, 1])
    #expect(work(text(2, lead: "// A line.\n"), "a line") == [0, 0, 0])
    #expect(work(text(2) + "streak more { of run", "a new metric") == [0, 0, 0])
    #expect(work(text(2) + "streak more { of read_7  best }", "the same, whole") == [1, 2, 0])
    #expect(work(text(2, "hours"), "a field") == [200, 200, 100])
  }
}
