import MetricTestSupport
import Testing

/// W003: clauses that change what a streak of habits means.
@Suite struct DepartsFromCanonTests {
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
}
