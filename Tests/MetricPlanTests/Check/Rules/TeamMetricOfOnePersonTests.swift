import MetricTestSupport
import Testing

/// W015: a team metric with a row for each person.
@Suite struct TeamMetricOfOnePersonTests {
  @Test func rowsOfSinglePeople() {
    checks(
      """
      entity FamilyChild { id : ID  familyId : Text? }
      entity Film { id : ID }
      fact Minutes { id : ID  childId : FamilyChild  filmId : Film  dayKey : DayKey  minutes : Decimal min 0 }
      measure a { for familyChild  audience team  value sum(Minutes.minutes) }  // warning: W015
      measure b { for habit  audience team  value count(HabitEntry) }  // warning: W015
      measure c { for film  audience team  value sum(Minutes.minutes) }
      measure d { for app  value average(familyChild.a) }
      measure e { for user  audience team  value count(Event)  allow W015 "only averages of it are shown" }
      measure f { for user  audience team  value if e > 3 then "often" else "seldom" }  // warning: W015
      measure g { for app  value count(user)  by f  at least 5 users }
      """)
  }
}
