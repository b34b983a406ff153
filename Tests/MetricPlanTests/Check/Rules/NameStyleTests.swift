import MetricTestSupport
import Testing

/// W005: names in the style of the language.
@Suite struct NameStyleTests {
  @Test func styles() {
    checks(
      """
      measure dailyMinutes { for user  value count(Event) }  // warning: W005
      measure daily__minutes { for user  value count(Event) }  // warning: W005
      measure daily_ { for user  value count(Event) }  // warning: W005
      measure d7_minutes { for user  value count(Event) }
      funnel steps {
        for user
        step firstOne Event where name == "1"  // warning: W005
        step second_one Event where name == "2"
      }
      fact Book_Read { dayKey : DayKey }  // warning: W005
      fact BookRead {
        dayKey : DayKey
        page_number : Int?  // warning: W005
      }
      extend Habit {
        start_day : DayKey?  // warning: W005
      }
      """)
  }
}
