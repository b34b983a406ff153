import MetricTestSupport
import Testing

/// C408: a text that gets worse.
@Suite struct TextVerdictTests {
  @Test func verdictsAsTexts() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      measure a { for habit  value if count(HabitEntry) >= 3 then "F" else "A" }  // error: C408
      measure b { for habit  value if done then habit.name else habit.unit }
      measure c { for habit  value if count(HabitEntry) < 3 then habit.name else habit.unit }  // error: C408
      measure d { for habit  value if done then 2026-01-01 else 2026-01-02 }  // error: C408
      measure e { for habit  value if habit.kind == "binary" then habit.name else none }
      measure f { for app  value "on" }
      """)
  }
}
