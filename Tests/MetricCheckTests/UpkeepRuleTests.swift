import MetricCheck
import MetricDiagnostics
import MetricSyntax
import MetricTestSupport
import Testing

/// W006, W007, W012 and W013: documentation, tests, what is on its way out.
@Suite struct UpkeepRuleTests {
  @Test func docs() {
    checks(
      """
      /// Said.
      measure a { for habit  value 1 }
      // Not said.
      measure b { for habit  value 1 }  // warning: W006
      measure c { for habit  value 1  allow W006 "internal" }
      """)
  }

  @Test func coverage() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak run { of done  best }
      level rank { of run  at 1 }
      measure other { for habit  value count(HabitEntry) }  // warning: W007
      measure inner { for habit  value count(HabitEntry) }
      measure outer { for user  value sum(habit.inner) + count(habit where flag) }
      measure flag { for habit  value 1 == 1 }
      measure quiet { for habit  value 1  allow W007 "trivial" }
      test "t" {
        expect rank for "read" at 2026-01-01 = 0
        expect outer for "ann" at 2026-01-01 = 0
      }
      """)
  }

  @Test func deprecation() {
    checks(
      """
      measure old { for habit  value 1  deprecated "use new" }
      measure new { for habit  value 1 }
      measure a { for habit  value old + 1 }  // warning: W012
      measure b { for habit  value new + 1 }
      measure c { for user  value sum(habit.old) }  // warning: W012
      measure d { for habit  value old  allow W012 "until spring" }
      """)
  }

  @Test func allowances() {
    checks(
      """
      measure a { for habit  value 1  allow W999 "why" }  // warning: W013
      measure b { for habit  value 1  allow W007 "why" }
      """)
  }

  /// The parser's warning stands in the metric that it is about, and can be allowed there.
  @Test func misplacedDocs() {
    checks(
      """
      /// Above it.
      measure a { for habit  value 1 +
        /// Inside it.  // warning: W009
        2 }
      measure b { for habit  value 1 +
        /// Inside it.
        2  allow W009 "drawn beside the number" }
      /// Below all.  // warning: W009
      """)
  }

  @Test func theParsersWarningsAreKnown() {
    #expect(Rules.parserWarnings == Set(Page.syntax.map(\.code.id).filter { $0.hasPrefix("W") }))
  }

  /// Errors cannot be silenced, and a rejected metric draws no warnings.
  @Test func errorsComeFirst() {
    checks(
      """
      measure missedDays { for habit  value nothing }  // error: T001
      """)
  }
}
