import MetricTestSupport
import Testing

/// C403: what a day alone adds is no score.
@Suite struct DayAsScoreTests {
  @Test func daysAreNoScore() {
    checks(
      """
      extend Habit { startDay : DayKey? }
      measure a { for habit  value day - habit.startDay }  // error: C403 C405
      measure b { for habit  value day }  // error: C403
      measure c { for habit  value weekday(day) }  // error: C403
      measure d { for habit  value day - habit.startDay >= 3 }
      measure e { for habit  value if day > habit.startDay then 1 else 0 }
      measure f { for habit  value day - habit.startDay  audience team }
      measure g { for habit  value weekday(day) in ["monday"] }
      measure h { for habit  value count(HabitEntry where day - habit.startDay >= 1 and dayKey == day) }
      progress i {
        for habit
        value 1
        target day - habit.startDay  // error: C403 C405
      }
      progress j {
        for habit
        value if 1 == 1 then day - habit.startDay else 0  // error: C403 C405
        target 5
      }
      completion k {
        for habit  every day  when count(HabitEntry) >= 1
        rest when day < habit.startDay
      }
      """)
  }
}
