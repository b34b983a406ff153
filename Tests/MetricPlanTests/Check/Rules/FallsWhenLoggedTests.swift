import MetricTestSupport
import Testing

/// C401, C405 and C406: what a logged fact, no data and the passing of days do to a number.
@Suite struct FallsWhenLoggedTests {
  @Test func loggingLowers() {
    checks(
      """
      measure a { for habit  value average(HabitEntry.value) }  // error: C401
      measure b { for habit  value average(HabitEntry.value)  audience team }
      measure c { for habit  value sum(HabitEntry.value) }
      measure d { for habit  value 10 - count(HabitEntry) }  // error: C401
      measure e { for habit  value greatest(10 - count(HabitEntry), 5) }  // error: C401
      """)
  }

  @Test func belowZero() {
    checks(
      """
      extend Habit { size : Int?  length : Int? min 0 }
      measure a { for habit  value habit.size }  // error: C405
      measure b { for habit  value habit.length }
      measure c { for habit  value greatest(habit.size, 0) }
      """)
  }

  @Test func levelsThatFall() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      streak run { of done }
      streak best_run { of done  best }
      level a { of run  at 7, 30 }  // error: C406
      level b { of best_run  at 7, 30 }
      """)
  }
}
