import MetricTestSupport
import Testing

/// C403, C404, W002, W003 and W004: what a person is shown.
@Suite struct AudienceRuleTests {
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

  @Test func teamMetrics() {
    checks(
      """
      measure a { for habit  value count(HabitEntry)  audience team }
      measure b { for habit  value a + 1 }  // error: C404
      measure c { for habit  value a + 1  audience team }
      completion d { for habit  every day  when count(HabitEntry) >= 1  audience team }
      streak e { of d }  // error: C404
      streak f { of d  audience team }
      measure g { for user  value sum(habit.a) }  // error: C404
      measure h { for user  value count(habit where d) }  // error: C404
      measure i { for habit  value count(d) }  // error: C404
      level j { of a  at 1 }  // error: C404
      """)
  }

  @Test func calendarWindows() {
    checks(
      """
      completion a { for habit
        every calendar week  // warning: W002
        when count(HabitEntry) >= 1 }
      completion b { for habit
        every calendar month  // warning: W002
        when count(HabitEntry) >= 1 }
      completion c { for habit  every week  when count(HabitEntry) >= 1 }
      completion d { for habit  every calendar week  when count(HabitEntry) >= 1  audience team }
      completion e { for habit  every calendar week  when count(HabitEntry) >= 1  allow W002 "payroll" }
      """)
  }

  @Test func departures() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      completion active { for user  every day  when count(Event) >= 1 }
      streak a { of done
        grace 1 day }  // warning: W003
      momentum b { of done
        half life 7 days }  // warning: W003
      streak c { of active  grace 1 day }
      momentum d { of active  half life 7 days }
      streak e { of done  best }
      streak f { of done  grace 1 day  allow W003 "meant" }
      """)
  }

  @Test func groupsOfOne() {
    checks(
      """
      fact Weather { dayKey : DayKey  city : Text? }
      measure a { for app  value count(Event)
        by name }  // warning: W004
      measure b { for app  value count(Event)  by name  at least 5 users }
      measure c { for user  value count(Event)  by name }
      measure d { for app  value count(Weather)  by city }
      retention e { for user  start Event  return Event  after 1 days
        by cohort week }  // warning: W004
      funnel f { for user  step one Event where name == "1"  step two Event where name == "2"
        by name }  // warning: W004
      """)
  }
}
