import MetricTestSupport
import Testing

/// C101: a field that is marked as a stored metric.
@Suite struct ReadsStoredFieldTests {
  @Test func storedFields() {
    checks(
      """
      extend Habit { bestStreak : Int? stored }
      measure a { for habit  value habit.bestStreak }  // error: C101
      measure b { for habit  value count(HabitEntry where habit.bestStreak > 3) }  // error: C101
      measure c { for user  value sum(habit.bestStreak) }  // error: C101
      measure d { for habit  value count(HabitEntry) }
      """)
  }
}
