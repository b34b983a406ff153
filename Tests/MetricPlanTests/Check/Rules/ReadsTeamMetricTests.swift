import MetricTestSupport
import Testing

/// C404: people are not shown what is for the team.
@Suite struct ReadsTeamMetricTests {
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
}
