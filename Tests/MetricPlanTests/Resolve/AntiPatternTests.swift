import MetricDiagnostics
import MetricPlan
import MetricTestSupport
import Testing

/// The forbidden words, as clauses and as operands.
@Suite struct AntiPatternTests {
  static let codes = [
    ("stored", "C201"), ("cached", "C201"), ("persist", "C201"), ("store", "C201"), ("cache", "C201"),
    ("save", "C201"), ("increment", "C202"), ("decrement", "C202"), ("reset", "C202"), ("override", "C202"),
    ("expire", "C202"), ("rollover", "C202"), ("carry", "C202"), ("penalty", "C402"), ("missed", "C402"),
    ("late", "C402"), ("deadline", "C402"), ("punish", "C402"), ("lose", "C402"), ("timezone", "C303"),
    ("timestamp", "C303"), ("now", "C302"), ("today", "C302"),
  ]

  @Test func allWords() {
    #expect(Self.codes.map(\.0) == ForbiddenWord.allCases.map(\.rawValue))
  }

  @Test(arguments: codes)
  func asClause(_ word: String, _ code: String) {
    checks(
      """
      measure a {
        for habit
        \(word) every monday: "at" 5 == (  // error: \(code)
        value count(HabitEntry)
      }
      measure b { for habit  \(word) it  // error: \(code)
        value 1 }
      measure c { for habit  \(word) 3  value count(HabitEntry) }  // error: \(code)
      measure d { for habit  \(word) 3 }  // error: \(code) T009
      """)
  }

  @Test(arguments: codes)
  func asOperand(_ word: String, _ code: String) {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure a { for habit  value 1 + \(word) }  // error: \(code)
      measure b { for habit  value count(HabitEntry where value < \(word)) }  // error: \(code)
      measure c { for habit  value count(\(word)) }  // error: \(code)
      measure d { for habit  value \(word)(HabitEntry) }  // error: \(code)
      streak e { of \(word)  best }  // error: \(code)
      measure f { for habit  value sum(HabitEntry.\(word)) }  // error: \(code)
      measure g { for habit  value habit.\(word) == 1 }  // error: \(code)
      measure h { for app  value count(HabitEntry)
        by \(word) }  // error: \(code)
      retention i { for user  start \(word)  // error: \(code)
        return Event  after 1 days }
      measure j { for habit  value \(word) offset 7 days }  // error: \(code)
      """)
  }

  /// A name that resolves is only warned about, and a text never.
  @Test(arguments: codes)
  func thatResolve(_ word: String, _ code: String) {
    checks(
      """
      extend HabitEntry { \(word) : Int? min 0 observed "as a test" }  // warning: W008
      measure a { for app  title "\(word)"  value sum(HabitEntry.\(word) where habit.name == "x \(word)") }
      measure done_\(word) { for habit  value 1 }\(word == "now" ? "" : "  // warning: W008")
      measure x\(word) { for habit  value done_\(word) }
      """)
  }
}
