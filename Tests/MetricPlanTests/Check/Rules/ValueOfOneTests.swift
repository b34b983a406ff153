import MetricTestSupport
import Testing

/// C411: the greatest, first or last value is one person's.
@Suite struct ValueOfOneTests {
  @Test("PRIV-11: the value of one person") func valuesOfOne() {
    checks(
      """
      measure a { for app  value max(Event.value) }  // error: C411
      measure b { for app  value last(Event.name)  at least 5 users }  // error: C411
      measure c { for app  value last(Event.userId) }  // error: C411
      measure d { for app  value count(Event) + max(user.xp) }  // error: C411
      measure e { for user  value last(Event.name) }
      measure f { for app  value average(Event.value) + percentile(Event.value, 90)  at least 5 users }
      measure g { for app  value count(user where xp > 10) }
      completion h { for app  every day  when max(Event.value) > 3 }  // error: C411
      fact Weather { dayKey : DayKey  warmth : Int }
      measure i { for app  value max(Weather.warmth) }
      extend User { xp : Int? }
      measure j { for habit  value max(HabitEntry.value)  audience team }
      """)
  }
}
