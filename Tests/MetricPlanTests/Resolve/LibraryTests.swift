import MetricDiagnostics
import MetricLanguage
import MetricTestSupport
import Testing

/// Files as one library: order means nothing, every mistake is found, none is found twice.
@Suite struct LibraryTests {
  /// Declarations with all sorts of mistakes; none of them is about which of two comes first.
  static let declarations = [
    "entity Book { id : ID  ownerId : User?  level : \"a1\" | \"b1\" ? }",
    "fact Reading { id : ID  userId : User  bookId : Book?  dayKey : DayKey  pages = double / 2 }",
    "extend Reading { minutes : Decimal? min 0  double = minutes * 2 }",
    "extend Reading { mood : Text? pii }",
    "measure minutes { for user  value sum(Reading.minutes)  unit minutes }",
    "measure a { for user  value b + 1 }",
    "measure b { for user  value c + 1 }",
    "measure c { for user  value a + d }",
    "measure d { for user  value c + 1 }",
    "measure e { for user  value count(Reading where book.level == \"c1\") }",
    "measure f { for user  value sum(Reading.mood) }",
    "measure g { for user  value minutes + pages }",
    "measure pages { for user  value sum(Reading.pages)  unit pages }",
    "measure h { for user  value a + missing }",
    "completion active { for user  every day  when count(Reading) >= 1 }",
    "streak run { of active }",
    "streak bad_run { of minutes }",
    "level rank { of run  at 1, 5, 3 }",
    "test \"x\" { expect run for \"ann\" at 2026-02-30 = 1 }",
    "entity Ring { id : ID  x = y + 1  y = x + 1 }",
    "link Pair { userId : User  bookId : Book  day : DayKey }",
  ]

  @Test func orderMeansNothing() {
    func found(_ files: [[String]]) -> [String] {
      let sources = files.enumerated().map {
        SourceFile(path: "\($0).metric", text: $1.joined(separator: "\n"))
      }
      let library = MetricLibrary(sources: sources)
      return library.findings.map { finding in
        guard case .source(let span) = finding.location else { return "" }
        let notes = finding.notes.map(\.message).joined(separator: " — ")
        let source = library.sources[span.file]
        let line = source.line(source.position(of: span.start).line)
        return "\(line) ⟨\(source.text(span))⟩ \(finding.code) \(finding.message) — \(notes)"
      }.sorted()
    }
    let expected = found([Self.declarations])
    var generator = Generator(state: 7)
    for _ in 0..<30 {
      var files: [[String]] = [[], [], []]
      for declaration in Self.declarations.shuffled(using: &generator) {
        files[Int.random(in: 0..<3, using: &generator)].append(declaration)
      }
      let other = found(files)
      #expect(other == expected)
      if other != expected { return }
    }
  }

  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 31)
    }
  }

  @Test func allMistakesOfAFile() {
    checks(
      """
      measure a {
        for habit
        value sum(HabitEntry.size) + nothing  // error: T003 T001
        over last 0 days  // error: T016
        at least 1.5 users  // error: T016
        grace 1 day  // error: T008
        title "a"
        title "b"  // error: T007
        audience team
      }
      progress b {
        for habit
        value nothing  // error: T001
        target "x"  // error: T012
        over last 0 days  // error: T016
      }
      funnel c {
        for user
        step one Event where nam == "x"  // error: T001
        step two Nothing  // error: T002
        within 0 days  // error: T016
        over last 0 days  // error: T016
      }
      """)
  }

  /// What rests on something rejected is not rejected once more.
  @Test func noCascades() {
    checks(
      """
      completion done { for habit  every day  when nothing }  // error: T001
      streak run { of done }
      level rank { of run  at 1 }
      momentum share { of done  over last 7 days }
      measure a { for habit  value run + share * 2 }
      measure b { for user  value count(habit where done) }
      funnel c { for habit  step one done  step two HabitEntry }
      measure wrong { for nothing  value 1 }  // error: T001
      measure d { for app  value average(user.wrong) }
      test "t" {
        expect run for "x" at 2026-01-01 = 1
      }
      """)
  }

  @Test func unknownWords() {
    checks(
      """
      completion a { for habit  every calendar week from mnday  when count(HabitEntry) >= 1 }  // error: S026
      measure b { for app  value count(Event)  at least 5 people }  // error: S026
      """)
  }
}
