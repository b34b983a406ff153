import MetricTestSupport
import Testing

/// W007: a metric that no test expects.
@Suite struct MissingTestTests {
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
}
