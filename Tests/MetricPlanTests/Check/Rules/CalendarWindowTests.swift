import MetricTestSupport
import Testing

/// W002: a week that starts on a fixed day.
@Suite struct CalendarWindowTests {
  @Test func calendarWindows() {
    checks(
      """
      completion a { for habit
        every calendar week  // warning: W002
        when count(HabitEntry) >= 1 }
      completion b { for habit
        every calendar month  // warning: W002
        when count(HabitEntry) >= 1 }
      measure f { for habit  value count(HabitEntry)
        over calendar week }  // warning: W002
      measure g { for habit
        value count(HabitEntry over calendar month) }  // warning: W002
      completion c { for habit  every week  when count(HabitEntry) >= 1 }
      completion d { for habit  every calendar week  when count(HabitEntry) >= 1  audience team }
      completion e { for habit  every calendar week  when count(HabitEntry) >= 1  allow W002 "payroll" }
      """)
  }
}
