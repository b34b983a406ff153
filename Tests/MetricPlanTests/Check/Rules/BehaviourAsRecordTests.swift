import MetricTestSupport
import Testing

/// C414: behaviour is a fact.
@Suite struct BehaviourAsRecordTests {
  @Test("CHK-14: entities and settings that count against a person") func behaviour() {
    checks(
      """
      entity Snack { id : ID  user : User }
      fact Cigarette setting { id : ID  userId : User  dayKey : DayKey  n : Int min 0 }
      completion done { for user  every day  when count(Event) >= 1 }
      completion habit_done { for habit  every day  when count(HabitEntry) >= 1 }
      measure total { for user  value count(Event) }
      measure a { for user  value greatest(0, 100 - 5 * count(snack)) }  // error: C414
      measure b { for user  value if count(Cigarette over last 7 days) >= 1 then 0 else total }  // error: C414
      completion c { for user  every day  when count(Event) >= 1 and count(Cigarette) < 3 }  // error: C414
      measure d { for user  value greatest(0, 50 - sum(Cigarette.n)) }  // error: C102
      measure e { for user  value if last(Cigarette.n) > 3 then 0 else total }
      measure f { for user  value count(habit where habit_done) == count(habit) }
      measure g { for user  value count(habit where habit_done) / count(habit) }
      measure h { for user  value count(snack) }
      measure i { for user  value greatest(0, 100 - 5 * count(snack))  audience team }
      """)
  }
}
