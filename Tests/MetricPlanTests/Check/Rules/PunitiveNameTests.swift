import MetricTestSupport
import Testing

/// W008: words that blame.
@Suite struct PunitiveNameTests {
  /// Word by word: `template` is no `late`.
  @Test func antiPatternNames() {
    checks(
      """
      extend HabitEntry {
        template : Text?
        lateFee : Int?  // warning: W008
        isLate : Bool?  // warning: W008 W001
        known : Text?
        timestamp : Instant?
      }
      measure missed_days { for habit  value count(HabitEntry) }  // warning: W008
      measure knowing { for habit  value count(HabitEntry where unit_of == "late") }  // warning: W018
      extend HabitEntry { unit_of : Text? }  // warning: W005
      fact LateReturn { dayKey : DayKey }  // warning: W008
      funnel steps {  // warning: W008
        for user
        step reset_done Event where name == "1"
        step two Event where name == "2"
      }
      """)
  }

  /// A level of slips needs no word of its own to be one.
  @Test func factsWhoseNameJudges() {
    checks(
      """
      fact Relapse { id : ID  userId : User  dayKey : DayKey }
      measure ruby { for user  value count(Relapse) }  // warning: W008
      level badge { of ruby  at 1, 5 }  // warning: W008
      measure relapses { for app  value count(Relapse) }
      measure chosen { for user  value count(Relapse)  allow W008 "a word of the programme" }
      """)
  }

  @Test func wordsThatPeopleRead() {
    checks(
      """
      measure a { for user
        title "Failed days"  // warning: W008
        value count(Event) }
      measure b { for user  value count(Event)
        unit shame }  // warning: W008
      /// How far you are behind.
      measure c { for user  value count(Event) }  // warning: W008
      measure failed_requests { for app  title "Failed requests"  value count(Event) }
      measure lost_days { for user  value count(Event) }  // warning: W008
      measure d { for user  title "Lost"  value count(Event)  allow W008 "the name of a television series" }
      """)
  }
}
