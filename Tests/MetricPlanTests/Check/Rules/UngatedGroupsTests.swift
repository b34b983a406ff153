import MetricTestSupport
import Testing

/// W004: groups of people without `at least`.
@Suite struct UngatedGroupsTests {
  @Test func groupsOfOne() {
    checks(
      """
      fact Weather { dayKey : DayKey  city : Text? }
      measure a { for app  value count(Event)
        by name }  // warning: W004
      measure b { for app  value sum(Event.value)  by name  at least 5 users }
      measure c { for user  value count(Event)  by name }
      measure d { for app  value count(Weather)  by city }
      retention e { for user  start Event  return Event  after 1 days
        by cohort week }  // warning: W004
      funnel f { for user  step one Event where name == "1"  step two Event where name == "2"
        by name }  // warning: W004
      """)
  }
}
