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

  @Test("CHK-10: through a completion") func throughCompletions() {
    checks(
      """
      fact Log { id : ID  userId : User  dayKey : DayKey  n : Int min 0 }
      completion fresh { for user  every day  when day - last(Log over all time) <= 3 }
      measure a { for user  value if fresh then 5 else 0 }  // error: C409
      measure b { for user  value count(Log over last 7 days) + (if fresh then 5 else 0) }  // error: C409
      completion early { for user  every day  when count(Log) >= 1 and day < 2026-06-01 }
      streak c { of early }  // error: C409
      streak d { of early  best }
      measure e { for user  value count(early) }
      completion workday { for user  every day  when count(Log) >= 1 and weekday(day) != "monday" }
      streak f { of workday }  // error: C409
      momentum g { of workday  over last 7 days }  // error: C409
      completion rested {
        for user
        every day
        when count(Log) >= 1 and weekday(day) != "monday"
        rest when weekday(day) == "monday"
      }
      streak h { of rested }
      momentum i { of rested  over last 7 days }
      completion summer { for user  every day  when count(Log) >= 1 and day >= 2026-06-01 }
      streak j { of summer }
      streak k { of early  audience team }
      """)
  }
}
