import MetricTestSupport
import Testing

/// W001, W005 and W008: what a name says.
@Suite struct NamingRuleTests {
  @Test func storedLikeNames() {
    checks(
      """
      fact Visit {
        dayKey : DayKey
        userId : User
        readingStreak : Int?  // warning: W001
        bookCount : Int?  // warning: W001
        isCompleted : Bool?  // warning: W001
        percentComplete : Decimal?  // warning: W001
        longestStreak : Int? stored
        shownStreak : Int? observed "what a widget of another app said"
        countOfBooks : Int?  // warning: W001
        streak : Int?  // warning: W001
        discounted : Int?
        level : "a1" | "b1" ?
      }
      entity Profile { id : ID  readingStreak : Int?  pageCount : Int? }
      measure loginCount { for user  value count(Event) }  // warning: W001 W005
      measure login_count { for user  value count(Event) }
      measure tapCount { for user  value count(Event)  allow W001 "old name"  allow W005 "old name" }
      """)
  }

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

  /// Word by word: `template` is no `late`.
  @Test func antiPatternNames() {
    checks(
      """
      extend HabitEntry {
        template : Text?
        lateFee : Int?  // warning: W008
        isLate : Bool?  // warning: W008
        known : Text?
        timestamp : Instant?
      }
      measure missed_days { for habit  value count(HabitEntry) }  // warning: W008
      measure knowing { for habit  value count(HabitEntry where unit_of == "late") }
      extend HabitEntry { unit_of : Text? }  // warning: W005
      fact LateReturn { dayKey : DayKey }  // warning: W008
      funnel steps {  // warning: W008
        for user
        step reset_done Event where name == "1"
        step two Event where name == "2"
      }
      """)
  }
}
