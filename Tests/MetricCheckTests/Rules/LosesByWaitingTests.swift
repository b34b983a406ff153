import MetricTestSupport
import Testing

/// C409: days that pass take nothing away.
@Suite struct LosesByWaitingTests {
  @Test func losesByWaiting() {
    checks(
      """
      measure a { for habit  value if day - last(HabitEntry) <= 7 then count(HabitEntry) else 0 }  // error: C409
      measure b { for habit  value if weekday(day) == "monday" then 0 else count(HabitEntry) }  // error: C409
      measure c { for habit  value if day >= 2026-07-01 then 0 else count(HabitEntry) }  // error: C409
      measure d { for habit  value day < 2026-07-01 }  // error: C409
      measure e { for habit  value if day >= 2026-07-01 then count(HabitEntry) else 0 }
      measure f { for habit  value count(HabitEntry over last 7 days) }
      progress g { for habit  value count(HabitEntry)
        target if weekday(day) == "sunday" then 1 else 3 }  // error: C409
      """)
  }
}
