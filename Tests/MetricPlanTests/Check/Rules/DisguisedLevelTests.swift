import MetricTestSupport
import Testing

/// C406: steps of a falling number are a level that falls.
@Suite struct DisguisedLevelTests {
  @Test func levelsInDisguise() {
    checks(
      """
      completion done { for habit  every day  when count(HabitEntry) >= 1 }
      momentum m { of done  over last 7 days }
      measure a { for habit  value (if m >= 3 then 1 else 0) + (if m >= 6 then 1 else 0) }  // error: C406
      measure b { for habit  value if m >= 6 then 2 else if m >= 3 then 1 else 0 }  // error: C406
      measure c { for habit  value if count(HabitEntry) >= 6 then 2 else if count(HabitEntry) >= 3 then 1 else 0 }
      measure d { for habit  value m >= 3 }
      level e { of m  at 3  audience team }  // error: C406
      measure f { for app  value count(habit)  by m  allow W004 "few" }
      level g { of f  at 3 }  // error: C406
      measure h { for app  value count(habit) }
      level i { of h  at 3 }
      """)
  }
}
